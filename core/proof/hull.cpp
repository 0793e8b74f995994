#include "core/proof/hull.h"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace keyaxis {

namespace {

using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// Twice the area of the triangle a, b, c; positive where they turn to the left.
double turn(const Eigen::Vector2d& a, const Eigen::Vector2d& b, const Eigen::Vector2d& c)
{
    const Eigen::Vector2d ab = b - a;
    const Eigen::Vector2d ac = c - a;
    return ab.x() * ac.y() - ab.y() * ac.x();
}

/// Wolfe's search for the point of a polytope that is nearest to 0. It keeps a few corners (the
/// corral) of which the point is a mixture, and lets in the corner that lies furthest towards 0
/// until none lies nearer than the point.
class NearestPoint {
public:
    /// @param corners  [n, dv], n >= 1, finite.
    explicit NearestPoint(const Rows& corners) : m_corners(corners)
    {
        const Eigen::VectorXd lengths = corners.rowwise().norm();
        Index first = 0;
        lengths.minCoeff(&first);
        m_size = lengths.maxCoeff();
        m_corral = {first};
        m_shares = Eigen::VectorXd::Ones(1);
        m_point = corners.row(first);
    }

    /// [dv]
    Eigen::VectorXd find()
    {
        while (letIn()) {
            const Eigen::VectorXd before = m_point;
            settle();
            // Each round comes nearer, until rounding has the last word.
            if (m_point.squaredNorm() >= before.squaredNorm())
                return before;
        }
        return m_point;
    }

private:
    /// Adds the corner furthest towards 0. False where none would bring the point nearer by more
    /// than the rounding of these products.
    bool letIn()
    {
        Index best = 0;
        const double least = (m_corners * m_point).minCoeff(&best);
        const double length = m_point.norm();
        constexpr double kRounding = 1e-14;
        if (length <= kRounding * m_size ||
            m_point.squaredNorm() - least <= kRounding * m_size * length ||
            std::ranges::find(m_corral, best) != m_corral.end())
            return false;
        m_corral.push_back(best);
        m_shares.conservativeResize(m_shares.size() + 1);
        m_shares[m_shares.size() - 1] = 0.0;
        return true;
    }

    /// Moves to the point of the corral's flat that is nearest to 0, dropping the corners on the
    /// way whose share reaches 0.
    void settle()
    {
        constexpr double kNone = 1e-12; // a share below this is rounding
        for (;;) {
            const Eigen::VectorXd wanted = flatShares();
            if (wanted.minCoeff() > kNone || m_corral.size() == 1) {
                m_shares = wanted;
                break;
            }
            double step = 1.0;
            for (Index n = 0; n < wanted.size(); ++n)
                if (wanted[n] <= kNone && m_shares[n] > wanted[n])
                    step = std::min(step, m_shares[n] / (m_shares[n] - wanted[n]));
            m_shares += step * (wanted - m_shares);
            dropBelow(kNone);
        }
        m_point.setZero();
        for (std::size_t n = 0; n < m_corral.size(); ++n)
            m_point += m_shares[static_cast<Index>(n)] * m_corners.row(m_corral[n]).transpose();
    }

    /// At least one corner goes: the one with the smallest share.
    void dropBelow(double limit)
    {
        limit = std::max(limit, m_shares.minCoeff());
        Index n = 0;
        for (Index from = 0; from < m_shares.size(); ++from)
            if (m_shares[from] > limit) {
                m_shares[n] = m_shares[from];
                m_corral[static_cast<std::size_t>(n++)] = m_corral[static_cast<std::size_t>(from)];
            }
        if (n == 0)
            n = 1; // all shares equal the smallest one: any corner will do
        m_corral.resize(static_cast<std::size_t>(n));
        m_shares.conservativeResize(n);
        m_shares /= m_shares.sum();
    }

    /// The shares, of sum 1 and any sign, of the point of the corral's flat that is nearest to 0.
    Eigen::VectorXd flatShares() const
    {
        const auto n = static_cast<Index>(m_corral.size());
        const Eigen::VectorXd base = m_corners.row(m_corral.front());
        Eigen::MatrixXd edges(base.size(), n - 1);
        for (Index c = 1; c < n; ++c)
            edges.col(c - 1) =
                m_corners.row(m_corral[static_cast<std::size_t>(c)]).transpose() - base;
        Eigen::VectorXd shares(n);
        if (n > 1)
            shares.tail(n - 1) = edges.colPivHouseholderQr().solve(-base);
        shares[0] = 1.0 - shares.tail(n - 1).sum();
        return shares;
    }

    const Rows& m_corners;
    double m_size; ///< length of the longest corner
    std::vector<Index> m_corral;
    Eigen::VectorXd m_shares; ///< of each corner in the corral; their sum is 1
    Eigen::VectorXd m_point;  ///< [dv]
};

} // namespace

std::vector<Index> planarHull(const std::vector<Eigen::Vector2d>& points)
{
    const auto at = [&](Index n) -> const Eigen::Vector2d& {
        return points[static_cast<std::size_t>(n)];
    };
    std::vector<Index> order;
    for (Index n = 0; n < static_cast<Index>(points.size()); ++n)
        if (at(n).allFinite())
            order.push_back(n);
    const auto isBefore = [&](Index a, Index b) {
        return at(a).x() != at(b).x() ? at(a).x() < at(b).x() : at(a).y() < at(b).y();
    };
    std::ranges::stable_sort(order, isBefore);
    const auto repeats =
        std::unique(order.begin(), order.end(), [&](Index a, Index b) { return at(a) == at(b); });
    order.erase(repeats, order.end());
    if (order.size() < 3)
        return order;

    std::vector<Index> hull;
    // The lower chain from left to right, then the upper one back; each ends where the next begins.
    const auto addChain = [&](auto begin, auto end) {
        const std::size_t start = hull.size();
        for (auto n = begin; n != end; ++n) {
            while (hull.size() >= start + 2 &&
                   turn(at(hull[hull.size() - 2]), at(hull.back()), at(*n)) <= 0.0)
                hull.pop_back();
            hull.push_back(*n);
        }
        hull.pop_back();
    };
    addChain(order.begin(), order.end());
    addChain(order.rbegin(), order.rend());
    return hull;
}

HullDistance distanceToHull(const Eigen::VectorXd& point, const MatrixView& values,
                            const std::vector<Index>& keys)
{
    HullDistance result;
    Rows corners(static_cast<Index>(keys.size()), values.cols());
    for (std::size_t n = 0; n < keys.size(); ++n)
        corners.row(static_cast<Index>(n)) = values.row(keys[n]).cast<double>();
    if (keys.empty() || !point.allFinite() || !corners.allFinite()) {
        result.distance = std::numeric_limits<double>::quiet_NaN();
        return result;
    }
    result.tolerance = kHullTolerance * corners.rowwise().norm().maxCoeff();
    corners.rowwise() -= point.transpose();
    const Eigen::VectorXd toHull = NearestPoint(corners).find();
    result.distance = toHull.norm();
    result.nearest = point + toHull;
    result.place = result.distance > result.tolerance ? HullDistance::Place::Outside
                                                      : HullDistance::Place::Inside;
    if (result.place == HullDistance::Place::Outside)
        result.witness = -toHull / result.distance;
    return result;
}

std::vector<Index> allowedKeys(const MatrixView& logits, Index i)
{
    std::vector<Index> keys;
    for (Index j = 0; j < logits.cols(); ++j)
        if (logits(i, j) != -std::numeric_limits<float>::infinity())
            keys.push_back(j);
    return keys;
}

} // namespace keyaxis
