#include "core/proof/nan_story.h"
#include "tests/core/sample_values.h"

#include <QTest>
#include <cmath>
#include <limits>

using namespace keyaxis;
using Cause = NanStory::Cause;

namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

std::optional<NanStory> told(const Inputs& inputs, const ScoreSettings& settings,
                             const WeightCell& cell)
{
    const SliceStages slice = *attendSlice(inputs, settings, cell.b, cell.h);
    return *storyOfWeight(inputs, settings, slice, cell);
}

Inputs withNumber(const Inputs& inputs, SharedTensor Inputs::*which, float number, Index row)
{
    Inputs result = inputs;
    Tensor tensor = *(inputs.*which);
    tensor.at(0, 0, row, 0) = number;
    result.*which = share(std::move(tensor));
    return result;
}

/// The outputs of a document that are not finite.
std::vector<OutputRow> undefinedOutputs(const Inputs& inputs, const ScoreSettings& settings)
{
    const Attention all = *attend(inputs, settings);
    std::vector<OutputRow> rows;
    const Sizes sizes = sizesOf(inputs);
    for (Index b = 0; b < sizes.B; ++b)
        for (Index h = 0; h < sizes.H; ++h)
            for (Index i = 0; i < sizes.Tq; ++i)
                if (!all.output.slice(b, h).row(i).allFinite())
                    rows.push_back({b, h, i});
    return rows;
}

} // namespace

class TestNanStory : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void anEmptySliceIsFoundAlongEveryAxis_data()
    {
        QTest::addColumn<Axis>("axis");
        QTest::addColumn<std::string>("sentence");
        QTest::addColumn<Index>("nMembers");
        using S = std::string;
        QTest::newRow("key") << Axis::Key << S("Query moon may use no key: 0/0.") << Index{4};
        QTest::newRow("query")
            << Axis::Query
            << S("No query may use key k2: 0/0 there spoils every output of this head.")
            << Index{4};
        QTest::newRow("batch")
            << Axis::Batch
            << S("This cell is masked in every example: 0/0 spoils its row in each of them.")
            << Index{2};
        QTest::newRow("head")
            << Axis::Head
            << S("This cell is masked in every head: 0/0 spoils its row in each of them.")
            << Index{3};
    }
    void anEmptySliceIsFoundAlongEveryAxis()
    {
        QFETCH(Axis, axis);
        QFETCH(std::string, sentence);
        QFETCH(Index, nMembers);
        Inputs inputs = testing::randomInputs({2, 3, 1, 4, 4, 2, 3}, 1);
        inputs.queryTokens = {{"sun", "moon", "sea", "wind"}, {"a", "b", "c", "d"}};
        // Everything that shares the denominator of cell (0, 1, 1, 2) is hidden, nothing else.
        Tensor mask = Tensor::filled({2, 3, 4, 4}, 1.0F);
        for (Index n = 0; n < nMembers; ++n)
            mask.at(axis == Axis::Batch ? n : 0, axis == Axis::Head ? n : 1,
                    axis == Axis::Query ? n : 1, axis == Axis::Key ? n : 2) = 0.0F;
        inputs.mask = share(std::move(mask));
        ScoreSettings settings;
        settings.axis = axis;

        const NanStory story = told(inputs, settings, {0, 1, 1, 2}).value();
        QCOMPARE(story.cause, Cause::EmptySlice);
        QCOMPARE(story.sentence, sentence);
        QCOMPARE(static_cast<Index>(story.hidden.size()), nMembers);
        for (const NanStory::Hidden& hidden : story.hidden)
            QCOMPARE(hidden.by, HiddenBy::Mask);
        QCOMPARE(story.spoiled, undefinedOutputs(inputs, settings));

        settings.empty = EmptySlice::Zero;
        const SliceStages zero = *attendSlice(inputs, settings, 0, 1);
        QCOMPARE(story.zeroRowSum, zero.weights.row(1).cast<double>().sum());
        QCOMPARE(story.zeroOutput, Eigen::VectorXf(zero.output.row(1)));
        QVERIFY(story.zeroSentence.find("sums to") != std::string::npos);
        QVERIFY(!storyOfWeight(inputs, settings, zero, {0, 1, 1, 2})->has_value());
        // A finite weight has no story.
        if (axis != Axis::Key)
            QVERIFY(!told(inputs, ScoreSettings{}, {0, 1, 3, 3}));
    }

    void whatHidesACellIsNamed()
    {
        Inputs inputs = testing::randomInputs({1, 1, 1, 3, 5, 2, 2}, 1);
        Tensor mask = Tensor::filled({1, 1, 1, 5}, 1.0F);
        mask.at(0, 0, 0, 1) = 0.0F;
        inputs.mask = share(std::move(mask));
        Tensor bias = Tensor::zeros({1, 1, 3, 5});
        bias.at(0, 0, 2, 0) = -kInfinity;
        inputs.bias = share(std::move(bias));
        ScoreSettings settings;
        settings.causal = true;
        settings.align = Align::End;
        const auto by = [&](Index i, Index j) {
            return hiddenBy(inputs, settings, {0, 0, i, j}, -kInfinity);
        };
        QCOMPARE(by(0, 3), HiddenBy::Causal);
        QCOMPARE(by(0, 2), HiddenBy::Score);
        QCOMPARE(by(0, 1), HiddenBy::Mask);
        QCOMPARE(by(2, 0), HiddenBy::Bias);
        QCOMPARE(hiddenBy(inputs, settings, {0, 0, 0, 3}, 1.0F), HiddenBy::Nothing);
    }

    void anOddLogitIsTracedToItsNumber_data()
    {
        QTest::addColumn<int>("source");
        QTest::addColumn<std::string>("why");
        using S = std::string;
        QTest::newRow("q") << int(OddSource::Query) << S("q of query q1 is not finite");
        QTest::newRow("k") << int(OddSource::Key) << S("k of key k1 is not finite");
        QTest::newRow("bias") << int(OddSource::Bias) << S("the bias is not finite there");
        QTest::newRow("overflow") << int(OddSource::Overflow) << S("it overflows float32");
    }
    void anOddLogitIsTracedToItsNumber()
    {
        QFETCH(int, source);
        QFETCH(std::string, why);
        Inputs inputs = testing::randomInputs({1, 1, 1, 3, 3, 2, 2}, 1);
        if (source == int(OddSource::Query))
            inputs = withNumber(inputs, &Inputs::q, NAN, 1);
        if (source == int(OddSource::Key))
            inputs = withNumber(inputs, &Inputs::k, NAN, 1);
        if (source == int(OddSource::Bias)) {
            Tensor bias = Tensor::zeros({1, 1, 3, 3});
            bias.at(0, 0, 1, 1) = kInfinity;
            inputs.bias = share(std::move(bias));
        }
        if (source == int(OddSource::Overflow)) {
            inputs = withNumber(inputs, &Inputs::q, 1e30F, 1);
            inputs = withNumber(inputs, &Inputs::k, 1e30F, 1);
        }
        const NanStory story = told(inputs, {}, {0, 0, 1, 1}).value();
        QCOMPARE(story.cause, Cause::OddLogit);
        QCOMPARE(int(story.odd.front().source), source);
        QVERIFY2(story.sentence.find(why) != std::string::npos, story.sentence.c_str());
        QVERIFY(story.nanSentence.empty() && story.zeroSentence.empty());
        QVERIFY(std::isnan(story.zeroRowSum));
    }

    void anOddLogitSpoilsOnlyWhatIsAllowed()
    {
        ScoreSettings settings;
        settings.axis = Axis::Query;
        settings.causal = true;
        const Inputs inputs =
            withNumber(testing::randomInputs({1, 1, 1, 4, 4, 2, 2}, 1), &Inputs::k, NAN, 2);
        const NanStory story = told(inputs, settings, {0, 0, 3, 2}).value();
        QCOMPARE(story.spoiled, undefinedOutputs(inputs, settings));
        QCOMPARE(static_cast<Index>(story.spoiled.size()), 2);
    }

    void anOutputIsTracedToItsWeightOrItsValues()
    {
        Inputs inputs = testing::randomInputs({1, 1, 1, 4, 4, 2, 2}, 1);
        ScoreSettings settings;
        settings.causal = true;
        const auto storyOf = [&](const Inputs& of, Index i) {
            return *storyOfOutput(of, settings, *attendSlice(of, settings, 0, 0), {0, 0, i});
        };
        QVERIFY(!storyOf(inputs, 3));
        const Inputs odd = withNumber(inputs, &Inputs::v, kInfinity, 2);
        const NanStory values = storyOf(odd, 3).value();
        QCOMPARE(values.cause, Cause::OddValue);
        QCOMPARE(values.cell.j, 2);
        QCOMPARE(values.spoiled, undefinedOutputs(odd, settings));
        QCOMPARE(values.sentence, std::string("The value row of key k2 is not finite: it spoils "
                                              "every output that may use it."));
        QVERIFY(!storyOf(odd, 1));
        const Inputs weight = withNumber(inputs, &Inputs::q, NAN, 3);
        QCOMPARE(storyOf(weight, 3)->cause, Cause::OddLogit);
        settings.axis = Axis::Query;
        Inputs large = inputs;
        large.v = share(Tensor::filled({1, 1, 4, 2}, 3e38F));
        large.q = share(Tensor::zeros({1, 1, 4, 2}));
        QCOMPARE(storyOf(large, 3)->sentence,
                 std::string("The weighted sum of the value rows overflows float32."));
    }

    void aStoppedStoryIsCancelled()
    {
        Inputs inputs = testing::randomInputs({1, 1, 1, 2, 2, 2, 2}, 1);
        inputs.mask = share(Tensor::zeros({1, 1, 1, 1}));
        const SliceStages slice = *attendSlice(inputs, {}, 0, 0);
        std::stop_source source;
        source.request_stop();
        QCOMPARE(storyOfWeight(inputs, {}, slice, {}, source.get_token()).error().code,
                 Errc::Cancelled);
    }
};

QTEST_APPLESS_MAIN(TestNanStory)
#include "tst_nan_story.moc"
