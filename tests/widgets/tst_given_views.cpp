#include "core/attention/attention.h"
#include "core/io/tensor_file.h"
#include "tests/core/sample_values.h"
#include "tests/widgets/window_helpers.h"
#include "ui/document/samples.h"
#include "ui/document/session.h"
#include "ui/widgets/axis_summary.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/diagnosis_window.h"
#include "ui/widgets/influence_view.h"
#include "ui/widgets/inputs_panel.h"
#include "ui/widgets/slice_tray.h"
#include "ui/widgets/stage_strip.h"
#include "ui/widgets/status_strip.h"
#include "ui/widgets/tensor_model.h"
#include "ui/widgets/tensor_table.h"
#include "ui/widgets/verdict_card.h"
#include "ui/widgets/why_panel.h"
#include "ui/widgets/window_actions.h"

#include <QTemporaryDir>
#include <QToolButton>

using namespace keyaxis;
using namespace keyaxis::testing;

namespace {

constexpr Shape kShape{2, 2, 4, 5};

QStringList tabsOf(InputsPanel& panel)
{
    QStringList texts;
    for (const QToolButton* tab : panel.findChildren<QToolButton*>(QStringLiteral("tab")))
        if (tab->isVisible() && tab->isEnabled())
            texts << tab->text();
    return texts;
}

} // namespace

/// Documents whose tensor is not Q, K or V.
class TestGivenViews : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { failOnWarnings(); }

    void scoresOpenAndEverySettingWorks()
    {
        const Tensor scores = randomTensor(kShape, 3);
        const QString path = written("scores.npz", {rawTensor("scores", scores)});
        ShownWindow shown;
        MainWindow& window = shown.window;
        QVERIFY(window.open(path));
        QVERIFY(settle(window));
        QVERIFY2(window.banner().sentence().contains("was read as scores"),
                 qPrintable(window.banner().sentence()));
        QCOMPARE(tabsOf(window.inputsPanel()), (QStringList{"V", "Mask", "S"}));
        QCOMPARE(window.inputsPanel().shownTensor(), InputTensor::Given);
        window.actions().causal->trigger();
        window.actions().alibi->trigger();
        QVERIFY(settle(window));
        Inputs expected;
        expected.scores = share(scores);
        for (const Axis axis : kAllAxes) {
            ScoreSettings settings = window.document().settings();
            settings.axis = axis;
            QVERIFY(
                sameBits(weights(window, axis), attendSlice(expected, settings, 0, 0)->weights));
        }
        window.actions().single->trigger();
        Q_EMIT window.centre().stageChosen(Stage::Scores);
        QVERIFY(window.centre().strip().caption(Stage::Scores).contains("as loaded"));
        // A number is edited, and the weights follow; one step takes it back.
        QVERIFY(settle(window));
        const Matrix before = weights(window, Axis::Key);
        TensorModel& model = window.inputsPanel().table().tensorModel();
        QVERIFY(model.setData(model.index(3, 0), QStringLiteral("9"), Qt::EditRole));
        QVERIFY(settle(window));
        QVERIFY(!sameBits(weights(window, Axis::Key), before));
        window.document().undoStack().undo();
        QVERIFY(settle(window));
        QVERIFY(sameBits(weights(window, Axis::Key), before));
    }

    void weightsOpenForInspection()
    {
        Inputs inputs;
        inputs.scores = share(randomTensor(kShape, 3));
        ScoreSettings settings;
        settings.axis = Axis::Query;
        const Tensor loaded = attend(inputs, settings)->weights;
        const QString path = written("attn.npz", {rawTensor("attn", loaded)});
        ShownWindow shown;
        MainWindow& window = shown.window;
        QVERIFY(window.open(path));
        QVERIFY(settle(window));
        QVERIFY(sameBits(weights(window, Axis::Key), Matrix(loaded.slice(0, 0))));
        QCOMPARE(tabsOf(window.inputsPanel()), (QStringList{"V", "W"}));
        QCOMPARE(window.centre().maps().figure().maps.size(), 1U);
        QCOMPARE(window.centre().figure().settingsLine, "weights as loaded · batch 1, head 1");
        auto* summary = window.whyPanel().findChild<AxisSummary*>();
        QCOMPARE(summary->text(Axis::Query), "sums to 1");
        QVERIFY2(summary->text(Axis::Key).startsWith("sums to 0."),
                 qPrintable(summary->text(Axis::Key)));
        const QString words = window.whyPanel().verdictCard().accessibleName();
        QVERIFY2(words.contains("this is not a softmax over the keys"), qPrintable(words));
        // A slice is what it is and sums to what it does.
        const SliceTray& tray = window.whyPanel().tray();
        QVERIFY(tray.isVisible());
        QTest::mouseClick(&window.centre().maps(), Qt::LeftButton, {},
                          cellCentre(window, 0, {2, 1}));
        QCOMPARE(tray.lines().size(), std::size_t(kShape.cols));
        for (const SliceTray::Line& line : tray.lines()) {
            QVERIFY(line.logit.isEmpty() && line.exponential.isEmpty());
            const auto n = static_cast<Index>(&line - tray.lines().data());
            QCOMPARE(line.share, double(loaded.at(0, 0, 2, n)));
            QCOMPARE(line.isAt, n == 1);
        }
        QCOMPARE(window.whyPanel().influenceWords(),
                 "These weights were loaded: nothing stands behind them that could be nudged.");
        QVERIFY(window.statusStrip().formulaText().startsWith("loaded, not computed"));

        // Nothing was computed that the mask could change, and it says so.
        window.actions().causal->trigger();
        QVERIFY(!window.document().settings().causal);
        QVERIFY(window.banner().sentence().contains("were loaded, not computed"));
        window.actions().axes[0]->trigger(); // another way to cut slices
        QCOMPARE(window.document().settings().axis, Axis::Query);
        for (QAction* mode : window.actions().modes()) {
            mode->trigger();
            QVERIFY(settle(window));
        }
    }

    void scoresWithValuesSayWhatTheyMove()
    {
        ShownWindow shown;
        MainWindow& window = shown.window;
        Inputs inputs;
        inputs.scores = share(randomTensor({2, 2, 4, 4}, 3));
        window.document().load(inputs, {}, {});
        QVERIFY(settle(window));
        QTRY_COMPARE(window.whyPanel().influenceWords(),
                     "Without V there is no output that could move.");
        inputs.v = share(randomTensor({2, 2, 4, 3}, 4));
        window.document().load(inputs, {}, {});
        QVERIFY(settle(window));
        QTRY_VERIFY(window.document().results()->isComplete);
        QCOMPARE(window.whyPanel().influenceWords(), QString());
        InfluenceView& view = window.whyPanel().influence();
        QTRY_COMPARE(view.figure().maps.size(), std::size_t(3));
        QCOMPARE(view.figure().maps[0].influence.norms(2, 1), 0.0F);
        QVERIFY(view.figure().maps[0].influence.norms(2, 2) > 0.0F);
        QVERIFY(view.figure().sentence.startsWith("No query, example or head"));
        // A nudge moves that row of scores, and only its output follows.
        const Matrix before = window.document().results()->axes[1]->output;
        Q_EMIT view.nudgeAsked(Nudged::QueryVector, 2);
        QVERIFY(settle(window));
        const Matrix& after = window.document().results()->axes[1]->output;
        for (Index i = 0; i < 4; ++i)
            QCOMPARE(before.row(i) == after.row(i), i != 2);
    }

    void aSessionBringsThemBack()
    {
        const QString path = written("w.npz", {rawTensor("weights", randomTensor(kShape, 3))});
        ShownWindow shown;
        MainWindow& window = shown.window;
        QVERIFY(window.open(path));
        const QString session = m_folder.filePath("w.keyaxis");
        QVERIFY(window.saveTo(session));
        QVERIFY(window.openSample(defaultSample()));
        QVERIFY(window.open(session));
        QVERIFY(window.document().inputs().weights);
        QVERIFY(settle(window));
    }

private:
    QString written(const char* name, std::vector<RawTensor> tensors)
    {
        TensorFile file;
        file.tensors = std::move(tensors);
        const QString path = m_folder.filePath(QString::fromLatin1(name));
        return writeTensorFile(path.toStdString(), file) ? path : QString();
    }

    QTemporaryDir m_folder;
};

QTEST_MAIN(TestGivenViews)
#include "tst_given_views.moc"
