#include "core/token_edit.h"
#include "tests/core/sample_values.h"

#include <QTest>

using namespace keyaxis;
using namespace keyaxis::testing;

namespace {

Inputs named(Sizes sizes)
{
    Inputs inputs = randomInputs(sizes, 1);
    for (Index b = 0; b < sizes.B; ++b) {
        inputs.queryTokens.emplace_back();
        for (Index t = 0; t < sizes.Tq; ++t)
            inputs.queryTokens.back().push_back(std::string(1, static_cast<char>('a' + t)));
        inputs.keyTokens.emplace_back();
        for (Index t = 0; t < sizes.Tk; ++t)
            inputs.keyTokens.back().push_back(std::string(1, static_cast<char>('a' + t)));
    }
    return inputs;
}

Tensor square(Index n, bool (*isOpen)(Index i, Index j))
{
    Tensor mask({1, 1, n, n});
    for (Index i = 0; i < n; ++i)
        for (Index j = 0; j < n; ++j)
            mask.at(0, 0, i, j) = isOpen(i, j) ? 1.0F : 0.0F;
    return mask;
}

std::string joined(const std::vector<std::string>& names)
{
    std::string all;
    for (const std::string& name : names)
        all += (all.empty() ? "" : " ") + name;
    return all;
}

} // namespace

class TestTokenEdit : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void ordersSayWhereEverythingComesFrom()
    {
        QCOMPARE(inserting(3, 1, 2), (Order{0, kNew, kNew, 1, 2}));
        QCOMPARE(inserting(2, 2, 1), (Order{0, 1, kNew}));
        QCOMPARE(duplicating(4, 1, 2), (Order{0, 1, 2, copyOf(1), copyOf(2), 3}));
        QCOMPARE(removing(4, 1, 2), (Order{0, 3}));
        QCOMPARE(moving(5, 1, 2, 3), (Order{0, 3, 4, 1, 2}));
        QCOMPARE(moving(5, 3, 2, 0), (Order{3, 4, 0, 1, 2}));
    }

    void aTokenOfSelfAttentionIsQueryKeyAndValue()
    {
        Inputs inputs = named({2, 4, 2, 4, 4, 3, 2});
        inputs.mask = share(randomTensor({2, 1, 4, 4}, 5));
        inputs.bias = share(randomTensor({1, 4, 1, 4}, 6));
        QVERIFY(isSelfAttention(inputs));
        const Inputs edited = withTokens(inputs, TokenSide::Both, moving(4, 0, 1, 2));
        QVERIFY(validated(edited));
        const Index from[] = {1, 2, 0, 3};
        for (Index i = 0; i < 4; ++i) {
            QCOMPARE(edited.q->at(1, 3, i, 2), inputs.q->at(1, 3, from[i], 2));
            QCOMPARE(edited.k->at(1, 1, i, 2), inputs.k->at(1, 1, from[i], 2));
            QCOMPARE(edited.v->at(1, 1, i, 1), inputs.v->at(1, 1, from[i], 1));
            QCOMPARE(edited.bias->at(0, 2, 0, i), inputs.bias->at(0, 2, 0, from[i]));
            for (Index j = 0; j < 4; ++j)
                QCOMPARE(edited.mask->at(1, 0, i, j), inputs.mask->at(1, 0, from[i], from[j]));
        }
        QCOMPARE(joined(edited.queryTokens[1]), std::string("b c a d"));
        QCOMPARE(joined(edited.keyTokens[1]), std::string("b c a d"));
        QCOMPARE(edited.bias->shape().rows, 1); // a broadcast axis stays so
    }

    void queriesAndKeysOfCrossAttentionAreEditedApart()
    {
        Inputs inputs = named({1, 2, 2, 3, 5, 4, 2});
        inputs.mask = share(randomTensor({1, 1, 3, 5}, 5));
        QVERIFY(!isSelfAttention(inputs));
        const Inputs fewer = withTokens(inputs, TokenSide::Key, removing(5, 1, 2));
        QVERIFY(validated(fewer));
        QCOMPARE(sizesOf(fewer), (Sizes{1, 2, 2, 3, 3, 4, 2}));
        QCOMPARE(fewer.q, inputs.q);
        QCOMPARE(joined(fewer.keyTokens[0]), std::string("a d e"));
        QCOMPARE(joined(fewer.queryTokens[0]), std::string("a b c"));
        QCOMPARE(fewer.mask->at(0, 0, 2, 1), inputs.mask->at(0, 0, 2, 3));
        const Inputs more = withTokens(inputs, TokenSide::Query, inserting(3, 0, 2));
        QVERIFY(validated(more));
        QCOMPARE(sizesOf(more).Tq, 5);
        QCOMPARE(more.k, inputs.k);
        QCOMPARE(more.q->at(0, 1, 0, 3), 0.0F);
        QCOMPARE(more.q->at(0, 1, 4, 3), inputs.q->at(0, 1, 2, 3));
        QCOMPARE(joined(more.queryTokens[0]), std::string("new new a b c"));
    }

    void aCopyHasTheNumbersAndANewPlace()
    {
        Inputs inputs = named({1, 2, 1, 3, 3, 4, 2});
        Tensor causal = Tensor::filled({1, 1, 3, 3}, 0.0F);
        for (Index i = 0; i < 3; ++i)
            for (Index j = 0; j <= i; ++j)
                causal.at(0, 0, i, j) = 1.0F;
        inputs.mask = share(causal);
        const Inputs edited = withTokens(inputs, TokenSide::Both, duplicating(3, 0, 2));
        QVERIFY(validated(edited));
        const Index from[] = {0, 1, 0, 1, 2};
        for (Index i = 0; i < 5; ++i) {
            QCOMPARE(edited.q->at(0, 1, i, 3), inputs.q->at(0, 1, from[i], 3));
            QCOMPARE(edited.k->at(0, 0, i, 3), inputs.k->at(0, 0, from[i], 3));
            QCOMPARE(edited.v->at(0, 0, i, 1), inputs.v->at(0, 0, from[i], 1));
            for (Index j = 0; j < 5; ++j) // it stays causal
                QCOMPARE(edited.mask->at(0, 0, i, j), j <= i ? 1.0F : 0.0F);
        }
        QCOMPARE(joined(edited.queryTokens[0]), std::string("a b a b c"));
        const Inputs wider = withFeatures(inputs, Features::Keys, duplicating(4, 3, 1));
        QCOMPARE(sizesOf(wider).dk, 5);
        QCOMPARE(wider.q->at(0, 1, 2, 4), inputs.q->at(0, 1, 2, 3));
        QCOMPARE(wider.k->at(0, 0, 2, 4), inputs.k->at(0, 0, 2, 3));
        Inputs given;
        given.scores = share(randomTensor({1, 1, 2, 2}, 1));
        const Inputs scores = withTokens(given, TokenSide::Both, duplicating(2, 1, 1));
        QCOMPARE(scores.scores->at(0, 0, 2, 0), given.scores->at(0, 0, 1, 0));
        QCOMPARE(scores.scores->at(0, 0, 2, 2), given.scores->at(0, 0, 1, 1));
    }

    void aMaskKeepsItsMeaningForNewTokens_data()
    {
        QTest::addColumn<int>("kind");
        QTest::addColumn<Index>("at");
        QTest::addColumn<Index>("count");
        const char* kinds[] = {"causal", "strictly causal", "open"};
        for (int kind = 0; kind < 3; ++kind)
            for (const Index at : {0, 2, 4})
                for (const Index count : {1, 3})
                    QTest::addRow("%s, %d new before %d", kinds[kind], static_cast<int>(count),
                                  static_cast<int>(at))
                        << kind << at << count;
    }

    void aMaskKeepsItsMeaningForNewTokens()
    {
        QFETCH(int, kind);
        QFETCH(Index, at);
        QFETCH(Index, count);
        const auto isOpen = kind == 0   ? [](Index i, Index j) { return j <= i; }
                            : kind == 1 ? [](Index i, Index j) { return j < i; }
                                        : [](Index, Index) { return true; };
        Inputs inputs = named({1, 1, 1, 4, 4, 2, 2});
        inputs.mask = share(square(4, isOpen));
        const Inputs edited = withTokens(inputs, TokenSide::Both, inserting(4, at, count));
        QVERIFY(sameBits(*edited.mask, square(4 + count, isOpen)));
    }

    void paddingStaysPadding()
    {
        Inputs inputs = named({2, 1, 1, 4, 4, 2, 2});
        Tensor padding = Tensor::filled({2, 1, 1, 4}, 1.0F);
        padding.at(1, 0, 0, 3) = 0.0F;
        inputs.mask = share(padding);
        const Inputs edited = withTokens(inputs, TokenSide::Both, inserting(4, 4, 1));
        QCOMPARE(edited.mask->shape(), (Shape{2, 1, 1, 5}));
        QCOMPARE(edited.mask->at(0, 0, 0, 4), 1.0F);
        QCOMPARE(edited.mask->at(1, 0, 0, 4), 0.0F);
    }

    void featuresOfQueriesAndKeysGoTogether()
    {
        const Inputs inputs = named({1, 2, 1, 3, 3, 4, 2});
        const Inputs keys = withFeatures(inputs, Features::Keys, removing(4, 0, 1));
        QVERIFY(validated(keys));
        QCOMPARE(keys.q->at(0, 1, 2, 0), inputs.q->at(0, 1, 2, 1));
        QCOMPARE(keys.k->at(0, 0, 2, 2), inputs.k->at(0, 0, 2, 3));
        QCOMPARE(keys.v, inputs.v);
        const Inputs values = withFeatures(inputs, Features::Values, inserting(2, 1, 1));
        QVERIFY(validated(values));
        QCOMPARE(values.v->at(0, 0, 1, 1), 0.0F);
        QCOMPARE(values.v->at(0, 0, 1, 2), inputs.v->at(0, 0, 1, 1));
        QCOMPARE(values.q, inputs.q);
    }

    void aNameIsGivenToOneTokenOfOneExample()
    {
        const Inputs inputs = named({2, 1, 1, 3, 3, 2, 2});
        const Inputs both = withTokenNamed(inputs, TokenSide::Both, 1, 2, "hat");
        QCOMPARE(joined(both.queryTokens[1]), std::string("a b hat"));
        QCOMPARE(joined(both.keyTokens[1]), std::string("a b hat"));
        QCOMPARE(both.keyTokens[0], inputs.keyTokens[0]);
        QVERIFY(isSelfAttention(both));
        const Inputs nameless = randomInputs({2, 1, 1, 3, 3, 2, 2}, 1);
        const Inputs first = withTokenNamed(nameless, TokenSide::Key, 0, 1, "cat");
        QCOMPARE(joined(first.keyTokens[0]), std::string("k0 cat k2"));
        QVERIFY(first.queryTokens.empty());
    }
};

QTEST_APPLESS_MAIN(TestTokenEdit)
#include "tst_token_edit.moc"
