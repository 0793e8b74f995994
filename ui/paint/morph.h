#pragma once

#include "ui/paint/figure.h"

namespace keyaxis {

/// Whether the cells of one figure can turn into those of the other: as many maps of the same
/// sizes and the same stages.
bool canMorph(const Figure& from, const Figure& to);

/// `to` on its way from `from`: cells recolour in place and bars change their length. What has no
/// number in between, as NaN, changes half way.
///
/// @param part  0: as `from`, 1: as `to`.
/// @cost        O(cells).
Figure morphed(const Figure& from, const Figure& to, double part);

/// The outline of a slice while its axis turns from one to the other about `cell`.
void paintTurningSlice(QPainter& painter, const HeatmapLayout& layout, Cell cell, Axis from,
                       Axis to, double part, const Theme& theme);

} // namespace keyaxis
