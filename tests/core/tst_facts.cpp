// The facts of the mathematics page, on sizes around the tile and on axes of length 1.

#include "core/attention/alibi.h"
#include "core/attention/attention.h"
#include "core/patterns.h"
#include "core/proof/certificate.h"
#include "tests/core/sample_values.h"

#include <QTest>
#include <cmath>

using namespace keyaxis;
using namespace keyaxis::testing;

namespace {

ScoreSettings settingsFor(Axis axis, bool isCausal = false)
{
    ScoreSettings settings;
    settings.axis = axis;
    settings.causal = isCausal;
    return settings;
}

Attention attended(const Inputs& inputs, const ScoreSettings& settings)
{
    return attend(inputs, settings, {.scores = true, .logits = true, .output = true}).value();
}

double largestDifference(const Tensor& a, const Tensor& b)
{
    double largest = 0;
    for (Index n = 0; n < a.size(); ++n)
        largest = std::max(largest, std::abs(double(a.data()[n]) - double(b.data()[n])));
    return largest;
}

} // namespace

class TestFacts : public QObject {
    Q_OBJECT

private:
    static void sizes()
    {
        QTest::addColumn<int>("n");
        for (const int n : {2, 3, 63, 64, 65, 127, 128, 129})
            QTest::addRow("%d tokens", n) << n;
    }

private Q_SLOTS:
    void causalQueryAxisGivesTheFirstRowLessAndTheLastMore_data() { sizes(); }
    void causalQueryAxisGivesTheFirstRowLessAndTheLastMore()
    {
        QFETCH(int, n);
        const Attention result =
            attended(randomInputs({2, 2, 2, n, n, 4, 2}, 3, 1.0F), settingsFor(Axis::Query, true));
        const Certificate c = certify(result.weights);
        for (Index slice = 0; slice < 4; ++slice) {
            QVERIFY(c.rows[std::size_t(slice * n)].sum < 1);
            QVERIFY(c.rows[std::size_t(slice * n + n - 1)].sum > 1);
        }
    }

    void queryAxisRowSumsAddUpToTheNumberOfKeys_data() { sizes(); }
    void queryAxisRowSumsAddUpToTheNumberOfKeys()
    {
        QFETCH(int, n);
        Inputs inputs = randomInputs({1, 1, 1, n, n + 2, 4, 2}, 5, 1.0F);
        const Certificate c = certify(attended(inputs, settingsFor(Axis::Query)).weights);
        double total = 0;
        for (const RowCertificate& row : c.rows)
            total += row.sum;
        QVERIFY(std::abs(total - (n + 2)) < 1e-5 * n);
        inputs = filled(inputs, Pattern::Uniform, 0);
        for (const RowCertificate& row :
             certify(attended(inputs, settingsFor(Axis::Query)).weights).rows)
            QVERIFY(std::abs(row.sum - double(n + 2) / n) < 1e-5 * n);
    }

    void keyAxisIsAlwaysADistribution_data() { sizes(); }
    void keyAxisIsAlwaysADistribution()
    {
        QFETCH(int, n);
        for (const bool isCausal : {false, true}) {
            ScoreSettings settings = settingsFor(Axis::Key, isCausal);
            settings.alibi = true;
            const Attention result =
                attended(randomInputs({2, 6, 3, n, n, 4, 2}, 7, 5.0F), settings);
            for (const RowCertificate& row : certify(result.weights).rows) {
                QVERIFY(row.isValid());
                QVERIFY(std::abs(row.sum - 1) <= 8 * 0x1p-24);
            }
        }
    }

    void maskedBatchAndHeadSlicesAreEmptyAndSpoilAllRowsButTheLast_data() { sizes(); }
    void maskedBatchAndHeadSlicesAreEmptyAndSpoilAllRowsButTheLast()
    {
        QFETCH(int, n);
        for (const Axis axis : {Axis::Batch, Axis::Head}) {
            const Attention result =
                attended(randomInputs({2, 2, 1, n, n, 4, 2}, 11), settingsFor(axis, true));
            for (Index i = 0; i < n; ++i) {
                QCOMPARE(std::isnan(result.output.at(1, 0, i, 1)), i != n - 1);
                for (Index j = 0; j < n; ++j)
                    QCOMPARE(std::isnan(result.weights.at(0, 1, i, j)), j > i);
            }
        }
    }

    void theBatchAxisCancelsAlibi_data() { sizes(); }
    void theBatchAxisCancelsAlibi()
    {
        QFETCH(int, n);
        const Inputs inputs = randomInputs({3, 2, 2, n, n, 4, 2}, 13, 1.0F);
        ScoreSettings settings = settingsFor(Axis::Batch);
        const Attention without = attended(inputs, settings);
        settings.alibi = true;
        QVERIFY(largestDifference(attended(inputs, settings).weights, without.weights) < 1e-5);
        settings.axis = Axis::Head; // heads have different slopes: nothing cancels
        const Attention heads = attended(inputs, settings);
        settings.alibi = false;
        QVERIFY(largestDifference(attended(inputs, settings).weights, heads.weights) > 1e-3);
    }

    void underTheCausalMaskAlibiIsALinearBiasOnTheKeyAxisOnly()
    {
        const int n = 65;
        Inputs inputs = randomInputs({1, 2, 2, n, n, 4, 2}, 17, 1.0F);
        Inputs biased = inputs;
        Tensor bias({1, 2, 1, n});
        for (Index h = 0; h < 2; ++h)
            for (Index j = 0; j < n; ++j)
                bias.at(0, h, 0, j) =
                    alibiSlopes(2, SlopeRule::Authors)[std::size_t(h)] * static_cast<float>(j);
        biased.bias = share(std::move(bias));
        const auto differ = [&](Axis axis, bool isCausal) {
            ScoreSettings settings = settingsFor(axis, isCausal);
            const Attention linear = attended(biased, settings);
            settings.alibi = true;
            return largestDifference(attended(inputs, settings).weights, linear.weights);
        };
        QVERIFY(differ(Axis::Key, true) < 1e-5);
        QVERIFY(differ(Axis::Query, true) > 1e-3);
        QVERIFY(differ(Axis::Key, false) > 1e-3);
    }

    void identityValuesShowTheWeightsAndOnesTheRowSum_data() { sizes(); }
    void identityValuesShowTheWeightsAndOnesTheRowSum()
    {
        QFETCH(int, n);
        const Inputs inputs = randomInputs({1, 2, 2, n, n + 1, 4, 2}, 19);
        for (const Axis axis : kAllAxes) {
            const Attention identity = attended(withIdentityAsValues(inputs), settingsFor(axis));
            QVERIFY(largestDifference(identity.output, identity.weights) == 0);
            const Attention ones = attended(withOnesAsValues(inputs), settingsFor(axis));
            const Certificate c = certify(ones.weights);
            for (Index i = 0; i < n; ++i)
                QVERIFY(
                    std::abs(double(ones.output.at(0, 1, i, 0)) - c.rows[std::size_t(n + i)].sum) <
                    1e-5 * std::max(1.0, c.rows[std::size_t(n + i)].sum));
        }
    }

    void oneAllowedKeyGivesItsValueRow()
    {
        const Inputs inputs = randomInputs({1, 1, 1, 65, 65, 4, 3}, 23);
        const Attention result = attended(inputs, settingsFor(Axis::Key, true));
        for (Index d = 0; d < 3; ++d)
            QCOMPARE(result.output.at(0, 0, 0, d), inputs.v->at(0, 0, 0, d));
    }

    void anAxisOfLengthOneGivesEveryAllowedWeightOne()
    {
        const std::array<Sizes, 4> sizesOfOne{
            Sizes{2, 2, 2, 1, 5, 3, 2}, Sizes{2, 2, 2, 5, 1, 3, 2}, Sizes{1, 2, 2, 5, 5, 3, 2},
            Sizes{2, 1, 1, 5, 5, 3, 2}};
        for (const Axis axis : kAllAxes) {
            const Attention result =
                attended(randomInputs(sizesOfOne[std::size_t(axis)], 29, 9.0F), settingsFor(axis));
            for (Index n = 0; n < result.weights.size(); ++n)
                QCOMPARE(result.weights.data()[n], 1.0F);
        }
    }

    void queryAxisThenRowDivisionIsConvexAgain()
    {
        const Attention result =
            attended(randomInputs({1, 1, 1, 40, 40, 4, 2}, 31), settingsFor(Axis::Query));
        Matrix weights = result.weights.slice(0, 0);
        QVERIFY(!certify(viewOf(weights)).isValid());
        weights.array().colwise() /= weights.rowwise().sum().array().eval();
        QVERIFY(certify(viewOf(weights)).isValid());
    }

    void aConstantOnEveryLogitOfASliceChangesNothing()
    {
        Inputs inputs = randomInputs({2, 2, 2, 33, 33, 4, 2}, 37, 1.0F);
        const Attention plain = attended(inputs, settingsFor(Axis::Key));
        Tensor bias({1, 1, 33, 1}); // one constant for each query: constant along the keys
        for (Index i = 0; i < 33; ++i)
            bias.at(0, 0, i, 0) = static_cast<float>(i) - 7.0F;
        inputs.bias = share(std::move(bias));
        QVERIFY(largestDifference(attended(inputs, settingsFor(Axis::Key)).weights, plain.weights) <
                2e-6);
        QVERIFY(largestDifference(attended(inputs, settingsFor(Axis::Query)).weights,
                                  attended(randomInputs({2, 2, 2, 33, 33, 4, 2}, 37, 1.0F),
                                           settingsFor(Axis::Query))
                                      .weights) > 1e-3);
    }

    void examplesAndHeadsStayApartOnKeyAndQuery()
    {
        const Inputs inputs = randomInputs({2, 2, 2, 20, 20, 4, 2}, 41);
        Tensor q = *inputs.q;
        q.slice(0, 0).array() += 1.0F;
        Inputs moved = inputs;
        moved.q = share(std::move(q));
        for (const Axis axis : kAllAxes) {
            const Attention before = attended(inputs, settingsFor(axis));
            const Attention after = attended(moved, settingsFor(axis));
            const bool otherExample =
                !sameBits(Matrix(before.output.slice(1, 0)), Matrix(after.output.slice(1, 0)));
            const bool otherHead =
                !sameBits(Matrix(before.output.slice(0, 1)), Matrix(after.output.slice(0, 1)));
            QCOMPARE(otherExample, axis == Axis::Batch);
            QCOMPARE(otherHead, axis == Axis::Head);
        }
    }

    void aThousandRandomDocumentsHaveValidKeyRows()
    {
        Numbers numbers(43);
        for (int n = 0; n < 1000; ++n) {
            const auto pick = [&](Index most) {
                return 1 + static_cast<Index>((numbers.next(0.5F) + 0.5F) *
                                              static_cast<float>(most - 1));
            };
            const Index group = pick(3);
            const Sizes s{pick(3), group * pick(3), group, pick(12), pick(12), pick(5), 2};
            ScoreSettings settings = settingsFor(Axis::Key, n % 2 == 0);
            settings.alibi = n % 3 == 0;
            settings.temperature = n % 5 == 0 ? 0.0F : 0.1F + static_cast<float>(n % 7);
            const Attention result = attended(randomInputs(s, std::uint64_t(n), 20.0F), settings);
            QVERIFY(certify(result.weights).isValid());
        }
    }
};

QTEST_APPLESS_MAIN(TestFacts)
#include "tst_facts.moc"
