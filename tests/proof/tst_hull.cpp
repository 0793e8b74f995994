#include "core/proof/hull.h"
#include "tests/core/sample_values.h"

#include <Eigen/LU>
#include <QTest>
#include <cmath>
#include <limits>
#include <numeric>

using namespace keyaxis;
using Place = HullDistance::Place;

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

Matrix matrix(Index rows, Index cols, std::initializer_list<float> values)
{
    Matrix m(rows, cols);
    std::copy(values.begin(), values.end(), m.data());
    return m;
}

std::vector<Index> firstKeys(Index n)
{
    std::vector<Index> keys(static_cast<std::size_t>(n));
    std::iota(keys.begin(), keys.end(), Index{0});
    return keys;
}

HullDistance distanceTo(const Eigen::VectorXd& point, const Matrix& values)
{
    return distanceToHull(point, viewOf(values), firstKeys(values.rows()));
}

/// The distance as the smallest one to the flats of all subsets of rows whose foot lies among them.
double bruteForce(const Eigen::VectorXd& point, const Matrix& values)
{
    double best = std::numeric_limits<double>::infinity();
    for (unsigned subset = 1; subset < 1U << values.rows(); ++subset) {
        std::vector<Eigen::VectorXd> rows;
        for (Index j = 0; j < values.rows(); ++j)
            if ((subset >> j & 1U) != 0)
                rows.push_back(values.row(j).cast<double>());
        // The foot of the perpendicular, by the normal equations with the sum of shares held at 1.
        const auto n = static_cast<Index>(rows.size());
        Eigen::MatrixXd system = Eigen::MatrixXd::Ones(n + 1, n + 1);
        Eigen::VectorXd right = Eigen::VectorXd::Ones(n + 1);
        for (Index r = 0; r < n; ++r) {
            for (Index c = 0; c < n; ++c)
                system(r, c) =
                    rows[static_cast<std::size_t>(r)].dot(rows[static_cast<std::size_t>(c)]);
            right[r] = rows[static_cast<std::size_t>(r)].dot(point);
        }
        system(n, n) = 0.0;
        const Eigen::FullPivLU<Eigen::MatrixXd> lu(system);
        if (!lu.isInvertible())
            continue; // a smaller subset has the same flat
        const Eigen::VectorXd shares = lu.solve(right).head(n);
        if (shares.minCoeff() < -1e-9)
            continue;
        Eigen::VectorXd foot = Eigen::VectorXd::Zero(point.size());
        for (Index r = 0; r < n; ++r)
            foot += shares[r] * rows[static_cast<std::size_t>(r)];
        best = std::min(best, (point - foot).norm());
    }
    return best;
}

void verifyWitness(const HullDistance& hull, const Eigen::VectorXd& point, const Matrix& values)
{
    QVERIFY(std::abs(hull.witness.norm() - 1.0) < 1e-12);
    const double furthest = (values.cast<double>() * hull.witness).maxCoeff();
    QVERIFY(hull.witness.dot(point) > furthest);
    // The gap along the witness is the distance: no nearer point can exist.
    QVERIFY(std::abs(hull.witness.dot(point) - furthest - hull.distance) <
            1e-9 * (hull.distance + values.cast<double>().norm()));
}

} // namespace

class TestHull : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void thePlanarHullHasTheCornersInOrder_data()
    {
        using Points = std::vector<Eigen::Vector2d>;
        QTest::addColumn<Points>("points");
        QTest::addColumn<std::vector<Index>>("corners");
        QTest::newRow("no point") << Points{} << std::vector<Index>{};
        QTest::newRow("one point") << Points{{1, 2}} << std::vector<Index>{0};
        QTest::newRow("one point, repeated")
            << Points{{1, 2}, {1, 2}, {1, 2}} << std::vector<Index>{0};
        QTest::newRow("two points") << Points{{3, 1}, {1, 2}} << std::vector<Index>{1, 0};
        QTest::newRow("on a line")
            << Points{{1, 1}, {3, 3}, {2, 2}, {0, 0}} << std::vector<Index>{3, 1};
        QTest::newRow("a square, its middle and a point of an edge")
            << Points{{1, 1}, {0, 1}, {0.5, 0.5}, {1, 0}, {0, 0}, {0.5, 0}}
            << std::vector<Index>{4, 3, 0, 1};
        QTest::newRow("NaN and infinity are no corners")
            << Points{{kNan, 0}, {0, 0}, {1, 0}, {INFINITY, 4}, {0, 1}}
            << std::vector<Index>{1, 2, 4};
    }
    void thePlanarHullHasTheCornersInOrder()
    {
        QFETCH(std::vector<Eigen::Vector2d>, points);
        QFETCH(std::vector<Index>, corners);
        QCOMPARE(planarHull(points), corners);
    }

    void everyPointLiesToTheLeftOfEveryEdge()
    {
        testing::Numbers numbers(3);
        for (int round = 0; round < 500; ++round) {
            std::vector<Eigen::Vector2d> points;
            // Few distinct coordinates, so that repeats and full edges abound.
            for (int n = 0; n < 3 + round % 20; ++n)
                points.emplace_back(std::round(numbers.next(4)), std::round(numbers.next(4)));
            const std::vector<Index> hull = planarHull(points);
            for (std::size_t n = 0; hull.size() > 2 && n < hull.size(); ++n) {
                const Eigen::Vector2d a = points[static_cast<std::size_t>(hull[n])];
                const Eigen::Vector2d ab =
                    points[static_cast<std::size_t>(hull[(n + 1) % hull.size()])] - a;
                for (const Eigen::Vector2d& p : points)
                    QVERIFY(ab.x() * (p - a).y() - ab.y() * (p - a).x() >= 0.0);
            }
        }
    }

    void theDistanceIsThatOfBruteForce_data()
    {
        QTest::addColumn<int>("width");
        QTest::addColumn<int>("nRows");
        for (const int width : {1, 2, 3, 4, 6})
            for (const int nRows : {1, 2, 3, 5, 8})
                QTest::addRow("%d rows of %d", nRows, width) << width << nRows;
    }
    void theDistanceIsThatOfBruteForce()
    {
        QFETCH(int, width);
        QFETCH(int, nRows);
        testing::Numbers numbers(static_cast<std::uint64_t>(100 * width + nRows));
        for (int round = 0; round < 30; ++round) {
            Matrix values(nRows, width);
            for (Index n = 0; n < values.size(); ++n)
                // Every second time coarse: repeats, lines and flats of too few dimensions.
                values.data()[n] =
                    round % 2 == 0 ? numbers.next(2) : std::round(numbers.next(1.49F));
            Eigen::VectorXd point(width);
            for (Index n = 0; n < width; ++n)
                point[n] = numbers.next(round % 3 == 0 ? 0.5F : 2.0F);
            const HullDistance hull = distanceTo(point, values);
            QVERIFY(std::abs(hull.distance - bruteForce(point, values)) < 1e-8);
            QCOMPARE(hull.place == Place::Outside, hull.distance > hull.tolerance);
            if (hull.place == Place::Outside)
                verifyWitness(hull, point, values);
            else
                QCOMPARE(hull.witness.size(), 0);
            QVERIFY(std::abs((hull.nearest - point).norm() - hull.distance) < 1e-12);
        }
    }

    void mixturesOfManyRowsAreInside_data()
    {
        QTest::addColumn<int>("width");
        QTest::addColumn<int>("nRows");
        QTest::newRow("fewer rows than dimensions") << 64 << 20;
        QTest::newRow("as many") << 32 << 33;
        QTest::newRow("many rows") << 16 << 500;
        QTest::newRow("on a line") << 1 << 300;
    }
    void mixturesOfManyRowsAreInside()
    {
        QFETCH(int, width);
        QFETCH(int, nRows);
        testing::Numbers numbers(7);
        for (int round = 0; round < 10; ++round) {
            Matrix values(nRows, width);
            for (Index n = 0; n < values.size(); ++n)
                values.data()[n] = numbers.next(3);
            Eigen::VectorXd shares(nRows);
            for (Index n = 0; n < nRows; ++n)
                shares[n] = std::exp(3.0 * numbers.next(1));
            shares /= shares.sum();
            const Eigen::VectorXd mixture = values.cast<double>().transpose() * shares;
            const HullDistance inside = distanceTo(mixture, values);
            QCOMPARE(inside.place, Place::Inside);
            QVERIFY(inside.distance < 1e-9);

            Index longest = 0;
            values.cast<double>().rowwise().norm().maxCoeff(&longest);
            const Eigen::VectorXd beyond = 1.5 * values.row(longest).cast<double>();
            const HullDistance outside = distanceTo(beyond, values);
            QCOMPARE(outside.place, Place::Outside);
            verifyWitness(outside, beyond, values);
        }
    }

    void theToleranceFollowsTheLongestAllowedRow()
    {
        const Matrix values = matrix(3, 2, {1, 0, 0, 1, 30, 40});
        const Eigen::Vector2d point(0.5, 0.5 - 2e-5);
        const HullDistance two = distanceToHull(point, viewOf(values), {0, 1});
        QCOMPARE(two.tolerance, 1e-5);
        QCOMPARE(two.place, Place::Outside);
        const HullDistance all = distanceToHull(point, viewOf(values), {0, 1, 2});
        QCOMPARE(all.tolerance, 50e-5);
        QCOMPARE(all.place, Place::Inside);
    }

    void valuesOfAnySizeAreJudgedAlike()
    {
        for (const float size : {1e-38F, 1e-20F, 1.0F, 1e30F, 3e37F}) {
            const Matrix values = size * matrix(3, 2, {0, 0, 1, 0, 0, 1});
            QCOMPARE(distanceTo(double{size} * Eigen::Vector2d(0.25, 0.25), values).place,
                     Place::Inside);
            const HullDistance outside = distanceTo(double{size} * Eigen::Vector2d(1, 1), values);
            QCOMPARE(outside.place, Place::Outside);
            QVERIFY(std::abs(outside.distance / double{size} - std::sqrt(0.5)) < 1e-6);
        }
    }

    void whatIsNotFiniteHasNoPlace()
    {
        const Matrix values = matrix(2, 2, {1, 0, NAN, 1});
        QCOMPARE(distanceToHull(Eigen::Vector2d(1, 0), viewOf(values), {0}).place, Place::Inside);
        const HullDistance nan = distanceToHull(Eigen::Vector2d(1, 0), viewOf(values), {0, 1});
        QCOMPARE(nan.place, Place::Undefined);
        QVERIFY(std::isnan(nan.distance));
        QCOMPARE(distanceToHull(Eigen::Vector2d(kNan, 0), viewOf(values), {0}).place,
                 Place::Undefined);
        QCOMPARE(distanceToHull(Eigen::Vector2d(1, INFINITY), viewOf(values), {0}).place,
                 Place::Undefined);
        QCOMPARE(distanceToHull(Eigen::Vector2d(1, 0), viewOf(values), {}).place, Place::Undefined);
    }

    void onlyKeysWithALogitAreAllowed()
    {
        constexpr float kMasked = -std::numeric_limits<float>::infinity();
        const Matrix logits = matrix(2, 3, {kMasked, NAN, 1, 0, INFINITY, kMasked});
        QCOMPARE(allowedKeys(viewOf(logits), 0), (std::vector<Index>{1, 2}));
        QCOMPARE(allowedKeys(viewOf(logits), 1), (std::vector<Index>{0, 1}));
    }
};

QTEST_APPLESS_MAIN(TestHull)
#include "tst_hull.moc"
