#include "tests/widgets/window_helpers.h"
#include "ui/widgets/inputs_panel.h"
#include "ui/widgets/slice_tray.h"
#include "ui/widgets/status_strip.h"
#include "ui/widgets/tensor_model.h"
#include "ui/widgets/tensor_table.h"
#include "ui/widgets/value_plane_view.h"
#include "ui/widgets/why_panel.h"
#include "ui/widgets/window_actions.h"

#include <QAbstractButton>

using namespace keyaxis;
using namespace keyaxis::testing;

namespace {

void showTensor(MainWindow& window, const QString& name)
{
    for (auto* tab : window.inputsPanel().findChildren<QAbstractButton*>())
        if (tab->text() == name)
            tab->click();
}

QPoint tableCell(MainWindow& window, int row, int col)
{
    TensorTable& table = window.inputsPanel().table();
    return table.visualRect(table.model()->index(row, col)).center();
}

const HeatmapLayout& heatmap(MainWindow& window, Axis axis)
{
    return window.centre().maps().layoutOfFigure().maps[static_cast<std::size_t>(axis)].heatmap;
}

/// Where the pixels of `after` differ from those of `before`; null: nowhere.
QRect changed(const QImage& before, const QImage& after, const QRect& within)
{
    QRect result;
    for (int y = within.top(); y <= within.bottom(); ++y)
        for (int x = within.left(); x <= within.right(); ++x)
            if (before.pixel(x, y) != after.pixel(x, y))
                result |= QRect(x, y, 1, 1);
    return result;
}

bool isAbout(const QRect& found, const QRectF& expected)
{
    constexpr double kPen = 4; // half a line with its light edge
    return expected.adjusted(-kPen, -kPen, kPen, kPen).contains(found) &&
           QRectF(found).adjusted(-kPen, -kPen, kPen, kPen).contains(expected);
}

} // namespace

class TestLinks : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { failOnWarnings(); }

    void aWeightOutlinesWhatSharesItsDenominatorUnderEachAxis_data()
    {
        QTest::addColumn<Axis>("axis");
        QTest::newRow("a column: the queries") << Axis::Query;
        QTest::newRow("a row: the keys") << Axis::Key;
        QTest::newRow("the cell through the examples") << Axis::Batch;
        QTest::newRow("the cell through the heads") << Axis::Head;
    }
    void aWeightOutlinesWhatSharesItsDenominatorUnderEachAxis()
    {
        QFETCH(Axis, axis);
        ShownWindow shown({1600, 1000});
        MainWindow& window = shown.window;
        ScoreSettings settings = window.document().settings();
        settings.causal = false; // one outline, not an allowed and a masked one
        window.document().setSettings(settings);
        QVERIFY(settle(window));
        HeatmapView& maps = window.centre().maps();
        maps.highlight(std::nullopt);
        const QImage bare = maps.grab().toImage();
        const Cell cell{6, 2};
        hover(maps, cellCentre(window, static_cast<std::size_t>(axis), cell));
        const QImage outlined = maps.grab().toImage();
        const HeatmapLayout& layout = heatmap(window, axis);
        const QRect cells = layout.view.toAlignedRect().adjusted(-3, -3, 3, 3);
        const Index nRows = layout.nRows;
        const Index nCols = layout.nCols;
        QRectF expected = layout.cell(cell.row, cell.col);
        if (axis == Axis::Key)
            expected = layout.span({cell.row, 0}, {cell.row, nCols - 1});
        else if (axis == Axis::Query)
            expected = layout.span({0, cell.col}, {nRows - 1, cell.col});
        else // as a stack of sheets that rises to the right
            expected.adjust(0, -expected.height() * 0.3, expected.height() * 0.3, 0);
        const QRect found = changed(bare, outlined, cells);
        if (axis == Axis::Key || axis == Axis::Query)
            QVERIFY(isAbout(found, expected));
        else
            QVERIFY(expected.adjusted(-4, -4, 4, 4).contains(found) && found.width() > 8);
    }

    void aWeightMarksItsRowOfEachTensorItsPointAndItsSum()
    {
        ShownWindow shown({1600, 1000});
        MainWindow& window = shown.window;
        HeatmapView& maps = window.centre().maps();
        const Cell cell{7, 2};
        maps.highlight(std::nullopt);
        const QImage bare = maps.grab().toImage();
        hover(maps, cellCentre(window, 1, cell));
        TensorModel& model = window.inputsPanel().table().tensorModel();
        QCOMPARE(model.markedRow(), std::optional(cell.row));
        showTensor(window, QStringLiteral("K"));
        QCOMPARE(model.markedRow(), std::optional(cell.col));
        showTensor(window, QStringLiteral("V"));
        QCOMPARE(model.markedRow(), std::optional(cell.col));
        QCOMPARE(window.whyPanel().plane().figure().query, cell.row);
        QCOMPARE(window.whyPanel().plane().figure().key, std::optional(cell.col));
        for (const Axis axis : kAllAxes) { // its sum, and no other one
            const HeatmapLayout& layout = heatmap(window, axis);
            const QRect sums = layout.sums.toAlignedRect();
            const QRect found = changed(bare, maps.grab().toImage(), sums);
            QVERIFY(!found.isNull());
            QVERIFY(found.top() >= layout.cell(cell.row, 0).top() - 2);
            QVERIFY(found.bottom() <= layout.cell(cell.row, 0).bottom() + 2);
        }
    }

    void aRowOfATableShowsItsCell()
    {
        ShownWindow shown({1600, 1000});
        MainWindow& window = shown.window;
        QWidget& cells = *window.inputsPanel().table().viewport();
        const Cell resting = window.cursor().cell();
        hover(cells, tableCell(window, 5, 1)); // a row of Q is a query
        QCOMPARE(window.cursor().cell(), (Cell{5, resting.col}));
        QCOMPARE(window.centre().maps().highlighted(), std::optional(window.cursor().cell()));
        QCOMPARE(window.whyPanel().plane().figure().query, 5);
        showTensor(window, QStringLiteral("V"));
        hover(cells, tableCell(window, 3, 0)); // one of V is a key
        QCOMPARE(window.cursor().cell(), (Cell{5, 3}));
        QCOMPARE(window.whyPanel().plane().figure().key, std::optional<Index>(3));
        hover(window.statusStrip(), {5, 5});
        QCOMPARE(window.cursor().cell(), resting);
    }

    void aClickInATableLocksAndItsArrowsPreview()
    {
        ShownWindow shown({1600, 1000});
        MainWindow& window = shown.window;
        TensorTable& table = window.inputsPanel().table();
        const Index col = window.cursor().cell().col;
        QTest::mouseClick(table.viewport(), Qt::LeftButton, {}, tableCell(window, 4, 1));
        QVERIFY(window.cursor().isLocked());
        QCOMPARE(window.cursor().cell(), (Cell{4, col}));
        QTest::keyClick(&table, Qt::Key_Down);
        QCOMPARE(window.cursor().cell(), (Cell{5, col}));
        QTest::keyClick(&table, Qt::Key_7); // an editor of the table takes the focus
        QCOMPARE(window.cursor().cell(), (Cell{5, col}));
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Escape);
        window.centre().setFocus();
        QCOMPARE(window.cursor().cell(), (Cell{4, col}));
        QTest::keyClick(&window.centre().maps(), Qt::Key_Escape);
        QVERIFY(!window.cursor().isLocked());
    }

    void aRowSumShowsItsRowAndAColumnSumItsColumn()
    {
        ShownWindow shown({1600, 1000});
        MainWindow& window = shown.window;
        HeatmapView& maps = window.centre().maps();
        const Cell resting = window.cursor().cell();
        const HeatmapLayout& layout = heatmap(window, Axis::Query);
        const double rowY = layout.cell(3, 0).center().y();
        const double colX = layout.cell(0, 4).center().x();
        hover(maps, QPointF(layout.sums.center().x(), rowY).toPoint());
        QCOMPARE(window.cursor().cell(), (Cell{3, resting.col}));
        QCOMPARE(window.whyPanel().plane().figure().query, 3);
        hover(maps, QPoint(2, 2));
        hover(maps, QPointF(layout.bars.left() + 3, rowY).toPoint());
        QCOMPARE(window.cursor().cell(), (Cell{3, resting.col}));
        hover(maps, QPoint(2, 2));
        hover(maps, QPointF(layout.rowLabels.right() - 3, rowY).toPoint());
        QCOMPARE(window.cursor().cell(), (Cell{3, resting.col}));
        hover(maps, QPoint(2, 2));
        hover(maps, QPointF(colX, layout.colSums.center().y()).toPoint());
        QCOMPARE(window.cursor().cell(), (Cell{resting.row, 4}));
        hover(maps, QPoint(2, 2));
        // Tilted names: the pointer is on the letters, up and to the right of the column.
        const double up = layout.isTilted ? 12 : 0;
        hover(maps, QPointF(colX + up, layout.view.top() - 6 - up).toPoint());
        QCOMPARE(window.cursor().cell(), (Cell{resting.row, 4}));
        const QPoint sum = QPointF(layout.sums.center().x(), rowY).toPoint();
        hover(maps, sum);
        QTest::mouseClick(&maps, Qt::LeftButton, {}, sum);
        QVERIFY(window.cursor().isLocked());
        hover(maps, QPoint(2, 2));
        QCOMPARE(window.cursor().cell().row, 3);
    }

    void aPointOfTheValuePlaneShowsItsCellTableRowAndSum()
    {
        ShownWindow shown({1600, 1000});
        MainWindow& window = shown.window;
        ValuePlaneView& plane = window.whyPanel().plane();
        showTensor(window, QStringLiteral("V"));
        const Cell resting = window.cursor().cell();
        const Index key = 3;
        const QPoint point =
            plane.layoutOfFigure().at(plane.figure().values[std::size_t(key)]).toPoint();
        QCOMPARE(plane.layoutOfFigure().hitTest(plane.figure(), point).kind, PlaneHit::Kind::Value);
        hover(plane, point);
        QCOMPARE(window.cursor().cell(), (Cell{resting.row, key}));
        QCOMPARE(window.centre().maps().highlighted(), std::optional(window.cursor().cell()));
        QCOMPARE(window.inputsPanel().table().tensorModel().markedRow(), std::optional(key));
        QTest::mouseClick(&plane, Qt::LeftButton, {}, point);
        QVERIFY(window.cursor().isLocked());
    }
};

QTEST_MAIN(TestLinks)
#include "tst_links.moc"
