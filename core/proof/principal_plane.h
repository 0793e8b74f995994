#pragma once

#include "core/tensor.h"

namespace keyaxis {

/// The plane in which value rows are drawn: their own where they have one or two dimensions, else
/// the one that keeps most of their variance. *immutable*
struct PrincipalPlane {
    Eigen::VectorXd origin; ///< [dv]: what is drawn at (0, 0)
    Eigen::VectorXd first;  ///< [dv]: unit vector to the right
    Eigen::VectorXd second; ///< [dv]: unit vector upwards, at right angles; 0 where dv = 1
    double share = 1;       ///< of the variance of the value rows that the plane keeps, 0 … 1
    bool isExact = true;    ///< dv <= 2: the picture is no projection

    /// Where `point`, [dv], is drawn. Affine: a point on a line stays on it.
    Eigen::Vector2d project(const Eigen::VectorXd& point) const;

    /// The point of the plane, [dv], that is drawn at `at`.
    Eigen::VectorXd lift(const Eigen::Vector2d& at) const;

    /// `point`, [dv], moved along the plane so that it is drawn at `at`; what is off the plane
    /// stays.
    Eigen::VectorXd moved(const Eigen::VectorXd& point, const Eigen::Vector2d& at) const;
};

/// The plane for the rows of `values`, [Tk, dv]; rows that are not finite are passed over. The
/// signs of its axes depend on nothing but the values.
///
/// @cost    O(Tk dv min(Tk, dv) + min(Tk, dv)³) time.
/// @source  principal components, in float64.
PrincipalPlane principalPlane(const MatrixView& values);

} // namespace keyaxis
