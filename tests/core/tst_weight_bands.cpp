#include "core/attention/attention.h"
#include "core/attention/weight_bands.h"
#include "core/parallel.h"
#include "tests/core/sample_values.h"

#include <QTest>
#include <limits>

using namespace keyaxis;
using namespace keyaxis::testing;

namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

/// The map of (b, h), put together from its bands.
struct Joined {
    Matrix weights;
    Matrix logits;
};

Joined joined(const Inputs& inputs, const ScoreSettings& settings, Index b, Index h)
{
    const Sizes sizes = sizesOf(inputs);
    const WeightBands bands(inputs, settings, b, h);
    Joined map{Matrix(sizes.Tq, sizes.Tk), Matrix(sizes.Tq, sizes.Tk)};
    WeightBand band;
    for (Index n = 0; n < bands.nBands(); ++n) {
        if (!bands.compute(n, band))
            qFatal("a band was stopped");
        const Index nRows = band.weights.rows(), nCols = band.weights.cols();
        map.weights.block(band.firstRow, band.firstCol, nRows, nCols) = band.weights;
        map.logits.block(band.firstRow, band.firstCol, nRows, nCols) = band.logits;
    }
    return map;
}

} // namespace

class TestWeightBands : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void haveTheBitsOfTheWholeMap_data()
    {
        QTest::addColumn<int>("nTokens");
        for (const int n : {1, 5, 63, 64, 65, 129})
            QTest::addRow("%d tokens", n) << n;
    }
    void haveTheBitsOfTheWholeMap()
    {
        QFETCH(int, nTokens);
        const Inputs inputs = randomInputs({2, 4, 2, nTokens, nTokens + 3, 7, 5}, 23);
        for (const Axis axis : kAllAxes)
            for (const bool isCausal : {false, true})
                for (const float temperature : {1.0F, 0.5F, 0.0F}) {
                    ScoreSettings settings;
                    settings.axis = axis;
                    settings.causal = isCausal;
                    settings.alibi = isCausal;
                    settings.temperature = temperature;
                    const Joined map = joined(inputs, settings, 1, 2);
                    const SliceStages whole = attendSlice(inputs, settings, 1, 2).value();
                    QVERIFY(sameBits(map.weights, whole.weights));
                    for (Index n = 0; n < map.logits.size(); ++n)
                        QCOMPARE(map.logits.data()[n] == -kInfinity,
                                 whole.before->logits.data()[n] == -kInfinity);
                }
    }

    void emptySlicesFollowThePolicy()
    {
        Inputs inputs = randomInputs({1, 1, 1, 70, 66, 3, 3}, 5);
        Tensor mask = Tensor::filled({1, 1, 70, 66}, 1.0F);
        for (Index j = 0; j < 66; ++j)
            mask.at(0, 0, 65, j) = 0.0F;
        inputs.mask = share(std::move(mask));
        for (const Align align : {Align::Start, Align::End}) // at the end the first rows are empty
            for (const EmptySlice empty : {EmptySlice::Nan, EmptySlice::Zero}) {
                ScoreSettings settings;
                settings.causal = true;
                settings.align = align;
                settings.empty = empty;
                QVERIFY(sameBits(joined(inputs, settings, 0, 0).weights,
                                 attendSlice(inputs, settings, 0, 0)->weights));
            }
    }

    void threadsChangeNoBit()
    {
        const Inputs inputs = randomInputs({1, 1, 1, 200, 200, 8, 1}, 3);
        for (const Axis axis : kAllAxes) {
            ScoreSettings settings;
            settings.axis = axis;
            setThreadCount(1);
            const Joined one = joined(inputs, settings, 0, 0);
            setThreadCount(5);
            const Joined five = joined(inputs, settings, 0, 0);
            setThreadCount(2);
            QVERIFY(sameBits(one.weights, five.weights));
        }
    }

    void aStopIsHeard()
    {
        const Inputs inputs = randomInputs({1, 1, 1, 200, 200, 8, 1}, 3);
        std::stop_source source;
        source.request_stop();
        WeightBand band;
        QVERIFY(!WeightBands(inputs, {}, 0, 0).compute(0, band, source.get_token()));
    }
};

QTEST_APPLESS_MAIN(TestWeightBands)
#include "tst_weight_bands.moc"
