#include "tests/core/sample_values.h"
#include "tests/widgets/window_helpers.h"
#include "ui/widgets/color_menu.h"
#include "ui/widgets/inputs_panel.h"
#include "ui/widgets/map_zoom.h"
#include "ui/widgets/stage_strip.h"
#include "ui/widgets/tensor_model.h"
#include "ui/widgets/tensor_table.h"
#include "ui/widgets/window_actions.h"

#include <QAbstractButton>
#include <QWheelEvent>
#include <cmath>

using namespace keyaxis;
using namespace keyaxis::testing;

namespace {

void wheel(QWidget& widget, QPointF at, int notches)
{
    QWheelEvent event(at, widget.mapToGlobal(at), {}, {0, notches * 120}, Qt::NoButton, {},
                      Qt::NoScrollPhase, false);
    QCoreApplication::sendEvent(&widget, &event);
}

const HeatmapLayout& heatmap(MainWindow& window, std::size_t n = 0)
{
    return window.centre().maps().layoutOfFigure().maps[n].heatmap;
}

void showSingle(MainWindow& window)
{
    window.actions().single->trigger();
    QVERIFY(settle(window));
}

bool isNear(QPointF a, QPointF b, double most)
{
    return std::abs(a.x() - b.x()) <= most && std::abs(a.y() - b.y()) <= most;
}

} // namespace

class TestMapGestures : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { failOnWarnings(); }

    void theWheelZoomsAtThePointer()
    {
        ShownWindow shown;
        showSingle(shown.window);
        HeatmapView& maps = shown.window.centre().maps();
        const QPoint at = cellCentre(shown.window, 0, {6, 2});
        const QPointF place = placeAt(heatmap(shown.window), at);
        const double before = heatmap(shown.window).cellWidth;
        for (int n = 0; n < 4; ++n) {
            wheel(maps, at, 1);
            QVERIFY(isNear(placeAt(heatmap(shown.window), at), place, 0.25));
        }
        QVERIFY(maps.isZoomed());
        QVERIFY(heatmap(shown.window).cellWidth > before * 1.5);
        const Cell under = heatmap(shown.window).cellAt(at).value();
        QCOMPARE(under.row, 6);
        QCOMPARE(under.col, 2);
        wheel(maps, at, -20);
        QVERIFY(!maps.isZoomed());
        QCOMPARE(heatmap(shown.window).cellWidth, before);
    }

    void allMapsMoveTogether()
    {
        ShownWindow shown;
        HeatmapView& maps = shown.window.centre().maps();
        wheel(maps, cellCentre(shown.window, 2, {9, 0}), 5);
        QVERIFY(maps.isZoomed());
        for (std::size_t n = 0; n < 4; ++n) {
            QVERIFY(heatmap(shown.window, n).isZoomed());
            QVERIFY(heatmap(shown.window, n).visible().endRow == 10);
        }
    }

    void aDragPansAndIsNoClick()
    {
        ShownWindow shown;
        showSingle(shown.window);
        HeatmapView& maps = shown.window.centre().maps();
        wheel(maps, cellCentre(shown.window, 0, {5, 5}), 5);
        const CellWindow before = heatmap(shown.window).window();
        const QPoint from = heatmap(shown.window).view.center().toPoint();
        QTest::mousePress(&maps, Qt::LeftButton, {}, from);
        QTest::mouseMove(&maps, from + QPoint(30, 20));
        QTest::mouseMove(&maps, from + QPoint(60, 40));
        QCOMPARE(maps.cursor().shape(), Qt::ClosedHandCursor);
        QTest::mouseRelease(&maps, Qt::LeftButton, {}, from + QPoint(60, 40));
        const CellWindow after = heatmap(shown.window).window();
        QVERIFY(after.col < before.col - 0.3);
        QVERIFY(after.row < before.row - 0.2);
        QVERIFY(!shown.window.cursor().isLocked());
    }

    void aDoubleClickFits()
    {
        ShownWindow shown;
        showSingle(shown.window);
        HeatmapView& maps = shown.window.centre().maps();
        wheel(maps, cellCentre(shown.window, 0, {5, 5}), 5);
        QVERIFY(maps.isZoomed());
        QTest::mouseDClick(&maps, Qt::LeftButton, {},
                           heatmap(shown.window).view.center().toPoint());
        QVERIFY(!maps.isZoomed());
    }

    void keysZoomAtTheOutlinedCellAndTheViewFollowsIt()
    {
        ShownWindow shown;
        showSingle(shown.window);
        HeatmapView& maps = shown.window.centre().maps();
        maps.setFocus();
        for (int n = 0; n < 5; ++n)
            QTest::keyClick(&maps, Qt::Key_Plus);
        QVERIFY(maps.isZoomed());
        const auto isSeen = [&] {
            const Cell cell = shown.window.cursor().cell();
            return heatmap(shown.window)
                .view.adjusted(-1, -1, 3, 3)
                .contains(heatmap(shown.window).cell(cell.row, cell.col));
        };
        for (int n = 0; n < 12; ++n) {
            QTest::keyClick(&maps, Qt::Key_Down);
            QVERIFY(isSeen());
        }
        for (int n = 0; n < 12; ++n) {
            QTest::keyClick(&maps, Qt::Key_Left);
            QVERIFY(isSeen());
        }
        QCOMPARE(heatmap(shown.window).visible().firstCol, 0);
        QTest::keyClick(&maps, Qt::Key_Minus);
        QVERIFY(maps.isZoomed());
        QTest::keyClick(&maps, Qt::Key_0);
        QVERIFY(!maps.isZoomed());
    }

    void labelsAndNumbersComeBackOnZoom()
    {
        ShownWindow shown;
        Document& document = shown.window.document();
        document.load(randomInputs({1, 1, 1, 300, 300, 4, 2}, 3), {}, {});
        showSingle(shown.window);
        HeatmapView& maps = shown.window.centre().maps();
        QVERIFY(heatmap(shown.window).rowEvery > 1);
        QVERIFY(heatmap(shown.window).cellWidth < 8);
        const QPoint at = cellCentre(shown.window, 0, {150, 120});
        for (int n = 0; n < 18; ++n)
            wheel(maps, at, 1);
        QCOMPARE(heatmap(shown.window).rowEvery, 1);
        QCOMPARE(heatmap(shown.window).colEvery, 1);
        QVERIFY(heatmap(shown.window).cellWidth >= 22); // numbers fit
        const CellRange seen = heatmap(shown.window).visible();
        QVERIFY(seen.firstRow <= 150 && seen.endRow > 150 && seen.firstCol <= 120);
        // The cells on the screen are those of the place.
        const QImage image = maps.grab().toImage();
        const MapFigure& map = maps.figure().maps[0];
        const QRectF cell = heatmap(shown.window).cell(150, 120);
        QCOMPARE(image.pixelColor(cell.center().toPoint().x(), static_cast<int>(cell.bottom()) - 4)
                     .name(),
                 map.colors.color(map.numbers.shown().values(150, 120)).name());
    }

    void aNewTemperatureKeepsWhatWasZoomedInto()
    {
        ShownWindow shown;
        showSingle(shown.window);
        HeatmapView& maps = shown.window.centre().maps();
        wheel(maps, cellCentre(shown.window, 0, {8, 1}), 5);
        const CellWindow before = heatmap(shown.window).window();
        ScoreSettings settings = shown.window.document().settings();
        settings.temperature = 2;
        shown.window.document().setSettings(settings);
        QVERIFY(settle(shown.window));
        QVERIFY(heatmap(shown.window).window() == before);
        shown.window.document().load(randomInputs({1, 1, 1, 7, 7, 4, 2}, 3), {}, {});
        QVERIFY(settle(shown.window));
        QVERIFY(!maps.isZoomed());
    }

    void hoverPreviewsAClickLocksAndEscUnlocks()
    {
        ShownWindow shown;
        MainWindow& window = shown.window;
        HeatmapView& maps = window.centre().maps();
        hover(maps, cellCentre(window, 1, {7, 2}));
        QCOMPARE(maps.highlighted(), (Cell{7, 2}));
        QTest::mouseClick(&maps, Qt::LeftButton, {}, cellCentre(window, 1, {4, 3}));
        QVERIFY(window.cursor().isLocked());
        hover(maps, QPoint(2, 2));
        QCOMPARE(maps.highlighted(), (Cell{4, 3}));
        QTest::keyClick(&maps, Qt::Key_Escape);
        QVERIFY(!window.cursor().isLocked());
    }

    void aWeightMarksTheRowsAndNamesItComesFrom()
    {
        ShownWindow shown;
        MainWindow& window = shown.window;
        HeatmapView& maps = window.centre().maps();
        const auto nBold = [&] { // pixels of full ink beside the row of the cell
            const HeatmapLayout& layout = heatmap(window, 1);
            const QImage image = maps.grab().toImage();
            const QRect names(static_cast<int>(layout.rowLabels.left()),
                              static_cast<int>(layout.cell(7, 0).top()),
                              static_cast<int>(layout.rowLabels.width()),
                              static_cast<int>(layout.cellHeight));
            int n = 0;
            for (int y = names.top(); y < names.bottom(); ++y)
                for (int x = names.left(); x < names.right(); ++x)
                    n += image.pixelColor(x, y).lightness() < 110 ? 1 : 0;
            return n;
        };
        hover(maps, cellCentre(window, 1, {3, 1}));
        const int thin = nBold();
        hover(maps, cellCentre(window, 1, {7, 2}));
        QVERIFY(nBold() > thin + 5);
        TensorModel& model = window.inputsPanel().table().tensorModel();
        QCOMPARE(model.markedRow(), std::optional<Index>(7)); // of Q
        for (auto* tab : window.inputsPanel().findChildren<QAbstractButton*>())
            if (tab->text() == QLatin1String("K"))
                tab->click();
        QCOMPARE(model.markedRow(), std::optional<Index>(2)); // of K
        QVERIFY(model.headerData(2, Qt::Vertical, Qt::FontRole).value<QFont>().underline());
        QVERIFY(!model.headerData(3, Qt::Vertical, Qt::FontRole).isValid());
    }

    void theColourMenuChangesTheMapsThatAreShown()
    {
        ShownWindow shown;
        MainWindow& window = shown.window;
        ColorMenu& menu = *window.actions().colors;
        const auto colors = [&]() -> const ColorMap& {
            return window.centre().maps().figure().maps[0].colors;
        };
        menu.choices()[2]->trigger(); // magma
        QCOMPARE(colors().step(255), ColorMap(Palette::Magma, {}).step(255));
        menu.choices()[5]->trigger(); // reversed
        QCOMPARE(colors().step(0), ColorMap(Palette::Magma, {}).step(255));
        menu.choices()[9]->trigger(); // logarithmic
        QVERIFY(colors().spread() == Spread::Logarithmic);
        menu.choices()[7]->trigger(); // automatic: all four maps share it
        for (const MapFigure& map : window.centre().maps().figure().maps)
            QVERIFY(map.colors == colors());
        // Scores keep their own choice.
        QTest::mouseClick(&window.centre().strip(), Qt::LeftButton, {},
                          window.centre().strip().box(Stage::Scores).center());
        QCOMPARE(colors().step(0), ColorMap(Palette::BlueRed, {}).step(0));
        menu.choices()[6]->trigger(); // fixed as it is
        const Range held = colors().range();
        ScoreSettings settings = window.document().settings();
        settings.scale = 1.0;
        window.document().setSettings(settings);
        QVERIFY(settle(window));
        QVERIFY(colors().range() == held);
    }

    void aClickOnTheColourBarOpensItsMenu()
    {
        ShownWindow shown;
        HeatmapView& maps = shown.window.centre().maps();
        const QPoint bar = heatmap(shown.window).colorBar.center().toPoint();
        QTest::mouseClick(&maps, Qt::LeftButton, {}, bar);
        QTRY_VERIFY(shown.window.actions().colors->isVisible());
        shown.window.actions().colors->close();
    }
};

QTEST_MAIN(TestMapGestures)
#include "tst_map_gestures.moc"
