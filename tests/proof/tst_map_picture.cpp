#include "core/attention/attention.h"
#include "core/proof/map_picture.h"
#include "tests/core/sample_values.h"

#include <QTest>
#include <cmath>
#include <limits>

using namespace keyaxis;
using namespace keyaxis::testing;

namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

/// The picture as its definition says, from the whole map.
Matrix pictureByDefinition(const SliceStages& stages, Index nRows, Index nCols)
{
    const Index Tq = stages.weights.rows(), Tk = stages.weights.cols();
    Matrix most = Matrix::Constant(nRows, nCols, -kInfinity);
    for (Index i = 0; i < Tq; ++i)
        for (Index j = 0; j < Tk; ++j) {
            Index y = 0, x = 0;
            while (pictureBlockBegin(y + 1, nRows, Tq) <= i)
                ++y;
            while (pictureBlockBegin(x + 1, nCols, Tk) <= j)
                ++x;
            const float w = stages.weights(i, j);
            const bool isMasked = stages.before->logits(i, j) == -kInfinity;
            float& cell = most(y, x);
            if (std::isnan(w) || std::isnan(cell))
                cell = kNan;
            else if (!isMasked)
                cell = std::max(cell, w);
        }
    return most;
}

bool areAlike(const Matrix& a, const Matrix& b)
{
    for (Index n = 0; n < a.size(); ++n) {
        const float x = a.data()[n], y = b.data()[n];
        if (!(x == y || (std::isnan(x) && std::isnan(y))))
            return false;
    }
    return a.size() == b.size();
}

} // namespace

class TestMapPicture : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void losesNoHotCellAndNoNan_data()
    {
        QTest::addColumn<int>("nRows");
        QTest::addColumn<int>("nCols");
        QTest::newRow("a cell each") << 150 << 170;
        QTest::newRow("blocks") << 7 << 11;
        QTest::newRow("tall") << 150 << 3;
        QTest::newRow("one pixel") << 1 << 1;
    }
    void losesNoHotCellAndNoNan()
    {
        QFETCH(int, nRows);
        QFETCH(int, nCols);
        const Inputs inputs = randomInputs({2, 2, 1, 150, 170, 6, 1}, 29);
        for (const Axis axis : kAllAxes)
            for (const bool isCausal : {false, true}) {
                ScoreSettings settings;
                settings.axis = axis;
                settings.causal = isCausal;
                const MapPicture picture = mapPicture(inputs, settings, 1, 1, nRows, nCols).value();
                const SliceStages stages = attendSlice(inputs, settings, 1, 1).value();
                QVERIFY(picture.isComplete());
                QVERIFY(areAlike(picture.most, pictureByDefinition(stages, nRows, nCols)));

                const Certificate whole = certify(viewOf(stages.weights));
                QCOMPARE(picture.certificate.nValid, whole.nValid);
                QCOMPARE(picture.certificate.nUndefined, whole.nUndefined);
                QCOMPARE(picture.certificate.rows.size(), whole.rows.size());
                for (std::size_t i = 0; i < whole.rows.size(); ++i) {
                    QCOMPARE(picture.certificate.rows[i].isDefined(), whole.rows[i].isDefined());
                    if (whole.rows[i].isDefined()) {
                        QVERIFY(std::abs(picture.certificate.rows[i].sum - whole.rows[i].sum) <
                                1e-9);
                        QCOMPARE(picture.certificate.rows[i].smallest, whole.rows[i].smallest);
                    }
                }
            }
    }

    void aSampleComesFirst()
    {
        // 40 bands of 64 queries: 20 in the first pass, which leaves every other one for the next.
        const Inputs inputs = randomInputs({1, 1, 1, 40 * 64, 64, 4, 1}, 31);
        std::vector<MapPicture> seen;
        const auto keep = [&](const MapPicture& picture) { seen.push_back(picture); };
        const MapPicture last = mapPicture(inputs, {}, 0, 0, 40, 8, keep).value();
        QCOMPARE(seen.size(), std::size_t(1));
        QCOMPARE(seen.front().nDone, Index(20));
        QCOMPARE(seen.front().nBands, Index(40));
        QVERIFY(seen.front().certificate.rows.empty());
        QVERIFY(sameBits(seen.front().most.row(6).eval(), last.most.row(6).eval()));
        QVERIFY(sameBits(seen.front().most.row(7).eval(), seen.front().most.row(6).eval()));
        QVERIFY(!sameBits(last.most.row(7).eval(), last.most.row(6).eval()));
    }

    void aStopAndAnOddTemperatureAreErrors()
    {
        const Inputs inputs = randomInputs({1, 1, 1, 10, 10, 4, 1}, 31);
        std::stop_source source;
        source.request_stop();
        QCOMPARE(mapPicture(inputs, {}, 0, 0, 5, 5, {}, source.get_token()).error().code,
                 Errc::Cancelled);
        ScoreSettings settings;
        settings.temperature = -1.0F;
        QCOMPARE(mapPicture(inputs, settings, 0, 0, 5, 5).error().code, Errc::BadValue);
    }
};

QTEST_APPLESS_MAIN(TestMapPicture)
#include "tst_map_picture.moc"
