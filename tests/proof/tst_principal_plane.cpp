#include "core/proof/principal_plane.h"
#include "tests/core/sample_values.h"

#include <QTest>
#include <cmath>

using namespace keyaxis;

namespace {

Matrix randomMatrix(Index rows, Index cols, std::uint64_t seed)
{
    testing::Numbers numbers(seed);
    Matrix m(rows, cols);
    for (Index n = 0; n < m.size(); ++n)
        m.data()[n] = numbers.next(2);
    return m;
}

void verifyOrthonormal(const PrincipalPlane& plane)
{
    QVERIFY(std::abs(plane.first.norm() - 1.0) < 1e-12);
    QVERIFY(std::abs(plane.second.norm() - 1.0) < 1e-12);
    QVERIFY(std::abs(plane.first.dot(plane.second)) < 1e-9);
}

} // namespace

class TestPrincipalPlane : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void oneAndTwoDimensionsAreDrawnAsTheyAre()
    {
        const PrincipalPlane two = principalPlane(viewOf(randomMatrix(5, 2, 1)));
        QVERIFY(two.isExact);
        QCOMPARE(two.share, 1.0);
        QCOMPARE(two.project(Eigen::Vector2d(3, -4)), Eigen::Vector2d(3, -4));
        const PrincipalPlane one = principalPlane(viewOf(randomMatrix(5, 1, 1)));
        QVERIFY(one.isExact);
        QCOMPARE(one.project(Eigen::VectorXd::Constant(1, 7.0)), Eigen::Vector2d(7, 0));
        QCOMPARE(one.second.norm(), 0.0);
    }

    void rowsThatLieInAPlaneAreKeptWhole_data()
    {
        QTest::addColumn<int>("nRows");
        QTest::addColumn<int>("width");
        QTest::newRow("more rows than dimensions") << 40 << 6;
        QTest::newRow("more dimensions than rows") << 4 << 30;
    }
    void rowsThatLieInAPlaneAreKeptWhole()
    {
        QFETCH(int, nRows);
        QFETCH(int, width);
        Matrix values = randomMatrix(nRows, 2, 3) * randomMatrix(2, width, 4);
        values.rowwise() += randomMatrix(1, width, 5).row(0);
        const PrincipalPlane plane = principalPlane(viewOf(values));
        verifyOrthonormal(plane);
        QVERIFY(!plane.isExact);
        QVERIFY(plane.share > 1.0 - 1e-9);
        for (Index j = 0; j < nRows; ++j) {
            const Eigen::VectorXd row = values.row(j).cast<double>();
            QVERIFY((plane.lift(plane.project(row)) - row).norm() < 1e-5);
        }
    }

    void noOtherPlaneKeepsMore()
    {
        const Matrix values = randomMatrix(30, 5, 8);
        const PrincipalPlane plane = principalPlane(viewOf(values));
        verifyOrthonormal(plane);
        const Eigen::MatrixXd centred =
            values.cast<double>().rowwise() - values.cast<double>().colwise().mean();
        testing::Numbers numbers(9);
        for (int round = 0; round < 200; ++round) {
            Eigen::VectorXd a(5);
            Eigen::VectorXd b(5);
            for (Index n = 0; n < 5; ++n) {
                a[n] = numbers.next(1);
                b[n] = numbers.next(1);
            }
            a.normalize();
            b -= a.dot(b) * a;
            b.normalize();
            QVERIFY(((centred * a).squaredNorm() + (centred * b).squaredNorm()) /
                        centred.squaredNorm() <=
                    plane.share + 1e-12);
        }
        QVERIFY((centred * plane.first).norm() >= (centred * plane.second).norm());
    }

    void degenerateRowsStillHaveAPlane_data()
    {
        QTest::addColumn<int>("kind");
        QTest::newRow("one row") << 0;
        QTest::newRow("equal rows") << 1;
        QTest::newRow("rows on a line") << 2;
        QTest::newRow("a row of NaN among them") << 3;
        QTest::newRow("nothing but NaN") << 4;
    }
    void degenerateRowsStillHaveAPlane()
    {
        QFETCH(int, kind);
        Matrix values = randomMatrix(kind == 0 ? 1 : 4, 3, 2);
        if (kind == 1)
            values.rowwise() = values.row(0).eval();
        if (kind == 2)
            values = Eigen::VectorXf::LinSpaced(4, 0, 3) * randomMatrix(1, 3, 5);
        if (kind >= 3)
            values.bottomRows(kind == 3 ? 1 : 4).setConstant(NAN);
        const PrincipalPlane plane = principalPlane(viewOf(values));
        verifyOrthonormal(plane);
        QVERIFY(plane.origin.allFinite());
        QVERIFY(plane.share >= 0.0 && plane.share <= 1.0);
        if (kind <= 2)
            QVERIFY(plane.share > 1.0 - 1e-9);
    }

    void theAxesDoNotFlipWithTheOrderOfRows()
    {
        const Matrix values = randomMatrix(10, 4, 6);
        const Matrix reversed = values.colwise().reverse();
        const PrincipalPlane a = principalPlane(viewOf(values));
        const PrincipalPlane b = principalPlane(viewOf(reversed));
        QVERIFY((a.first - b.first).norm() < 1e-9);
        QVERIFY((a.second - b.second).norm() < 1e-9);
    }

    void movingAPointKeepsWhatIsOffThePlane()
    {
        const PrincipalPlane plane = principalPlane(viewOf(randomMatrix(10, 5, 6)));
        const Eigen::VectorXd point = randomMatrix(1, 5, 7).row(0).cast<double>();
        const Eigen::Vector2d to(0.25, -3);
        const Eigen::VectorXd moved = plane.moved(point, to);
        QVERIFY((plane.project(moved) - to).norm() < 1e-12);
        const auto off = [&](const Eigen::VectorXd& p) -> Eigen::VectorXd {
            return p - plane.lift(plane.project(p));
        };
        QVERIFY((off(moved) - off(point)).norm() < 1e-12);
    }
};

QTEST_APPLESS_MAIN(TestPrincipalPlane)
#include "tst_principal_plane.moc"
