#include "core/attention/lanes.h"
#include "core/attention/softmax.h"
#include "core/parallel.h"
#include "tests/core/sample_values.h"

#include <QTest>
#include <cmath>

using namespace keyaxis;
using namespace keyaxis::testing;

namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr double kUnit = 0x1p-24;

/// The plainest loop in float64: the slice of (b, h, i, j) along an axis, entry by entry.
double plainWeight(const Tensor& logits, Axis axis, std::array<Index, 4> at, double temperature)
{
    const Shape& s = logits.shape();
    const std::array<Index, 4> sizes{s.batch, s.heads, s.rows, s.cols};
    const std::size_t along = axis == Axis::Batch   ? 0
                              : axis == Axis::Head  ? 1
                              : axis == Axis::Query ? 2
                                                    : 3;
    const auto value = [&](std::array<Index, 4> p) {
        return static_cast<double>(logits.at(p[0], p[1], p[2], p[3]));
    };
    double largest = -kInfinity;
    std::array<Index, 4> p = at;
    for (p[along] = 0; p[along] < sizes[along]; ++p[along])
        largest = std::max(largest, value(p));
    double sum = 0;
    for (p[along] = 0; p[along] < sizes[along]; ++p[along])
        sum += std::exp((value(p) - largest) / temperature);
    return std::exp((value(at) - largest) / temperature) / sum;
}

Tensor softmaxOf(const Tensor& logits, Axis axis, SoftmaxOptions options = {})
{
    return softmax(logits, axis, options).value();
}

} // namespace

class TestSoftmax : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void exponentialIsAccurateDownToSubnormals()
    {
        for (double x = 0; x > -104; x -= 0.0371) {
            const auto z = static_cast<float>(x);
            const double expected = std::exp(static_cast<double>(z));
            const double actual = static_cast<double>(lanes::exp(lanes::all(z))[5]);
            const double ulp = std::max(expected * 2 * kUnit, 0x1p-149);
            QVERIFY2(std::abs(actual - expected) <= 1.5 * ulp, qPrintable(QString::number(x)));
        }
        QCOMPARE(lanes::exp(lanes::all(-kInfinity))[0], 0.0F);
        QVERIFY(!std::signbit(static_cast<float>(lanes::exp(lanes::all(-kInfinity))[0])));
        QVERIFY(std::isnan(static_cast<float>(lanes::exp(lanes::all(kNan))[3])));
        QCOMPARE(lanes::exp(lanes::all(0.0F))[15], 1.0F);
    }

    void agreesWithThePlainestLoop_data()
    {
        QTest::addColumn<int>("axis");
        QTest::addColumn<QList<int>>("shape");
        QTest::addColumn<float>("temperature");
        const QList<QPair<const char*, QList<int>>> shapes{{"one entry", {1, 1, 1, 1}},
                                                           {"length-1 keys", {2, 3, 5, 1}},
                                                           {"one block less one", {1, 2, 31, 31}},
                                                           {"one block", {2, 1, 32, 32}},
                                                           {"one block plus one", {3, 2, 33, 33}},
                                                           {"two vectors plus one", {2, 5, 7, 65}},
                                                           {"many of everything", {5, 6, 17, 70}},
                                                           {"one query", {2, 2, 1, 130}}};
        for (const Axis axis : kAllAxes)
            for (const auto& [name, shape] : shapes)
                for (const float temperature : {1.0F, 0.3F})
                    QTest::addRow("%s, %s, %g", names(axis).name.data(), name, double(temperature))
                        << int(axis) << shape << temperature;
    }
    void agreesWithThePlainestLoop()
    {
        QFETCH(int, axis);
        QFETCH(QList<int>, shape);
        QFETCH(float, temperature);
        Tensor logits = randomTensor({shape[0], shape[1], shape[2], shape[3]}, 7, 9.0F);
        for (Index n = 3; n < logits.size(); n += 11)
            logits.data()[n] = -kInfinity;
        const Tensor weights = softmaxOf(logits, Axis(axis), {temperature, EmptySlice::Zero});
        const Shape& s = logits.shape();
        for (Index b = 0; b < s.batch; ++b)
            for (Index h = 0; h < s.heads; ++h)
                for (Index i = 0; i < s.rows; ++i)
                    for (Index j = 0; j < s.cols; ++j) {
                        const double plain =
                            plainWeight(logits, Axis(axis), {b, h, i, j}, double(temperature));
                        const double expected = std::isnan(plain) ? 0.0 : plain;
                        // The exponent, 18 / τ at the most, is rounded twice on its way.
                        const double bound =
                            expected * (2 * 18 / double(temperature) + 12) * kUnit + 1e-30;
                        QVERIFY(std::abs(double(weights.at(b, h, i, j)) - expected) <= bound);
                    }
    }

    void everySliceSumsToOneWithinEightUnits_data()
    {
        QTest::addColumn<int>("length");
        for (const int length : {1, 2, 15, 16, 17, 31, 32, 33, 1000, 100003})
            QTest::addRow("%d", length) << length;
    }
    void everySliceSumsToOneWithinEightUnits()
    {
        QFETCH(int, length);
        const std::array<Shape, 4> shapes{Shape{1, 1, length, 2}, Shape{1, 1, 2, length},
                                          Shape{length, 1, 1, 2}, Shape{1, length, 1, 2}};
        for (const Axis axis : kAllAxes) {
            const Tensor logits = randomTensor(shapes[std::size_t(axis)], 3, 5.0F);
            const Tensor weights = softmaxOf(logits, axis);
            const Index step = axis == Axis::Key ? 1 : 2;
            double sum = 0;
            for (Index n = 0; n < length; ++n)
                sum += double(weights.data()[n * step]);
            QVERIFY2(std::abs(sum - 1) <= 8 * kUnit,
                     qPrintable(QString::number((sum - 1) / kUnit)));
        }
    }

    void aMaskedWeightIsPlusZero()
    {
        for (const Axis axis : kAllAxes) {
            Tensor logits = randomTensor({3, 3, 3, 35}, 5);
            for (Index n = 0; n < logits.size(); n += 5)
                logits.data()[n] = -kInfinity;
            const Tensor weights = softmaxOf(logits, axis);
            for (Index n = 0; n < logits.size(); n += 5) {
                if (std::isnan(weights.data()[n]))
                    continue; // every entry of its slice is masked
                QCOMPARE(weights.data()[n], 0.0F);
                QVERIFY(!std::signbit(weights.data()[n]));
            }
        }
    }

    void anEmptySliceFollowsThePolicy()
    {
        for (const Axis axis : kAllAxes) {
            const Tensor logits = Tensor::filled({2, 2, 2, 40}, -kInfinity);
            const Tensor nan = softmaxOf(logits, axis, {1.0F, EmptySlice::Nan});
            const Tensor zero = softmaxOf(logits, axis, {1.0F, EmptySlice::Zero});
            for (Index n = 0; n < logits.size(); ++n) {
                QVERIFY(std::isnan(nan.data()[n]));
                QCOMPARE(zero.data()[n], 0.0F);
            }
        }
    }

    void anAllowedNanOrInfinitySpoilsOnlyTheAllowedEntriesOfItsSlice()
    {
        for (const float odd : {kNan, kInfinity}) {
            for (const Axis axis : {Axis::Key, Axis::Query}) {
                Tensor logits = Tensor::filled({1, 1, 3, 3}, 0.5F);
                logits.at(0, 0, 1, 1) = odd;
                logits.at(0, 0, 1, 2) = -kInfinity; // the same row
                logits.at(0, 0, 2, 1) = -kInfinity; // the same column
                for (const EmptySlice empty : {EmptySlice::Nan, EmptySlice::Zero}) {
                    const Tensor weights = softmaxOf(logits, axis, {1.0F, empty});
                    QVERIFY(std::isnan(weights.at(0, 0, 1, 1)));
                    const bool isKey = axis == Axis::Key;
                    QVERIFY(std::isnan(weights.at(0, 0, isKey ? 1 : 0, isKey ? 0 : 1)));
                    QCOMPARE(weights.at(0, 0, isKey ? 1 : 2, isKey ? 2 : 1), 0.0F);
                    QVERIFY(!std::isnan(weights.at(0, 0, 0, 0)));
                }
            }
        }
    }

    void finiteLogitsNeverGiveNanHoweverSmallTheTemperature()
    {
        Tensor logits = Tensor::zeros({1, 1, 1, 4});
        std::copy_n(std::array{1.0F, 3.0F, 2.0F, 3.0F}.data(), 4, logits.data());
        for (const float temperature : {1e-3F, 1e-20F, 1e-45F, 0.0F}) {
            const Tensor weights = softmaxOf(logits, Axis::Key, {temperature, EmptySlice::Nan});
            QCOMPARE(weights.data()[0], 0.0F);
            QCOMPARE(weights.data()[1], 0.5F);
            QCOMPARE(weights.data()[2], 0.0F);
            QCOMPARE(weights.data()[3], 0.5F);
        }
        std::copy_n(std::array{3e38F, -3e38F, 3e38F, 0.0F}.data(), 4, logits.data());
        QCOMPARE(softmaxOf(logits, Axis::Key, {1e-30F, EmptySlice::Nan}).data()[0], 0.5F);
    }

    void aNanStaysNanAtTemperatureZero()
    {
        Tensor logits = Tensor::zeros({1, 1, 1, 3});
        logits.data()[1] = kNan;
        QVERIFY(std::isnan(softmaxOf(logits, Axis::Key, {0.0F, EmptySlice::Nan}).data()[0]));
    }

    void threadCountsChangeNoBit()
    {
        Tensor logits = randomTensor({3, 4, 67, 131}, 11, 8.0F);
        for (Index n = 0; n < logits.size(); n += 7)
            logits.data()[n] = -kInfinity;
        for (const Axis axis : kAllAxes) {
            setThreadCount(1);
            const Tensor one = softmaxOf(logits, axis);
            for (const int nThreads : {2, 5}) {
                setThreadCount(nThreads);
                QVERIFY(sameBits(softmaxOf(logits, axis), one));
            }
        }
        setThreadCount(2);
    }

    void writingPastTheCacheChangesNoBit()
    {
        // Above 2^21 entries the results are streamed; the same rows alone are not.
        const Tensor large = randomTensor({1, 1, 2049, 1024}, 13);
        Tensor small({1, 1, 5, 1024});
        std::copy_n(large.data() + 1024 * 100, small.size(), small.data());
        const Tensor all = softmaxOf(large, Axis::Key);
        const Tensor five = softmaxOf(small, Axis::Key);
        QCOMPARE(std::memcmp(all.data() + 1024 * 100, five.data(), std::size_t(five.size()) * 4),
                 0);
    }

    void aSliceAloneHasTheBitsItHasAmongOthers()
    {
        // Alone, the slices stand at other places of a vector, or in a tail.
        for (const Index length : {2, 3, 4, 5, 6, 7, 8, 9, 13}) {
            for (const float temperature : {1.0F, 0.6F, 0.0F}) {
                Tensor many = randomTensor({length, 3, 1, 21}, 17);
                for (Index n = 0; n < many.size(); n += 4)
                    many.data()[n] = -kInfinity;
                many.at(1, 1, 0, 5) = kNan;
                many.at(1, 1, 0, 6) = kInfinity;
                Tensor one({length, 1, 1, 21});
                for (Index b = 0; b < length; ++b)
                    one.slice(b, 0) = std::as_const(many).slice(b, 1);
                const SoftmaxOptions options{temperature, EmptySlice::Nan};
                const Tensor all = softmaxOf(many, Axis::Batch, options);
                const Tensor alone = softmaxOf(one, Axis::Batch, options);
                for (Index b = 0; b < length; ++b)
                    QVERIFY(sameBits(Matrix(all.slice(b, 1)), Matrix(alone.slice(b, 0))));
            }
        }
    }

    void stopsWhenAsked()
    {
        std::stop_source source;
        source.request_stop();
        const auto result =
            softmax(randomTensor({1, 1, 8, 8}, 1), Axis::Key, {}, source.get_token());
        QVERIFY(!result);
        QCOMPARE(result.error().code, Errc::Cancelled);
    }
};

QTEST_APPLESS_MAIN(TestSoftmax)
#include "tst_softmax.moc"
