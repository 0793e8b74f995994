#include "core/attention/attention.h"
#include "core/attention/softmax.h"
#include "core/proof/detective.h"
#include "tests/core/sample_values.h"

#include <QTest>
#include <algorithm>
#include <cmath>
#include <limits>

using namespace keyaxis;
using namespace keyaxis::testing;

namespace {

std::vector<double> doubles(const Tensor& tensor)
{
    return {tensor.data(), tensor.data() + tensor.size()};
}

Tensor softmaxed(Axis axis, bool isCausal = false, Shape shape = {2, 3, 6, 6})
{
    Tensor logits = randomTensor(shape, 3, 2.0F);
    if (isCausal)
        for (Index b = 0; b < shape.batch; ++b)
            for (Index h = 0; h < shape.heads; ++h)
                for (Index i = 0; i < shape.rows; ++i)
                    for (Index j = i + 1; j < shape.cols; ++j)
                        logits.at(b, h, i, j) = -INFINITY;
    return softmax(logits, axis, {1.0F, EmptySlice::Nan}).value();
}

Findings of(const Tensor& tensor)
{
    return investigate(doubles(tensor), tensor.shape(), 1e-5);
}

QString firstSentence(const Findings& findings)
{
    return QString::fromStdString(findings.sentences.front());
}

constexpr AxisSet kBatch(1), kHead(2), kQuery(4), kKey(8), kHeadKey(10);

} // namespace

class TestDetective : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void findsTheAxis_data()
    {
        QTest::addColumn<int>("axis");
        QTest::addColumn<unsigned>("set");
        QTest::addColumn<QString>("says");
        QTest::newRow("key") << int(Axis::Key) << kKey.bits() << "each query has a distribution";
        QTest::newRow("query") << int(Axis::Query) << kQuery.bits() << "over the queries";
        QTest::newRow("head") << int(Axis::Head) << kHead.bits()
                              << "without dim on four dimensions";
        QTest::newRow("batch") << int(Axis::Batch) << kBatch.bits()
                               << "It sums to 1 over the examples; use dim=-1.";
    }
    void findsTheAxis()
    {
        QFETCH(int, axis);
        QFETCH(unsigned, set);
        QFETCH(QString, says);
        const Findings findings = of(softmaxed(Axis(axis)));
        for (const AxisSums& sums : findings.sums)
            QCOMPARE(sums.holds, sums.axes == AxisSet(set));
        QVERIFY2(firstSentence(findings).contains(says), qPrintable(firstSentence(findings)));
        QCOMPARE(findings.triangle, Triangle::None);
    }

    void aLineOfSumsHidesNone()
    {
        AxisSums sums{kKey, 0.25, 9, 2, 1, 0.75, 1.25, false};
        QCOMPARE(QString::fromStdString(sumsText(sums)),
                 "sums 0.75 … 1.25, 1 of 9 undefined, 2 of 9 empty");
        sums.nZero = sums.nUndefined = 0;
        QCOMPARE(QString::fromStdString(sumsText(sums)), "sums 0.75 … 1.25");
        sums.largestDeviation = std::numeric_limits<double>::quiet_NaN();
        sums.nUndefined = 9;
        QCOMPARE(QString::fromStdString(sumsText(sums)), "no sum is defined, 9 of 9 undefined");
    }

    void whatPyTorchDoesWithoutDimDependsOnTheAxes_data()
    {
        QTest::addColumn<int>("axis");
        QTest::addColumn<std::string>("dims");
        QTest::addColumn<QString>("ends");
        QTest::newRow("dimension 1 of four") << int(Axis::Head) << std::string("bhqk")
                                             << "without dim on four dimensions; use dim=-1.";
        QTest::newRow("dimension 0 of three, heads")
            << int(Axis::Head) << std::string("hqk")
            << "without dim on three dimensions; use dim=-1.";
        QTest::newRow("dimension 0 of three, examples")
            << int(Axis::Batch) << std::string("bqk")
            << "without dim on three dimensions; use dim=-1.";
        QTest::newRow("dimension 1 of two") << int(Axis::Query) << std::string("kq")
                                            << "without dim on two dimensions: each key hands out "
                                               "1 and no query is owed 1; use dim=-2.";
        QTest::newRow("another dimension")
            << int(Axis::Head) << std::string("hbkq") << "over the heads; use dim=-2.";
        QTest::newRow("no keys to run over") << int(Axis::Query) << std::string("q")
                                             << "one dimension: each key hands out 1 and no query "
                                                "is owed 1.";
    }
    void whatPyTorchDoesWithoutDimDependsOnTheAxes()
    {
        QFETCH(int, axis);
        QFETCH(std::string, dims);
        QFETCH(QString, ends);
        const Tensor tensor = softmaxed(Axis(axis));
        const Findings findings = investigate(doubles(tensor), tensor.shape(), 1e-5, dims);
        QVERIFY2(firstSentence(findings).endsWith(ends), qPrintable(firstSentence(findings)));
    }

    void findsAJointSoftmax()
    {
        // Over heads and keys at once: as one axis of length H Tk.
        Tensor logits = randomTensor({2, 3, 6, 5}, 7, 2.0F);
        Tensor weights(logits.shape());
        for (Index b = 0; b < 2; ++b)
            for (Index i = 0; i < 6; ++i) {
                double sum = 0;
                for (Index h = 0; h < 3; ++h)
                    for (Index j = 0; j < 5; ++j)
                        sum += std::exp(double(logits.at(b, h, i, j)));
                for (Index h = 0; h < 3; ++h)
                    for (Index j = 0; j < 5; ++j)
                        weights.at(b, h, i, j) =
                            static_cast<float>(std::exp(double(logits.at(b, h, i, j))) / sum);
            }
        const Findings findings = of(weights);
        QVERIFY(findings.holdsAlong(kHeadKey) && !findings.holdsAlong(kKey));
        QVERIFY(firstSentence(findings).contains("heads and keys jointly"));
        QCOMPARE(kHeadKey.name(), std::string("head+key"));
    }

    void aCausalTriangleIsSeen()
    {
        QCOMPARE(of(softmaxed(Axis::Key, true)).triangle, Triangle::Start);
        Tensor flipped = softmaxed(Axis::Key, true);
        for (Index b = 0; b < 2; ++b)
            for (Index h = 0; h < 3; ++h)
                flipped.slice(b, h) = Matrix(flipped.slice(b, h)).reverse().eval();
        const Findings findings = of(flipped);
        QCOMPARE(findings.triangle, Triangle::Flipped);
        QVERIFY(findings.holdsAlong(kKey));
    }

    void nanSlicesDoNotHideTheAxis()
    {
        const Findings findings = of(softmaxed(Axis::Head, true));
        QVERIFY(findings.holdsAlong(kHead));
        QCOMPARE(findings.along(kHead).nUndefined, 2 * 15);
        QCOMPARE(findings.nNan, 2 * 3 * 15);
        QCOMPARE(findings.triangle, Triangle::Start);
    }

    void aMaskAfterTheSoftmaxIsNamed()
    {
        Tensor weights = softmaxed(Axis::Key);
        for (Index b = 0; b < 2; ++b)
            for (Index h = 0; h < 3; ++h)
                for (Index i = 0; i < 6; ++i)
                    for (Index j = i + 1; j < 6; ++j)
                        weights.at(b, h, i, j) = 0;
        const Findings findings = of(weights);
        QVERIFY(!findings.holdsAlong(kKey));
        QVERIFY(firstSentence(findings).contains("mask is applied after the softmax"));
    }

    void dropoutIsNamed_data()
    {
        QTest::addColumn<bool>("isCausal");
        QTest::newRow("no mask") << false;
        QTest::newRow("causal") << true;
    }
    void dropoutIsNamed()
    {
        QFETCH(bool, isCausal);
        Tensor weights = softmaxed(Axis::Key, isCausal, {4, 4, 16, 16});
        Numbers numbers(5);
        for (Index n = 0; n < weights.size(); ++n)
            weights.data()[n] *= numbers.next(1.0F) < -0.8F ? 0.0F : 1.0F / 0.9F; // p = 0.1
        const Findings findings = of(weights);
        QVERIFY(findings.triangle == (isCausal ? Triangle::Start : Triangle::None));
        QVERIFY2(firstSentence(findings).endsWith("% of the weights are 0, as after dropout."),
                 qPrintable(firstSentence(findings)));
        // Zeros without rows around 1 are something else.
        for (Index n = 0; n < weights.size(); ++n)
            weights.data()[n] *= 0.5F;
        QVERIFY(!firstSentence(of(weights)).contains("dropout"));
    }

    void uniformAndDoublyStochasticWeightsAreAmbiguous()
    {
        const Findings uniform = of(Tensor::filled({1, 1, 4, 4}, 0.25F));
        QVERIFY(uniform.holdsAlong(kKey) && uniform.holdsAlong(kQuery));
        QVERIFY(firstSentence(uniform).startsWith("Ambiguous"));
        QVERIFY(firstSentence(uniform).contains("all weights are equal"));
        Tensor permutation = Tensor::zeros({1, 1, 3, 3});
        permutation.at(0, 0, 0, 1) = permutation.at(0, 0, 1, 2) = permutation.at(0, 0, 2, 0) = 1;
        QVERIFY(firstSentence(of(permutation)).startsWith("Ambiguous"));
    }

    void anAxisOfLengthOneIsNoRival()
    {
        const Findings findings = of(softmaxed(Axis::Key, false, {1, 1, 5, 6}));
        QVERIFY(findings.holdsAlong(kKey) && findings.holdsAlong(AxisSet(11)));
        QVERIFY(!firstSentence(findings).startsWith("Ambiguous"));
    }

    void negativeAndTooLargeWeightsAreCounted()
    {
        Tensor weights = softmaxed(Axis::Key);
        weights.at(0, 0, 0, 0) = -0.5F;
        weights.at(1, 2, 5, 5) = 1.5F;
        const Findings findings = of(weights);
        QCOMPARE(findings.nNegative, 1);
        QCOMPARE(findings.nAboveOne, 1);
        QCOMPARE(findings.smallest, -0.5);
        QCOMPARE(findings.largest, 1.5);
        QVERIFY(!findings.holdsAlong(kKey));
    }

    void theToleranceDecides()
    {
        Tensor weights = softmaxed(Axis::Key);
        weights.at(0, 0, 0, 0) += 0.001F;
        QVERIFY(!investigate(doubles(weights), weights.shape(), 1e-5).holdsAlong(kKey));
        QVERIFY(investigate(doubles(weights), weights.shape(), 2e-3).holdsAlong(kKey));
    }

    void nothingIsNoCrash()
    {
        QVERIFY(!investigate({}, {1, 1, 0, 3}, 1e-5).sentences.empty());
        // A tensor of 138 bytes that a fuzzer made.
        const Findings huge = investigate({}, {2221, 1, 66666666663, 0}, 1e-5);
        QCOMPARE(huge.sums.size(), std::size_t(15));
        QVERIFY(std::ranges::none_of(huge.sums, &AxisSums::holds));
        const Findings nan = of(Tensor::filled({1, 1, 2, 2}, NAN));
        QVERIFY(firstSentence(nan).contains("nothing can be said"));
        QVERIFY(std::isnan(nan.smallest));
    }
};

QTEST_APPLESS_MAIN(TestDetective)
#include "tst_detective.moc"
