#include "core/attention/attention.h"
#include "core/proof/nudge.h"
#include "tests/core/sample_values.h"

#include <QTest>
#include <cmath>
#include <limits>

using namespace keyaxis;

namespace {

constexpr float kMasked = -std::numeric_limits<float>::infinity();

/// Indices (b, h, row) at which two tensors of one shape differ.
std::vector<std::array<Index, 3>> movedRows(const Tensor& before, const Tensor& after)
{
    std::vector<std::array<Index, 3>> moved;
    for (Index b = 0; b < before.shape().batch; ++b)
        for (Index h = 0; h < before.shape().heads; ++h)
            for (Index row = 0; row < before.shape().rows; ++row)
                if (before.slice(b, h).row(row) != after.slice(b, h).row(row))
                    moved.push_back({b, h, row});
    return moved;
}

using Rows = std::vector<std::array<Index, 3>>;

Tensor triangle(Index n, float open, float hidden)
{
    Tensor mask = Tensor::filled({1, 1, n, n}, open);
    for (Index i = 0; i < n; ++i)
        mask.slice(0, 0).row(i).tail(n - 1 - i).setConstant(hidden);
    return mask;
}

OutputChanges changesByAppending(const Inputs& inputs, const ScoreSettings& settings)
{
    const Attention before = *attend(inputs, settings);
    const Attention after = *attend(withTokenAppended(inputs), settings);
    return compareOutputs(before.output, after.output);
}

} // namespace

class TestNudge : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void onlyWhatIsNudgedMoves_data()
    {
        QTest::addColumn<int>("what");
        QTest::addColumn<Rows>("q");
        QTest::addColumn<Rows>("k");
        QTest::newRow("a query vector") << int(Nudged::QueryVector) << Rows{{1, 2, 0}} << Rows{};
        QTest::newRow("an example")
            << int(Nudged::Example) << Rows{{0, 2, 0}, {0, 2, 1}, {0, 2, 2}} << Rows{};
        QTest::newRow("a head") << int(Nudged::Head) << Rows{{1, 0, 0}, {1, 0, 1}, {1, 0, 2}}
                                << Rows{};
        QTest::newRow("a token") << int(Nudged::Token)
                                 << Rows{{1, 0, 0}, {1, 1, 0}, {1, 2, 0}, {1, 3, 0}}
                                 << Rows{{1, 0, 0}, {1, 1, 0}};
        QTest::newRow("a query token")
            << int(Nudged::QueryToken) << Rows{{1, 0, 0}, {1, 1, 0}, {1, 2, 0}, {1, 3, 0}}
            << Rows{};
        QTest::newRow("a key token")
            << int(Nudged::KeyToken) << Rows{} << Rows{{1, 0, 0}, {1, 1, 0}};
    }
    void onlyWhatIsNudgedMoves()
    {
        QFETCH(int, what);
        QFETCH(Rows, q);
        QFETCH(Rows, k);
        const Inputs before = testing::randomInputs({2, 4, 2, 3, 3, 5, 5}, 1);
        const Inputs after = nudged(before, {static_cast<Nudged>(what), 1, 2, 0, 0.25F, 7});
        QCOMPARE(movedRows(*before.q, *after.q), q);
        QCOMPARE(movedRows(*before.k, *after.k), k);
        QCOMPARE(movedRows(*before.v, *after.v), k);
        for (Index n = 0; n < before.q->size(); ++n)
            QVERIFY(std::abs(before.q->data()[n] - after.q->data()[n]) <= 0.2500001F);
    }

    void aSeedGivesTheSameNudge()
    {
        const Inputs inputs = testing::randomInputs({1, 1, 1, 3, 3, 2, 2}, 1);
        Nudge nudge;
        const Inputs a = nudged(inputs, nudge);
        const Inputs b = nudged(inputs, nudge);
        QVERIFY(testing::sameBits(*a.q, *b.q));
        nudge.seed = 2;
        QVERIFY(!testing::sameBits(*a.q, *nudged(inputs, nudge).q));
    }

    void anAppendedTokenMovesEarlierOutputsOnlyWhereItIsReadOrCounted_data()
    {
        QTest::addColumn<Axis>("axis");
        QTest::addColumn<bool>("causal");
        QTest::addColumn<Index>("nChanged");
        QTest::addColumn<std::string>("sentence");
        using S = std::string;
        QTest::newRow("keys, causal") << Axis::Key << true << Index{0}
                                      << S("0 of 24 earlier outputs changed. No later token is "
                                           "read.");
        QTest::newRow("keys, no mask")
            << Axis::Key << false << Index{24}
            << S("24 of 24 earlier outputs changed. The mask is off: later tokens are read. Wrong "
                 "mask, not wrong axis.");
        QTest::newRow("queries, causal")
            << Axis::Query << true << Index{24}
            << S("24 of 24 earlier outputs changed. The mask is on, yet later queries sit in the "
                 "denominators: earlier outputs move.");
        QTest::newRow("examples, causal")
            << Axis::Batch << true << Index{0}
            << S("0 of 24 earlier outputs changed. No later token leaks; other examples do.");
        QTest::newRow("heads, causal")
            << Axis::Head << true << Index{0}
            << S("0 of 24 earlier outputs changed. No later token leaks; other heads do.");
    }
    void anAppendedTokenMovesEarlierOutputsOnlyWhereItIsReadOrCounted()
    {
        QFETCH(Axis, axis);
        QFETCH(bool, causal);
        QFETCH(Index, nChanged);
        QFETCH(std::string, sentence);
        ScoreSettings settings;
        settings.axis = axis;
        settings.causal = causal;
        settings.empty = EmptySlice::Zero;
        const Inputs inputs = testing::randomInputs({2, 2, 1, 6, 6, 3, 4}, 3);
        const OutputChanges changes = changesByAppending(inputs, settings);
        QCOMPARE(changes.nRows, 24);
        QCOMPARE(changes.nChanged, nChanged);
        QCOMPARE(appendSentence(changes, inputs, settings), sentence);
        // A triangle that comes with the file does what the causal rule does.
        if (!causal)
            return;
        settings.causal = false;
        Inputs masked = inputs;
        masked.mask = share(triangle(6, 1.0F, 0.0F));
        QCOMPARE(changesByAppending(masked, settings).nChanged, nChanged);
        QCOMPARE(appendSentence(changes, masked, settings), sentence);
        Inputs biased = inputs;
        biased.bias = share(triangle(6, 0.5F, kMasked));
        QCOMPARE(changesByAppending(biased, settings).nChanged, nChanged);
        QCOMPARE(appendSentence(changes, biased, settings), sentence);
    }

    void theBitsHoldAcrossTheEdgeOfATile()
    {
        ScoreSettings settings;
        settings.causal = true;
        for (const Index n : {Index{1}, Index{15}, Index{16}, Index{63}, Index{64}, Index{128}})
            QCOMPARE(changesByAppending(testing::randomInputs({1, 1, 1, n, n, 5, 7}, 3), settings)
                         .nChanged,
                     0);
    }

    void masksGrowWithTheToken()
    {
        Inputs inputs = testing::randomInputs({2, 1, 1, 3, 3, 2, 2}, 3);
        inputs.queryTokens = {{"a", "b", "c"}, {}};
        Tensor padding = Tensor::filled({2, 1, 1, 3}, 1.0F);
        padding.at(1, 0, 0, 2) = 0.0F;
        inputs.mask = share(std::move(padding));
        Tensor bias = Tensor::filled({1, 1, 3, 3}, 2.0F);
        bias.at(0, 0, 1, 2) = kMasked;
        inputs.bias = share(std::move(bias));

        const Inputs longer = withTokenAppended(inputs);
        QVERIFY(validated(longer));
        QCOMPARE(sizesOf(longer).Tq, 4);
        QCOMPARE(sizesOf(longer).Tk, 4);
        QCOMPARE(longer.mask->shape(), (Shape{2, 1, 1, 4}));
        QCOMPARE(longer.mask->at(1, 0, 0, 2), 0.0F); // as it was
        QCOMPARE(longer.mask->at(1, 0, 0, 3), 1.0F); // the new token may be used
        QCOMPARE(longer.bias->at(0, 0, 0, 3), 2.0F);
        QCOMPARE(longer.bias->at(0, 0, 1, 3), 0.0F); // -inf is not copied
        QCOMPARE(longer.bias->at(0, 0, 3, 1), 2.0F);
        QCOMPARE(longer.queryTokens[0].back(), std::string("new"));
        QVERIFY(longer.queryTokens[1].empty());
        const auto last = longer.k->slice(1, 0);
        QVERIFY(last.row(3) != last.row(2));
        QCOMPARE(last.topRows(3).eval(), inputs.k->slice(1, 0));
    }

    void theFirstQueryMayFollowNone()
    {
        Inputs inputs = testing::randomInputs({1, 2, 1, 0, 3, 2, 2}, 3);
        inputs.mask = share(Tensor({1, 1, 0, 3}));
        const Inputs longer = withTokenAppended(inputs);
        QVERIFY(validated(longer));
        QCOMPARE(sizesOf(longer).Tq, 1);
        QVERIFY(attend(longer, {})->output.slice(0, 1).allFinite());
    }

    void outputsAreComparedToTheBit()
    {
        Matrix before(5, 2);
        before << 1, 2, NAN, 1, 0, 0, 1, NAN, 3, 3;
        Matrix after(6, 2);
        after << 1, 2, -NAN, 1, -0.0F, 0, 1, 5, 3, std::nextafter(3.0F, 4.0F), 9, 9;
        const OutputChanges changes = compareOutputs(viewOf(before), viewOf(after));
        QCOMPARE(changes.hasChanged, (std::vector<bool>{false, false, true, true, true}));
        QCOMPARE(changes.nChanged, 3);
        QCOMPARE(changes.nRows, 5);
        QVERIFY(std::isnan(changes.largest));
        const Matrix first = before.topRows(1);
        QCOMPARE(compareOutputs(viewOf(first), viewOf(after)).largest, 0.0);
    }
};

QTEST_APPLESS_MAIN(TestNudge)
#include "tst_nudge.moc"
