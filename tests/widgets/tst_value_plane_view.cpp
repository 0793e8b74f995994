#include "tests/widgets/window_helpers.h"
#include "ui/widgets/value_plane_view.h"
#include "ui/widgets/why_panel.h"
#include "ui/widgets/window_actions.h"

using namespace keyaxis;
using namespace keyaxis::testing;

namespace {

QPoint valuePoint(ValuePlaneView& plane, Index key)
{
    return plane.layoutOfFigure().at(plane.figure().values[std::size_t(key)]).toPoint();
}

QPoint outputPoint(ValuePlaneView& plane, Index query)
{
    return plane.layoutOfFigure().at(plane.figure().outputs[std::size_t(query)]).toPoint();
}

} // namespace

class TestValuePlaneView : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { failOnWarnings(); }

    void followsTheQueryUnderThePointer()
    {
        ShownWindow shown({1600, 1000});
        MainWindow& window = shown.window;
        ValuePlaneView& plane = window.whyPanel().plane();
        hover(window.centre().maps(), cellCentre(window, 1, {7, 2}));
        QCOMPARE(plane.figure().query, 7);
        hover(window.centre().maps(), cellCentre(window, 1, {3, 2}));
        QCOMPARE(plane.figure().query, 3);
    }

    void hoveringAnOutputShowsItsQueryEverywhere()
    {
        ShownWindow shown({1600, 1000});
        MainWindow& window = shown.window;
        ValuePlaneView& plane = window.whyPanel().plane();
        const Index query = 3;
        const PlaneHit hit = plane.layoutOfFigure().hitTest(
            plane.figure(), outputPoint(plane, query)); // not hidden under another one
        QCOMPARE(hit, (PlaneHit{PlaneHit::Kind::Output, query}));
        hover(plane, outputPoint(plane, query));
        QCOMPARE(window.cursor().cell().row, query);
        QCOMPARE(plane.figure().query, query);
    }

    void aDraggedValueRowMovesTheOutputsAndIsOneUndoStep()
    {
        ShownWindow shown({1600, 1000});
        MainWindow& window = shown.window;
        ValuePlaneView& plane = window.whyPanel().plane();
        const Matrix before = window.document().results()->axes[1]->output;
        const SharedTensor values = window.document().inputs().v;
        const int nSteps = window.document().undoStack().count();
        const Index key = 3;
        const QPoint from = valuePoint(plane, key);
        QWindow* handle = window.windowHandle();
        const QPoint origin = inWindow(plane, from);
        QTest::mousePress(handle, Qt::LeftButton, {}, origin);
        for (int step = 1; step <= 5; ++step) {
            QTest::mouseMove(handle, origin + QPoint(-4 * step, 6 * step));
            QVERIFY(settle(window));
            // Under the hand at every step: neither plane nor scale runs away.
            const QPoint off = valuePoint(plane, key) - (from + QPoint(-4 * step, 6 * step));
            QVERIFY(off.manhattanLength() <= 2);
        }
        QVERIFY(window.document().results()->axes[1]->output != before);
        QTest::mouseRelease(handle, Qt::LeftButton, {}, origin + QPoint(-20, 30));
        QCOMPARE(window.document().undoStack().count(), nSteps + 1);
        window.actions().undo->trigger();
        QVERIFY(settle(window));
        QVERIFY(window.document().results()->axes[1]->output == before);
        QCOMPARE(window.document().inputs().v->at(0, 1, key, 0), values->at(0, 1, key, 0));
    }

    void arrowKeysMoveTheFramedRowAndOneHoldIsOneUndoStep()
    {
        ShownWindow shown({1600, 1000});
        MainWindow& window = shown.window;
        ValuePlaneView& plane = window.whyPanel().plane();
        const Matrix before = window.document().results()->axes[1]->output;
        const int nSteps = window.document().undoStack().count();
        plane.setFocus(Qt::TabFocusReason);
        QTest::keyClick(&plane, Qt::Key_PageDown);
        QTest::keyClick(&plane, Qt::Key_PageUp);
        QTest::keyClick(&plane, Qt::Key_PageUp);
        const Index key = plane.figure().key.value();
        QCOMPARE(window.cursor().cell().col, key);
        QCOMPARE(window.document().undoStack().count(), nSteps); // so far only looked at

        const QPoint from = valuePoint(plane, key);
        const auto hold = [&](Qt::Key down, bool isRepeat, Qt::KeyboardModifiers modifiers = {}) {
            QKeyEvent event(QEvent::KeyPress, down, modifiers, {}, isRepeat);
            QCoreApplication::sendEvent(&plane, &event);
            return settle(window);
        };
        QVERIFY(hold(Qt::Key_Right, false));
        for (int n = 0; n < 3; ++n)
            QVERIFY(hold(Qt::Key_Right, true));
        QVERIFY(hold(Qt::Key_Up, false)); // a second key while the first is down
        QVERIFY(hold(Qt::Key_Up, true, Qt::ShiftModifier));
        const QPoint moved = valuePoint(plane, key) - from;
        QVERIFY((moved - QPoint(20, -6)).manhattanLength() <= 2); // no other plane, no other scale
        QVERIFY(window.document().results()->axes[1]->output != before);
        QTest::keyRelease(&plane, Qt::Key_Right);
        QTest::keyRelease(&plane, Qt::Key_Up);
        QCOMPARE(window.document().undoStack().count(), nSteps + 1);

        QTest::keyClick(&plane, Qt::Key_Left); // the next hold is the next step
        QVERIFY(settle(window));
        QCOMPARE(window.document().undoStack().count(), nSteps + 2);
        window.actions().undo->trigger();
        window.actions().undo->trigger();
        QVERIFY(settle(window));
        QVERIFY(window.document().results()->axes[1]->output == before);
    }

    void aHoldEndsWhereTheFocusGoes()
    {
        ShownWindow shown({1600, 1000});
        MainWindow& window = shown.window;
        ValuePlaneView& plane = window.whyPanel().plane();
        const int nSteps = window.document().undoStack().count();
        plane.setFocus(Qt::TabFocusReason);
        QTest::keyPress(&plane, Qt::Key_Right);
        QVERIFY(settle(window));
        window.centre().setFocus();
        plane.setFocus(Qt::TabFocusReason);
        QTest::keyPress(&plane, Qt::Key_Right);
        QTest::keyRelease(&plane, Qt::Key_Right);
        QVERIFY(settle(window));
        QCOMPARE(window.document().undoStack().count(), nSteps + 2);
    }

    void pointsMoveToTheirPlacesUnderAnotherAxis()
    {
        ShownWindow shown({1600, 1000});
        MainWindow& window = shown.window;
        ValuePlaneView& plane = window.whyPanel().plane();
        QVERIFY(!plane.isMoving());
        plane.setMotion(400);
        window.actions().axes[0]->trigger();
        QVERIFY(QTest::qWaitFor([&] { return plane.isMoving(); }));
        QTRY_VERIFY(!plane.isMoving());
        const QImage there = plane.grab().toImage();
        plane.setMotion(0);
        window.actions().axes[1]->trigger();
        QVERIFY(settle(window));
        QVERIFY(!plane.isMoving());
        QVERIFY(plane.grab().toImage() != there);
    }

    void isNotThereWithoutValues()
    {
        ShownWindow shown({1600, 1000});
        MainWindow& window = shown.window;
        Inputs inputs = window.document().inputs();
        inputs.v = nullptr;
        window.document().setInputs(inputs);
        QVERIFY(settle(window));
        QVERIFY(window.whyPanel().plane().isHidden());
    }
};

QTEST_MAIN(TestValuePlaneView)
#include "tst_value_plane_view.moc"
