#include "tests/paint/recorder.h"
#include "tests/widgets/inputs_bench.h"
#include "ui/widgets/table_actions.h"
#include "ui/widgets/token_header.h"

#include <QApplication>
#include <QRegularExpression>
#include <QScrollBar>
#include <QStandardItemModel>
#include <QTextLayout>
#include <QWheelEvent>
#include <cmath>

using namespace keyaxis;
using namespace keyaxis::testing;

class TestInputsPanel : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        QTest::failOnWarning(
            QRegularExpression(QStringLiteral("^(?!This plugin does not support )")));
    }

    void aTypedNumberIsOneUndoStep()
    {
        Bench bench;
        QVERIFY(bench.isReady);
        const float before = bench.q(1, 2);
        bench.table().setCurrentIndex(bench.table().model()->index(1, 2));
        QTest::keyClicks(&bench.table(), "2");
        QWidget* editor = QApplication::focusWidget();
        QVERIFY(editor && editor != &bench.table());
        QTest::keyClicks(editor, ",5");
        QTest::keyClick(editor, Qt::Key_Return); // committed through the event loop
        QTRY_COMPARE(bench.q(1, 2), 2.5F);
        QCOMPARE(bench.nSteps(), 1);
        bench.document.undoStack().undo();
        QCOMPARE(bench.q(1, 2), before);
    }

    void aTextThatIsNoNumberIsRefusedInASentence()
    {
        Bench bench;
        QVERIFY(bench.isReady);
        bench.table().setCurrentIndex(bench.table().model()->index(0, 0));
        QTest::keyClicks(&bench.table(), "x");
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Return);
        QTRY_COMPARE(bench.refusals.size(), 1);
        QVERIFY(bench.refusals[0].contains("'x'"));
        QCOMPARE(bench.nSteps(), 0);
    }

    void altAndDragScrubsInOneStepAndAPlainDragSelects()
    {
        Bench bench;
        QVERIFY(bench.isReady);
        QWidget* cells = bench.table().viewport();
        const float before = bench.q(0, 0);
        const QPoint from = bench.centre(0, 0);
        QTest::mousePress(cells, Qt::LeftButton, Qt::AltModifier, from);
        for (int x = 1; x <= 50; ++x)
            QTest::mouseMove(cells, from + QPoint(x, 0));
        QTest::mouseRelease(cells, Qt::LeftButton, Qt::AltModifier, from + QPoint(50, 0));
        QVERIFY(std::abs(bench.q(0, 0) - (before + 1.0F)) < 0.006F);
        QCOMPARE(bench.nSteps(), 1);
        bench.document.undoStack().undo();
        QCOMPARE(bench.q(0, 0), before);

        QTest::mousePress(cells, Qt::LeftButton, {}, from);
        QTest::mouseMove(cells, bench.centre(1, 1));
        QTest::mouseRelease(cells, Qt::LeftButton, {}, bench.centre(1, 1));
        QCOMPARE(bench.q(0, 0), before);
        QCOMPARE(bench.table().selectionModel()->selectedIndexes().size(), 4);
    }

    void turningTheWheelWithCtrlIsOneStepACell()
    {
        Bench bench;
        QVERIFY(bench.isReady);
        const auto turn = [&](int row, int col, int steps) {
            const QPoint at = bench.centre(row, col);
            QWheelEvent event(at, bench.table().viewport()->mapToGlobal(at), {}, {0, 120 * steps},
                              Qt::NoButton, Qt::ControlModifier, Qt::NoScrollPhase, false);
            QApplication::sendEvent(bench.table().viewport(), &event);
        };
        const float before = bench.q(0, 0);
        for (int n = 0; n < 5; ++n)
            turn(0, 0, 1);
        QVERIFY(std::abs(bench.q(0, 0) - (before + 0.5F)) < 0.006F);
        QCOMPARE(bench.nSteps(), 1);
        turn(1, 0, -1);
        QCOMPARE(bench.nSteps(), 2);
    }

    void aNameThatIsTooLongForItsColumnIsNotCutAtItsBeginning()
    {
        QStandardItemModel model(1, 1);
        model.setHeaderData(0, Qt::Horizontal, QStringLiteral("teacher"));
        QWidget parent;
        TokenHeader header(Qt::Horizontal, &parent);
        header.setStyleSheet(QStringLiteral("QHeaderView::section { padding: 2px 6px; }"));
        header.setModel(&model);
        header.setDefaultAlignment(Qt::AlignCenter);
        header.resize(100, 24);
        // There would be room without what the style keeps free at both sides.
        header.resizeSection(0,
                             header.fontMetrics().horizontalAdvance(QStringLiteral("teacher")) + 6);
        Recorder paper(header.viewport()->size());
        header.viewport()->render(&paper, {}, {}, QWidget::DrawChildren);
        QCOMPARE(paper.texts().size(), std::size_t(1));
        QVERIFY2(paper.texts().front().text.startsWith(u"te") &&
                     paper.texts().front().text.endsWith(u'…'),
                 qPrintable(paper.texts().front().text));
    }

    void aBlankTokenIsSeenInTheHeader()
    {
        Bench bench;
        QVERIFY(bench.isReady);
        Inputs inputs = bench.document.inputs();
        inputs.queryTokens = {{" ", "", "a b"}, {" ", "", "a b"}};
        bench.document.load(inputs, {}, {});
        const auto header = [&](int row) {
            return bench.table().model()->headerData(row, Qt::Vertical).toString();
        };
        QCOMPARE(header(0), QStringLiteral("␣"));
        QCOMPARE(header(1), QStringLiteral("∅"));
        QCOMPARE(header(2), QStringLiteral("a␣b"));
    }

    void keysAndValuesAreThoseTheHeadReads()
    {
        Bench bench; // four heads share two key heads
        QVERIFY(bench.isReady);
        ViewSettings view;
        view.batch = 1;
        view.head = 3;
        bench.document.setView(view);
        const TensorModel& model = bench.table().tensorModel();
        bench.press("K");
        QCOMPARE(bench.panel.shownTensor(), InputTensor::K);
        QCOMPARE(model.valueAt(model.index(2, 1)), bench.document.inputs().k->at(1, 1, 2, 1));
        bench.press("V");
        QCOMPARE(model.columnCount(), 2);
        bench.press("Q");
        QCOMPARE(model.valueAt(model.index(2, 1)), bench.document.inputs().q->at(1, 3, 2, 1));
    }

    void rowsAndColumnsAreDuplicatedInOneStep()
    {
        Bench bench;
        QVERIFY(bench.isReady);
        TensorTable& table = bench.table();
        table.setCurrentIndex(table.model()->index(1, 2));
        table.actions().duplicateRows->trigger();
        QCOMPARE(bench.document.sizes().Tq, 4);
        QCOMPARE(bench.q(2, 2), bench.q(1, 2));
        QCOMPARE(table.currentIndex().row(), 2);
        table.actions().duplicateColumns->trigger();
        QCOMPARE(bench.document.sizes().dk, 5);
        QCOMPARE(bench.q(0, 3), bench.q(0, 2));
        QCOMPARE(bench.document.undoStack().count(), 2);
        QCOMPARE(bench.document.undoStack().undoText(), QString("Duplicate columns"));
    }

    void sizesAreEditedAndTakenBack()
    {
        Bench bench;
        QVERIFY(bench.isReady);
        SizeBox& box = bench.size("sizeTq");
        box.setFocus();
        box.selectAll();
        QTest::keyClicks(&box, "7");
        QCOMPARE(bench.document.sizes().Tq, 3); // not before it is complete
        QTest::keyClick(&box, Qt::Key_Return);
        QCOMPARE(bench.document.sizes(), (Sizes{2, 4, 2, 7, 3, 4, 2}));
        bench.document.undoStack().undo();
        QCOMPARE(box.value(), 3);
    }

    void groupsStepToDivisorsOfTheHeads()
    {
        Bench bench;
        QVERIFY(bench.isReady);
        SizeBox& groups = bench.size("sizeG");
        QTest::keyClick(&groups, Qt::Key_Up);
        QCOMPARE(bench.document.sizes().G, 4);
        QTest::keyClick(&groups, Qt::Key_Up);
        QCOMPARE(groups.value(), 4);
        QCOMPARE(bench.refusals.size(), 1);
        QVERIFY(bench.refusals[0].contains("multiple of G"));
        QTest::keyClick(&bench.size("sizeH"), Qt::Key_Up); // plain heads stay plain
        QCOMPARE(bench.document.sizes().G, 5);
        QCOMPARE(groups.value(), 5);
    }

    void sizesThatNoMemoryHoldsAreRefused()
    {
        Bench bench;
        QVERIFY(bench.isReady);
        bench.size("sizeB").setValue(256);
        bench.size("sizeTq").setValue(4096);
        QCOMPARE(bench.refusals.size(), 0);
        bench.size("sizeTk").setValue(4096);
        QCOMPARE(bench.refusals.size(), 1);
        QVERIFY(bench.refusals[0].contains("MiB"));
        QCOMPARE(bench.document.sizes().Tk, 3);
        QCOMPARE(bench.size("sizeTk").value(), 3);
    }

    void everyFillIsOneStepOfItsName_data()
    {
        QTest::addColumn<QString>("button");
        for (const char* name :
             {"Random", "One-hot", "Uniform", "Previous token", "V = 1", "V = I"})
            QTest::newRow(name) << QString(name);
    }

    void everyFillIsOneStepOfItsName()
    {
        QFETCH(QString, button);
        Bench bench;
        QVERIFY(bench.isReady);
        const Inputs before = bench.document.inputs();
        bench.press(button);
        QCOMPARE(bench.nSteps(), 1);
        QVERIFY(bench.document.undoStack().undoText().contains(button, Qt::CaseInsensitive));
        QVERIFY(bench.document.inputs() != before);
        QCOMPARE(bench.document.sizes().dv, button == "V = I" ? 3 : 2);
        bench.document.undoStack().undo();
        QCOMPARE(bench.document.inputs(), before);
    }

    void anotherClickOnRandomTakesAnotherSeed()
    {
        Bench bench;
        QVERIFY(bench.isReady);
        bench.press("Random");
        const float first = bench.q(0, 0);
        bench.press("Random");
        QVERIFY(bench.q(0, 0) != first);
    }

    void aLongTableScrollsByItselfAndAShortOneLeavesNoGap()
    {
        Bench bench;
        QVERIFY(bench.isReady);
        const int shortHeight = bench.table().height();
        QVERIFY(shortHeight < 150); // three rows
        bench.size("sizeTq").setValue(500);
        QVERIFY(bench.panel.heightForWidth(bench.panel.width()) < 720);
        QTRY_VERIFY(bench.table().height() > 2 * shortHeight);
        QVERIFY(bench.table().verticalScrollBar()->maximum() > 0);
    }

    void fourDigitsLeaveTheNameOfASizeAlone()
    {
        Bench bench;
        QVERIFY(bench.isReady);
        bench.panel.resize(250, 900); // as narrow as its dock may be
        SizeBox& box = bench.size("sizeTq");
        QCOMPARE(box.font().pixelSize(), 13);
        box.setValue(2048); // by hand
        QVERIFY(box.width() < 60);
        QVERIFY(box.font().pixelSize() < 13);
        box.setValue(3);
        QCOMPARE(box.font().pixelSize(), 13);
        bench.document.undoStack().undo(); // set by the document
        QCOMPARE(box.value(), 2048);
        QVERIFY(box.font().pixelSize() < 13);
    }

    void noNumberOfATableIsCutHoweverLong()
    {
        Bench bench({1, 1, 1, 4, 4, 5, 2});
        QVERIFY(bench.isReady);
        const float values[] = {0.000198F, -0.000198F, 1e-38F,    -1.234e-38F, 1e30F,
                                -3.37e30F, 123.456F,   -12345.6F, -0.25F,      0.0F,
                                NAN,       -INFINITY,  INFINITY,  999.96F,     -99.996F};
        Inputs inputs = bench.document.inputs();
        Tensor q = *inputs.q;
        std::copy(std::begin(values), std::end(values), q.data());
        inputs.q = share(std::move(q));
        bench.document.setInputs(inputs);
        TensorTable& table = bench.table();
        QCoreApplication::processEvents();
        Recorder paper(table.viewport()->size());
        table.viewport()->render(&paper, {}, {}, QWidget::DrawChildren);
        std::size_t nSeen = 0;
        for (int row = 0; row < 3; ++row)
            for (int col = 0; col < 5; ++col) {
                const QRect cell = table.visualRect(table.model()->index(row, col));
                if (cell.right() >= table.viewport()->width())
                    continue; // scrolled away
                for (const DrawnText& text : paper.texts()) {
                    const QRectF ink = text.ink.boundingRect();
                    if (!cell.contains(ink.center().toPoint()))
                        continue;
                    ++nSeen;
                    QVERIFY2(QRectF(cell).contains(ink), qPrintable(text.text));
                    bool isNumber = false;
                    const double said = text.text.toDouble(&isNumber);
                    const double is = static_cast<double>(values[5 * row + col]);
                    QVERIFY2(isNumber, qPrintable(text.text));
                    QVERIFY2(!std::isfinite(is) || std::abs(said - is) <= 0.3 * std::abs(is),
                             qPrintable(text.text));
                }
            }
        QVERIFY2(nSeen >= 12, QByteArray::number(int(nSeen)));
    }

    void theIndexOfAnArabicTokenStandsWhereTheMapsHaveIt()
    {
        Bench bench({1, 1, 1, 2, 2, 4, 2});
        Inputs inputs = bench.document.inputs();
        inputs.queryTokens = inputs.keyTokens = {{"\u0646", "\u0646"}};
        bench.document.setInputs(inputs);
        const QString shown =
            bench.table().model()->headerData(1, Qt::Vertical, Qt::DisplayRole).toString();
        QTextLayout line(shown, uiFont(12));
        line.beginLayout();
        line.createLine();
        line.endLayout();
        const auto xOf = [&](QChar sign) {
            return line.lineAt(0).cursorToX(static_cast<int>(shown.indexOf(sign)));
        };
        QVERIFY(shown.contains(QChar(0x2081)));
        QVERIFY(xOf(QChar(0x2081)) >= xOf(QChar(0x0646))); // it begins at the right of the letter
    }

    void noNumberOfAWideTableIsCut()
    {
        Bench bench({1, 1, 1, 5, 5, 16, 2});
        QVERIFY(bench.isReady);
        const int width = bench.table().columnWidth(0);
        const int rest = bench.table().viewport()->width() % width;
        QVERIFY2(rest < 8, qPrintable(QString::number(rest)));
        QVERIFY(width >= 46);
    }
};

QTEST_MAIN(TestInputsPanel)
#include "tst_inputs_panel.moc"
