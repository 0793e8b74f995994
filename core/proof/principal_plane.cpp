#include "core/proof/principal_plane.h"

#include <Eigen/Eigenvalues>
#include <algorithm>

namespace keyaxis {

namespace {

using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

Rows finiteRows(const MatrixView& values)
{
    Rows rows(values.rows(), values.cols());
    Index n = 0;
    for (Index j = 0; j < values.rows(); ++j)
        if (values.row(j).allFinite())
            rows.row(n++) = values.row(j).cast<double>();
    rows.conservativeResize(n, Eigen::NoChange);
    return rows;
}

/// The two directions in which `centred`, [n, dv], varies most; [dv, 2], not yet of length 1.
Eigen::MatrixXd widestDirections(const Rows& centred)
{
    if (centred.rows() == 0)
        return Eigen::MatrixXd::Zero(centred.cols(), 2);
    // The smaller of the two Gram matrices has the same eigenvalues; they come in rising order.
    if (centred.rows() >= centred.cols()) {
        const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(centred.transpose() * centred);
        return solver.eigenvectors().rightCols(2);
    }
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(centred * centred.transpose());
    Eigen::MatrixXd directions = Eigen::MatrixXd::Zero(centred.cols(), 2);
    const Index n = std::min<Index>(2, centred.rows());
    directions.rightCols(n) = centred.transpose() * solver.eigenvectors().rightCols(n);
    return directions;
}

/// `direction` at right angles to `other` and of length 1, its largest entry positive; where
/// nothing is left of it, a unit vector along the axis that `other` follows least.
Eigen::VectorXd unitBeside(const Eigen::VectorXd& other, Eigen::VectorXd direction)
{
    const double before = direction.norm();
    direction -= other.dot(direction) * other;
    if (!(direction.norm() > 1e-9 * before)) {
        Index least = 0;
        other.cwiseAbs().minCoeff(&least);
        direction = Eigen::VectorXd::Unit(other.size(), least);
        direction -= other.dot(direction) * other;
    }
    direction.normalize();
    Index largest = 0;
    direction.cwiseAbs().maxCoeff(&largest);
    return direction[largest] < 0.0 ? Eigen::VectorXd(-direction) : direction;
}

} // namespace

Eigen::Vector2d PrincipalPlane::project(const Eigen::VectorXd& point) const
{
    const Eigen::VectorXd from = point - origin;
    return {first.dot(from), second.dot(from)};
}

Eigen::VectorXd PrincipalPlane::lift(const Eigen::Vector2d& at) const
{
    return origin + at.x() * first + at.y() * second;
}

Eigen::VectorXd PrincipalPlane::moved(const Eigen::VectorXd& point, const Eigen::Vector2d& at) const
{
    const Eigen::Vector2d by = at - project(point);
    return point + by.x() * first + by.y() * second;
}

PrincipalPlane principalPlane(const MatrixView& values)
{
    const Index width = values.cols();
    PrincipalPlane plane;
    plane.origin = Eigen::VectorXd::Zero(width);
    if (width <= 2) {
        plane.first = Eigen::VectorXd::Unit(width, 0);
        plane.second = Eigen::VectorXd::Zero(width);
        if (width == 2)
            plane.second[1] = 1.0;
        return plane;
    }
    Rows rows = finiteRows(values);
    if (rows.rows() > 0)
        plane.origin = rows.colwise().mean();
    rows.rowwise() -= plane.origin.transpose();
    // Squares of values up to 1e38 stay in range, those of the smallest ones need this.
    const double size = rows.size() > 0 ? rows.cwiseAbs().maxCoeff() : 0.0;
    if (size > 0.0)
        rows /= size;

    const Eigen::MatrixXd directions = widestDirections(rows);
    plane.first = unitBeside(Eigen::VectorXd::Zero(width), directions.col(1));
    plane.second = unitBeside(plane.first, directions.col(0));
    plane.isExact = false;
    const double all = rows.squaredNorm();
    if (all > 0.0)
        plane.share = std::min(
            1.0, ((rows * plane.first).squaredNorm() + (rows * plane.second).squaredNorm()) / all);
    return plane;
}

} // namespace keyaxis
