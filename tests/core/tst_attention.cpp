#include "core/attention/alibi.h"
#include "core/attention/attention.h"
#include "core/parallel.h"
#include "tests/core/sample_values.h"

#include <QTest>
#include <cmath>

using namespace keyaxis;
using namespace keyaxis::testing;

namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
const Keep kEverything{.scores = true, .logits = true, .output = true};

Attention attended(const Inputs& inputs, const ScoreSettings& settings, Keep keep = kEverything)
{
    return attend(inputs, settings, keep).value();
}

ScoreSettings causal(Axis axis = Axis::Key)
{
    ScoreSettings settings;
    settings.axis = axis;
    settings.causal = true;
    return settings;
}

} // namespace

class TestAttention : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void slopesFollowTheAuthors()
    {
        using Slopes = std::vector<float>;
        QCOMPARE(alibiSlopes(1, SlopeRule::Authors), Slopes{0.00390625F});
        QCOMPARE(alibiSlopes(4, SlopeRule::Authors),
                 (Slopes{0.25F, 0.0625F, 0.015625F, 0.00390625F}));
        QCOMPARE(alibiSlopes(6, SlopeRule::Authors),
                 (Slopes{0.25F, 0.0625F, 0.015625F, 0.00390625F, 0.5F, 0.125F}));
        QCOMPARE(alibiSlopes(3, SlopeRule::Geometric)[2], 0.00390625F);
        QVERIFY(alibiSlopes(3, SlopeRule::Geometric)[1] != alibiSlopes(3, SlopeRule::Authors)[1]);
    }

    void oneSliceHasTheBitsOfEverything_data()
    {
        QTest::addColumn<int>("nTokens");
        for (const int n : {1, 5, 63, 64, 65, 129})
            QTest::addRow("%d tokens", n) << n;
    }
    void oneSliceHasTheBitsOfEverything()
    {
        QFETCH(int, nTokens);
        const Inputs inputs = randomInputs({2, 4, 2, nTokens, nTokens + 3, 7, 5}, 17);
        for (const Axis axis : kAllAxes)
            for (const bool isCausal : {false, true}) {
                ScoreSettings settings;
                settings.axis = axis;
                settings.causal = isCausal;
                settings.alibi = true;
                settings.temperature = 0.7F;
                const Attention all = attended(inputs, settings);
                const SliceStages one = attendSlice(inputs, settings, 1, 2).value();
                QVERIFY(sameBits(one.before->scores, Matrix(all.scores.slice(1, 2))));
                QVERIFY(sameBits(one.before->logits, Matrix(all.logits.slice(1, 2))));
                QVERIFY(sameBits(one.weights, Matrix(all.weights.slice(1, 2))));
                QVERIFY(sameBits(one.output, Matrix(all.output.slice(1, 2))));
            }
    }

    void keepingFewerStagesChangesNoBit()
    {
        const Inputs inputs = randomInputs({2, 2, 2, 150, 150, 16, 9}, 23);
        for (const Axis axis : kAllAxes) {
            const Attention all = attended(inputs, causal(axis));
            const Attention few = attended(inputs, causal(axis), {});
            QVERIFY(few.scores.isEmpty() && few.logits.isEmpty());
            QVERIFY(sameBits(few.weights, all.weights));
            QVERIFY(sameBits(few.output, all.output));
        }
    }

    void threadCountsChangeNoBit()
    {
        const Inputs inputs = randomInputs({2, 3, 1, 130, 90, 11, 6}, 29);
        for (const Axis axis : kAllAxes) {
            setThreadCount(1);
            const Attention one = attended(inputs, causal(axis));
            for (const int nThreads : {2, 5}) {
                setThreadCount(nThreads);
                const Attention several = attended(inputs, causal(axis));
                QVERIFY(sameBits(several.weights, one.weights));
                QVERIFY(sameBits(several.output, one.output));
            }
        }
        setThreadCount(2);
    }

    void appendingATokenChangesNoEarlierOutput_data()
    {
        QTest::addColumn<int>("nTokens");
        for (const int n : {2, 31, 63, 64, 111, 112, 127, 128})
            QTest::addRow("%d tokens", n) << n;
    }
    void appendingATokenChangesNoEarlierOutput()
    {
        QFETCH(int, nTokens);
        const Inputs longer = randomInputs({1, 2, 2, nTokens + 1, nTokens + 1, 8, 4}, 31);
        Inputs shorter;
        const auto cut = [&](const SharedTensor& from) {
            Shape shape = from->shape();
            shape.rows = nTokens;
            Tensor to(shape);
            for (Index h = 0; h < 2; ++h)
                to.slice(0, h) = from->slice(0, h).topRows(nTokens);
            return share(std::move(to));
        };
        shorter.q = cut(longer.q);
        shorter.k = cut(longer.k);
        shorter.v = cut(longer.v);
        const auto nChanged = [&](const ScoreSettings& settings) {
            const Attention before = attended(shorter, settings);
            const Attention after = attended(longer, settings);
            Index n = 0;
            for (Index i = 0; i < nTokens; ++i)
                n += sameBits(Matrix(before.output.slice(0, 1).row(i)),
                              Matrix(after.output.slice(0, 1).row(i)))
                         ? 0
                         : 1;
            return n;
        };
        QCOMPARE(nChanged(causal()), 0);
        QVERIFY(nChanged(causal(Axis::Query)) > 0);
        QVERIFY(nChanged({}) > 0);
    }

    void nothingBehindTheMaskLeaks()
    {
        // The last key is masked for every query but the last: in its score sits NaN or infinity,
        // in its value row NaN.
        for (const float odd : {kNan, kInfinity, -kInfinity}) {
            Inputs inputs = randomInputs({1, 1, 1, 70, 70, 4, 3}, 37);
            const Attention clean = attended(inputs, causal());
            Tensor k = *inputs.k;
            k.slice(0, 0).row(69).setConstant(odd);
            Tensor v = *inputs.v;
            v.at(0, 0, 69, 1) = kNan;
            inputs.k = share(std::move(k));
            inputs.v = share(std::move(v));
            const Attention dirty = attended(inputs, causal());
            for (Index i = 0; i < 69; ++i) {
                QVERIFY(sameBits(Matrix(clean.weights.slice(0, 0).row(i)),
                                 Matrix(dirty.weights.slice(0, 0).row(i))));
                QVERIFY(sameBits(Matrix(clean.output.slice(0, 0).row(i)),
                                 Matrix(dirty.output.slice(0, 0).row(i))));
            }
            QVERIFY(std::isnan(dirty.output.at(0, 0, 69, 1)));
        }
    }

    void anAllowedInfiniteValueFollowsIeee()
    {
        Inputs inputs = randomInputs({1, 1, 1, 2, 2, 2, 2}, 41);
        Tensor v = Tensor::filled({1, 1, 2, 2}, 1.0F);
        v.at(0, 0, 0, 0) = kInfinity;
        inputs.v = share(std::move(v));
        const Attention result = attended(inputs, {});
        QCOMPARE(result.output.at(0, 0, 0, 0), kInfinity);
        QVERIFY(std::abs(result.output.at(0, 0, 0, 1) - 1.0F) < 1e-6F);
    }

    void maskAndBiasBroadcastAndHide()
    {
        Inputs inputs = randomInputs({2, 2, 2, 3, 5, 4, 2}, 43);
        Tensor mask = Tensor::filled({1, 1, 1, 5}, 1.0F);
        mask.at(0, 0, 0, 2) = 0.0F;
        Tensor bias = Tensor::zeros({2, 1, 3, 5});
        bias.at(1, 0, 2, 4) = -kInfinity;
        bias.at(0, 0, 0, 0) = 3.0F;
        inputs.mask = share(std::move(mask));
        inputs.bias = share(std::move(bias));
        const Inputs valid = validated(inputs).value();
        const Attention result = attended(valid, {});
        for (Index b = 0; b < 2; ++b)
            for (Index i = 0; i < 3; ++i)
                QCOMPARE(result.weights.at(b, 1, i, 2), 0.0F);
        QCOMPARE(result.weights.at(1, 0, 2, 4), 0.0F);
        QVERIFY(result.weights.at(0, 0, 2, 4) > 0.0F);
        const float plain = result.scores.at(0, 0, 0, 0) * 0.5F;
        QCOMPARE(result.logits.at(0, 0, 0, 0), plain + 3.0F);
    }

    void aRowWithoutKeysFollowsThePolicyToTheOutput()
    {
        // Alignment end with more queries than keys: the first queries see nothing.
        const Inputs inputs = randomInputs({1, 1, 1, 70, 5, 4, 3}, 47);
        ScoreSettings settings = causal();
        settings.align = Align::End;
        const Attention nan = attended(inputs, settings, {});
        QVERIFY(std::isnan(nan.weights.at(0, 0, 0, 0)));
        QVERIFY(std::isnan(nan.output.at(0, 0, 64, 2)));
        QVERIFY(!std::isnan(nan.output.at(0, 0, 65, 2)));
        settings.empty = EmptySlice::Zero;
        const Attention zero = attended(inputs, settings, {});
        QCOMPARE(zero.weights.at(0, 0, 0, 0), 0.0F);
        QCOMPARE(zero.output.at(0, 0, 3, 1), 0.0F);
    }

    void nanInAMaskedBatchSpoilsEveryOutputRowButTheLast()
    {
        const Inputs inputs = randomInputs({2, 2, 2, 6, 6, 4, 3}, 53);
        for (const Axis axis : {Axis::Batch, Axis::Head}) {
            const Attention result = attended(inputs, causal(axis));
            for (Index i = 0; i < 6; ++i)
                QCOMPARE(std::isnan(result.output.at(1, 1, i, 0)), i != 5);
        }
    }

    void refusesNumbersOutsideTheirDomain()
    {
        const Inputs inputs = randomInputs({1, 1, 1, 2, 2, 2, 2}, 59);
        for (const float temperature : {-1.0F, kNan, kInfinity}) {
            ScoreSettings settings;
            settings.temperature = temperature;
            const auto result = attend(inputs, settings);
            QVERIFY(!result);
            QCOMPARE(result.error().code, Errc::BadValue);
        }
        ScoreSettings settings;
        settings.scale = std::numeric_limits<double>::infinity();
        QCOMPARE(attendSlice(inputs, settings, 0, 0).error().code, Errc::BadValue);
    }

    void worksWithoutValues()
    {
        Inputs inputs = randomInputs({1, 2, 1, 4, 4, 3, 2}, 61);
        inputs.v.reset();
        QVERIFY(attended(inputs, causal()).output.isEmpty());
        QCOMPARE(attendSlice(inputs, causal(Axis::Head), 0, 1).value().output.size(), 0);
    }

    void stopsWhenAsked()
    {
        std::stop_source source;
        source.request_stop();
        const Inputs inputs = randomInputs({1, 1, 1, 9, 9, 2, 2}, 67);
        for (const Axis axis : kAllAxes) {
            const auto result = attend(inputs, causal(axis), {}, source.get_token());
            QVERIFY(!result);
            QCOMPARE(result.error().code, Errc::Cancelled);
            QVERIFY(!attendSlice(inputs, causal(axis), 0, 0, source.get_token()));
        }
    }

    void anEmptyMapIsNoError()
    {
        const Inputs inputs = randomInputs({1, 1, 1, 0, 3, 2, 2}, 71);
        for (const Axis axis : kAllAxes) {
            QCOMPARE(attended(inputs, causal(axis)).weights.size(), 0);
            QCOMPARE(attendSlice(inputs, causal(axis), 0, 0).value().weights.rows(), 0);
        }
    }
};

QTEST_APPLESS_MAIN(TestAttention)
#include "tst_attention.moc"
