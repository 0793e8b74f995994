#include "tests/paint/figures.h"
#include "ui/paint/heatmap_image.h"
#include "ui/paint/heatmap_painter.h"
#include "ui/paint/map_painter.h"

#include <QFontMetricsF>
#include <QRegularExpression>
#include <QTest>
#include <cmath>

using namespace keyaxis;
using namespace keyaxis::testing;

namespace {

const std::vector<std::string> kWords{"<s>",      "the", "teacher", "gave", "the",
                                      "students", "a",   "new",     "book", "."};

Inputs tenTokens()
{
    return worded({2, 4, 4, 10, 10, 4, 2}, kWords);
}

ScoreSettings causal()
{
    ScoreSettings settings;
    settings.causal = true;
    return settings;
}

} // namespace

class TestHeatmap : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { registerFonts(); }
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void cellsStandWhereTheLayoutSaysInTheirColour_data()
    {
        QTest::addColumn<QSize>("size");
        QTest::addColumn<int>("nTokens");
        QTest::newRow("window of 1280 × 800") << QSize(760, 640) << 10;
        QTest::newRow("window of 1600 × 1000") << QSize(900, 790) << 10;
        QTest::newRow("a screen") << QSize(2400, 1400) << 10;
        QTest::newRow("one token") << QSize(760, 640) << 1;
        QTest::newRow("sixty tokens") << QSize(1600, 1000) << 60;
    }
    void cellsStandWhereTheLayoutSaysInTheirColour()
    {
        QFETCH(QSize, size);
        QFETCH(int, nTokens);
        const Figure figure =
            compareFigure(worded({2, 4, 4, nTokens, nTokens, 4, 2}, kWords), causal());
        const FigureLayout layout = layoutFigure(figure, size);
        for (const Theme& theme : {Theme::light(), Theme::dark()}) {
            const QImage image = painted(figure, size, theme);
            const MapFigure& map = figure.maps[1];
            for (Index i = 0; i < nTokens; ++i)
                for (Index j = 0; j <= i; ++j) {
                    const QRectF cell = layout.maps[1].heatmap.cell(i, j);
                    // A third in from the left edge at the height of the middle lies the number;
                    // near the lower edge nothing but the cell.
                    const QPoint at(static_cast<int>(cell.center().x()),
                                    static_cast<int>(cell.bottom() - cell.height() * 0.12));
                    QCOMPARE(image.pixelColor(at).name(),
                             map.colors.color(map.stages->weights(i, j)).name());
                }
        }
    }

    void cellsLieOnWholePixelsOfTheScreen_data()
    {
        QTest::addColumn<double>("scale");
        for (const double scale : {1.0, 1.25, 1.5, 2.0})
            QTest::addRow("%g pixels a point", scale) << scale;
    }
    void cellsLieOnWholePixelsOfTheScreen()
    {
        QFETCH(double, scale);
        Figure figure = compareFigure(worded({2, 4, 4, 10, 10, 4, 2}, kWords), causal());
        figure.pixel = 1 / scale;
        for (const auto& window :
             {std::optional<CellWindow>(), std::optional(CellWindow{1.3, 2.7, 4.2, 5.1})}) {
            figure.window = window;
            for (const MapLayout& map : layoutFigure(figure, {771, 653}).maps)
                for (Index n = 0; n < 10; ++n) {
                    const QRectF cell = map.heatmap.cell(n, n);
                    for (const double edge : {cell.left(), cell.top(), cell.right(), cell.bottom()})
                        QVERIFY2(std::abs(edge * scale - std::round(edge * scale)) < 1e-6,
                                 qPrintable(QString::number(edge)));
                }
        }
    }

    void aTitleThatDoesNotFitLosesAWordAndIsNotCut()
    {
        const Figure figure = compareFigure(worded({2, 4, 4, 10, 10, 4, 2}, kWords), causal());
        const MapFigure& batch = figure.maps[2];
        const QFont font = uiFont(13, QFont::Bold);
        const double whole = QFontMetricsF(font).horizontalAdvance("C  Batch axis");
        QCOMPARE(headerTitle(batch, font, whole + 1), "C  Batch axis");
        QCOMPARE(headerTitle(batch, font, whole - 1), "C Batch");
    }

    void everyPartLiesInsideItsCard_data()
    {
        QTest::addColumn<QSize>("size");
        QTest::addColumn<int>("nQueries");
        QTest::addColumn<int>("nKeys");
        for (const QSize size :
             {QSize(700, 560), QSize(760, 640), QSize(900, 790), QSize(2400, 1400)})
            for (const auto& [q, k] : {std::pair{10, 10}, std::pair{1, 1}, std::pair{3, 40},
                                       std::pair{40, 3}, std::pair{200, 200}})
                QTest::addRow("%dx%d, %d by %d", size.width(), size.height(), q, k)
                    << size << q << k;
    }
    void everyPartLiesInsideItsCard()
    {
        QFETCH(QSize, size);
        QFETCH(int, nQueries);
        QFETCH(int, nKeys);
        const Figure figure =
            compareFigure(worded({2, 2, 2, nQueries, nKeys, 4, 2}, kWords), causal());
        const FigureLayout layout = layoutFigure(figure, size);
        for (const MapLayout& map : layout.maps) {
            const HeatmapLayout& h = map.heatmap;
            for (const QRectF& part : {map.header, h.cells, h.rowLabels, h.colLabels, h.bars,
                                       h.sums, h.colSums, h.colAxisName, h.rowAxisName})
                QVERIFY2(map.card.contains(part.toAlignedRect().adjusted(1, 1, -1, -1)),
                         qPrintable(QStringLiteral("%1 %2 %3 %4")
                                        .arg(part.x())
                                        .arg(part.y())
                                        .arg(part.right())
                                        .arg(part.bottom())));
            QVERIFY(!h.rowLabels.intersects(h.cells));
            QVERIFY(!h.bars.intersects(h.cells) && !h.bars.intersects(h.sums));
            QVERIFY(h.cells.top() >= map.header.bottom());
            QVERIFY(h.colorBar.top() + 18 <= map.card.bottom());
        }
    }

    void labelsNeverOverlap()
    {
        const Figure figure = compareFigure(worded({1, 1, 1, 200, 200, 4, 2}, kWords), causal());
        const HeatmapLayout h = layoutFigure(figure, {900, 790}).maps[1].heatmap;
        QVERIFY(static_cast<double>(h.rowEvery) * h.cellHeight >= h.labelPx * 1.1);
        const QFont font = uiFont(h.labelPx);
        double widest = 0;
        for (const Label& label : figure.maps[1].colLabels)
            widest = std::max(widest, label.width(font));
        QVERIFY(static_cast<double>(h.colEvery) * h.cellWidth >=
                (h.isTilted ? h.labelPx * 1.4 : widest));
    }

    void theDefaultSampleShowsNumbersInASmallWindow()
    {
        const Figure figure = compareFigure(tenTokens(), causal());
        const HeatmapLayout h = layoutFigure(figure, {760, 620}).maps[0].heatmap;
        QVERIFY(h.cellWidth >= 18 && h.cellHeight >= 14);
        // Numbers are there if a cell's middle has pixels of its text colour.
        const QImage image = painted(figure, {760, 620});
        const QRect cell = h.cell(9, 0).toRect();
        const QColor fill = figure.maps[0].colors.color(figure.maps[0].stages->weights(9, 0));
        int nText = 0;
        for (int x = cell.left(); x < cell.right(); ++x)
            nText += contrast(image.pixelColor(x, cell.center().y()), fill) > 3 ? 1 : 0;
        QVERIFY(nText > 0);
    }

    void hitTestsAreTheInverseOfTheLayout()
    {
        const Figure figure = compareFigure(tenTokens(), causal());
        const FigureLayout layout = layoutFigure(figure, {900, 790});
        for (std::size_t n = 0; n < 4; ++n)
            for (Index i = 0; i < 10; ++i)
                for (Index j = 0; j < 10; ++j) {
                    const FigureHit hit =
                        layout.hitTest(layout.maps[n].heatmap.cell(i, j).center());
                    QCOMPARE(hit.map, static_cast<int>(n));
                    QVERIFY(hit.cell == (Cell{i, j}));
                }
        QVERIFY(layout.hitTest(layout.maps[2].header.center()).isHeader);
        QVERIFY(!layout.hitTest(layout.maps[2].header.center()).cell);
        QCOMPARE(layout.hitTest({-5, -5}).map, -1);
        // The first row is on top.
        QVERIFY(layout.maps[0].heatmap.cell(0, 0).top() < layout.maps[0].heatmap.cell(9, 0).top());
    }

    void zoomingOutLosesNoHotCellAndNoNan()
    {
        Matrix values = Matrix::Constant(1000, 1000, 0.01F);
        values(503, 777) = 0.99F;
        values(20, 30) = NAN;
        const ColorMap map(Palette::Viridis, {0, 1});
        const GlyphColors glyphs{0xFF111111, 0xFF222222, 0xFF333333};
        const QImage image =
            heatmapImage(viewOf(values), MatrixView(nullptr, 0, 0), map, glyphs, {100, 100});
        QCOMPARE(image.size(), QSize(100, 100));
        QCOMPARE(image.pixel(77, 50), map.rgb(0.99F));
        QCOMPARE(image.pixel(3, 2), QRgb(0xFF222222));
        QCOMPARE(image.pixel(10, 10), map.rgb(0.01F));
    }

    void undefinedRegionsAreHatchedButALonePixelStaysSolid()
    {
        const GlyphColors glyphs{0xFFF6F6F3, 0xFFB84009, 0xFF000000};
        const GlyphPatterns patterns{0xFFF9EEE9, 0xFF646B75, 1.0};
        QImage image(60, 60, QImage::Format_RGB32);
        image.fill(QRgb(0xFF440154));
        for (int y = 20; y < 60; ++y)
            for (int x = 20; x < 60; ++x)
                image.setPixel(x, y, glyphs.nan);
        image.setPixel(5, 7, glyphs.nan);
        for (int x = 0; x < 60; ++x)
            image.setPixel(x, 12, glyphs.masked);
        patternGlyphs(image, glyphs, patterns);
        QCOMPARE(image.pixel(5, 7), glyphs.nan);
        QCOMPARE(image.pixel(20, 40), glyphs.nan); // the edge
        int nLines = 0;
        int nGround = 0;
        for (int x = 22; x < 58; ++x) {
            nLines += image.pixel(x, 40) == glyphs.nan ? 1 : 0;
            nGround += image.pixel(x, 40) == patterns.nanGround ? 1 : 0;
        }
        QCOMPARE(nLines + nGround, 36);
        QVERIFY(nLines >= 5 && nGround > nLines);
        QCOMPARE(image.pixel(6, 12), patterns.maskedDot);
        QCOMPARE(image.pixel(7, 12), glyphs.masked);
    }

    void aLoneNanSurvivesInThePicture()
    {
        Inputs inputs = worded({1, 1, 1, 700, 700, 4, 2}, kWords);
        const Figure figure = compareFigure(inputs, {});
        MapFigure map = figure.maps[1];
        SliceStages stages = *map.stages;
        stages.weights(503, 611) = NAN;
        map.stages = std::make_shared<const SliceStages>(stages);
        map.numbers = numbersOf(map.stages, Stage::Weights);
        Figure single;
        single.maps = {map};
        const QImage image = painted(single, {500, 420});
        const QRect cells = layoutFigure(single, {500, 420}).maps[0].heatmap.cells.toRect();
        int nInvalid = 0;
        for (int y = cells.top(); y < cells.bottom(); ++y)
            for (int x = cells.left(); x < cells.right(); ++x)
                nInvalid += image.pixelColor(x, y) == Theme::light().invalid ? 1 : 0;
        QCOMPARE(nInvalid, 1);
    }

    void aNumberIsNeverCut()
    {
        // Scores up to 16 in cells that are wide enough for "-4.2" but not for "-16.01".
        Inputs inputs = tenTokens();
        Tensor q = *inputs.q;
        for (Index n = 0; n < q.size(); ++n)
            q.data()[n] *= 30;
        inputs.q = share(std::move(q));
        auto stages = std::make_shared<const SliceStages>(attendSlice(inputs, {}, 0, 0).value());
        Figure figure;
        figure.maps = {makeMapFigure(inputs, {}, 0, stages, Stage::Scores)};
        const FigureLayout layout = layoutFigure(figure, {440, 377});
        const HeatmapLayout& h = layout.maps[0].heatmap;
        const QImage image = painted(figure, {440, 377});
        // No text reaches the sides of its cell.
        for (Index i = 0; i < 10; ++i)
            for (Index j = 0; j < 10; ++j) {
                const QRect cell = h.cell(i, j).toRect();
                const QColor fill = figure.maps[0].colors.color(stages->before->scores(i, j));
                for (int y = cell.top() + 4; y < cell.bottom() - 4; ++y)
                    QCOMPARE(image.pixelColor(cell.left(), y).name(), fill.name());
            }
    }

    void lowRowsShowTheirMostSeriousSum()
    {
        Inputs inputs = worded({1, 1, 1, 900, 900, 4, 2}, kWords);
        Figure figure;
        figure.maps = {compareFigure(inputs, {}).maps[1]};
        QVERIFY(figure.maps[0].certificate.isValid());
        figure.maps[0].certificate.rows[450].sum =
            0.5; // one of several rows on a line of the picture
        const QImage image = painted(figure, {500, 420});
        const QRect bars = layoutFigure(figure, {500, 420}).maps[0].heatmap.bars.toRect();
        int nInvalid = 0;
        for (int y = bars.top(); y < bars.bottom(); ++y)
            nInvalid += image.pixelColor(bars.left() + 1, y) == Theme::light().invalid ? 1 : 0;
        QCOMPARE(nInvalid, 1);
    }

    void stagesBeforeTheSoftmaxNameNoAxis()
    {
        const Inputs inputs = tenTokens();
        auto stages = std::make_shared<const SliceStages>(attendSlice(inputs, {}, 0, 0).value());
        QCOMPARE(makeMapFigure(inputs, {}, 0, stages, Stage::Scores).title, "Scores");
        QVERIFY(!makeMapFigure(inputs, {}, 0, stages, Stage::Logits).dependsOnAxis());
        QCOMPARE(makeMapFigure(inputs, {}, 0, stages, Stage::Output).title, "Key axis");
        QCOMPARE(makeMapFigure(inputs, {}, 0, stages, Stage::Weights).gloss,
                 "each query spreads 1 over the keys");
    }

    void glyphsAreNoColoursOfTheMap()
    {
        QCOMPARE(cellKind(0.5F, false), CellKind::Number);
        QCOMPARE(cellKind(0.0F, true), CellKind::Masked);
        QCOMPARE(cellKind(NAN, true), CellKind::Nan);
        QCOMPARE(cellKind(INFINITY, false), CellKind::PlusInfinity);
        QCOMPARE(cellKind(-INFINITY, false), CellKind::MinusInfinity);
    }

    void numbersAreShortButNeverWrong()
    {
        QCOMPARE(cellText(0.984F, false), "0.98");
        QCOMPARE(cellText(0.984F, true), ".98");
        QCOMPARE(cellText(1.0F, true), "1");
        QCOMPARE(cellText(-1.26F, true), "-1.3");
        QCOMPARE(cellText(-0.001F, false), "0.00");
        QCOMPARE(cellText(12.34F, true), "12");
        QCOMPARE(cellText(-0.243F, true), "-.24");
        QCOMPARE(cellText(-1.0F, true), "-1");
        QCOMPARE(cellText(-0.001F, true), ".00"); // rounded: a bare 0 or 1 is exact
        QCOMPARE(cellText(0.997F, true), "1.0");
        QCOMPARE(cellText(0.0F, true), "0");
        QCOMPARE(cellText(3e9F, false), "3e+09");
    }

    void anOutlineIsDrawnAroundTheSliceOfEachAxis()
    {
        Figure figure = compareFigure(tenTokens(), causal());
        const QImage without = painted(figure, {900, 790});
        for (MapFigure& map : figure.maps)
            map.highlighted = Cell{5, 3};
        const QImage with = painted(figure, {900, 790});
        const FigureLayout layout = layoutFigure(figure, {900, 790});
        const auto changed = [&](std::size_t map, Index row, Index col) {
            const QRect cell =
                layout.maps[map].heatmap.cell(row, col).toAlignedRect().adjusted(-2, -2, 2, 2);
            return without.copy(cell) != with.copy(cell);
        };
        QVERIFY(changed(1, 5, 0) && changed(1, 5, 9) && !changed(1, 7, 3)); // key: the row
        QVERIFY(changed(0, 9, 3) && changed(0, 0, 3) && !changed(0, 5, 7)); // query: the column
        QVERIFY(changed(2, 5, 3) && !changed(2, 5, 0)); // batch: the cell, stacked
        QVERIFY(changed(3, 5, 3) && !changed(3, 9, 3));
    }

    void anEmptyMapSaysSo()
    {
        const Figure figure = compareFigure(randomInputs({1, 1, 1, 0, 3, 2, 2}, 1), {});
        QVERIFY(!painted(figure, {760, 620}).isNull());
    }
};

QTEST_MAIN(TestHeatmap)
#include "tst_heatmap.moc"
