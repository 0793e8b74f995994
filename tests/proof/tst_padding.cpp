#include "core/attention/attention.h"
#include "core/attention/masked.h"
#include "core/proof/padding.h"
#include "core/proof/verdict.h"
#include "tests/core/sample_values.h"

#include <QTest>

using namespace keyaxis;
using namespace keyaxis::testing;

namespace {

/// Two examples of four tokens, the last of the second being padding.
Inputs padded(bool isBias)
{
    Inputs inputs = randomInputs({2, 2, 1, 4, 4, 3, 2}, 1);
    Tensor padding = Tensor::filled({2, 1, 1, 4}, isBias ? 0.0F : 1.0F);
    padding.at(1, 0, 0, 3) = isBias ? kMasked : 0.0F;
    (isBias ? inputs.bias : inputs.mask) = share(padding);
    return inputs;
}

} // namespace

class TestPadding : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aTokenThatNobodyMayUseIsPadding_data()
    {
        QTest::addColumn<bool>("isBias");
        QTest::newRow("mask") << false;
        QTest::newRow("bias") << true;
    }
    void aTokenThatNobodyMayUseIsPadding()
    {
        QFETCH(bool, isBias);
        std::vector<bool> expected(16, false);
        expected[11] = expected[15] = true; // both heads of the second example
        QVERIFY(paddedRows(padded(isBias)) == expected);
    }

    void aCausalMaskOrCrossAttentionHasNone()
    {
        Inputs inputs = randomInputs({1, 1, 1, 4, 4, 3, 2}, 1);
        QVERIFY(paddedRows(inputs).empty());
        Tensor causal = Tensor::zeros({1, 1, 4, 4});
        for (Index i = 0; i < 4; ++i)
            for (Index j = 0; j <= i; ++j)
                causal.at(0, 0, i, j) = 1;
        inputs.mask = share(causal);
        QVERIFY(paddedRows(inputs).empty());
        Inputs cross = randomInputs({1, 1, 1, 3, 4, 3, 2}, 1);
        Tensor hidden = Tensor::filled({1, 1, 1, 4}, 1.0F);
        hidden.at(0, 0, 0, 3) = 0;
        cross.mask = share(hidden);
        QVERIFY(paddedRows(cross).empty());
    }

    void theVerdictCountsTheOtherRows()
    {
        // The padded query may use nothing: its rows are undefined, all others fine.
        Inputs inputs = padded(false);
        Tensor mask = Tensor::filled({2, 1, 4, 4}, 1.0F);
        for (Index n = 0; n < 4; ++n)
            mask.at(1, 0, 3, n) = mask.at(1, 0, n, 3) = 0;
        inputs.mask = share(mask);
        const auto all = attend(inputs, {}, {.logits = true, .output = false});
        QVERIFY(all);
        const Certificate certificate = certify(all->weights, all->logits);
        QCOMPARE(certificate.nUndefined, 2);
        const Certificate rest = withoutRows(certificate, paddedRows(inputs));
        QCOMPARE(rest.nRows(), 14);
        QVERIFY(rest.isValid());
        QCOMPARE(rest.nEmptyRows, 0);
        QCOMPARE(rest.nEmptyCells, 0);
        QVERIFY(verdictOf(rest, {}, sizesOf(inputs)).valid);
        QVERIFY(!verdictOf(certificate, {}, sizesOf(inputs)).valid);

        // Of one map.
        QVERIFY(paddedRows(inputs, 0, 0).empty());
        const std::vector<bool> ofOne = paddedRows(inputs, 1, 1);
        QVERIFY(ofOne == (std::vector<bool>{false, false, false, true}));
        const Certificate one = certify(all->weights.slice(1, 1), all->logits.slice(1, 1));
        const Verdict verdict = verdictWithoutRows(one, ofOne, inputs, {});
        QVERIFY(verdict.valid);
        QCOMPARE(verdict.pill, "3 of 3 rows sum to 1, 1 of padding left out");
        QCOMPARE(verdictWithoutRows(one, {}, inputs, {}).pill, "1 undefined, 3 sum to 1");
    }
};

QTEST_APPLESS_MAIN(TestPadding)
#include "tst_padding.moc"
