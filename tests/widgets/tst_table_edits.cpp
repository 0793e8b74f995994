#include "core/mask_edit.h"
#include "tests/widgets/inputs_bench.h"
#include "ui/widgets/table_actions.h"
#include "ui/widgets/table_block.h"
#include "ui/widgets/token_header.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QLineEdit>
#include <QMimeData>
#include <QRegularExpression>
#include <QTimer>

using namespace keyaxis;
using namespace keyaxis::testing;

namespace {

/// A bench with what a user of its table does.
struct TableBench : Bench {
    using Bench::Bench;

    QAbstractItemModel& model() { return *table().model(); }
    TableActions& actions() { return table().actions(); }
    void select(int top, int left, int bottom, int right)
    {
        table().setFocus();
        table().setCurrentIndex(model().index(top, left));
        table().selectionModel()->select(
            QItemSelection(model().index(top, left), model().index(bottom, right)),
            QItemSelectionModel::ClearAndSelect);
    }
    void key(const QKeySequence& keys) { QTest::keySequence(&table(), keys); }
    void pasteAt(int row, int col, const QString& text)
    {
        QApplication::clipboard()->setText(text);
        table().setFocus();
        table().setCurrentIndex(model().index(row, col));
        key(QKeySequence::Paste);
    }
    /// The rows of Q in (0, 0), as they are written.
    QString numbers()
    {
        const Tensor& q = *document.inputs().q;
        QStringList rows;
        for (Index i = 0; i < q.shape().rows; ++i) {
            QStringList row;
            for (Index j = 0; j < q.shape().cols; ++j)
                row << QString::fromStdString(shortest(q.at(0, 0, i, j)));
            rows << row.join(' ');
        }
        return rows.join('/');
    }
    QString names()
    {
        QStringList all;
        for (int row = 0; row < model().rowCount(); ++row)
            all << model().headerData(row, Qt::Vertical, Qt::DisplayRole).toString();
        return all.join(' ');
    }
    void load(const Tensor& q, const TokenNames& names = {})
    {
        Inputs inputs;
        inputs.q = inputs.k = inputs.v = share(q);
        inputs.queryTokens = inputs.keyTokens = names;
        document.load(inputs, {}, {});
    }
    void undo() { document.undoStack().undo(); }
};

Tensor numbered(Index nRows, Index nCols)
{
    Tensor tensor({1, 1, nRows, nCols});
    for (Index n = 0; n < tensor.size(); ++n)
        tensor.data()[n] = static_cast<float>(n + 1);
    return tensor;
}

} // namespace

class TestTableEdits : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        QTest::failOnWarning(
            QRegularExpression(QStringLiteral("^(?!This plugin does not support )")));
    }

    void aSpreadsheetsBlockIsTwoRowsAndNoThird()
    {
        TableBench bench;
        QVERIFY(bench.isReady);
        bench.load(Tensor::filled({1, 1, 4, 4}, 9.0F));
        bench.pasteAt(1, 0, "1\t2\r\n3\t4\r\n");
        QCOMPARE(bench.numbers(), QString("9 9 9 9/1 2 9 9/3 4 9 9/9 9 9 9"));
        QCOMPARE(bench.nSteps(), 1);
        bench.undo();
        QCOMPARE(bench.numbers(), QString("9 9 9 9/9 9 9 9/9 9 9 9/9 9 9 9"));
    }

    void blocksAreReadAsPeopleCopyThem_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<bool>("isTable");
        QTest::addColumn<QString>("rows");
        QTest::newRow("tabs, decimal commas") << "1\t-2,5\nnan\t4" << false << "1 -2.5/nan 4";
        QTest::newRow("one number with a comma") << "1,5" << false << "1.5";
        QTest::newRow("a column of decimal commas") << "1,5\r\n2,5\r\n" << true << "1.5/2.5";
        QTest::newRow("comma-separated text") << "1,5\n2,5\n" << false << "1 5/2 5";
        QTest::newRow("semicolons") << "1,5;2\n3;4\n" << false << "1.5 2/3 4";
        QTest::newRow("names around it") << "\ta\tb\nthe\t1\t2\ncat\t3\t4\n" << true << "1 2/3 4";
        QTest::newRow("old line ends") << "1\t2\r3\t4\r" << false << "1 2/3 4";
        QTest::newRow("a NumPy print") << "[[1.  2. ]\n [3.  4.5]]" << false << "1 2/3 4.5";
        QTest::newRow("a list") << "[1, 2, 3]" << false << "1 2 3";
    }

    void blocksAreReadAsPeopleCopyThem()
    {
        QFETCH(QString, text);
        QFETCH(bool, isTable);
        QMimeData data;
        data.setText(text);
        if (isTable)
            data.setHtml("<html><table><tr><td>…</td></tr></table></html>");
        const auto block = readBlock(data);
        QVERIFY2(block, block ? "" : block.error().message.c_str());
        QStringList rows;
        for (Index i = 0; i < block->rows(); ++i) {
            QStringList row;
            for (Index j = 0; j < block->cols(); ++j)
                row << QString::fromStdString(shortest((*block)(i, j)));
            rows << row.join(' ');
        }
        QTEST(rows.join('/'), "rows");
    }

    void whatIsNoBlockIsRefusedWithItsPlace_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("part");
        QTest::newRow("a word") << "1\tn/a"
                                << "row 1, column 2";
        QTest::newRow("an empty cell") << "1\t2\n3\t\n"
                                       << "row 2, column 2";
        QTest::newRow("a short row") << "1\t2\n3\n"
                                     << "row 2";
        QTest::newRow("beyond float32") << "1\t1e300"
                                        << "float32";
        QTest::newRow("three axes") << "[[[1, 2]], [[3, 4]]]"
                                    << "block";
        QTest::newRow("nothing") << ""
                                 << "clipboard";
    }

    void whatIsNoBlockIsRefusedWithItsPlace()
    {
        QFETCH(QString, text);
        QFETCH(QString, part);
        TableBench bench;
        QVERIFY(bench.isReady);
        bench.pasteAt(0, 0, text);
        QCOMPARE(bench.nSteps(), 0);
        QCOMPARE(bench.refusals.size(), 1);
        QVERIFY2(bench.refusals[0].contains(part), qPrintable(bench.refusals[0]));
    }

    void aBlockIsCopiedAsTextAndAsTableAndComesBackTheSame()
    {
        TableBench bench;
        QVERIFY(bench.isReady);
        bench.load(numbered(3, 3));
        bench.select(0, 1, 1, 2);
        bench.key(QKeySequence::Copy);
        QCOMPARE(QApplication::clipboard()->text(), QString("2\t3\n5\t6\n"));
        QVERIFY(QApplication::clipboard()->mimeData()->html().contains("<td>5</td><td>6</td>"));
        QCOMPARE(bench.nSteps(), 0);
        bench.table().setCurrentIndex(bench.model().index(1, 0));
        bench.key(QKeySequence::Paste);
        QCOMPARE(bench.numbers(), QString("1 2 3/2 3 6/5 6 9"));
        QCOMPARE(bench.nSteps(), 1);
    }

    void cutClearFillAndFillDownAreOneStepEach()
    {
        TableBench bench;
        QVERIFY(bench.isReady);
        bench.load(numbered(3, 3));
        bench.select(0, 0, 2, 1);
        bench.key(QKeySequence(Qt::CTRL | Qt::Key_D));
        QCOMPARE(bench.numbers(), QString("1 2 3/1 2 6/1 2 9"));
        bench.select(0, 2, 1, 2);
        bench.key(QKeySequence::Cut);
        QCOMPARE(bench.numbers(), QString("1 2 0/1 2 0/1 2 9"));
        QCOMPARE(QApplication::clipboard()->text(), QString("3\n6\n"));
        bench.select(2, 0, 2, 2);
        QTest::keyClick(&bench.table(), Qt::Key_Delete);
        QCOMPARE(bench.numbers(), QString("1 2 0/1 2 0/0 0 0"));
        bench.select(1, 1, 2, 2);
        QTimer::singleShot(0, this, [] {
            QWidget* dialog = QApplication::activeModalWidget();
            dialog->findChild<QLineEdit*>()->setText("-0,5");
            QTest::keyClick(dialog, Qt::Key_Return);
        });
        bench.key(QKeySequence(Qt::CTRL | Qt::Key_Return));
        QCOMPARE(bench.numbers(), QString("1 2 0/1 -0.5 -0.5/0 -0.5 -0.5"));
        QCOMPARE(bench.nSteps(), 4);
        while (bench.document.undoStack().canUndo())
            bench.undo();
        QCOMPARE(bench.numbers(), QString("1 2 3/4 5 6/7 8 9"));
    }

    void rowsAreScaledToLengthOrSumOne()
    {
        TableBench bench;
        QVERIFY(bench.isReady);
        Tensor q = Tensor::zeros({1, 1, 3, 2});
        const float values[] = {3, 4, 0, 0, 1, 3};
        std::copy(std::begin(values), std::end(values), q.data());
        bench.load(q);
        bench.select(0, 1, 1, 1); // whole rows, wherever in them
        bench.actions().toLengthOne->trigger();
        QCOMPARE(bench.numbers(), QString("0.6 0.8/0 0/1 3"));
        QVERIFY(bench.refusals.value(0).contains("length is 0"));
        bench.select(2, 0, 2, 0);
        bench.actions().toSumOne->trigger();
        QCOMPARE(bench.numbers(), QString("0.6 0.8/0 0/0.25 0.75"));
        QCOMPARE(bench.nSteps(), 2);
        QCOMPARE(bench.refusals.size(), 1);
    }

    void aBlockBeyondTheEdgeIsAskedAboutBeforeAnythingHappens()
    {
        TableBench bench;
        QVERIFY(bench.isReady);
        bench.load(numbered(2, 2), {{"the", "cat"}});
        bench.pasteAt(1, 1, "10\t20\r\n30\t40\r\n50\t60\r\n");
        QCOMPARE(bench.nSteps(), 0);
        QVERIFY(bench.questions.value(0).contains(" 2 rows and 1 column beyond"));
        bench.answer(0);
        QCOMPARE(bench.numbers(), QString("1 2 0/3 10 20/0 30 40/0 50 60"));
        QCOMPARE(bench.document.sizes(), (Sizes{1, 1, 1, 4, 4, 3, 2}));
        QCOMPARE(bench.document.inputs().keyTokens[0].size(), std::size_t(4));
        QCOMPARE(bench.nSteps(), 1);
        bench.undo();
        QCOMPARE(bench.numbers(), QString("1 2/3 4"));
        bench.pasteAt(1, 1, "10\t20\n30\t40\n");
        bench.answer(1);
        QCOMPARE(bench.numbers(), QString("1 2/3 10"));
        QCOMPARE(bench.nSteps(), 1);
    }

    void valuesGrowTheirOwnFeatures()
    {
        TableBench bench({1, 2, 1, 3, 4, 2, 2}); // of cross-attention
        QVERIFY(bench.isReady);
        bench.press("V");
        bench.pasteAt(3, 1, "5\t6\n7\t8\n");
        bench.answer(0);
        QCOMPARE(bench.document.sizes(), (Sizes{1, 2, 1, 3, 5, 2, 3}));
        QCOMPARE(bench.document.inputs().v->at(0, 0, 4, 2), 8.0F);
    }

    void whatIsBeyondAMaskOrGivenScoresIsCutAfterSayingSo()
    {
        TableBench bench({1, 1, 1, 2, 3, 2, 2});
        QVERIFY(bench.isReady);
        bench.press("Mask");
        bench.pasteAt(1, 1, "0\t0\t0\n0\t0\t0\n");
        QVERIFY(bench.questions.value(0).contains(" 1 row and 1 column beyond"));
        QVERIFY(bench.questions.value(0).contains("does not grow"));
        QCOMPARE(bench.nSteps(), 0);
        bench.answer(0);
        QCOMPARE(maskOf(bench.document.inputs(), 0, 0).sum(), 4.0F);
        QCOMPARE(bench.nSteps(), 1);

        Inputs given;
        given.scores = share(numbered(2, 2));
        bench.document.load(given, {}, {});
        bench.press("S");
        bench.pasteAt(0, 1, "7\t8\n9\t10\n11\t12\n");
        bench.answer(0);
        const Tensor& scores = *bench.document.inputs().scores;
        QCOMPARE(scores.at(0, 0, 0, 1), 7.0F);
        QCOMPARE(scores.at(0, 0, 1, 1), 9.0F);
        QCOMPARE(scores.at(0, 0, 1, 0), 3.0F);
        QCOMPARE(bench.refusals, QStringList());
    }

    void tokensComeGoAndMoveByKeysAndMenus()
    {
        TableBench bench;
        QVERIFY(bench.isReady);
        bench.load(numbered(3, 1), {{"the", "cat", "sat"}});
        bench.select(1, 0, 1, 0);
        QTest::keyClick(&bench.table(), Qt::Key_Insert);
        QCOMPARE(bench.numbers(), QString("1/0/2/3"));
        QCOMPARE(bench.names(), QString("the new cat sat"));
        QCOMPARE(bench.table().currentIndex().row(), 1);
        QCOMPARE(bench.document.inputs().v->at(0, 0, 2, 0), 2.0F); // keys and values go along
        QTest::keyClick(&bench.table(), Qt::Key_Down, Qt::AltModifier);
        QCOMPARE(bench.names(), QString("the cat new sat"));
        QCOMPARE(bench.table().currentIndex().row(), 2);
        QTest::keyClick(&bench.table(), Qt::Key_Up, Qt::AltModifier);
        QCOMPARE(bench.names(), QString("the new cat sat"));
        bench.select(1, 0, 2, 0);
        QTest::keyClick(&bench.table(), Qt::Key_Delete, Qt::ControlModifier);
        QCOMPARE(bench.names(), QString("the sat"));
        QCOMPARE(bench.numbers(), QString("1/3"));
        QCOMPARE(bench.nSteps(), 4);
        bench.select(0, 0, 1, 0);
        bench.actions().removeRows->trigger();
        QCOMPARE(bench.nSteps(), 4);
        QVERIFY(bench.refusals.value(0).contains("stay"));
        while (bench.document.undoStack().canUndo())
            bench.undo();
        QCOMPARE(bench.names(), QString("the cat sat"));
    }

    void featuresComeGoAndMove()
    {
        TableBench bench;
        QVERIFY(bench.isReady);
        bench.load(numbered(2, 2));
        bench.select(0, 1, 0, 1);
        bench.actions().insertRight->trigger();
        QCOMPARE(bench.numbers(), QString("1 2 0/3 4 0"));
        bench.select(0, 0, 0, 0);
        QTest::keyClick(&bench.table(), Qt::Key_Right, Qt::AltModifier);
        QCOMPARE(bench.numbers(), QString("2 1 0/4 3 0"));
        QCOMPARE(bench.document.inputs().k->at(0, 0, 1, 0), 4.0F);
        bench.select(0, 1, 1, 2);
        bench.actions().removeColumns->trigger();
        QCOMPARE(bench.numbers(), QString("2/4"));
        QCOMPARE(bench.document.sizes().dv, 2);
        QCOMPARE(bench.nSteps(), 3);
    }

    void aDoubleClickOnANameRenamesTheToken()
    {
        TableBench bench;
        QVERIFY(bench.isReady);
        bench.load(numbered(3, 1), {{"the", "cat", "the"}});
        TokenHeader& header = bench.table().rowHeader();
        const auto open = [&](int row) {
            const QPoint at(10, header.sectionViewportPosition(row) + 8);
            QTest::mouseDClick(header.viewport(), Qt::LeftButton, {}, at);
        };
        open(2);
        QVERIFY(header.editor()->isVisible());
        QCOMPARE(header.editor()->text(),
                 QString("the")); // without the index that tells them apart
        QTest::keyClicks(header.editor(), "mat");
        QTest::keyClick(header.editor(), Qt::Key_Return);
        QCOMPARE(bench.names(), QString("the cat mat"));
        QCOMPARE(bench.document.inputs().keyTokens[0][2], std::string("mat"));
        QCOMPARE(bench.nSteps(), 1);
        open(1);
        QTest::keyClicks(header.editor(), "dog");
        QTest::keyClick(header.editor(), Qt::Key_Escape);
        QVERIFY(!header.editor()->isVisible());
        QCOMPARE(bench.nSteps(), 1);
        bench.select(0, 0, 0, 0);
        bench.key(QKeySequence(Qt::SHIFT | Qt::Key_F2));
        QTest::keyClicks(header.editor(), "a");
        bench.table().setFocus(); // leaving keeps it
        QCOMPARE(bench.names(), QString("a cat mat"));
    }

    void escLeavesAnOpenEdit()
    {
        TableBench bench;
        QVERIFY(bench.isReady);
        const float before = bench.q(0, 0);
        bench.table().setCurrentIndex(bench.model().index(0, 0));
        QTest::keyClicks(&bench.table(), "7");
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Escape);
        QCoreApplication::processEvents();
        QCOMPARE(bench.q(0, 0), before);
        QCOMPARE(bench.nSteps(), 0);
        QCOMPARE(QApplication::focusWidget(), &bench.table());
    }

    void withoutACellACommandSaysWhatIsMissing()
    {
        TableBench bench;
        QVERIFY(bench.isReady);
        bench.table().selectionModel()->clear();
        bench.actions().paste->trigger();
        QVERIFY(bench.refusals.value(0).contains("Click a number"));
    }
};

QTEST_MAIN(TestTableEdits)
#include "tst_table_edits.moc"
