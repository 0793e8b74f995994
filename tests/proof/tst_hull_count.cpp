#include "core/parallel.h"
#include "core/proof/hull.h"
#include "core/proof/hull_count.h"
#include "tests/core/sample_values.h"

#include <QTest>
#include <cmath>

using namespace keyaxis;

namespace {

/// A slice of which weights and output are given; every key is allowed unless its logit is -inf.
SliceStages sliceOf(const Matrix& weights, const Matrix& values, const Matrix& logits)
{
    SliceStages slice;
    auto before = std::make_shared<ScoreStages>();
    before->logits = logits;
    slice.before = before;
    slice.weights = weights;
    slice.output = weights * values;
    return slice;
}

Matrix matrix(Index rows, Index cols, std::initializer_list<float> values)
{
    Matrix m(rows, cols);
    std::copy(values.begin(), values.end(), m.data());
    return m;
}

/// Three value rows of which the first two make a triangle with the third.
const Matrix kTriangle = matrix(3, 2, {0, 0, 4, 0, 0, 4});

HullCount countOf(const Matrix& weights, Index maxSearches)
{
    const Matrix logits = Matrix::Zero(weights.rows(), weights.cols());
    const SliceStages slice = sliceOf(weights, kTriangle, logits);
    return *hullCount(slice, viewOf(kTriangle), certify(viewOf(weights), viewOf(logits)),
                      maxSearches);
}

} // namespace

class TestHullCount : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void validWeightsNeedNoSearch()
    {
        const HullCount c = countOf(matrix(2, 3, {0.25F, 0.25F, 0.5F, 1, 0, 0}), 0);
        QCOMPARE(c.nInside, 2);
        QCOMPARE(c.nSearched, 0);
        QCOMPARE(c.nLucky, 0);
        QCOMPARE(c.sentence, std::string("All 2 outputs lie in the hull of the value rows they may "
                                         "use."));
    }

    void insideByLuckIsSaid()
    {
        // Half of a mixture lies inside since the hull holds 0; twice one lies outside.
        const HullCount c =
            countOf(matrix(3, 3, {0.1F, 0.2F, 0.2F, 0, 1, 1, 0.25F, 0.5F, 0.25F}), 10);
        QCOMPARE(c.nInside, 2);
        QCOMPARE(c.nOutside, 1);
        QCOMPARE(c.nLucky, 1);
        QCOMPARE(c.nSearched, 2);
        QCOMPARE(
            c.sentence,
            std::string("2 of 3 outputs lie in the hull of the value rows they may use, 1 lies "
                        "outside. The weights of one are not a distribution, though this "
                        "output happens to lie in the hull."));
    }

    void undefinedOutputsAreCountedApart()
    {
        const HullCount some = countOf(matrix(2, 3, {NAN, 0, 0, 0, 1, 1}), 10);
        QCOMPARE(some.nUndefined, 1);
        QCOMPARE(some.nOutside, 1);
        QCOMPARE(
            some.sentence,
            std::string("0 of 2 outputs lie in the hull of the value rows they may use, 1 lies "
                        "outside, 1 is undefined or has no hull."));
        const HullCount all = countOf(matrix(2, 3, {NAN, 0, 0, 0, NAN, 1}), 10);
        QCOMPARE(all.sentence, std::string("All 2 outputs are undefined, or have no hull."));
    }

    void aQueryWithoutKeysHasNoHull()
    {
        constexpr float kMasked = -std::numeric_limits<float>::infinity();
        const Matrix logits = Matrix::Constant(1, 3, kMasked);
        const Matrix weights = Matrix::Zero(1, 3); // the zero policy
        const HullCount c = *hullCount(sliceOf(weights, kTriangle, logits), viewOf(kTriangle),
                                       certify(viewOf(weights), viewOf(logits)), 10);
        QCOMPARE(c.nUndefined, 1);
        QCOMPARE(c.sentence, std::string("The output is undefined, or has no hull."));
    }

    void onlyTheAllowedRowsSpanTheHull()
    {
        constexpr float kMasked = -std::numeric_limits<float>::infinity();
        const Matrix weights = matrix(1, 3, {0.1F, 0.2F, 0.2F});
        const Matrix logits = matrix(1, 3, {0, 0, kMasked});
        const HullCount c = *hullCount(sliceOf(weights, kTriangle, logits), viewOf(kTriangle),
                                       certify(viewOf(weights), viewOf(logits)), 10);
        QCOMPARE(c.nOutside, 1);
    }

    void aBudgetIsKeptAndSaid()
    {
        Matrix weights = Matrix::Constant(100, 3, 1.0F);
        for (Index i = 0; i < 50; ++i) // the first half inside by luck
            weights.row(i).setConstant(0.1F);
        const HullCount c = countOf(weights, 10);
        QCOMPARE(c.nSearched, 10);
        QCOMPARE(c.nLeft, 90);
        QCOMPARE(c.nLucky, 5); // evenly spread
        QCOMPARE(c.nOutside, 5);
        QCOMPARE(c.sentence,
                 std::string("5 of 10 outputs looked at lie in the hull of the value rows they may "
                             "use, 5 lie outside. The weights of 5 are not a distribution, though "
                             "these outputs happen to lie in the hull. Of 100 rows without valid "
                             "weights, 10 were searched, evenly spread."));
    }

    void noRowsAreNoError()
    {
        QCOMPARE(countOf(Matrix(0, 3), 10).sentence, std::string("There are no outputs."));
    }

    void aDocumentCountsAsItsSlices()
    {
        const Sizes sizes{2, 4, 2, 5, 6, 3, 3};
        const Inputs inputs = testing::randomInputs(sizes, 4);
        for (const Axis axis : kAllAxes) {
            ScoreSettings settings;
            settings.axis = axis;
            settings.causal = true;
            const Attention all = *attend(inputs, settings, {.logits = true});
            const HullCount whole = *hullCount(inputs, all, certify(all.weights, all.logits), 1000);
            HullCount sum;
            for (Index b = 0; b < sizes.B; ++b)
                for (Index h = 0; h < sizes.H; ++h) {
                    const SliceStages slice = *attendSlice(inputs, settings, b, h);
                    const HullCount c = *hullCount(
                        slice, inputs.v->slice(b, sizes.groupOf(h)),
                        certify(viewOf(slice.weights), viewOf(slice.before->logits)), 1000);
                    sum.nRows += c.nRows;
                    sum.nInside += c.nInside;
                    sum.nOutside += c.nOutside;
                    sum.nUndefined += c.nUndefined;
                }
            QCOMPARE(whole.nRows, sum.nRows);
            QCOMPARE(whole.nInside, sum.nInside);
            QCOMPARE(whole.nOutside, sum.nOutside);
            QCOMPARE(whole.nUndefined, sum.nUndefined);
            QCOMPARE(whole.nInside + whole.nOutside + whole.nUndefined, whole.nRows);
            if (axis == Axis::Key)
                QCOMPARE(whole.nInside, whole.nRows);
        }
    }

    void theKeyAxisIsAlwaysInside()
    {
        // The search agrees with what the weights prove, float32 rounding included.
        for (std::uint64_t seed = 0; seed < 200; ++seed) {
            const auto n = static_cast<Index>(seed);
            const Sizes sizes{1, 1, 1, 1 + n % 7, 1 + n % 11, 3, 1 + n % 5};
            const Inputs inputs = testing::randomInputs(sizes, seed, 4);
            ScoreSettings settings;
            settings.causal = seed % 2 == 0;
            const SliceStages slice = *attendSlice(inputs, settings, 0, 0);
            for (Index i = 0; i < sizes.Tq; ++i)
                QCOMPARE(distanceToHull(slice.output.row(i).cast<double>(), inputs.v->slice(0, 0),
                                        allowedKeys(viewOf(slice.before->logits), i))
                             .place,
                         HullDistance::Place::Inside);
        }
    }

    void aStoppedCountIsCancelled()
    {
        std::stop_source source;
        source.request_stop();
        const Matrix weights = Matrix::Constant(4, 3, 1.0F);
        const Matrix logits = Matrix::Zero(4, 3);
        const auto result =
            hullCount(sliceOf(weights, kTriangle, logits), viewOf(kTriangle),
                      certify(viewOf(weights), viewOf(logits)), 10, source.get_token());
        QVERIFY(!result);
        QCOMPARE(result.error().code, Errc::Cancelled);
    }

    void theNumberOfThreadsDoesNotMatter()
    {
        Matrix weights(50, 3);
        testing::Numbers numbers(2);
        for (Index n = 0; n < weights.size(); ++n)
            weights.data()[n] = 0.4F + numbers.next(0.4F);
        setThreadCount(1);
        const HullCount one = countOf(weights, 30);
        setThreadCount(5);
        const HullCount five = countOf(weights, 30);
        QCOMPARE(one.sentence, five.sentence);
        QVERIFY(one.nLucky > 0 && one.nOutside > 0);
    }
};

QTEST_APPLESS_MAIN(TestHullCount)
#include "tst_hull_count.moc"
