#include "core/attention/attention.h"
#include "tests/core/sample_values.h"

#include <QTest>

using namespace keyaxis;
using namespace keyaxis::testing;

namespace {

const Sizes kSizes{2, 4, 2, 9, 9, 5, 3};

/// `tensor` with one number changed.
SharedTensor edited(const SharedTensor& tensor, Index b, Index h, Index row, Index col)
{
    Tensor copy = *tensor;
    copy.at(b, h, row, col) += 1.0F;
    return share(std::move(copy));
}

class Probe {
public:
    explicit Probe(Inputs inputs) : m_inputs(std::move(inputs)) { look(); }

    /// Looks at all four axes of (1, 2), checks them against a fresh computation and tells the
    /// work.
    KeptAttention::Work look()
    {
        const auto before = m_kept.work();
        for (const Axis axis : kAllAxes) {
            m_settings.axis = axis;
            const auto kept = m_kept.slice(m_inputs, m_settings, 1, 2).value();
            const SliceStages fresh = attendSlice(m_inputs, m_settings, 1, 2).value();
            m_isRight = m_isRight && sameBits(kept->weights, fresh.weights) &&
                        sameBits(kept->output, fresh.output) &&
                        sameBits(kept->before->logits, fresh.before->logits) &&
                        sameBits(kept->before->biased, fresh.before->biased);
        }
        const auto after = m_kept.work();
        return {after.products - before.products, after.softmaxes - before.softmaxes,
                after.outputs - before.outputs};
    }

    Inputs m_inputs;
    ScoreSettings m_settings;
    bool m_isRight = true;

private:
    KeptAttention m_kept;
};

} // namespace

class TestKeptAttention : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void looksOnlyAtWhatSharesADenominator()
    {
        KeptAttention kept;
        const Inputs inputs = randomInputs(kSizes, 3);
        ScoreSettings settings;
        QVERIFY(kept.slice(inputs, settings, 0, 1));
        QCOMPARE(kept.work().products, 1);
        settings.axis = Axis::Batch;
        QVERIFY(kept.slice(inputs, settings, 0, 1));
        QCOMPARE(kept.work().products, 2);
        settings.axis = Axis::Head;
        QVERIFY(kept.slice(inputs, settings, 0, 1));
        QCOMPARE(kept.work().products, 5);
    }

    void theSameAgainCostsNothing()
    {
        Probe probe(randomInputs(kSizes, 5));
        const auto work = probe.look();
        QCOMPARE(work.products + work.softmaxes + work.outputs, 0);
        QVERIFY(probe.m_isRight);
    }

    void aNewTemperatureDoesNotRedoTheProduct()
    {
        Probe probe(randomInputs(kSizes, 7));
        probe.m_settings.temperature = 0.4F;
        const auto work = probe.look();
        QCOMPARE(work.products, 0);
        QCOMPARE(work.softmaxes, 1 + 1 + 2 + 4);
        QVERIFY(probe.m_isRight);
    }

    void aNewRuleDoesNotRedoTheProduct()
    {
        Probe probe(randomInputs(kSizes, 11));
        probe.m_settings.causal = true;
        probe.m_settings.alibi = true;
        QCOMPARE(probe.look().products, 0);
        probe.m_settings.scale = 0.25;
        QCOMPARE(probe.look().products, 0);
        QVERIFY(probe.m_isRight);
    }

    void newValuesRedoOnlyTheLastProduct()
    {
        Probe probe(randomInputs(kSizes, 13));
        probe.m_inputs.v = edited(probe.m_inputs.v, 1, 1, 4, 2);
        const auto work = probe.look();
        QCOMPARE(work.products, 0);
        QCOMPARE(work.softmaxes, 0);
        QCOMPARE(work.outputs, 4);
        QVERIFY(probe.m_isRight);
    }

    void anEditRedoesOnlyTheSlicesItReaches()
    {
        Probe probe(randomInputs(kSizes, 17));
        probe.m_inputs.q = edited(probe.m_inputs.q, 1, 2, 0, 0);
        QCOMPARE(probe.look().products, 1);
        probe.m_inputs.q = edited(probe.m_inputs.q, 0, 0, 0, 0); // shares no denominator
        QCOMPARE(probe.look().softmaxes, 0);
        probe.m_inputs.k = edited(probe.m_inputs.k, 1, 1, 8, 4); // heads 2 and 3
        QCOMPARE(probe.look().products, 2);
        QVERIFY(probe.m_isRight);
    }

    void newSizesMaskAndBiasAreSeen()
    {
        Probe probe(randomInputs(kSizes, 19));
        probe.m_inputs.mask = share(Tensor::zeros({1, 1, 1, 1}));
        probe.look();
        probe.m_inputs.bias = share(Tensor::filled({1, 4, 1, 9}, 0.5F));
        probe.m_inputs.mask.reset();
        probe.look();
        probe.m_inputs = randomInputs({2, 3, 3, 4, 6, 5, 3}, 23);
        probe.look();
        probe.m_inputs.v.reset();
        probe.look();
        QVERIFY(probe.m_isRight);
    }
};

QTEST_APPLESS_MAIN(TestKeptAttention)
#include "tst_kept_attention.moc"
