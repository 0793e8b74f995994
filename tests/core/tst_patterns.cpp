#include "core/attention/attention.h"
#include "core/patterns.h"
#include "tests/core/sample_values.h"

#include <QTest>

using namespace keyaxis;
using namespace keyaxis::testing;

namespace {

const Inputs kInputs = randomInputs({2, 4, 2, 5, 5, 8, 3}, 1);

} // namespace

class TestPatterns : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aSeedMeansTheSameNumbersEverywhere()
    {
        const Inputs a = filled(kInputs, Pattern::Random, 7);
        QVERIFY(sameBits(*a.q, *filled(kInputs, Pattern::Random, 7).q));
        QVERIFY(!sameBits(*a.q, *filled(kInputs, Pattern::Random, 8).q));
        // Fixed figures: a change of the generator is a change of everybody's documents.
        QVERIFY(std::abs(a.q->data()[0] - 0.988474309F) < 1e-5F);
        double sum = 0;
        double squares = 0;
        const Inputs many =
            filled(resized(kInputs, {1, 1, 1, 100, 100, 100, 1}), Pattern::Random, 3);
        for (Index n = 0; n < 10000; ++n) {
            sum += double(many.q->data()[n]);
            squares += double(many.q->data()[n]) * double(many.q->data()[n]);
        }
        QVERIFY(std::abs(sum / 10000) < 0.05 && std::abs(squares / 10000 - 1) < 0.05);
    }

    void oneHotPointsAtItselfAndPreviousAtTheOneBefore()
    {
        for (const auto& [pattern, shift] :
             {std::pair{Pattern::OneHot, 0}, std::pair{Pattern::PreviousToken, 1}}) {
            const SliceStages stages = attendSlice(filled(kInputs, pattern, 0), {}, 1, 3).value();
            for (Index i = 0; i < 5; ++i) {
                Index largest = 0;
                stages.weights.row(i).maxCoeff(&largest);
                QCOMPARE(largest, std::max<Index>(0, i - shift));
                QVERIFY(stages.weights(i, largest) > 0.9F);
            }
        }
    }

    void previousTokenNeedsNotAsManyFeaturesAsKeys()
    {
        for (const Sizes& s : {Sizes{1, 2, 1, 40, 40, 2, 3}, Sizes{1, 1, 1, 300, 300, 16, 3},
                               Sizes{1, 1, 1, 12, 5, 3, 3}}) {
            const Inputs inputs = filled(randomInputs(s, 1), Pattern::PreviousToken, 0);
            const SliceStages stages = attendSlice(inputs, {}, 0, s.H - 1).value();
            for (Index i = 0; i < s.Tq; ++i)
                QVERIFY(stages.weights(i, std::clamp<Index>(i - 1, 0, s.Tk - 1)) > 0.9F);
        }
    }

    void identityValuesMakeTheOutputTheWeights()
    {
        const SliceStages ones = attendSlice(withOnesAsValues(kInputs), {}, 1, 2).value();
        QVERIFY(ones.output.isApproxToConstant(1.0F, 1e-6F));
        QCOMPARE(ones.output.cols(), 3);
        const SliceStages identity = attendSlice(withIdentityAsValues(kInputs), {}, 1, 2).value();
        QVERIFY(identity.output == identity.weights);
    }

    void resizingLeavesMissingValuesMissing()
    {
        Inputs inputs = kInputs;
        inputs.v.reset();
        QVERIFY(!resized(inputs, {2, 4, 2, 7, 7, 8, 0}).v);
        QCOMPARE(resized(inputs, {2, 4, 2, 7, 7, 8, 2}).v->shape(), (Shape{2, 2, 7, 2}));
    }

    void uniformMakesEveryLogitEqual()
    {
        const SliceStages stages =
            attendSlice(filled(kInputs, Pattern::Uniform, 0), {}, 0, 0).value();
        for (Index n = 0; n < 25; ++n)
            QCOMPARE(stages.weights.data()[n], 0.2F);
    }

    void aSentenceSetsTokensAndSizes()
    {
        const Inputs inputs = ofSentence(kInputs, "the cat, the  mat.", 5);
        QCOMPARE(inputs.queryTokens[1],
                 (std::vector<std::string>{"the", "cat", ",", "the", "mat", "."}));
        QCOMPARE(sizesOf(inputs), (Sizes{2, 4, 2, 6, 6, 8, 3}));
        QVERIFY(validated(inputs));
        for (Index d = 0; d < 8; ++d) { // equal words, equal vectors
            QCOMPARE(inputs.k->at(0, 1, 0, d), inputs.k->at(0, 1, 3, d));
            QVERIFY(inputs.k->at(0, 1, 0, d) != inputs.k->at(0, 1, 1, d));
        }
        QCOMPARE(ofSentence(kInputs, "   ", 5), kInputs);
    }

    void resizingKeepsWhatWasThere()
    {
        Inputs inputs = kInputs;
        inputs.keyTokens = {{"a", "b", "c", "d", "e"}, {"f", "g", "h", "i", "j"}};
        inputs.mask = share(Tensor::filled({1, 1, 5, 5}, 1));
        inputs.bias = share(Tensor::zeros({1, 1, 1, 1}));
        const Inputs larger = resized(inputs, {3, 4, 2, 6, 7, 8, 4});
        QVERIFY(validated(larger));
        QCOMPARE(larger.k->at(1, 1, 4, 7), inputs.k->at(1, 1, 4, 7));
        QCOMPARE(larger.k->at(1, 1, 6, 0), 0.0F);
        QCOMPARE(larger.keyTokens[1][4], std::string("j"));
        QCOMPARE(larger.keyTokens[2][6], std::string("k6"));
        QVERIFY(!larger.mask && larger.bias);
        QCOMPARE(resized(inputs, sizesOf(inputs)).q, inputs.q); // nothing is copied in vain
    }
};

QTEST_APPLESS_MAIN(TestPatterns)
#include "tst_patterns.moc"
