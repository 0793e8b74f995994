#include "core/proof/map_digest.h"

#include "core/attention/masked.h"
#include "core/parallel.h"
#include "core/proof/certificate.h"
#include "tests/core/sample_values.h"

#include <QTest>
#include <cmath>
#include <limits>

using namespace keyaxis;
using namespace keyaxis::testing;

namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
const MatrixView kNoMask(nullptr, 0, 0);

Matrix randomMatrix(Index nRows, Index nCols, std::uint64_t seed)
{
    const Tensor tensor = randomTensor({1, 1, nRows, nCols}, seed);
    return tensor.slice(0, 0);
}

/// The block of `level` that holds a cell.
float lowAt(const MapDigest::Level& level, Index row, Index col)
{
    return level.low(row / level.edge, col / level.edge);
}
float highAt(const MapDigest::Level& level, Index row, Index col)
{
    return level.high(row / level.edge, col / level.edge);
}

} // namespace

class TestMapDigest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyLevelHoldsTheExtremesOfItsBlocks_data()
    {
        QTest::addColumn<int>("nRows");
        QTest::addColumn<int>("nCols");
        QTest::newRow("square") << 256 << 256;
        QTest::newRow("odd") << 257 << 131;
        QTest::newRow("wide") << 3 << 5000;
        QTest::newRow("high") << 5000 << 3;
    }
    void everyLevelHoldsTheExtremesOfItsBlocks()
    {
        QFETCH(int, nRows);
        QFETCH(int, nCols);
        const Matrix values = randomMatrix(nRows, nCols, 3);
        const MapDigest digest = digestOf(viewOf(values), kNoMask);
        QVERIFY(!digest.levels.empty());
        for (const MapDigest::Level& level : digest.levels) {
            QCOMPARE(level.low.rows(), (nRows + level.edge - 1) / level.edge);
            for (Index y = 0; y < level.low.rows(); ++y)
                for (Index x = 0; x < level.low.cols(); ++x) {
                    const auto block = values.block(y * level.edge, x * level.edge,
                                                    std::min(level.edge, nRows - y * level.edge),
                                                    std::min(level.edge, nCols - x * level.edge));
                    QCOMPARE(level.low(y, x), block.minCoeff());
                    QCOMPARE(level.high(y, x), block.maxCoeff());
                }
        }
        QCOMPARE(digest.low, values.minCoeff());
        QCOMPARE(digest.high, values.maxCoeff());
    }

    void oneHotCellAndOneNanAreOnEveryLevel()
    {
        Matrix values = Matrix::Zero(300, 300);
        values(123, 257) = 1;
        values(299, 0) = NAN;
        const MapDigest digest = digestOf(viewOf(values), kNoMask);
        QVERIFY(digest.levels.size() >= 2);
        for (const MapDigest::Level& level : digest.levels) {
            QCOMPARE(highAt(level, 123, 257), 1.0F);
            QVERIFY(std::isnan(lowAt(level, 299, 0)) && std::isnan(highAt(level, 299, 0)));
        }
        QVERIFY(digest.hasNan && !digest.hasMasked && !digest.hasInfinity);
    }

    void maskedCellsDoNotCountButTheirNansDo()
    {
        Matrix values = Matrix::Constant(100, 100, 0.25F);
        Matrix logits = Matrix::Zero(100, 100);
        logits.rightCols(50).setConstant(kMasked);
        values.rightCols(50).setZero();
        values(80, 90) = NAN;
        const MapDigest digest = digestOf(viewOf(values), viewOf(logits));
        QVERIFY(digest.hasMasked && digest.hasNan);
        QCOMPARE(digest.low, 0.25F);
        QCOMPARE(digest.high, 0.25F);
        const MapDigest::Level& level = digest.levels.front();
        QVERIFY(lowAt(level, 10, 90) > highAt(level, 10, 90)); // nothing is allowed there
        QVERIFY(std::isnan(highAt(level, 80, 90)));
    }

    void infinitiesAreSeenAndLeaveTheRangeAlone()
    {
        Matrix values = Matrix::Constant(80, 80, -2.0F);
        values(3, 4) = kInfinity;
        values(5, 6) = -kInfinity;
        values(7, 8) = 0.5F;
        const MapDigest digest = digestOf(viewOf(values), kNoMask);
        QVERIFY(digest.hasInfinity && digest.hasMasked);
        QCOMPARE(digest.low, -2.0F);
        QCOMPARE(digest.high, 0.5F);
        QCOMPARE(digest.smallestPositive, 0.5F);
        QCOMPARE(highAt(digest.levels.front(), 3, 4), kInfinity);
        QCOMPARE(lowAt(digest.levels.front(), 5, 6), -2.0F);
    }

    void nothingAllowedIsEmpty()
    {
        const Matrix values = Matrix::Constant(70, 70, kMasked);
        const MapDigest digest = digestOf(viewOf(values), kNoMask);
        QVERIFY(digest.isEmpty && digest.hasMasked);
        QVERIFY(digestOf(MatrixView(values.data(), 0, 7), kNoMask).isEmpty);
        QCOMPARE(digestOf(MatrixView(values.data(), 0, 7), kNoMask).columnSums.size(), 7U);
    }

    void columnSumsHaveTheBitsOfTheCertificates()
    {
        const Matrix values = randomMatrix(700, 600, 9);
        QCOMPARE(digestOf(viewOf(values), kNoMask).columnSums, columnSums(viewOf(values)));
    }

    void theNumberOfThreadsChangesNothing()
    {
        const Matrix values = randomMatrix(501, 499, 11);
        setThreadCount(1);
        const MapDigest one = digestOf(viewOf(values), kNoMask);
        setThreadCount(4);
        const MapDigest four = digestOf(viewOf(values), kNoMask);
        QCOMPARE(one.columnSums, four.columnSums);
        QCOMPARE(one.levels.size(), four.levels.size());
        for (std::size_t n = 0; n < one.levels.size(); ++n)
            QVERIFY(one.levels[n].high == four.levels[n].high);
    }

    void aLevelIsNoCoarserThanAsked()
    {
        const Matrix values = randomMatrix(512, 512, 1);
        const MapDigest digest = digestOf(viewOf(values), kNoMask);
        QVERIFY(!digest.levelFor(1.9));
        QCOMPARE(digest.levelFor(2.0)->edge, 2);
        QCOMPARE(digest.levelFor(7.5)->edge, 4);
        QVERIFY(digestOf(viewOf(Matrix(randomMatrix(10, 10, 1))), kNoMask).levels.empty());
    }
};

QTEST_APPLESS_MAIN(TestMapDigest)
#include "tst_map_digest.moc"
