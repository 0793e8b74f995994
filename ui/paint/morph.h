#pragma once

#include "ui/paint/figure.h"
#include "ui/paint/value_plane.h"

namespace keyaxis {

/// Whether the cells of one figure can turn into those of the other: as many maps of the same
/// sizes and the same stages.
bool canMorph(const Figure& from, const Figure& to);

/// How far each part of a picture is, 0 … 1, when `part` of the time is over. One after the other,
/// so that an eye can follow: the outline turns, cells recolour, bars leave the line, points leave
/// the hull.
struct MorphOrder {
    double outline = 1;
    double cells = 1;
    double bars = 1;
    double points = 1;
};
MorphOrder morphOrder(double part);

/// `to` on its way from `from`, in the order of `MorphOrder`. What has no number in between, as
/// NaN, changes half way.
///
/// @param from  a figure that `canMorph`.
/// @param part  of the time, 0: as `from`, 1: `to`.
/// @cost        O(cells).
Figure morphed(const Figure& from, const Figure& to, double part);

/// Whether the points of one value plane can move to those of the other: as many of the same query.
bool canMorph(const ValuePlaneFigure& from, const ValuePlaneFigure& to);

/// The value plane on its way: the weights with the cells of a map, then the points.
ValuePlaneFigure morphed(const ValuePlaneFigure& from, const ValuePlaneFigure& to, double part);

/// Its layout on the way: the scale changes with the points, so that value rows do not jump.
ValuePlaneLayout morphed(const ValuePlaneLayout& from, const ValuePlaneLayout& to, double part);

/// `to` on its way out of nothing, in the same order; its bars start at the line at 1.
Figure appearing(const Figure& to, double part);

/// The value plane comes last.
ValuePlaneFigure appearing(const ValuePlaneFigure& to, double part);

/// Whether another map is framed in `to` than in `from`.
bool framesTravel(const Figure& from, const Figure& to);

/// The frame of the chosen map on its way from one card to the other.
void paintTravellingFrame(QPainter& painter, const FigureLayout& layout, const Figure& from,
                          const Figure& to, double part, const Theme& theme);

/// The outline of a slice while its axis turns from one to the other about `cell`.
///
/// @param part  how far, 0 … 1; see `MorphOrder::outline`.
void paintTurningSlice(QPainter& painter, const HeatmapLayout& layout, Cell cell, Axis from,
                       Axis to, double part, const Theme& theme);

} // namespace keyaxis
