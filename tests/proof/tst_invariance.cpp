#include "core/attention/alibi.h"
#include "core/attention/attention.h"
#include "core/proof/invariance.h"
#include "tests/core/sample_values.h"

#include <QTest>
#include <cmath>
#include <limits>

using namespace keyaxis;

namespace {

constexpr float kMasked = -std::numeric_limits<float>::infinity();

Inputs withBias(const Inputs& inputs, Tensor bias)
{
    Inputs result = inputs;
    result.bias = share(std::move(bias));
    return result;
}

} // namespace

class TestInvariance : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void causalAlibiLeavesTheKeysPlaceOnTheKeyAxis()
    {
        const Inputs inputs = testing::randomInputs({1, 4, 4, 5, 5, 2, 2}, 1);
        ScoreSettings settings;
        settings.alibi = true;
        settings.causal = true;
        const BiasParts parts = biasParts(inputs, settings, 0, 1);
        const float slope = alibiSlopes(4, SlopeRule::Authors)[1];
        for (Index i = 0; i < 5; ++i)
            for (Index j = 0; j < 5; ++j) {
                const auto place = static_cast<float>(j);
                QCOMPARE(parts.surviving(i, j), j <= i ? slope * place : kMasked);
                QCOMPARE(parts.cancelled(i, j), j <= i ? -slope * static_cast<float>(i) : kMasked);
            }
        QVERIFY(parts.dependsOnPlace && !parts.cancelsAll);
        QCOMPARE(parts.sentence, std::string("Under the causal mask ALiBi's -m(i - j) leaves +m·j: "
                                             "what survives depends on the key alone."));
        settings.causal = false;
        const BiasParts open = biasParts(inputs, settings, 0, 1);
        QVERIFY(!open.dependsOnPlace);
        QCOMPARE(open.sentence, std::string("Each query loses a constant of its own; what differs "
                                            "between its keys survives."));
    }

    void alibiVanishesOnTheBatchAxisOnly()
    {
        const Inputs inputs = testing::randomInputs({3, 4, 2, 4, 4, 2, 2}, 1);
        for (const Axis axis : kAllAxes)
            for (const bool causal : {false, true}) {
                ScoreSettings settings;
                settings.axis = axis;
                settings.alibi = true;
                settings.causal = causal;
                const BiasParts parts = biasParts(inputs, settings, 1, 2);
                QCOMPARE(parts.cancelsAll, axis == Axis::Batch);
                QCOMPARE(parts.dependsOnPlace,
                         causal && (axis == Axis::Key || axis == Axis::Query));
            }
    }

    void theSurvivingPartAloneGivesTheSameWeights_data()
    {
        QTest::addColumn<Axis>("axis");
        QTest::addColumn<bool>("causal");
        for (const Axis axis : kAllAxes)
            for (const bool causal : {false, true})
                QTest::addRow("%s axis, %s", std::string(names(axis).name).c_str(),
                              causal ? "causal" : "no mask")
                    << axis << causal;
    }
    void theSurvivingPartAloneGivesTheSameWeights()
    {
        QFETCH(Axis, axis);
        QFETCH(bool, causal);
        Inputs inputs = testing::randomInputs({2, 3, 3, 4, 5, 2, 2}, 1);
        Tensor bias = testing::randomTensor({2, 1, 4, 5}, 8);
        bias.at(1, 0, 2, 0) = kMasked;
        inputs = withBias(inputs, std::move(bias));
        Tensor mask = Tensor::filled({1, 3, 4, 5}, 1.0F);
        mask.at(0, 1, 3, 1) = 0.0F;
        inputs.mask = share(std::move(mask));
        ScoreSettings settings;
        settings.axis = axis;
        settings.causal = causal;
        settings.alibi = true;
        settings.temperature = 0.7F;
        settings.empty = EmptySlice::Zero;

        Tensor surviving(sizesOf(inputs).weights());
        for (Index b = 0; b < 2; ++b)
            for (Index h = 0; h < 3; ++h) {
                const BiasParts parts = biasParts(inputs, settings, b, h);
                surviving.slice(b, h) = parts.surviving;
                // Both parts together are the bias, and the first is constant along the axis.
                for (Index i = 0; i < 4; ++i)
                    for (Index j = 0; j < 5; ++j)
                        if (parts.surviving(i, j) != kMasked) {
                            const float distance = std::abs(static_cast<float>(i - j));
                            QVERIFY(
                                std::abs(parts.surviving(i, j) + parts.cancelled(i, j) -
                                         (inputs.bias->at(b, 0, i, j) -
                                          alibiSlopes(
                                              3, SlopeRule::Authors)[static_cast<std::size_t>(h)] *
                                              distance)) < 1e-5F);
                        }
            }
        const Tensor before = attend(inputs, settings)->weights;
        settings.alibi = false;
        const Tensor after = attend(withBias(inputs, std::move(surviving)), settings)->weights;
        for (Index n = 0; n < before.size(); ++n)
            QVERIFY(std::abs(before.data()[n] - after.data()[n]) < 2e-6F);
    }

    void aConstantCancelsOnEveryAxis()
    {
        const Inputs inputs = withBias(testing::randomInputs({2, 2, 2, 3, 3, 2, 2}, 1),
                                       Tensor::filled({1, 1, 1, 1}, 4.0F));
        for (const Axis axis : kAllAxes) {
            ScoreSettings settings;
            settings.axis = axis;
            const BiasParts parts = biasParts(inputs, settings, 0, 0);
            QVERIFY(parts.cancelsAll);
            QCOMPARE(parts.cancelled(2, 1), 4.0F);
            QVERIFY(parts.sentence.starts_with("The whole bias cancels"));
        }
    }

    void noQueriesAreNoError()
    {
        Inputs inputs = testing::randomInputs({1, 1, 1, 0, 3, 2, 2}, 1);
        inputs.mask = share(Tensor({1, 1, 0, 3}));
        for (const Axis axis : kAllAxes) {
            ScoreSettings settings;
            settings.axis = axis;
            settings.alibi = true;
            QCOMPARE(biasParts(inputs, settings, 0, 0).surviving.rows(), 0);
        }
    }

    void withoutABiasNothingIsToCancel()
    {
        const BiasParts parts =
            biasParts(testing::randomInputs({1, 1, 1, 2, 2, 2, 2}, 1), {}, 0, 0);
        QVERIFY(!parts.hasBias);
        QCOMPARE(parts.sentence, std::string("There is no bias: nothing to cancel."));
    }
};

QTEST_APPLESS_MAIN(TestInvariance)
#include "tst_invariance.moc"
