#include "core/proof/hull.h"
#include "core/proof/normaliser.h"
#include "tests/core/sample_values.h"

#include <QTest>
#include <cmath>
#include <limits>

using namespace keyaxis;
using Kind = Normaliser::Kind;

namespace {

constexpr float kMasked = -std::numeric_limits<float>::infinity();
constexpr AxisSet kKey(8), kHeadKey(10), kAll(15), kBatchHead(3);
const Sizes kSizes{2, 3, 3, 4, 5, 2, 2};

ScoreSettings along(Axis axis, bool causal = false)
{
    ScoreSettings settings;
    settings.axis = axis;
    settings.causal = causal;
    settings.temperature = 0.8F;
    return settings;
}

NormalisedSlice normalised(const ScoreSettings& settings, const Normaliser& normaliser, Index b = 1,
                           Index h = 2)
{
    return *normalisedSlice(testing::randomInputs(kSizes, 4), settings, normaliser, b, h);
}

/// e^z of every allowed cell; 0 where masked.
double power(const Tensor& logits, Index b, Index h, Index i, Index j)
{
    return std::exp(double{logits.at(b, h, i, j)});
}

double largestDifference(const Matrix& a, const Matrix& b)
{
    return double{(a - b).cwiseAbs().maxCoeff()};
}

} // namespace

class TestNormaliser : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void weightsFollowTheirFormulas_data()
    {
        QTest::addColumn<Axis>("axis");
        QTest::addColumn<bool>("causal");
        for (const Axis axis : kAllAxes)
            for (const bool causal : {false, true})
                QTest::addRow("%s axis, %s", std::string(names(axis).name).c_str(),
                              causal ? "causal" : "no mask")
                    << axis << causal;
    }
    void weightsFollowTheirFormulas()
    {
        QFETCH(Axis, axis);
        QFETCH(bool, causal);
        ScoreSettings settings = along(axis, causal);
        settings.empty = EmptySlice::Zero;
        const Attention all = *attend(testing::randomInputs(kSizes, 4), settings, {.logits = true});
        const Tensor& z = all.logits;
        const NormalisedSlice plain = normalised(settings, {});
        const NormalisedSlice slots = normalised(settings, {Kind::Renormalised});
        const NormalisedSlice sink = normalised(settings, {Kind::Sink});
        const NormalisedSlice sigmoid = normalised(settings, {Kind::Sigmoid});
        const NormalisedSlice joint = normalised(settings, {Kind::Joint, kHeadKey});
        QVERIFY(testing::sameBits(plain.weights, Matrix(all.weights.slice(1, 2))));
        QVERIFY(testing::sameBits(plain.output, Matrix(all.output.slice(1, 2))));
        for (Index i = 0; i < kSizes.Tq; ++i)
            for (Index j = 0; j < kSizes.Tk; ++j) {
                const double own = power(z, 1, 2, i, j);
                double slice = 0.0;
                double headsAndKeys = 0.0;
                for (Index n = 0; n < 5; ++n) {
                    if (axis == Axis::Key || (axis == Axis::Query && n < kSizes.Tq))
                        slice += axis == Axis::Key ? power(z, 1, 2, i, n) : power(z, 1, 2, n, j);
                    if ((axis == Axis::Batch && n < kSizes.B) ||
                        (axis == Axis::Head && n < kSizes.H))
                        slice += axis == Axis::Batch ? power(z, n, 2, i, j) : power(z, 1, n, i, j);
                    for (Index head = 0; head < kSizes.H; ++head)
                        headsAndKeys += power(z, 1, head, i, n);
                }
                const auto compare = [&](const NormalisedSlice& found, double expected) {
                    QVERIFY(std::abs(double{found.weights(i, j)} - expected) < 1e-6);
                };
                compare(sink, own / (1.0 + slice));
                compare(sigmoid, own / (1.0 + own));
                compare(joint, own / headsAndKeys);
                const double sum = plain.weights.row(i).cast<double>().sum();
                compare(slots, double{plain.weights(i, j)} / sum);
            }
        const Matrix values = testing::randomInputs(kSizes, 4).v->slice(1, 2);
        QVERIFY(largestDifference(sink.output, sink.weights * values) < 1e-5);
        QVERIFY(slots.isConvex);
        QCOMPARE(sink.isSubConvex, sink.certificate.largestSum <= 1.0 + 1e-5);
    }

    void aJointSoftmaxOverTheKeysAloneIsThePlainOne()
    {
        for (const bool causal : {false, true})
            QVERIFY(
                largestDifference(normalised(along(Axis::Key, causal), {Kind::Joint, kKey}).weights,
                                  normalised(along(Axis::Key, causal), {}).weights) < 1e-6);
    }

    void aJointSoftmaxSumsToOneOverItsSet()
    {
        double sum = 0.0;
        for (Index b = 0; b < kSizes.B; ++b)
            for (Index h = 0; h < kSizes.H; ++h)
                sum += normalised(along(Axis::Query, true), {Kind::Joint, kAll}, b, h)
                           .weights.cast<double>()
                           .sum();
        QVERIFY(std::abs(sum - 1.0) < 1e-6);
    }

    void theVerdictNamesWhatHolds_data()
    {
        QTest::addColumn<Axis>("axis");
        QTest::addColumn<int>("kind");
        QTest::addColumn<unsigned>("set");
        QTest::addColumn<std::string>("starts");
        QTest::addColumn<std::string>("ends");
        using S = std::string;
        const S free = " Nothing is coupled.";
        QTest::newRow("plain, keys") << Axis::Key << int(Kind::Plain) << 0U
                                     << S("Convex: each query spreads 1 over the keys; rows sum to "
                                          "1.00.")
                                     << free;
        QTest::newRow("plain, queries")
            << Axis::Query << int(Kind::Plain) << 0U << S("Not convex: each key spreads 1")
            << S(" Coupled: queries sit in each other's denominators.");
        QTest::newRow("renormalised, queries")
            << Axis::Query << int(Kind::Renormalised) << 0U
            << S("Convex: each row was divided by its sum, as Slot Attention does;")
            << S(" Coupled: queries sit in each other's denominators.");
        QTest::newRow("joint") << Axis::Key << int(Kind::Joint) << kHeadKey.bits()
                               << S("Sub-convex: one softmax runs over head+key; rows sum to 0.")
                               << S(" Coupled: heads sit in each other's denominators.");
        QTest::newRow("joint, without the keys")
            << Axis::Key << int(Kind::Joint) << kBatchHead.bits()
            << S("one softmax runs over batch+head")
            << S(" Coupled: examples and heads sit in each other's denominators.");
        QTest::newRow("sink, keys") << Axis::Key << int(Kind::Sink) << 0U
                                    << S("Sub-convex: a sink takes what the +1 in the denominator "
                                         "leaves; rows sum to 0.")
                                    << free;
        QTest::newRow("sigmoid") << Axis::Key << int(Kind::Sigmoid) << 0U
                                 << S("Not convex: each weight is on its own;") << free;
    }
    void theVerdictNamesWhatHolds()
    {
        QFETCH(Axis, axis);
        QFETCH(int, kind);
        QFETCH(unsigned, set);
        QFETCH(std::string, starts);
        QFETCH(std::string, ends);
        const NormalisedSlice slice =
            normalised(along(axis), {static_cast<Kind>(kind), AxisSet(set)});
        QVERIFY2(slice.sentence.find(starts) != std::string::npos, slice.sentence.c_str());
        QVERIFY2(slice.sentence.ends_with(ends), slice.sentence.c_str());
        QCOMPARE(slice.isCoupled, ends.find("Coupled") != std::string::npos);
        if (slice.isConvex)
            QVERIFY(slice.isSubConvex);
    }

    void aSubConvexOutputLiesBetweenZeroAndTheHull()
    {
        const NormalisedSlice slice = normalised(along(Axis::Key), {Kind::Sink});
        Matrix withZero = Matrix::Zero(kSizes.Tk + 1, kSizes.dv);
        withZero.topRows(kSizes.Tk) = testing::randomInputs(kSizes, 4).v->slice(1, 2);
        for (Index i = 0; i < kSizes.Tq; ++i)
            QCOMPARE(distanceToHull(slice.output.row(i).cast<double>(), viewOf(withZero),
                                    {0, 1, 2, 3, 4, 5})
                         .place,
                     HullDistance::Place::Inside);
    }

    void emptyDenominatorsFollowThePolicyAndASinkIsNeverEmpty()
    {
        Inputs inputs = testing::randomInputs({1, 1, 1, 2, 3, 2, 2}, 4);
        Tensor mask = Tensor::filled({1, 1, 2, 3}, 1.0F);
        mask.slice(0, 0).row(0).setZero();
        inputs.mask = share(std::move(mask));
        ScoreSettings settings;
        const auto firstRow = [&](Kind kind, EmptySlice empty) {
            settings.empty = empty;
            return normalisedSlice(inputs, settings, {kind, kKey}, 0, 0)->weights.row(0).eval();
        };
        for (const Kind kind : {Kind::Renormalised, Kind::Joint}) {
            QVERIFY(firstRow(kind, EmptySlice::Nan).array().isNaN().all());
            QVERIFY((firstRow(kind, EmptySlice::Zero).array() == 0.0F).all());
        }
        for (const Kind kind : {Kind::Sink, Kind::Sigmoid})
            QVERIFY((firstRow(kind, EmptySlice::Nan).array() == 0.0F).all());
        settings.empty = EmptySlice::Nan;
        const auto told = normalisedSlice(inputs, settings, {Kind::Joint, kKey}, 0, 0);
        QVERIFY(told->sentence.find("1 row is undefined.") != std::string::npos);
        QVERIFY(told->output.row(0).hasNaN() && told->output.row(1).allFinite());
    }

    void largeAndMaskedLogitsDoNotOverflow()
    {
        Inputs inputs = testing::randomInputs({1, 1, 1, 1, 3, 1, 1}, 4);
        inputs.q = share(Tensor::filled({1, 1, 1, 1}, 1.0F));
        Tensor k({1, 1, 3, 1});
        k.slice(0, 0) << 900.0F, 899.0F, kMasked;
        inputs.k = share(std::move(k));
        Tensor v = Tensor::filled({1, 1, 3, 1}, 1.0F);
        v.at(0, 0, 2, 0) = NAN; // behind the mask
        inputs.v = share(std::move(v));
        for (const Kind kind : {Kind::Renormalised, Kind::Joint, Kind::Sink, Kind::Sigmoid}) {
            const auto slice = normalisedSlice(inputs, {}, {kind, kKey}, 0, 0);
            QVERIFY(slice->weights.allFinite() && slice->output.allFinite());
            QCOMPARE(slice->weights(0, 2), 0.0F);
            QVERIFY(slice->weights(0, 0) > 0.7F);
        }
    }

    void oddLogitsStayUndefined()
    {
        for (const float odd : {NAN, std::numeric_limits<float>::infinity()}) {
            Inputs inputs = testing::randomInputs({1, 1, 1, 1, 2, 1, 1}, 4);
            Tensor bias = Tensor::zeros({1, 1, 1, 2});
            bias.at(0, 0, 0, 1) = odd;
            inputs.bias = share(std::move(bias));
            for (const Kind kind : {Kind::Renormalised, Kind::Joint, Kind::Sink})
                QVERIFY(
                    normalisedSlice(inputs, {}, {kind, kKey}, 0, 0)->weights.array().isNaN().all());
        }
    }

    void errorsAreSaid()
    {
        const Inputs inputs = testing::randomInputs({1, 2, 2, 2, 2, 1, 1}, 4);
        ScoreSettings settings;
        QCOMPARE(normalisedSlice(inputs, settings, {Kind::Joint}, 0, 0).error().code,
                 Errc::BadValue);
        std::stop_source source;
        source.request_stop();
        QCOMPARE(
            normalisedSlice(inputs, settings, {Kind::Joint, kHeadKey}, 0, 0, source.get_token())
                .error()
                .code,
            Errc::Cancelled);
        settings.temperature = 0.0F;
        for (const Kind kind : {Kind::Joint, Kind::Sink, Kind::Sigmoid})
            QCOMPARE(normalisedSlice(inputs, settings, {kind, kKey}, 0, 0).error().code,
                     Errc::BadValue);
        QVERIFY(normalisedSlice(inputs, settings, {Kind::Renormalised}, 0, 0));
    }
};

QTEST_APPLESS_MAIN(TestNormaliser)
#include "tst_normaliser.moc"
