#include "tests/core/sample_values.h"
#include "tests/paint/recorder.h"
#include "ui/document/recompute.h"
#include "ui/widgets/one_slice.h"
#include "ui/widgets/slice_tray.h"
#include "ui/widgets/status_strip.h"

#include <QRegularExpression>
#include <QTest>
#include <cmath>

using namespace keyaxis;
using namespace keyaxis::testing;

namespace {

/// Results of a whole document, as the worker gives them.
std::shared_ptr<const ShownResults> resultsOf(const Inputs& inputs, const ScoreSettings& settings,
                                              Index b = 0, Index h = 0)
{
    auto results = std::make_shared<Results>();
    results->inputs = inputs;
    results->settings = settings;
    results->batch = b;
    results->head = h;
    for (const Axis axis : kAllAxes) {
        ScoreSettings own = settings;
        own.axis = axis;
        const auto n = static_cast<std::size_t>(axis);
        results->axes[n] =
            std::make_shared<const SliceStages>(attendSlice(inputs, own, b, h).value());
        results->certificates[n] = certify(viewOf(results->axes[n]->weights));
    }
    return std::make_shared<const ShownResults>(std::move(results));
}

/// One example and head whose logits are those of row `logits`, for one query.
Inputs rowOf(const std::vector<float>& logits)
{
    Inputs inputs;
    Tensor q = Tensor::filled({1, 1, 1, 1}, 1.0F);
    Tensor k({1, 1, static_cast<Index>(logits.size()), 1});
    std::copy(logits.begin(), logits.end(), k.data());
    inputs.q = share(std::move(q));
    inputs.k = share(std::move(k));
    inputs.v = inputs.k;
    return inputs;
}

QString formula(const Inputs& inputs, const ScoreSettings& settings, Cell cell, int nTerms = 12)
{
    return substitutedFormula(sliceThrough(*resultsOf(inputs, settings), settings.axis, cell),
                              nTerms)
        .plain();
}

} // namespace

class TestOneSlice : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void theFormulaHasTheNumbersOfItsSlice()
    {
        const QString text = formula(rowOf({-0.48F, -1.75F, -0.5F}), {}, {0, 1});
        QCOMPARE(text, QStringLiteral("w = e^-1.75 / (e^-0.48 + e^-1.75 + e^-0.50) = 0.124"));
    }

    void aLongSliceIsShortenedAndKeepsItsOwnTerm()
    {
        const Inputs inputs = rowOf({0, 1, 2, 3, 4, 5, 6, 7});
        QCOMPARE(formula(inputs, {}, {0, 5}, 3),
                 QStringLiteral("w = e^5.00 / (e^0.00 + e^1.00 + … + e^5.00 + …) = 0.086"));
        QCOMPARE(formula(inputs, {}, {0, 1}, 3),
                 QStringLiteral("w = e^1.00 / (e^0.00 + e^1.00 + … + e^7.00) = 0.002"));
    }

    void maskedKeysAreNotInTheDenominator()
    {
        ScoreSettings settings;
        settings.causal = true;
        const Inputs inputs = rowOf({2, 1});
        QCOMPARE(formula(inputs, settings, {0, 0}),
                 QStringLiteral("w = e^2.00 / (e^2.00) = 1.000"));
        QCOMPARE(formula(inputs, settings, {0, 1}), QStringLiteral("masked: e^-∞ = 0, w = 0"));
    }

    void anEmptySliceIsSaidInWords()
    {
        Inputs inputs = rowOf({2, 1});
        inputs.mask = share(Tensor::zeros({1, 1, 1, 2}));
        ScoreSettings settings;
        QVERIFY(formula(inputs, settings, {0, 0}).startsWith(QStringLiteral("0/0")));
        QVERIFY(formula(inputs, settings, {0, 0}).endsWith(QStringLiteral("NaN")));
        settings.empty = EmptySlice::Zero;
        QVERIFY(formula(inputs, settings, {0, 0}).contains(QStringLiteral("policy")));
    }

    void notANumberAndTheArgMaxLimitAreSaidInWords()
    {
        QVERIFY(formula(rowOf({1, NAN}), {}, {0, 0}).contains(QStringLiteral("NaN or +∞")));
        ScoreSettings limit;
        limit.temperature = 0.0F;
        QVERIFY(formula(rowOf({3, 3, 1}), limit, {0, 0}).contains(QStringLiteral("w = 0.500")));
        QVERIFY(
            formula(rowOf({3, 3, 1}), limit, {0, 2}).contains(QStringLiteral("not the largest")));
    }

    void everySliceHasTheWeightOfItsMap_data()
    {
        QTest::addColumn<float>("temperature");
        QTest::newRow("plain") << 1.0F;
        QTest::newRow("sharper") << 0.4F;
        QTest::newRow("the arg-max limit") << 0.0F;
    }
    void everySliceHasTheWeightOfItsMap()
    {
        QFETCH(float, temperature);
        ScoreSettings settings;
        settings.causal = true;
        settings.alibi = true;
        settings.temperature = temperature;
        const Inputs inputs = randomInputs({2, 4, 2, 5, 6, 3, 2}, 3);
        const auto shown = resultsOf(inputs, settings, 1, 2);
        for (const Axis axis : kAllAxes)
            for (const Cell cell : {Cell{0, 0}, Cell{3, 2}, Cell{4, 5}}) {
                const OneSlice slice = sliceThrough(*shown, axis, cell);
                const float inSlice = slice.weights[static_cast<std::size_t>(slice.at)];
                const float onMap = shown->stages(axis).weights(cell.row, cell.col);
                QVERIFY(inSlice == onMap || (std::isnan(inSlice) && std::isnan(onMap)));
            }
        QCOMPARE(sliceThrough(*shown, Axis::Batch, {3, 2}).weights.size(), 2U);
        QCOMPARE(sliceThrough(*shown, Axis::Head, {3, 2}).weights.size(), 4U);
    }

    void theTitleSaysWhatSharesTheDenominator()
    {
        Inputs inputs = randomInputs({2, 2, 2, 2, 2, 2, 2}, 3);
        inputs.queryTokens = inputs.keyTokens = {{"sat", "cat"}, {"sat", "cat"}};
        const auto shown = resultsOf(inputs, {});
        const auto title = [&](Axis axis) {
            return sliceTitle(*shown, sliceThrough(*shown, axis, {0, 1})).plain();
        };
        QCOMPARE(title(Axis::Key), QStringLiteral("sat over its keys"));
        QCOMPARE(title(Axis::Query), QStringLiteral("cat over its queries"));
        QCOMPARE(title(Axis::Batch), QStringLiteral("sat → cat over the examples"));
        QCOMPARE(title(Axis::Head), QStringLiteral("sat → cat over the heads"));
    }

    void theTraysSharesAddToOneHoweverLongTheSlice_data()
    {
        QTest::addColumn<int>("nKeys");
        QTest::newRow("one key") << 1;
        QTest::newRow("as many as fit") << 12;
        QTest::newRow("one more") << 13;
        QTest::newRow("very many") << 300;
    }
    void theTraysSharesAddToOneHoweverLongTheSlice()
    {
        QFETCH(int, nKeys);
        const auto shown = resultsOf(randomInputs({1, 1, 1, 2, nKeys, 3, 2}, 8), {});
        SliceTray tray;
        const Cell cell{1, nKeys - 1};
        tray.show(shown, sliceThrough(*shown, Axis::Key, cell));
        QCOMPARE(static_cast<int>(tray.lines().size()), std::min(nKeys, 12));
        double sum = 0;
        int nAt = 0;
        for (const SliceTray::Line& line : tray.lines()) {
            sum += line.share;
            nAt += line.isAt ? 1 : 0;
        }
        QVERIFY(std::abs(sum - 1.0) < 1e-5);
        QCOMPARE(nAt, 1); // the pointed-at member is always there
    }

    void noNumberOfTheTrayIsCut_data()
    {
        QTest::addColumn<int>("width");
        for (const int width : {190, 230, 300, 420})
            QTest::addRow("%d points", width) << width;
    }
    void noNumberOfTheTrayIsCut()
    {
        QFETCH(int, width);
        registerFonts();
        const std::vector<std::vector<float>> slices{
            {1e30F, -1e-30F, 3.37e8F, 1e-38F, -1.234e-12F},
            {-1e30F, -12345.678F, 99999.0F, 0.0F},
            {20.3F, 19.7F, -3.2e-5F, -745.5F, 88.7F, 709.5F, -104.25F}};
        for (const std::vector<float>& logits : slices) {
            const auto shown = resultsOf(rowOf(logits), {});
            SliceTray tray;
            tray.resize(width, 200);
            tray.show(shown, sliceThrough(*shown, Axis::Key, {0, 1}));
            Recorder paper(tray.size());
            tray.render(&paper, {}, {}, QWidget::DrawChildren);
            std::vector<QRectF> inks;
            for (const DrawnText& text : paper.texts()) {
                QVERIFY2(!text.text.contains(QChar(0x2026)), qPrintable(text.text));
                const QRectF ink = text.ink.boundingRect();
                QVERIFY2(QRectF(tray.rect()).contains(ink), qPrintable(text.text));
                for (const QRectF& other : inks)
                    QVERIFY2(!other.intersects(ink), qPrintable(text.text));
                inks.push_back(ink);
            }
            QVERIFY(inks.size() > logits.size() * 3);
            for (std::size_t n = 0; n < logits.size(); ++n) { // shorter, and still true
                bool isNumber = false;
                const QString text = tray.lines()[n].logit;
                const double said = text.toDouble(&isNumber);
                QVERIFY2(isNumber, qPrintable(text));
                const double logit = static_cast<double>(logits[n]);
                QVERIFY2(std::abs(said - logit) <= std::max(0.3 * std::abs(logit), 0.0),
                         qPrintable(text));
                QVERIFY((said == 0) == (logit == 0));
            }
        }
    }

    void anExponentialThatNoNumberHoldsIsSaidSo()
    {
        const auto shown = resultsOf(rowOf({1e30F, -1000.0F, 2.0F}), {});
        SliceTray tray;
        tray.show(shown, sliceThrough(*shown, Axis::Key, {0, 0}));
        QCOMPARE(tray.lines()[0].exponential, QStringLiteral("> 1e99"));
        QCOMPARE(tray.lines()[1].exponential, QStringLiteral("< 1e-99"));
        QCOMPARE(tray.lines()[2].exponential, QStringLiteral("7.39"));
        QCOMPARE(tray.lines()[0].share, 1.0);
    }

    void notANumberAndInfinityHaveNoShares()
    {
        for (const float odd : {NAN, INFINITY}) {
            const auto shown = resultsOf(rowOf({1.0F, odd}), {});
            SliceTray tray;
            tray.show(shown, sliceThrough(*shown, Axis::Key, {0, 0}));
            QVERIFY(tray.lines().empty());
            QVERIFY(tray.message().contains(QStringLiteral("NaN or +∞")));
        }
    }

    void theTraySaysWhyASliceHasNoShares()
    {
        Inputs inputs = rowOf({2, 1});
        inputs.mask = share(Tensor::zeros({1, 1, 1, 2}));
        const auto shown = resultsOf(inputs, {});
        SliceTray tray;
        tray.show(shown, sliceThrough(*shown, Axis::Key, {0, 0}));
        QVERIFY(tray.lines().empty());
        QVERIFY(tray.message().contains(QStringLiteral("0/0")));
    }

    void theStatusStripFitsItsFormulaToItsWidth()
    {
        const auto shown = resultsOf(randomInputs({1, 1, 1, 2, 10, 3, 2}, 8), {});
        StatusStrip strip;
        strip.resize(1600, 30);
        strip.show(shown, {1, 4});
        const QString wide = strip.formulaText();
        QCOMPARE(wide.count(QStringLiteral("e^")), 11);
        strip.resize(700, 30);
        strip.show(shown, {1, 4});
        QVERIFY(strip.formulaText().size() < wide.size());
        QVERIFY(strip.formulaText().contains(QStringLiteral("…")));
        strip.show(shown, {7, 4}); // not there
        QVERIFY(strip.formulaText().isEmpty());
    }
};

QTEST_MAIN(TestOneSlice)
#include "tst_one_slice.moc"
