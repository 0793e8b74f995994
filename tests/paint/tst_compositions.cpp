#include "core/attention/masked.h"
#include "tests/paint/figures.h"
#include "tests/paint/recorder.h"
#include "ui/paint/compositions.h"
#include "ui/paint/heatmap_image.h"
#include "ui/paint/morph.h"

#include <QRegularExpression>
#include <QTest>
#include <cmath>

using namespace keyaxis;
using namespace keyaxis::testing;

namespace {

const std::vector<std::string> kWords{"she", "wrote", "a", "letter", "and"};

ScoreSettings causal()
{
    ScoreSettings settings;
    settings.causal = true;
    return settings;
}

SliceSource sourceOf(const Inputs& inputs, const ScoreSettings& settings)
{
    SliceSource source{inputs, settings, 0, 0, {}, nullptr, {}};
    for (const Axis axis : kAllAxes) {
        ScoreSettings own = settings;
        own.axis = axis;
        source.axes[static_cast<std::size_t>(axis)] =
            std::make_shared<const SliceStages>(attendSlice(inputs, own, 0, 0).value());
    }
    return source;
}

HeadsSource headsOf(const Inputs& inputs, const ScoreSettings& settings)
{
    return {inputs,
            settings,
            std::make_shared<const Attention>(
                attend(inputs, settings, {.logits = true, .output = false}).value()),
            {}};
}

Inputs fiveTokens()
{
    return worded({2, 3, 3, 5, 5, 4, 2}, kWords);
}

} // namespace

class TestCompositions : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { registerFonts(); }
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void sortedHeadsSayTheirEntropyAndTheirMeanStandsFirst()
    {
        Inputs inputs = fiveTokens();
        Tensor sharp = *inputs.q; // the last head of each example is the most pointed
        for (Index b = 0; b < 2; ++b)
            sharp.slice(b, 2) *= 100;
        inputs.q = share(std::move(sharp));
        HeadsSource source = headsOf(inputs, {});
        source.isSorted = source.hasMean = true;
        const Figure figure = headsFigure(source);
        QCOMPARE(figure.maps.size(), 8U); // a mean for each example
        QVERIFY(figure.maps[0].isMean && figure.maps[1].isMean);
        const float mean = figure.maps[1].numbers.shown().values(3, 4);
        float sum = 0;
        for (Index h = 0; h < 3; ++h)
            sum += source.all->weights.at(1, h, 3, 4);
        QVERIFY(std::abs(mean - sum / 3) < 1e-6F);
        QCOMPARE(figure.maps[2].head, 2);
        QCOMPARE(figure.maps[5].batch, 1);
        QCOMPARE(figure.maps[5].head, 2);
        QVERIFY(figure.maps[2].heading.plain().endsWith(" bits"));
        QVERIFY(figure.settingsLine.endsWith("heads by entropy"));
    }

    void factsThatAreKnownAreNotWorkedOutAgain()
    {
        HeadsSource source = headsOf(fiveTokens(), causal());
        const Figure plain = headsFigure(source);
        const std::vector<MapFacts> facts = factsOf(*source.all);
        source.facts = &facts;
        source.isSorted = source.hasMean = true; // each keeps its own, wherever it stands
        HeadFacts known = headFactsOf(*source.all).value();
        for (double& bits : known.entropies)
            bits = 7 - bits; // so that it shows whether they are asked
        source.heads = std::make_shared<const HeadFacts>(std::move(known));
        const Figure figure = headsFigure(source);
        QCOMPARE(figure.maps.size(), facts.size() + 2);
        QVERIFY(figure.maps[2].heading.plain().contains("6.") ||
                figure.maps[2].heading.plain().contains("5."));
        const Index nHeads = source.all->weights.shape().heads;
        for (const MapFigure& map : figure.maps) {
            if (map.isMean) {
                QVERIFY(map.numbers.digest ==
                        source.heads->ofMean[static_cast<std::size_t>(map.batch)].digest);
                continue;
            }
            const auto place = static_cast<std::size_t>(map.batch * nHeads + map.head);
            QVERIFY(map.numbers.digest == facts[place].digest);
            QCOMPARE(map.numbers.digest->high, plain.maps[place].numbers.digest->high);
            QCOMPARE(map.certificate.nValid, plain.maps[place].certificate.nValid);
            QCOMPARE(map.certificate.largestSum, plain.maps[place].certificate.largestSum);
        }
    }

    void layersAreSmallMapsInOneScale()
    {
        const HeadsSource heads = headsOf(fiveTokens(), causal());
        const Figure figure = layersFigure(
            {heads.inputs, heads.settings, heads.all, {"layers.0", "layers.1"}, 1, 2, {}});
        QCOMPARE(figure.maps.size(), 2U);
        QCOMPARE(figure.maps[1].title, "layer layers.1");
        QCOMPARE(figure.maps[1].head, 1);
        QVERIFY(figure.settingsLine.endsWith("batch 2, head 3"));
    }

    void aCropIsSaidAndLeavesSmallMapsWhole()
    {
        Figure figure = singleFigure(sourceOf(fiveTokens(), causal()), Stage::Weights);
        const QString line = figure.settingsLine;
        crop(figure, {1, 4, 0, 2});
        QCOMPARE(*figure.window, (CellWindow{1, 0, 3, 2}));
        QCOMPARE(figure.settingsLine, line + " · queries 2–4, keys 1–2");
        Figure output = singleFigure(sourceOf(fiveTokens(), causal()), Stage::Output);
        crop(output, {1, 4, 0, 2}); // its columns are features
        QVERIFY(!output.window);
        Figure small = headsFigure(headsOf(fiveTokens(), causal()));
        crop(small, {1, 4, 0, 2});
        QVERIFY(!small.window);
        Figure other = singleFigure(sourceOf(fiveTokens(), {}), Stage::Weights);
        crop(other, {0, 6, 0, 2}); // of a longer text
        QVERIFY(!other.window);
    }

    void theFirstKeyNeedNotCountForTheRange()
    {
        Matrix values(2, 3);
        values << 9, 1, 2, 8, 3, 4;
        const HeatmapValues map{viewOf(values), MatrixView(nullptr, 0, 0)};
        ColorChoice choice{Palette::Viridis, RangeRule::Automatic, {}, false, true};
        QCOMPARE(colorMapFor(choice, {map}).range(), (Range{1, 4}));
        choice.ignoresFirstKey = false;
        QCOMPARE(colorMapFor(choice, {map}).range(), (Range{1, 9}));
        // What lies beyond is marked, and the line says why.
        SliceSource source = sourceOf(fiveTokens(), causal());
        source.colors.weights.rule = RangeRule::Automatic;
        source.colors.weights.ignoresFirstKey = true;
        const Figure figure = singleFigure(source, Stage::Weights);
        QVERIFY(figure.maps.front().glyphs.clippedHigh);
        QVERIFY(figure.settingsLine.endsWith("colours without key 1"));
    }

    void theStripShowsEveryStageAndSignedStagesShareOneRange()
    {
        const SliceSource source = sourceOf(fiveTokens(), causal());
        const Figure figure = stripFigure(source);
        QCOMPARE(figure.maps.size(), std::size_t{7});
        for (std::size_t n = 0; n < 5; ++n)
            QVERIFY(figure.maps[n].colors == figure.maps[0].colors);
        QCOMPARE(figure.maps[5].colors.range(), Range{});
        QVERIFY(figure.maps[2].isDimmed); // no ALiBi
        QVERIFY(!figure.maps[4].isDimmed);
        const FigureLayout layout = layoutFigure(figure, {1600, 320});
        QCOMPARE(layout.sharedBars.size(), std::size_t{3}); // scores, weights, output
        for (std::size_t n = 1; n < 7; ++n)
            QVERIFY(layout.maps[n].card.left() > layout.maps[n - 1].card.right());
    }

    void theStripHasNoOutputWithoutValues()
    {
        Inputs inputs = fiveTokens();
        inputs.v = nullptr;
        QCOMPARE(stripFigure(sourceOf(inputs, {})).maps.size(), std::size_t{6});
    }

    void eachHeadStandsInItsPlaceInItsColours()
    {
        const HeadsSource source = headsOf(fiveTokens(), causal());
        const Figure figure = headsFigure(source);
        QCOMPARE(figure.maps.size(), std::size_t{6});
        QCOMPARE(figure.maps[4].title, "batch 2, head 2");
        const QSize size(1200, 900);
        const FigureLayout layout = layoutFigure(figure, size);
        const QImage image = painted(figure, size);
        for (std::size_t n = 0; n < 6; ++n)
            for (Index i = 0; i < 5; ++i)
                for (Index j = 0; j <= i; ++j) {
                    const QRectF cell = layout.maps[n].heatmap.cell(i, j);
                    const QPoint at(static_cast<int>(cell.center().x()),
                                    static_cast<int>(cell.bottom() - cell.height() * 0.12));
                    const float weight = source.all->weights.at(static_cast<Index>(n) / 3,
                                                                static_cast<Index>(n) % 3, i, j);
                    QCOMPARE(image.pixelColor(at).name(),
                             ColorMap(Palette::Viridis, {}).color(weight).name());
                }
        QCOMPARE(headsFigure(source, {{1, 2}}).maps[0].title, "batch 2, head 3");
    }

    void manyHeadsStayInsideThePage()
    {
        const Inputs inputs = worded({2, 32, 32, 5, 5, 4, 2}, kWords);
        const Figure figure = headsFigure(headsOf(inputs, {}));
        QCOMPARE(figure.maps.size(), std::size_t{64});
        for (const QSizeF size : {QSizeF(700, 500), QSizeF(1600, 1000), QSizeF(400, 1200)}) {
            const FigureLayout layout = layoutFigure(figure, size);
            for (const MapLayout& map : layout.maps) {
                QVERIFY(QRectF(QPointF(0, 0), size).contains(map.card));
                QVERIFY(map.card.contains(map.heatmap.cells));
                QVERIFY(map.heatmap.cells.top() >= map.header.bottom() - 0.5);
            }
        }
    }

    void eachExampleBeginsARowAndEveryHeadIsTold()
    {
        const Inputs inputs = worded({2, 8, 8, 5, 5, 4, 2}, kWords);
        const Figure figure = headsFigure(headsOf(inputs, {}));
        const FigureLayout layout = layoutFigure(figure, {758, 600});
        QCOMPARE(layout.maps[8].card.left(), layout.maps[0].card.left());
        QVERIFY(layout.maps[8].card.top() > layout.maps[0].card.bottom());

        Recorder paper({640, 300}); // tiles too narrow for "batch 1, head 1"
        QPainter painter(&paper);
        paintFigure(painter, figure, layoutFigure(figure, {640, 300}), Theme::light());
        painter.end();
        QStringList texts;
        for (const DrawnText& text : paper.texts())
            texts += text.text;
        for (const char* heading : {"b1 h1", "b1 h8", "b2 h1", "b2 h8"})
            QVERIFY2(texts.contains(heading), heading);
        QVERIFY(texts.filter(QStringLiteral("…")).isEmpty());
    }

    void aDifferenceIsSignedAndSymmetric()
    {
        const SliceSource source = sourceOf(fiveTokens(), causal());
        const auto& query = source.axes[static_cast<std::size_t>(Axis::Query)];
        const Figure figure = differenceFigure(source, {query, "the query axis"});
        QCOMPARE(figure.maps.size(), std::size_t{1});
        const HeatmapValues shown = figure.maps[0].numbers.shown();
        const Matrix& key = source.axes[static_cast<std::size_t>(Axis::Key)]->weights;
        for (Index i = 0; i < 5; ++i)
            for (Index j = 0; j <= i; ++j)
                QCOMPARE(shown.values(i, j), key(i, j) - query->weights(i, j));
        QVERIFY(isMasked(shown.logits, 0, 4));
        const Range range = figure.maps[0].colors.range();
        QCOMPARE(range.low, -range.high);
        QVERIFY(range.high > 0);
        QVERIFY(!figure.maps[0].hasSums());
        const Figure none = differenceFigure(
            source, {source.axes[static_cast<std::size_t>(Axis::Key)], "the key axis"});
        QCOMPARE(none.maps[0].colors.range(), (Range{-1, 1}));
    }

    void aMorphRunsFromOneFigureToTheOther()
    {
        const SliceSource source = sourceOf(fiveTokens(), causal());
        SliceSource other = source;
        other.settings.axis = Axis::Query;
        const Figure from = singleFigure(source, Stage::Weights);
        const Figure to = singleFigure(other, Stage::Weights);
        QVERIFY(canMorph(from, to));
        QVERIFY(!canMorph(from, singleFigure(other, Stage::Output)));
        const float a = from.maps[0].numbers.shown().values(3, 1);
        const float b = to.maps[0].numbers.shown().values(3, 1);
        for (const double part : {0.0, 0.45, 0.7, 1.0}) {
            const Figure figure = morphed(from, to, part);
            const MorphOrder order = morphOrder(part);
            QCOMPARE(figure.maps[0].motion.turnsFrom, std::optional(Axis::Key));
            QCOMPARE(figure.maps[0].motion.outline, order.outline);
            QVERIFY(std::abs(figure.maps[0].numbers.shown().values(3, 1) -
                             (a + (b - a) * static_cast<float>(order.cells))) < 1e-6F);
            const double sum = from.maps[0].certificate.rows[3].sum * (1 - order.bars) +
                               to.maps[0].certificate.rows[3].sum * order.bars;
            QVERIFY(std::abs(figure.maps[0].certificate.rows[3].sum - sum) < 1e-12);
        }
        // NaN has nothing between: it comes half way.
        other.settings.axis = Axis::Batch;
        const Figure nan = singleFigure(other, Stage::Weights);
        QVERIFY(std::isnan(nan.maps[0].numbers.shown().values(0, 4)));
        QCOMPARE(morphed(from, nan, 0.4).maps[0].numbers.shown().values(0, 4), 0.0F);
        QVERIFY(std::isnan(morphed(from, nan, 0.6).maps[0].numbers.shown().values(0, 4)));
    }

    void theOutlineTurnsFirstAndPointsLeaveTheHullLast()
    {
        MorphOrder before = morphOrder(0);
        QCOMPARE(before.outline, 0.0);
        for (double part = 0.01; part < 1; part += 0.01) {
            const MorphOrder order = morphOrder(part);
            QVERIFY(order.outline >= order.cells && order.cells >= order.bars &&
                    order.bars >= order.points);
            QVERIFY(order.outline >= before.outline && order.points >= before.points);
            QVERIFY(order.points == 0 || order.cells == 1);
            before = order;
        }
        QCOMPARE(morphOrder(1).points, 1.0);
    }

    void whatComesOutOfNothingStartsAtTheLine()
    {
        SliceSource source = sourceOf(fiveTokens(), causal());
        source.settings.axis = Axis::Query;
        const Figure to = singleFigure(source, Stage::Weights);
        const Figure start = appearing(to, 0);
        QCOMPARE(start.maps[0].motion.cells, 0.0);
        QCOMPARE(start.maps[0].certificate.rows[3].sum, 1.0);
        const Figure end = appearing(to, 1);
        QCOMPARE(end.maps[0].motion.cells, 1.0);
        QCOMPARE(end.maps[0].certificate.rows[3].sum, to.maps[0].certificate.rows[3].sum);
    }

    void aDifferenceOfOtherSizesSaysSo()
    {
        const SliceSource source = sourceOf(fiveTokens(), {});
        const SliceSource other = sourceOf(worded({1, 1, 1, 3, 4, 4, 2}, kWords), {});
        const Figure figure = differenceFigure(source, {other.axes[1], "The kept state"});
        QVERIFY(figure.maps.empty());
        QCOMPARE(figure.message, "The kept state has 3 × 4 weights, this map 5 × 5.");
    }

    void theRangeFollowsTheRule_data()
    {
        QTest::addColumn<std::vector<float>>("values");
        QTest::addColumn<RangeRule>("rule");
        QTest::addColumn<float>("low");
        QTest::addColumn<float>("high");
        const float inf = INFINITY;
        QTest::newRow("finite values only")
            << std::vector<float>{NAN, inf, -inf, 0, 1, 2, 0.5F, 1e-45F, -3} << RangeRule::Automatic
            << -3.0F << 2.0F;
        QTest::newRow("symmetric")
            << std::vector<float>{-1, 4} << RangeRule::Symmetric << -4.0F << 4.0F;
        QTest::newRow("logarithmic from the smallest positive")
            << std::vector<float>{0, 1e-45F, 0.5F} << RangeRule::Logarithmic << 1e-45F << 0.5F;
        QTest::newRow("constant") << std::vector<float>(16, 0.25F) << RangeRule::Automatic << 0.0F
                                  << 0.25F;
        QTest::newRow("nothing but 0")
            << std::vector<float>(4, 0.0F) << RangeRule::Automatic << 0.0F << 1.0F;
        QTest::newRow("no finite value")
            << std::vector<float>{NAN, -inf} << RangeRule::Logarithmic << 0.1F << 1.0F;
    }
    void theRangeFollowsTheRule()
    {
        QFETCH(std::vector<float>, values);
        QFETCH(RangeRule, rule);
        Extent extent;
        extent.include({MatrixView(values.data(), 1, static_cast<Index>(values.size()))});
        QTEST(extent.range(rule).low, "low");
        QTEST(extent.range(rule).high, "high");
    }

    void aLogarithmicScaleTellsTheSmallestWeightsApart()
    {
        const ColorMap colors(Palette::Viridis, {1e-45F, 1.0F}, false, Spread::Logarithmic);
        QCOMPARE(colors.color(1.0F), colors.step(255));
        QCOMPARE(colors.color(1e-45F), colors.step(0));
        QVERIFY(colors.rgb(1e-40F) != colors.rgb(1e-35F));
        QCOMPARE(colors.color(0.0F), colors.step(0));
        QVERIFY(colors.isClipped(0.0F));
    }

    void whatLiesBeyondTheBarIsMarked()
    {
        SliceSource source = sourceOf(fiveTokens(), causal());
        source.colors.weights.fixed = {0.2F, 0.4F};
        const Figure clipped = singleFigure(source, Stage::Weights);
        QVERIFY(clipped.maps[0].glyphs.clippedHigh && clipped.maps[0].glyphs.clippedLow);
        source.colors.weights = {};
        const Figure whole = singleFigure(source, Stage::Weights);
        QVERIFY(!whole.maps[0].glyphs.clippedHigh && !whole.maps[0].glyphs.clippedLow);
    }

    void aReversedPaletteRunsTheOtherWay()
    {
        SliceSource source = sourceOf(fiveTokens(), {});
        source.colors.weights = {Palette::Magma, RangeRule::Fixed, {}, true};
        const Figure figure = compareFigure(source);
        for (const MapFigure& map : figure.maps)
            QCOMPARE(map.colors.step(0), ColorMap(Palette::Magma, {}).step(255));
    }
};

QTEST_MAIN(TestCompositions)
#include "tst_compositions.moc"
