#include "core/attention/alibi.h"
#include "core/attention/attention.h"
#include "core/proof/hypotheses.h"
#include "core/proof/replay.h"
#include "tests/core/sample_values.h"

#include <QTest>
#include <cmath>
#include <limits>

using namespace keyaxis;

namespace {

constexpr double kTolerance = 1e-5;

struct Dumped {
    Inputs inputs;
    ScoreSettings own; ///< what the file says of itself
    Tensor weights;
    Tensor output;
};

/// What somebody computed under `hypothesis` and dumped.
Dumped dumped(const Hypothesis& hypothesis,
              Inputs inputs = testing::randomInputs({2, 4, 2, 5, 5, 4, 3}, 6))
{
    const Attention all = *attendUnder(hypothesis, inputs, {});
    return {std::move(inputs), {}, all.weights, all.output};
}

Hypothesis over(Axis axis)
{
    Hypothesis h;
    h.settings.axis = axis;
    h.settings.empty = EmptySlice::Zero;
    return h;
}

Hypothesis fault(const std::string& name)
{
    Hypothesis h = over(Axis::Key);
    if (name == "query")
        h.settings.axis = Axis::Query;
    if (name == "head")
        h.settings.axis = Axis::Head;
    if (name == "batch")
        h.settings.axis = Axis::Batch;
    if (name == "causal" || name == "after")
        h.settings.causal = true;
    if (name == "unscaled")
        h.settings.scale = 1.0;
    if (name == "model width")
        h.settings.scale = 1.0 / std::sqrt(16.0);
    if (name == "ALiBi" || name == "flipped")
        h.settings.alibi = true;
    h.isAlibiFlipped = name == "flipped";
    h.masksAfter = name == "after";
    return h;
}

Replay replayOf(const Dumped& dump, bool isOutput)
{
    return *replay(dump.inputs, dump.own, isOutput ? dump.output : dump.weights, isOutput,
                   kTolerance);
}

} // namespace

class TestReplay : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyHypothesisIsFoundAgain_data()
    {
        QTest::addColumn<bool>("isOutput");
        QTest::addColumn<std::string>("words");
        QTest::addColumn<std::string>("code");
        const std::vector<std::array<const char*, 3>> cases{
            {"right", "as", ""},
            {"query", "The softmax ran over the queries. ", "softmax(scores, dim=-1)"},
            {"head",
             "The softmax ran over the heads, as happens on four dimensions when dim is omitted. ",
             "softmax(scores, dim=-1)"},
            {"batch",
             "The softmax ran over the examples, as happens on three dimensions when dim is "
             "omitted. ",
             "softmax(scores, dim=-1)"},
            {"causal", "softmax over keys · causal (start)", ""},
            {"after", "The mask was applied after the softmax. ", "float('-inf')"},
            {"unscaled", "The scores were not scaled. ", "math.sqrt(q.size(-1))"},
            {"model width",
             "The scores were divided by the square root of all heads' width, not of one head's. ",
             "math.sqrt(q.size(-1))"},
            {"ALiBi", "ALiBi (authors)", ""},
            {"flipped", "ALiBi was added with the wrong sign. ", "scores - slopes"},
        };
        for (const bool isOutput : {false, true})
            for (const auto& [name, words, code] : cases)
                QTest::addRow("%s, %s", name, isOutput ? "output" : "weights")
                    << isOutput << std::string(words) << std::string(code);
    }
    void everyHypothesisIsFoundAgain()
    {
        QFETCH(bool, isOutput);
        QFETCH(std::string, words);
        QFETCH(std::string, code);
        const std::string tag = QTest::currentDataTag();
        const Hypothesis expected = fault(tag.substr(0, tag.find(',')));
        const Replay found = replayOf(dumped(expected), isOutput);
        const Replayed& best = found.best.front();
        QVERIFY2(best.fits, found.sentence.c_str());
        QVERIFY(!best.firstCell);
        QCOMPARE(best.hypothesis.settings.axis, expected.settings.axis);
        QCOMPARE(best.hypothesis.settings.causal, expected.settings.causal);
        QCOMPARE(best.hypothesis.settings.scale, expected.settings.scale);
        QCOMPARE(best.hypothesis.settings.alibi, expected.settings.alibi);
        QCOMPARE(best.hypothesis.isAlibiFlipped, expected.isAlibiFlipped);
        QCOMPARE(best.hypothesis.masksAfter, expected.masksAfter);
        // The batch axis cancels ALiBi of either sign.
        QCOMPARE(found.nFitting, expected.settings.axis == Axis::Batch ? 3 : 1);
        QVERIFY2(found.sentence.find(words) != std::string::npos, found.sentence.c_str());
        QCOMPARE(found.code.empty(), code.empty());
        if (!code.empty())
            QVERIFY2(found.code.front().find(code) != std::string::npos,
                     found.code.front().c_str());
    }

    void theOtherDiagonalIsFoundWhereSizesDiffer()
    {
        Hypothesis h = fault("causal");
        h.settings.align = Align::End;
        Dumped dump = dumped(h, testing::randomInputs({1, 2, 2, 3, 6, 4, 3}, 6));
        dump.own.causal = true;
        const Replay found = replayOf(dump, false);
        QVERIFY(found.best.front().fits);
        QCOMPARE(found.best.front().hypothesis.settings.align, Align::End);
        QVERIFY(found.sentence.starts_with("The causal diagonal starts at the other end. "));
    }

    void whatTheFileBringsMayHaveBeenLeftOut()
    {
        Dumped dump = dumped(over(Axis::Key));
        Tensor mask = Tensor::filled({1, 1, 5, 5}, 1.0F);
        mask.at(0, 0, 2, 1) = 0.0F;
        dump.inputs.mask = share(std::move(mask));
        const Replay unmasked = replayOf(dump, false);
        QVERIFY(unmasked.best.front().fits && !unmasked.best.front().hypothesis.usesMask);
        QVERIFY(unmasked.sentence.starts_with("The file's mask was not applied. "));
        dump.inputs.mask = nullptr;
        dump.inputs.bias = share(testing::randomTensor({1, 1, 5, 5}, 4));
        QVERIFY(replayOf(dump, false).sentence.starts_with("The file's bias was not added. "));
        dump.inputs.bias = nullptr;
        dump.own.alibi = true;
        QVERIFY(replayOf(dump, false).sentence.starts_with("ALiBi was left out. "));
        dump.own.alibi = false;
        dump.own.causal = true;
        QVERIFY(replayOf(dump, false).sentence.starts_with("No causal mask was applied. "));
    }

    void twoFaultsAreBothNamed()
    {
        Hypothesis h = fault("head");
        h.settings.scale = 1.0;
        const Replay found = replayOf(dumped(h), true);
        QVERIFY2(found.sentence.starts_with("The scores were not scaled; and the softmax ran over "
                                            "the heads"),
                 found.sentence.c_str());
        QCOMPARE(found.code.size(), 2U);
    }

    void whereNothingFitsThatIsSaid()
    {
        Dumped dump = dumped(over(Axis::Key));
        dump.weights.at(1, 2, 3, 4) += 0.05F;
        const Replay found = replayOf(dump, false);
        QCOMPARE(found.nFitting, 0);
        const Replayed& best = found.best.front();
        QCOMPARE(best.hypothesis.settings.axis, Axis::Key);
        QVERIFY(std::abs(best.largestDifference - 0.05) < 1e-5);
        QCOMPARE(*best.firstCell, (std::array<Index, 4>{1, 2, 3, 4}));
        QVERIFY(found.code.empty());
        QVERIFY(found.sentence.starts_with("No hypothesis explains the weights: the nearest, "
                                           "softmax over keys"));
        QVERIFY(found.sentence.ends_with("dropout or a padding mask."));
    }

    void nanCountsAsANumberOfItsOwn()
    {
        Hypothesis h = fault("causal");
        h.settings.axis = Axis::Head;
        h.settings.empty = EmptySlice::Nan;
        const Replay found = replayOf(dumped(h), false);
        QVERIFY(found.best.front().fits);
        QCOMPARE(found.best.front().hypothesis.settings.axis, Axis::Head);
        QVERIFY(found.best.front().hypothesis.settings.causal);

        Dumped odd = dumped(over(Axis::Key));
        odd.weights.at(0, 1, 0, 0) = NAN;
        const Replay none = replayOf(odd, false);
        QCOMPARE(none.nFitting, 0);
        QCOMPARE(none.best.front().largestDifference, std::numeric_limits<double>::infinity());
    }

    void ambiguousDumpsAreCalledSo()
    {
        // Equal scores over a square: rows and columns both sum to 1.
        Dumped dump;
        dump.inputs = testing::randomInputs({1, 1, 1, 3, 3, 2, 2}, 1);
        dump.inputs.q = share(Tensor::zeros({1, 1, 3, 2}));
        dump.weights = Tensor::filled({1, 1, 3, 3}, 1.0F / 3.0F);
        const Replay found = replayOf(dump, false);
        QVERIFY(found.nFitting > 1);
        QCOMPARE(found.best.front().hypothesis, over(Axis::Key)); // the plainest
        QVERIFY(found.sentence.ends_with("Other hypotheses fit as well; this is the plainest."));
    }

    void largeDumpsAreRankedByASample()
    {
        const Hypothesis h = fault("query");
        const Dumped dump = dumped(h, testing::randomInputs({1, 4, 4, 300, 300, 8, 8}, 2, 1.0F));
        for (const bool isOutput : {false, true}) {
            const Replay found = replayOf(dump, isOutput);
            QVERIFY(found.best.front().fits);
            QCOMPARE(found.best.front().hypothesis.settings.axis, Axis::Query);
        }
    }

    void errorsAreSaid()
    {
        Dumped dump = dumped(over(Axis::Key));
        const auto misfit = replay(dump.inputs, {}, Tensor::zeros({2, 4, 5, 6}), false, 1e-5);
        QCOMPARE(misfit.error().code, Errc::BadInput);
        QCOMPARE(misfit.error().message, std::string("weights [2, 4, 5, 6] must be [2, 4, 5, 5] to "
                                                     "belong to q, k and v."));
        std::stop_source source;
        source.request_stop();
        QCOMPARE(
            replay(dump.inputs, {}, dump.weights, false, 1e-5, source.get_token()).error().code,
            Errc::Cancelled);
        dump.inputs.v = nullptr;
        QCOMPARE(replay(dump.inputs, {}, dump.output, true, 1e-5).error().code, Errc::BadValue);
    }
};

QTEST_APPLESS_MAIN(TestReplay)
#include "tst_replay.moc"
