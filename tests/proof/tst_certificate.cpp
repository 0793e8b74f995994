#include "core/proof/certificate.h"

#include <QTest>
#include <cmath>
#include <limits>

using namespace keyaxis;

namespace {

Matrix matrix(Index rows, Index cols, std::initializer_list<float> values)
{
    Matrix m(rows, cols);
    std::copy(values.begin(), values.end(), m.data());
    return m;
}

} // namespace

class TestCertificate : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aRowIsValidUpToTheTolerance_data()
    {
        QTest::addColumn<double>("excess");
        QTest::addColumn<bool>("isValid");
        QTest::newRow("exact") << 0.0 << true;
        QTest::newRow("just inside") << 0.9e-5 << true;
        QTest::newRow("just outside") << 1.2e-5 << false;
        QTest::newRow("below, inside") << -0.9e-5 << true;
        QTest::newRow("below, outside") << -1.2e-5 << false;
    }
    void aRowIsValidUpToTheTolerance()
    {
        QFETCH(double, excess);
        QFETCH(bool, isValid);
        const Matrix weights = matrix(1, 2, {0.5F, static_cast<float>(0.5 + excess)});
        QCOMPARE(certify(viewOf(weights)).isValid(), isValid);
    }

    void negativeWeightsAreNoDistribution()
    {
        const Certificate c = certify(viewOf(matrix(1, 2, {1.25F, -0.25F})));
        QVERIFY(!c.isValid());
        QCOMPARE(c.rows[0].smallest, -0.25F);
        QCOMPARE(c.rows[0].sum, 1.0);
    }

    void undefinedRowsAreCountedAndLeftOutOfTheRange()
    {
        constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
        constexpr float kInf = std::numeric_limits<float>::infinity();
        const Certificate c = certify(viewOf(matrix(4, 2, {0.5F, 0.5F, kNan, 1, kInf, 0, 2, 1})));
        QCOMPARE(c.nRows(), 4);
        QCOMPARE(c.nValid, 1);
        QCOMPARE(c.nUndefined, 2);
        QCOMPARE(c.smallestSum, 1.0);
        QCOMPARE(c.largestSum, 3.0);
        QCOMPARE(c.rows[1].nNonFinite, 1);
        QVERIFY(std::isnan(c.rows[1].smallest));
    }

    void sumsAreTakenInFloat64()
    {
        // 2^25 thirds of a millionth: float32 would stop growing.
        Matrix weights = Matrix::Constant(1, 20'000'000, 5e-8F);
        QVERIFY(std::abs(certify(viewOf(weights)).rows[0].sum - 1.0) < 1e-6);
    }

    void noRowsAreNoError()
    {
        const Certificate c = certify(viewOf(Matrix(0, 3)));
        QCOMPARE(c.nRows(), 0);
        QVERIFY(std::isnan(c.smallestSum));
    }

    void allSlicesOfATensorCount()
    {
        Tensor weights = Tensor::filled({2, 3, 4, 2}, 0.5F);
        weights.at(1, 2, 3, 1) = 0.75F;
        const Certificate c = certify(weights);
        QCOMPARE(c.nRows(), 24);
        QCOMPARE(c.nValid, 23);
        QVERIFY(!c.rows.back().isValid());
    }

    void columnsAreSummedDown()
    {
        const std::vector<double> sums = columnSums(viewOf(matrix(2, 2, {1, 2, 3, NAN})));
        QCOMPARE(sums[0], 4.0);
        QVERIFY(std::isnan(sums[1]));
    }

    void negativeInfinityAndCancellingInfinitiesAreUndefined()
    {
        constexpr float kInf = std::numeric_limits<float>::infinity();
        const Certificate c = certify(viewOf(matrix(2, 2, {-kInf, 1, kInf, -kInf})));
        QCOMPARE(c.nUndefined, 2);
        QCOMPARE(c.rows[0].nNonFinite, 1);
        QCOMPARE(c.rows[1].nNonFinite, 2);
    }

    void longRowsAreReadToTheEnd_data()
    {
        QTest::addColumn<int>("nKeys");
        for (const int n : {1, 7, 8, 9, 15, 16, 17, 1000})
            QTest::addRow("%d keys", n) << n;
    }
    void longRowsAreReadToTheEnd()
    {
        QFETCH(int, nKeys);
        for (int at = 0; at < nKeys; ++at) {
            Matrix weights = Matrix::Constant(1, nKeys, 1.0F);
            weights(0, at) = -0.5F;
            const RowCertificate row = certify(viewOf(weights)).rows[0];
            QCOMPARE(row.smallest, -0.5F);
            QCOMPARE(row.sum, nKeys - 1.5);
            weights(0, at) = NAN;
            QCOMPARE(certify(viewOf(weights)).rows[0].nNonFinite, 1);
        }
    }

    void negativeRowsThatSumToOneAreCountedApart()
    {
        const Certificate c = certify(viewOf(matrix(2, 2, {1.25F, -0.25F, 0.5F, 0.5F})));
        QCOMPARE(c.nNegative, 1);
        QCOMPARE(c.nValid, 1);
        QVERIFY(c.rows[0].sumsToOne() && !c.rows[0].isValid());
    }

    void logitsTellAnEmptiedSliceFromAnOddScore()
    {
        constexpr float kMasked = -std::numeric_limits<float>::infinity();
        const Matrix weights = matrix(3, 2, {NAN, NAN, NAN, 0, 0.5F, 0.5F});
        const Matrix logits = matrix(3, 2, {kMasked, kMasked, NAN, kMasked, 1, 1});
        const Certificate c = certify(viewOf(weights), viewOf(logits));
        QVERIFY(c.hasCauses && c.isMasked);
        QCOMPARE(c.nUndefined, 2);
        QCOMPARE(c.nEmptyRows, 1);
        QCOMPARE(c.nEmptyCells, 2);
        QCOMPARE(c.rows[0].nEmpty, 2);
        QCOMPARE(c.rows[1].nEmpty, 0);
        QVERIFY(!certify(viewOf(weights)).hasCauses);
    }

    void evenWeightsAreNoticedAmongTheAllowedOnes()
    {
        constexpr float kMasked = -std::numeric_limits<float>::infinity();
        const Matrix causal = matrix(2, 2, {0, kMasked, 0, 0});
        const Certificate rows = certify(viewOf(matrix(2, 2, {1, 0, 0.5F, 0.5F})), viewOf(causal));
        QVERIFY(rows.isEvenInRows);
        QVERIFY(std::isnan(rows.evenWeight));
        const Certificate all =
            certify(viewOf(matrix(2, 2, {0.5F, 0, 0.5F, 0.5F})), viewOf(causal));
        QCOMPARE(all.evenWeight, 0.5F);
        const Certificate none =
            certify(viewOf(matrix(2, 2, {1, 0, 0.25F, 0.75F})), viewOf(causal));
        QVERIFY(!none.isEvenInRows && std::isnan(none.evenWeight));
    }
};

QTEST_APPLESS_MAIN(TestCertificate)
#include "tst_certificate.moc"
