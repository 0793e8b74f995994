#include "core/io/attention_file.h"
#include "core/mask_edit.h"
#include "tests/widgets/window_helpers.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/inputs_panel.h"
#include "ui/widgets/tensor_table.h"

#include <QFileDialog>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTimer>
#include <QToolButton>
#include <cmath>

using namespace keyaxis;
using namespace keyaxis::testing;

namespace {

/// A window that shows the stage mask and the mask's tab, of a document without the causal mask.
struct MaskBench : ShownWindow {
    MaskBench()
    {
        Inputs inputs = window.document().inputs();
        window.document().load(inputs, {}, {});
        press("Mask");
        press("Paint on the map");
        isReady = isReady && settle(window);
    }
    Document& document() { return window.document(); }
    void press(const QString& text)
    {
        for (QToolButton* button : window.inputsPanel().findChildren<QToolButton*>())
            if (button->text() == text && button->isVisible())
                QTest::mouseClick(button, Qt::LeftButton);
    }
    void mouse(QEvent::Type type, Cell cell)
    {
        HeatmapView& maps = window.centre().maps();
        const QPoint at = inWindow(maps, cellCentre(window, 0, cell));
        QWindow* handle = window.windowHandle();
        if (type == QEvent::MouseButtonPress)
            QTest::mousePress(handle, Qt::LeftButton, {}, at);
        else if (type == QEvent::MouseButtonRelease)
            QTest::mouseRelease(handle, Qt::LeftButton, {}, at);
        else
            QTest::mouseMove(handle, at);
    }
    void drag(Cell from, Cell to)
    {
        mouse(QEvent::MouseButtonPress, from);
        mouse(QEvent::MouseMove, to);
        mouse(QEvent::MouseButtonRelease, to);
    }
    Matrix mask() { return maskOf(document().inputs(), 0, document().view().head); }
    int nSteps() { return document().undoStack().count(); }
    void chooseInDialog(const QString& path)
    {
        QTimer::singleShot(0, &window, [path] {
            auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
            dialog->selectFile(path);
            QMetaObject::invokeMethod(dialog, "accept");
        });
    }
};

QString written(const QTemporaryDir& folder, const QString& name, const RawTensor& tensor)
{
    const QString path = folder.filePath(name);
    TensorFile file;
    file.tensors.push_back(tensor);
    return writeTensorFile(path.toStdString(), file) ? path : QString();
}

} // namespace

class TestMask : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        QCoreApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
        failOnWarnings();
    }

    void aDragOverTheMapHidesARowInOneStepAndTheRowBecomesUndefined()
    {
        MaskBench bench;
        QVERIFY(bench.isReady);
        const Index nKeys = bench.document().sizes().Tk;
        bench.drag({2, 0}, {2, nKeys - 1}); // the pointer jumps: the cells between are painted too
        QCOMPARE(bench.nSteps(), 1);
        QCOMPARE(bench.mask().row(2).sum(), 0.0F);
        QCOMPARE(bench.mask().sum(), static_cast<float>((bench.mask().rows() - 1) * nKeys));
        QVERIFY(settle(bench.window));
        QVERIFY(std::isnan(weights(bench.window, Axis::Key)(2, 0)));
        bench.drag({2, 1}, {2, 2}); // from a hidden cell on it keeps
        QCOMPARE(bench.mask().row(2).sum(), 2.0F);
        QCOMPARE(bench.nSteps(), 2);
        QVERIFY(settle(bench.window));
        QCOMPARE(weights(bench.window, Axis::Key)(2, 0), 0.0F);
        bench.document().undoStack().undo();
        bench.document().undoStack().undo();
        QVERIFY(!bench.document().inputs().mask);
    }

    void aDragPaintsNothingElsewhere()
    {
        MaskBench bench;
        QVERIFY(bench.isReady);
        bench.press("Q"); // the tab is closed: a drag is no stroke
        bench.drag({1, 0}, {1, 3});
        QCOMPARE(bench.nSteps(), 0);
        bench.press("Mask");
        ViewSettings view = bench.document().view();
        view.stage = Stage::Weights;
        bench.document().setView(view);
        QVERIFY(settle(bench.window));
        bench.drag({1, 0}, {1, 3});
        QCOMPARE(bench.nSteps(), 0);
    }

    void aCellThatTheCausalMaskHidesIsExplained()
    {
        MaskBench bench;
        QVERIFY(bench.isReady);
        ScoreSettings causal;
        causal.causal = true;
        bench.document().setSettings(causal);
        QVERIFY(settle(bench.window));
        bench.drag({0, 2}, {0, 3});
        QCOMPARE(bench.nSteps(), 0);
        QVERIFY(bench.window.banner().sentence().contains("causal mask"));
    }

    void theTableShowsAndEditsTheSameMask()
    {
        MaskBench bench;
        QVERIFY(bench.isReady);
        TensorTable& table = bench.window.inputsPanel().table();
        QAbstractItemModel& model = *table.model();
        QCOMPARE(model.index(1, 2).data().toString(), QString("1"));
        QCOMPARE(model.headerData(1, Qt::Horizontal, Qt::DisplayRole),
                 model.headerData(1, Qt::Vertical, Qt::DisplayRole)); // keys are named
        QVERIFY(model.setData(model.index(1, 2), "0", Qt::EditRole));
        QCOMPARE(bench.mask()(1, 2), 0.0F);
        QCOMPARE(model.index(1, 2).data().toString(), QString("0"));
        QVERIFY(model.setData(model.index(1, 2), "0,5", Qt::EditRole));
        QCOMPARE(bench.nSteps(), 1);
        QVERIFY(bench.window.banner().sentence().contains("0, which hides"));
        bench.press("Clear mask");
        QVERIFY(!bench.document().inputs().mask);
        QCOMPARE(bench.nSteps(), 2);
        bench.document().undoStack().undo();
        QCOMPARE(bench.mask()(1, 2), 0.0F);
    }

    void aMaskIsReadFromAFileAndItsPolarityAskedFor()
    {
        MaskBench bench;
        QVERIFY(bench.isReady);
        const Sizes s = bench.document().sizes();
        QTemporaryDir folder;
        RawTensor raw{"key_padding_mask", ElementType::Bool, {s.B, s.Tk}, {}, {}};
        raw.bytes.assign(static_cast<std::size_t>(s.B * s.Tk), std::byte{0});
        raw.bytes[0] = std::byte{1}; // of example 0
        const QString path = written(folder, "key_padding_mask.npz", raw);
        bench.chooseInDialog(path);
        bench.press("From a file…");
        Banner& banner = bench.window.banner();
        QVERIFY2(banner.sentence().contains("key_padding_mask"), qPrintable(banner.sentence()));
        QStringList answers;
        for (const QPushButton* button : banner.answers())
            answers << button->text();
        QCOMPARE(answers, (QStringList{"1 keeps a key", "1 hides a key"}));
        QTest::mouseClick(banner.answers()[1], Qt::LeftButton);
        QTRY_COMPARE(bench.nSteps(), 1);
        QCOMPARE(bench.mask()(0, 0), 0.0F);
        QCOMPARE(bench.mask()(3, 1), 1.0F);
        bench.document().undoStack().undo();
        QVERIFY(!bench.document().inputs().mask);

        RawTensor wrong{"mask", ElementType::Bool, {s.Tq + 1, s.Tk}, {}, {}};
        wrong.bytes.assign(static_cast<std::size_t>((s.Tq + 1) * s.Tk), std::byte{1});
        bench.chooseInDialog(written(folder, "wrong.npy", wrong));
        bench.press("From a file…");
        QCOMPARE(bench.nSteps(), 1); // the one that was taken back
        QVERIFY(!bench.document().inputs().mask);
        QVERIFY2(banner.sentence().contains("wrong.npy"), qPrintable(banner.sentence()));
    }
};

QTEST_MAIN(TestMask)
#include "tst_mask.moc"
