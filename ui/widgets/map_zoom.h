#pragma once

#include "ui/paint/heatmap_layout.h"

namespace keyaxis {

/// The smallest number of rows and columns that a map is zoomed into.
inline constexpr double kFewestCells = 3;

/// What is seen when the map is enlarged `factor` times with the cell under `at` staying there;
/// none: everything fits again.
std::optional<CellWindow> zoomedAt(const HeatmapLayout& layout, QPointF at, double factor);

/// What is seen when the map follows a hand by `delta` points.
std::optional<CellWindow> panned(const HeatmapLayout& layout, QPointF delta);

/// What is seen when the map moves as little as needed to show all of `cell`.
std::optional<CellWindow> revealing(const HeatmapLayout& layout, Cell cell);

/// `window` moved so that the place in the map which is at (row, col) in cells comes to lie under
/// `at`: what a new layout's type sizes shifted is put back.
CellWindow heldAt(const HeatmapLayout& layout, QPointF at, QPointF colRow);

/// The place under `at`, in cells: x is a column, y a row.
QPointF placeAt(const HeatmapLayout& layout, QPointF at);

} // namespace keyaxis
