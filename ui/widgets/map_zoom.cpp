#include "ui/widgets/map_zoom.h"

#include <algorithm>

namespace keyaxis {

namespace {

double clampedStart(double start, double shown, Index n)
{
    return std::clamp(start, 0.0, std::max(0.0, static_cast<double>(n) - shown));
}

CellWindow clamped(CellWindow window, const HeatmapLayout& layout)
{
    window.row = clampedStart(window.row, window.nRows, layout.nRows);
    window.col = clampedStart(window.col, window.nCols, layout.nCols);
    return window;
}

/// How many of `n` cells are seen at another size.
double shownOf(double shown, double factor, Index n)
{
    const auto all = static_cast<double>(n);
    return std::clamp(shown / factor, std::min(kFewestCells, all), all);
}

} // namespace

QPointF placeAt(const HeatmapLayout& layout, QPointF at)
{
    return {(at.x() - layout.cells.left()) / layout.cellWidth,
            (at.y() - layout.cells.top()) / layout.cellHeight};
}

CellWindow heldAt(const HeatmapLayout& layout, QPointF at, QPointF colRow)
{
    CellWindow window = layout.window();
    const QPointF now = placeAt(layout, at);
    window.col += colRow.x() - now.x();
    window.row += colRow.y() - now.y();
    return clamped(window, layout);
}

std::optional<CellWindow> zoomedAt(const HeatmapLayout& layout, QPointF at, double factor)
{
    if (layout.nRows == 0 || layout.nCols == 0)
        return std::nullopt;
    const CellWindow seen = layout.window();
    CellWindow window{0, 0, shownOf(seen.nRows, factor, layout.nRows),
                      shownOf(seen.nCols, factor, layout.nCols)};
    if (window.nRows >= static_cast<double>(layout.nRows) - 1e-9 &&
        window.nCols >= static_cast<double>(layout.nCols) - 1e-9)
        return std::nullopt;
    const QPointF place = placeAt(layout, at);
    window.row = place.y() - (place.y() - seen.row) / seen.nRows * window.nRows;
    window.col = place.x() - (place.x() - seen.col) / seen.nCols * window.nCols;
    return clamped(window, layout);
}

std::optional<CellWindow> panned(const HeatmapLayout& layout, QPointF delta)
{
    if (!layout.isZoomed())
        return std::nullopt;
    CellWindow window = layout.window();
    window.row -= delta.y() / layout.cellHeight;
    window.col -= delta.x() / layout.cellWidth;
    return clamped(window, layout);
}

std::optional<CellWindow> revealing(const HeatmapLayout& layout, Cell cell)
{
    if (!layout.isZoomed())
        return std::nullopt;
    CellWindow window = layout.window();
    const auto shift = [](double start, double shown, Index at) {
        const auto first = static_cast<double>(at);
        return std::clamp(start, std::min(first, first + 1 - shown),
                          std::max(first, first + 1 - shown));
    };
    window.row = shift(window.row, window.nRows, cell.row);
    window.col = shift(window.col, window.nCols, cell.col);
    return clamped(window, layout);
}

} // namespace keyaxis
