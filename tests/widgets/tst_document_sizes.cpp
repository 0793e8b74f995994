#include "core/attention/masked.h"
#include "tests/core/sample_values.h"
#include "tests/widgets/window_helpers.h"
#include "ui/widgets/stage_strip.h"
#include "ui/widgets/verdict_card.h"
#include "ui/widgets/window_actions.h"

#include <cmath>

using namespace keyaxis;
using namespace keyaxis::testing;

Q_DECLARE_METATYPE(Sizes)

namespace {

/// Every view of the window, one after the other.
template <typename Look>
bool throughEveryView(MainWindow& window, Look look)
{
    const auto settledAnd = [&] { return settle(window) && look(window); };
    for (QAction* mode : window.actions().modes()) {
        mode->trigger();
        if (!settledAnd())
            return false;
    }
    for (int n = 0; n < StageStrip::kStages; ++n) {
        Q_EMIT window.centre().strip().stageChosen(static_cast<Stage>(n));
        if (!settledAnd())
            return false;
    }
    return true;
}

void load(MainWindow& window, const Inputs& inputs)
{
    ScoreSettings settings;
    settings.causal = true;
    window.document().load(inputs, settings, {}, 0, 0);
}

} // namespace

/// Documents without a token, with one, and with very many look deliberate.
class TestDocumentSizes : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { failOnWarnings(); }

    void everyViewOfASmallDocumentHasItsMapOrSaysWhyNot_data()
    {
        QTest::addColumn<Sizes>("sizes");
        QTest::newRow("no queries") << Sizes{1, 2, 2, 0, 6, 4, 4};
        QTest::newRow("one token") << Sizes{1, 1, 1, 1, 1, 4, 2};
        QTest::newRow("one query, many keys") << Sizes{1, 2, 1, 1, 40, 4, 2};
        QTest::newRow("one feature") << Sizes{2, 2, 2, 5, 5, 1, 1};
    }
    void everyViewOfASmallDocumentHasItsMapOrSaysWhyNot()
    {
        QFETCH(Sizes, sizes);
        ShownWindow shown({1024, 700});
        QVERIFY(shown.isReady);
        load(shown.window, randomInputs(sizes, 3));
        const bool isFine = throughEveryView(shown.window, [&](MainWindow& window) {
            HeatmapView& maps = window.centre().maps();
            const Figure& figure = maps.figure();
            if (figure.maps.empty())
                return !figure.message.isEmpty();
            for (std::size_t n = 0; n < figure.maps.size(); ++n) {
                const HeatmapLayout& heatmap = maps.layoutOfFigure().maps[n].heatmap;
                const bool isWhole = maps.layoutOfFigure().maps[n].card.contains(heatmap.view);
                if (!figure.maps[n].numbers.isEmpty() && (!isWhole || heatmap.cellWidth < 2))
                    return false;
            }
            return !maps.grab().isNull();
        });
        QVERIFY(isFine);
    }

    void aDocumentWithoutQueriesSaysSoInTheMiddleOfItsCard()
    {
        ShownWindow shown;
        QVERIFY(shown.isReady);
        MainWindow& window = shown.window;
        load(window, randomInputs({1, 1, 1, 0, 6, 4, 4}, 3));
        window.actions().single->trigger();
        QVERIFY(settle(window));
        HeatmapView& maps = window.centre().maps();
        const QImage image = maps.grab().toImage();
        const QRect card = maps.layoutOfFigure().maps[0].card.toRect();
        const QRect words(card.center() - QPoint(150, 10), QSize(300, 20));
        const QRgb panel = image.pixel(card.center() + QPoint(0, 60));
        int nInk = 0;
        for (int y = card.top() + 50; y < card.bottom() - 14; ++y)
            for (int x = card.left() + 14; x < card.right() - 14; ++x)
                if (image.pixel(x, y) != panel) {
                    QVERIFY(words.contains(x, y)); // and nothing else is drawn
                    ++nInk;
                }
        QVERIFY(nInk > 100);
    }

    void aSingleCellIsNoWallOfColour()
    {
        ShownWindow shown({1600, 1000});
        QVERIFY(shown.isReady);
        load(shown.window, randomInputs({1, 1, 1, 1, 1, 4, 2}, 3));
        shown.window.actions().single->trigger();
        QVERIFY(settle(shown.window));
        const FigureLayout& layout = shown.window.centre().maps().layoutOfFigure();
        const HeatmapLayout& heatmap = layout.maps[0].heatmap;
        QVERIFY(heatmap.cellHeight <= layout.maps[0].card.height() / 3);
        QVERIFY(heatmap.cellHeight >= 64);
    }

    void aMapOfManyTokensKeepsItsHotCellAndItsNan()
    {
        constexpr Index kTokens = 2048;
        ShownWindow shown;
        QVERIFY(shown.isReady);
        MainWindow& window = shown.window;
        Inputs inputs = randomInputs({1, 1, 1, kTokens, kTokens, 4, 4}, 3, 0.01F);
        Tensor q = *inputs.q;
        Tensor k = *inputs.k;
        q.data()[1500 * 4] = 300;
        k.data()[700 * 4] = 300;      // one weight of 1 in a sea of 0.0007
        q.data()[1900 * 4 + 1] = NAN; // one row that is undefined
        inputs.q = share(std::move(q));
        inputs.k = share(std::move(k));
        load(window, inputs);
        window.actions().single->trigger();
        QVERIFY(settle(window));
        HeatmapView& maps = window.centre().maps();
        const MapFigure& map = maps.figure().maps[0];
        const HeatmapLayout& heatmap = maps.layoutOfFigure().maps[0].heatmap;
        QVERIFY(heatmap.cellWidth < 1); // several cells a pixel
        QVERIFY(map.numbers.digest && !map.numbers.digest->levels.empty());
        const QImage image = maps.grab().toImage();
        const auto isNear = [&](Cell cell, QRgb color) {
            const QPoint at = heatmap.cell(cell.row, cell.col).center().toPoint();
            for (int dy = -2; dy <= 2; ++dy)
                for (int dx = -2; dx <= 2; ++dx)
                    if (image.pixel(at + QPoint(dx, dy)) == color)
                        return true;
            return false;
        };
        QVERIFY(isNear({1500, 700}, map.colors.rgb(1.0F)));
        QVERIFY(!isNear({1400, 600}, map.colors.rgb(1.0F)));
        QVERIFY(isNear({1900, 100}, Theme::light().invalid.rgb()));
        QVERIFY(!isNear({1800, 100}, Theme::light().invalid.rgb()));
    }

    void nothingIsWrongWhereThereAreNoRows()
    {
        ShownWindow shown;
        QVERIFY(shown.isReady);
        const auto hasColorOfInvalid = [&] {
            const QImage image = shown.window.findChild<VerdictCard*>()->grab().toImage();
            const QRgb invalid = Theme::light().invalid.rgb();
            for (int y = 0; y < image.height(); ++y)
                for (int x = 0; x < image.width(); ++x)
                    if (image.pixel(x, y) == invalid)
                        return true;
            return false;
        };
        shown.window.actions().axes[static_cast<std::size_t>(Axis::Query)]->trigger();
        QVERIFY(settle(shown.window));
        QVERIFY(hasColorOfInvalid());
        load(shown.window, randomInputs({1, 2, 2, 0, 6, 4, 4}, 3));
        QVERIFY(settle(shown.window));
        QVERIFY(!hasColorOfInvalid());
    }

    void manyTokensGoThroughEveryView()
    {
        ShownWindow shown;
        QVERIFY(shown.isReady);
        load(shown.window, randomInputs({1, 2, 2, 2048, 2048, 8, 8}, 3));
        QVERIFY(throughEveryView(shown.window, [](MainWindow& window) {
            return !window.centre().maps().grab().isNull();
        }));
    }
};

QTEST_MAIN(TestDocumentSizes)
#include "tst_document_sizes.moc"
