#pragma once

#include "core/tensor.h"

#include <vector>

namespace keyaxis {

/// An output is outside the hull where it is further from it than this times the longest value row
/// that it may use: a correct float32 output may lie 2e-7 outside.
inline constexpr double kHullTolerance = 1e-5;

/// The corners of the convex hull of points in the plane, as indices, counter-clockwise (x to the
/// right, y up), from the leftmost (lowest of these). Points on an edge and repeats are no corners,
/// points that are not finite are passed over: so one corner, or two, where all lie on a point or a
/// line.
///
/// @cost    O(n log n) time.
/// @source  Andrew, Another efficient algorithm for convex hulls in two dimensions (1979).
std::vector<Index> planarHull(const std::vector<Eigen::Vector2d>& points);

/// Where a point lies with respect to a convex hull.
struct HullDistance {
    /// Undefined: no row spans the hull, or a number of the point or of a row is not finite.
    enum class Place { Inside, Outside, Undefined };

    Place place = Place::Undefined;
    double distance = 0;  ///< from the point to the hull, in units of the values; 0 up to rounding
                          ///< where it lies in it; NaN where undefined
    double tolerance = 0; ///< the point is outside where `distance` is above this
    Eigen::VectorXd nearest; ///< [dv]: the nearest point of the hull; empty where undefined
    Eigen::VectorXd witness; ///< [dv]: where outside, the unit vector u with u·point > max_j u·v_j
};

/// The distance from `point` to the convex hull of some rows of `values`, in all dv dimensions.
///
/// @param point   [dv]
/// @param values  [Tk, dv]
/// @param keys    the rows that span the hull, each below Tk, at most once.
/// @cost          O(n dv) time for each corner that is tried, plus O(dv³) where many meet; about
///                dv + 1 are tried where the point is inside.
/// @source        mathematics.md, "The certificate"; Wolfe, Finding the nearest point in a polytope
///                (1976), in float64.
HullDistance distanceToHull(const Eigen::VectorXd& point, const MatrixView& values,
                            const std::vector<Index>& keys);

/// The keys that query i may use: those whose logit is not -inf.
///
/// @param logits  [Tq, Tk]
std::vector<Index> allowedKeys(const MatrixView& logits, Index i);

} // namespace keyaxis
