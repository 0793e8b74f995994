#include "core/patterns.h"
#include "tests/core/sample_values.h"
#include "ui/document/commands.h"

#include <QRegularExpression>
#include <QSignalSpy>
#include <QTest>
#include <limits>

using namespace keyaxis;
using namespace keyaxis::testing;

class TestCommands : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void aDragIsOneStepAndTwoDragsAreTwo()
    {
        Document document;
        document.load(randomInputs({1, 1, 1, 4, 4, 2, 2}, 1), {}, {});
        ScoreSettings start = document.settings();
        start.temperature = 0.5F;
        document.load(document.inputs(), start, {});
        const auto drag = [&](float to) {
            const Gesture gesture = newGesture();
            const float from = document.settings().temperature;
            for (int n = 1; n <= 150; ++n)
                setTemperature(document, from + (to - from) * static_cast<float>(n) / 150.0F,
                               gesture);
        };
        drag(2.0F);
        drag(1.0F);
        const float cell = document.inputs().q->data()[0];
        document.undoStack().push(
            new EditCells(document, InputTensor::Q, {{0, cell, 9.0F}}, "Edit"));
        QCOMPARE(document.undoStack().count(), 3);
        document.undoStack().undo();
        QCOMPARE(document.inputs().q->data()[0], cell);
        document.undoStack().undo();
        QCOMPARE(document.settings().temperature, 2.0F);
        document.undoStack().undo();
        QCOMPARE(document.settings().temperature, 0.5F);
        for (int n = 0; n < 3; ++n)
            document.undoStack().redo();
        QCOMPARE(document.settings().temperature, 1.0F);
        QCOMPARE(document.inputs().q->data()[0], 9.0F);
    }

    void aDragBackToItsStartLeavesNoStep()
    {
        Document document;
        document.load(randomInputs({1, 1, 1, 4, 4, 2, 2}, 1), {}, {});
        const Gesture gesture = newGesture();
        setTemperature(document, 3.0F, gesture);
        setTemperature(document, 1.0F, gesture);
        QCOMPARE(document.undoStack().count(), 0);
        QVERIFY(document.undoStack().isClean());
    }

    void mergingNeverCrossesTheSavedState()
    {
        Document document;
        document.load(randomInputs({1, 1, 1, 4, 4, 2, 2}, 1), {}, {});
        const Gesture gesture = newGesture();
        setTemperature(document, 3.0F, gesture);
        document.undoStack().setClean();
        setTemperature(document, 4.0F, gesture);
        QCOMPARE(document.undoStack().count(), 2);
        QVERIFY(!document.undoStack().isClean());
        document.undoStack().undo();
        QVERIFY(document.undoStack().isClean());
    }

    void differentFieldsOfOneGestureDoNotMerge()
    {
        Document document;
        document.load(randomInputs({1, 1, 1, 4, 4, 2, 2}, 1), {}, {});
        const Gesture gesture = newGesture();
        setTemperature(document, 3.0F, gesture);
        ScoreSettings settings = document.settings();
        settings.causal = true;
        document.undoStack().push(
            new EditSettings(document, settings, SettingsField::Causal, "Causal", gesture));
        QCOMPARE(document.undoStack().count(), 2);
    }

    void anEditLeavesASharedTensorAlone()
    {
        Document document;
        document.load(randomInputs({1, 1, 1, 4, 4, 2, 2}, 1), {}, {});
        const Inputs snapshot = document.inputs();
        const float before = snapshot.k->data()[3];
        document.undoStack().push(
            new EditCells(document, InputTensor::K, {{3, before, 7.0F}}, "Edit"));
        QCOMPARE(snapshot.k->data()[3], before);
        QCOMPARE(document.inputs().k->data()[3], 7.0F);
        QCOMPARE(document.inputs().q, snapshot.q); // only the edited tensor is new
    }

    void replacingInputsIsUndone()
    {
        Document document;
        document.load(randomInputs({2, 2, 2, 4, 4, 2, 2}, 1), {}, {}, 1, 1);
        QSignalSpy spy(&document, &Document::changed);
        document.undoStack().push(new ReplaceInputs(
            document, resized(document.inputs(), {1, 1, 1, 6, 6, 3, 2}), "Sizes"));
        QCOMPARE(document.sizes(), (Sizes{1, 1, 1, 6, 6, 3, 2}));
        QCOMPARE(document.view().batch, 0); // clamped
        document.undoStack().undo();
        QCOMPARE(document.sizes(), (Sizes{2, 2, 2, 4, 4, 2, 2}));
        QVERIFY(spy.count() >= 2);
    }

    void replacingByTheSameValuesLeavesNoStep()
    {
        Document document;
        Inputs inputs = randomInputs({1, 2, 2, 4, 4, 2, 2}, 1);
        Tensor odd = *inputs.q;
        odd.data()[5] = std::numeric_limits<float>::quiet_NaN();
        inputs.q = share(Tensor(odd));
        document.load(inputs, {}, {});
        inputs.q = share(Tensor(odd));
        document.undoStack().push(new ReplaceInputs(document, inputs, "Fill"));
        QCOMPARE(document.undoStack().count(), 0);
        odd.data()[5] = 0.0F;
        inputs.q = share(std::move(odd));
        document.undoStack().push(new ReplaceInputs(document, inputs, "Fill"));
        QCOMPARE(document.undoStack().count(), 1);
    }

    void aDragOfANumberIsOneStepAndNoneWhereItEndsAsItBegan()
    {
        Document document;
        document.load(randomInputs({1, 1, 1, 4, 4, 2, 2}, 1), {}, {});
        const float start = document.inputs().v->data()[2];
        const auto edit = [&](InputTensor which, Index cell, float to, Gesture gesture) {
            const float from = tensorOf(document.inputs(), which)->data()[cell];
            document.undoStack().push(
                new EditCells(document, which, {{cell, from, to}}, "E", gesture));
        };
        const Gesture gesture = newGesture();
        for (const float to : {1.0F, 2.0F, 3.0F})
            edit(InputTensor::V, 2, to, gesture);
        QCOMPARE(document.undoStack().count(), 1);
        edit(InputTensor::V, 2, start, gesture);
        QCOMPARE(document.undoStack().count(), 0);
        edit(InputTensor::V, 2, 1.0F, gesture);
        edit(InputTensor::V, 3, 1.0F, gesture); // another cell
        edit(InputTensor::K, 3, 1.0F, gesture); // another tensor
        edit(InputTensor::K, 3, 2.0F, newGesture());
        QCOMPARE(document.undoStack().count(), 4);
        while (document.undoStack().canUndo())
            document.undoStack().undo();
        QCOMPARE(document.inputs().v->data()[2], start);
    }

    void listenersOfALoadFindItWhole()
    {
        Document document;
        document.load(randomInputs({3, 4, 4, 4, 4, 2, 2}, 1), {}, {}, 2, 3);
        setTemperature(document, 3.0F, 0);
        connect(&document, &Document::changed, &document, [&] {
            QVERIFY(document.view().batch < document.sizes().B);
            QVERIFY(document.view().head < document.sizes().H);
            QVERIFY(document.undoStack().isClean());
        });
        document.load(randomInputs({1, 2, 2, 4, 4, 2, 2}, 2), {}, {}, 0, 1);
    }

    void loadingClearsTheHistory()
    {
        Document document;
        document.load(randomInputs({1, 1, 1, 4, 4, 2, 2}, 1), {}, {});
        setTemperature(document, 3.0F, 0);
        document.load(randomInputs({1, 3, 3, 4, 4, 2, 2}, 2), {}, "file.npz", 0, 7);
        QCOMPARE(document.undoStack().count(), 0);
        QCOMPARE(document.view().head, 2);
        QCOMPARE(document.settings().temperature, 1.0F);
    }

private:
    static void setTemperature(Document& document, float temperature, Gesture gesture)
    {
        ScoreSettings settings = document.settings();
        settings.temperature = temperature;
        document.undoStack().push(new EditSettings(document, settings, SettingsField::Temperature,
                                                   "Temperature", gesture));
    }
};

QTEST_GUILESS_MAIN(TestCommands)
#include "tst_commands.moc"
