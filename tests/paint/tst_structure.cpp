#include "tests/paint/all_figures.h"
#include "tests/paint/recorder.h"
#include "ui/paint/cell_painter.h"
#include "ui/paint/heatmap_image.h"

#include <QRegularExpression>
#include <QTest>
#include <cmath>
#include <set>

using namespace keyaxis;
using namespace keyaxis::testing;

namespace {

std::vector<DrawnText> textsOf(const Figure& figure, const FigureLayout& layout, QSize size,
                               const Theme& theme)
{
    Recorder paper(size);
    QPainter painter(&paper);
    paintFigure(painter, figure, layout, theme);
    painter.end();
    return paper.texts();
}

/// Whether letters lie over each other by more than the edge of a stroke.
bool overlap(const DrawnText& a, const DrawnText& b)
{
    constexpr double kEdge = 1.0;
    const QRectF common = a.ink.boundingRect() & b.ink.boundingRect();
    if (common.width() <= kEdge || common.height() <= kEdge)
        return false;
    const auto shrunk = [](const QPolygonF& box) { // towards its middle, also where it is tilted
        const QPointF across = box[1] - box[0];
        const QPointF down = box[3] - box[0];
        const QPointF dx = across / std::hypot(across.x(), across.y()) * kEdge / 2;
        const QPointF dy = down / std::hypot(down.x(), down.y()) * kEdge / 2;
        return QPolygonF({box[0] + dx + dy, box[1] - dx + dy, box[2] - dx - dy, box[3] + dx - dy});
    };
    return shrunk(a.ink).intersects(shrunk(b.ink));
}

/// The cell of `layout` that a text lies in, if it touches any.
std::optional<Cell> cellOf(const HeatmapLayout& layout, const DrawnText& text)
{
    const QRectF box = text.ink.boundingRect();
    return layout.view.intersects(box) ? layout.cellAt(box.center()) : std::nullopt;
}

QString said(const QByteArray& name, const DrawnText& text)
{
    const QRectF box = text.ink.boundingRect();
    return QStringLiteral("%1: '%2' at %3, %4, %5 wide, %6 high")
        .arg(QString::fromLatin1(name), text.text)
        .arg(box.x())
        .arg(box.y())
        .arg(box.width())
        .arg(box.height());
}

} // namespace

class TestStructure : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { registerFonts(); }
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void textStaysInItsPlaceAndOffOtherText_data()
    {
        QTest::addColumn<int>("nQueries");
        QTest::addColumn<int>("nKeys");
        for (const auto& [q, k] : {std::pair{1, 1}, std::pair{2, 2}, std::pair{2, 5},
                                   std::pair{10, 10}, std::pair{17, 17}, std::pair{32, 32},
                                   std::pair{3, 32}, std::pair{128, 128}, std::pair{512, 512}})
            QTest::addRow("%d by %d", q, k) << q << k;
    }
    void textStaysInItsPlaceAndOffOtherText()
    {
        QFETCH(int, nQueries);
        QFETCH(int, nKeys);
        for (const auto& [name, figure, size] :
             compositions(nasty(nQueries, nKeys), causalAndAlibi())) {
            const FigureLayout layout = layoutFigure(figure, size);
            const auto texts = textsOf(figure, layout, size, Theme::light());
            QVERIFY(!texts.empty());
            const QRectF page(QPointF(-1, -1), QSizeF(size) + QSizeF(2, 2));
            for (const DrawnText& text : texts) {
                const QRectF box = text.ink.boundingRect();
                QVERIFY2(page.contains(box), qPrintable(said(name, text)));
                for (const MapLayout& map : layout.maps) {
                    if (map.card.contains(box.center())) {
                        QVERIFY2(map.card.adjusted(-1, -1, 1, 1).contains(box),
                                 qPrintable(said(name, text)));
                    }
                    if (const auto cell = cellOf(map.heatmap, text)) {
                        QVERIFY2(map.heatmap.cell(cell->row, cell->col)
                                     .adjusted(-0.5, -0.5, 0.5, 0.5)
                                     .contains(box),
                                 qPrintable(said(name, text)));
                    }
                    QVERIFY2(!map.heatmap.bars.adjusted(1, 1, -1, -1).intersects(box),
                             qPrintable(said(name, text)));
                }
            }
            for (std::size_t a = 0; a < texts.size(); ++a)
                for (std::size_t b = a + 1; b < texts.size(); ++b)
                    QVERIFY2(
                        !overlap(texts[a], texts[b]),
                        qPrintable(said(name, texts[a]) + " lies over " + said(name, texts[b])));
        }
    }

    void textCanBeReadOnWhatItIsDrawnOn()
    {
        ScoreSettings settings = causalAndAlibi();
        settings.axis = Axis::Query;
        for (const Theme& theme :
             {Theme::light(), Theme::dark(), Theme::highContrastLight(), Theme::highContrastDark()})
            for (const auto& [name, figure, size] : compositions(nasty(8, 8), settings)) {
                const FigureLayout layout = layoutFigure(figure, size);
                int nNumbers = 0;
                for (const DrawnText& text : textsOf(figure, layout, size, theme)) {
                    QColor ground = theme.panel;
                    for (std::size_t n = 0; n < layout.maps.size(); ++n)
                        if (const auto cell = cellOf(layout.maps[n].heatmap, text)) {
                            ground = groundOf(figure.maps[n], *cell, theme);
                            ++nNumbers;
                        }
                    QVERIFY2(contrast(text.color, ground) >= 4.5, qPrintable(said(name, text)));
                }
                QVERIFY2(nNumbers > 20 || name == "strip", name);
            }
    }

    void cellsOfEveryCompositionHaveTheirPlaceAndColourInEveryTheme_data()
    {
        QTest::addColumn<int>("nTokens");
        for (const int nTokens : {1, 2, 10, 32})
            QTest::addRow("%d tokens", nTokens) << nTokens;
    }
    void cellsOfEveryCompositionHaveTheirPlaceAndColourInEveryTheme()
    {
        QFETCH(int, nTokens);
        for (const auto& [name, figure, size] :
             compositions(nasty(nTokens, nTokens), causalAndAlibi()))
            for (const Theme& theme : {Theme::light(), Theme::dark()}) {
                const FigureLayout layout = layoutFigure(figure, size);
                const QImage image = painted(figure, size, theme);
                for (std::size_t n = 0; n < figure.maps.size(); ++n) {
                    const MapFigure& map = figure.maps[n];
                    const HeatmapLayout& heatmap = layout.maps[n].heatmap;
                    if (map.isDimmed || heatmap.cellWidth < 6)
                        continue; // paler than its colours; pixels that several cells share
                    for (Index i = 0; i < map.numbers.nRows; ++i)
                        for (Index j = 0; j < map.numbers.nCols; ++j) {
                            const HeatmapValues shown = map.numbers.shown();
                            if (!isNumber(map, {i, j}))
                                continue;
                            const QRectF cell = heatmap.cell(i, j); // its number ends above
                            const QPoint low(static_cast<int>(cell.center().x()),
                                             static_cast<int>(cell.bottom() -
                                                              std::max(1.0, cell.height() * 0.1)));
                            QVERIFY2(image.pixelColor(low).name() ==
                                         map.colors.color(shown.values(i, j)).name(),
                                     qPrintable(QStringLiteral("%1, map %2, cell %3, %4")
                                                    .arg(QString::fromLatin1(name))
                                                    .arg(n)
                                                    .arg(i)
                                                    .arg(j)));
                        }
                }
            }
    }

    void rowsAndColumnsAreEquallyLargeAndTheFirstIsOnTop_data()
    {
        QTest::addColumn<int>("nTokens");
        QTest::addColumn<bool>("isZoomed");
        for (const int nTokens : {1, 5, 37, 90})
            for (const bool isZoomed : {false, true})
                QTest::addRow("%d tokens%s", nTokens, isZoomed ? ", zoomed into" : "")
                    << nTokens << isZoomed;
    }
    void rowsAndColumnsAreEquallyLargeAndTheFirstIsOnTop()
    {
        QFETCH(int, nTokens);
        QFETCH(bool, isZoomed);
        for (auto& [name, figure, size] : compositions(nasty(nTokens, nTokens), causalAndAlibi())) {
            if (isZoomed && figure.maps.front().detail == MapFigure::Detail::Card)
                figure.window =
                    CellWindow{0, 0, std::max(1.0, nTokens / 3.0), std::max(1.0, nTokens / 3.0)};
            for (const MapLayout& map : layoutFigure(figure, size).maps) {
                const HeatmapLayout& h = map.heatmap;
                for (Index n = 1; n < nTokens; ++n) {
                    QVERIFY(std::abs(h.cell(n, 0).height() - h.cell(0, 0).height()) <= 1);
                    QVERIFY(h.cell(n, 0).top() > h.cell(n - 1, 0).top());
                    if (n < h.nCols) {
                        QVERIFY(std::abs(h.cell(0, n).width() - h.cell(0, 0).width()) <= 1);
                        QVERIFY(h.cell(0, n).left() > h.cell(0, n - 1).left());
                    }
                }
            }
        }
    }

    void aConstantMapHasTheColourThatTheBarShows_data()
    {
        QTest::addColumn<int>("nTokens");
        QTest::addColumn<float>("value");
        QTest::newRow("all a quarter") << 4 << 0.25F;
        QTest::newRow("one cell") << 1 << 1.0F;
        QTest::newRow("all 0") << 4 << 0.0F;
    }
    void aConstantMapHasTheColourThatTheBarShows()
    {
        QFETCH(int, nTokens);
        QFETCH(float, value);
        const Inputs inputs = nasty(nTokens, nTokens);
        auto stages = std::make_shared<SliceStages>(attendSlice(inputs, {}, 0, 0).value());
        stages->weights = Matrix::Constant(nTokens, nTokens, value);
        auto scores = std::make_shared<ScoreStages>(*stages->before);
        scores->scores = stages->weights;
        stages->before = scores;
        for (const Stage stage : {Stage::Weights, Stage::Scores}) {
            Figure figure;
            figure.maps = {makeMapFigure(inputs, {}, 0, stages, stage)};
            if (stage == Stage::Weights)
                QCOMPARE(figure.maps[0].colors.range(), (Range{0, 1}));
            const QSize size(700, 560);
            const FigureLayout layout = layoutFigure(figure, size);
            for (const DrawnText& text : textsOf(figure, layout, size, Theme::light()))
                QVERIFY2(!text.text.contains("nan", Qt::CaseInsensitive), qPrintable(text.text));
            const QImage image = painted(figure, size);
            const QRectF cell = layout.maps[0].heatmap.cell(0, 0);
            const QRgb color = image.pixel(static_cast<int>(cell.center().x()),
                                           static_cast<int>(cell.bottom() - cell.height() * 0.1));
            // Along the bar, the pixel whose number that is.
            const QRectF bar = layout.maps[0].heatmap.colorBar;
            const int y = static_cast<int>(bar.top()) + 7;
            int first = static_cast<int>(bar.left());
            while (image.pixelColor(first, y) == Theme::light().panel)
                ++first;
            int last = first;
            while (image.pixelColor(last + 1, y) != Theme::light().panel)
                ++last;
            const Range range = figure.maps[0].colors.range();
            const double part = (value - range.low) / (range.high - range.low);
            const int at = first + static_cast<int>(part * (last - first));
            // A bar of fewer points than steps leaves some out: then it is the neighbouring one.
            const auto stepOf = [&](QRgb wanted) {
                int n = 0;
                while (n < 256 && figure.maps[0].colors.step(n).rgb() != wanted)
                    ++n;
                return n;
            };
            QVERIFY(stepOf(color) < 256);
            QVERIFY(std::abs(stepOf(image.pixel(at, y)) - stepOf(color)) <= 1);
        }
    }

    void oddNumbersHaveLooksOfTheirOwn()
    {
        Matrix scores(3, 3);
        scores << NAN, INFINITY, -INFINITY, 0, 1, 2, 0.5F, 1e-45F, -3;
        const Inputs inputs = nasty(3, 3);
        auto stages = std::make_shared<SliceStages>(attendSlice(inputs, {}, 0, 0).value());
        auto before = std::make_shared<ScoreStages>(*stages->before);
        before->scores = scores;
        stages->before = before;
        for (const Theme& theme : {Theme::light(), Theme::dark(), Theme::highContrastLight(),
                                   Theme::highContrastDark()}) {
            Figure figure;
            figure.maps = {makeMapFigure(inputs, {}, 0, stages, Stage::Scores)};
            const QSize size(700, 560);
            const FigureLayout layout = layoutFigure(figure, size);
            const QImage image = painted(figure, size, theme);
            std::set<QByteArray> looks;
            std::set<QRgb> palette;
            for (int n = 0; n < 256; ++n)
                palette.insert(figure.maps[0].colors.step(n).rgb());
            for (Index j = 0; j < 3; ++j) {
                const QRect cell = layout.maps[0].heatmap.cell(0, j).toRect();
                const QImage look = image.copy(cell.adjusted(3, 3, -3, -3));
                looks.insert(QByteArray(reinterpret_cast<const char*>(look.constBits()),
                                        look.sizeInBytes()));
                QVERIFY(!palette.contains(look.pixel(2, look.height() / 2)));
            }
            QCOMPARE(looks.size(), std::size_t{3});
            // The range is that of the finite numbers.
            QCOMPARE(figure.maps[0].colors.range(), (Range{-3, 3}));
            const GlyphsPresent& present = figure.maps[0].glyphs;
            QVERIFY(present.nan && present.infinity && present.masked);
        }
    }

    void oddNumbersSurviveZoomingOut()
    {
        const ColorMap colors(Palette::BlueRed, {-1, 1});
        const GlyphColors glyphs{0xFFF6F6F3, 0xFFB84009, 0xFF000000};
        Matrix values = Matrix::Constant(900, 900, 0.25F);
        values(450, 3) = NAN;
        values(7, 800) = INFINITY;
        const QImage image =
            heatmapImage(viewOf(values), MatrixView(nullptr, 0, 0), colors, glyphs, {60, 60});
        QCOMPARE(image.pixel(0, 30), glyphs.nan);
        QCOMPARE(image.pixel(53, 0), glyphs.infinity);
        QCOMPARE(image.pixel(20, 20), colors.rgb(0.25F));
    }

    void labelsOfNastyTokensAreDistinctAndVisible()
    {
        std::set<QString> seen;
        const Inputs inputs = nasty(17, 17);
        for (const Label& label : tokenLabels(inputs.keyTokens, 0, 17, 'k')) {
            const QString text = label.plain();
            QVERIFY2(seen.insert(text).second, qPrintable(text));
            QVERIFY(label.width(uiFont(12)) > 3);
        }
    }

    void numbersAppearAsSoonAsTheyFit_data()
    {
        QTest::addColumn<double>("cell");
        QTest::addColumn<QString>("shown");
        QTest::newRow("34 points") << 34.0 << "0.98";
        QTest::newRow("60 points") << 60.0 << "0.98";
        QTest::newRow("22 points") << 22.0 << ".98";
        QTest::newRow("12 points") << 12.0 << "";
    }
    void numbersAppearAsSoonAsTheyFit()
    {
        QFETCH(double, cell);
        QFETCH(QString, shown);
        const Matrix values = Matrix::Constant(4, 4, 0.98F);
        HeatmapLayout layout;
        layout.nRows = layout.nCols = 4;
        layout.cellWidth = layout.cellHeight = cell;
        layout.gap = 2;
        layout.cells = layout.view = QRectF(0, 0, 4 * cell, 4 * cell);
        Recorder paper({300, 300});
        QPainter painter(&paper);
        paintCells(painter, layout, {viewOf(values), MatrixView(nullptr, 0, 0)},
                   ColorMap(Palette::Viridis, {0, 1}), Theme::light());
        painter.end();
        QCOMPARE(paper.texts().size(), shown.isEmpty() ? std::size_t{0} : std::size_t{16});
        for (const DrawnText& text : paper.texts())
            QCOMPARE(text.text, shown);
    }
};

QTEST_MAIN(TestStructure)
#include "tst_structure.moc"
