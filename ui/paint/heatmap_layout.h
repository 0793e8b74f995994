#pragma once

#include "core/proof/certificate.h"
#include "core/tensor.h"
#include "ui/paint/label.h"
#include "ui/paint/words.h"

#include <QRectF>
#include <optional>
#include <vector>

namespace keyaxis {

/// A cell of a map: query (row) and key (column), from 0.
struct Cell {
    Index row = 0;
    Index col = 0;
    bool operator==(const Cell&) const = default;
};

/// The part of a map that is zoomed into, in cells; its edges may lie within a cell.
struct CellWindow {
    double row = 0;
    double col = 0;
    double nRows = 0;
    double nCols = 0;

    bool operator==(const CellWindow&) const = default;
    /// The same, out to whole cells: for paper, where a cell that is cut would have to be clipped.
    CellWindow whole() const;
};

/// Rows and columns from a first to before an end.
struct CellRange {
    Index firstRow = 0;
    Index endRow = 0;
    Index firstCol = 0;
    Index endCol = 0;

    Index nRows() const { return endRow - firstRow; }
    Index nCols() const { return endCol - firstCol; }
    bool operator==(const CellRange&) const = default;
};

/// What a heat map's layout depends on.
struct HeatmapContent {
    Index nRows = 0;
    Index nCols = 0;
    const std::vector<Label>* rowLabels = nullptr;
    const std::vector<Label>* colLabels = nullptr;
    /// Row sums on the right, column sums below; null: neither.
    const std::vector<RowCertificate>* sums = nullptr;
    bool hasColorBar = true;
    bool hasAxisNames = true;           ///< which side is queries and which is keys
    std::optional<CellWindow> window{}; ///< zoomed into; none: all cells
    double pixel = 1;                   ///< in points; cells begin and end on whole ones
    int smallestPx = 9;                 ///< no type is set smaller, but for indices
    Words words{};                      ///< of the language that it speaks
};

/// Where the parts of a heat map lie in a rectangle, in points; and the way back from a point to a
/// cell. A plain value: hit tests cannot drift from pixels.
struct HeatmapLayout {
    Index nRows = 0;
    Index nCols = 0;
    QRectF cells;         ///< all cells; cells are snapped to whole points where they are large
    QRectF view;          ///< the part of `cells` that is seen: all of it unless zoomed into
    double cellWidth = 0; ///< pitch, the gap included
    double cellHeight = 0;
    double gap = 0; ///< between neighbouring cells

    int labelPx = 11;       ///< type size of labels and axis names
    int smallestPx = 9;     ///< no type is set smaller, but for indices
    bool isCompact = false; ///< axis names share the corner instead of a strip each
    bool isTilted = false;  ///< column labels rise at 45°
    Index rowEvery = 1;     ///< every how many-th label is drawn
    Index colEvery = 1;
    QRectF rowLabels;
    QRectF colLabels;
    QRectF rowAxisName;
    QRectF colAxisName;
    QRectF bars;      ///< row-sum bars; empty without sums
    QRectF sums;      ///< row sums as numbers
    QRectF sumsTitle; ///< "row sum"
    QRectF colSums;
    QRectF colorBar; ///< bar, its end values and the legend beside it
    Words words;

    QRectF cell(Index row, Index col) const; ///< without the gap
    CellRange visible() const;               ///< every cell of which a part is seen
    bool isZoomed() const { return view.size() != cells.size(); }
    CellWindow window() const; ///< `view` in cells
    /// The rectangle from the first to the last cell, outer edges included.
    QRectF span(Cell first, Cell last) const;
    int captionPx() const { return labelPx > smallestPx ? labelPx - 1 : smallestPx; }
    std::optional<Cell> cellAt(QPointF point) const;
    /// The row whose name, bar or sum lies at `point`.
    std::optional<Index> rowBesideAt(QPointF point) const;
    /// The column whose name or sum lies at `point`.
    std::optional<Index> colBesideAt(QPointF point) const;
};

/// Lays a heat map out in `box`.
HeatmapLayout layoutHeatmap(const HeatmapContent& content, const QRectF& box);

} // namespace keyaxis
