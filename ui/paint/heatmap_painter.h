#pragma once

#include "core/axis.h"
#include "ui/paint/cell_painter.h"

namespace keyaxis {

/// Labels of rows and columns, thinned out, and the words that say which side is which.
void paintLabels(QPainter& painter, const HeatmapLayout& layout, const HeatmapContent& content,
                 const QString& rowName, const QString& colName, const Theme& theme);

/// Where rows are thinned out, one that was left out has no room among them: those that it would
/// cross in `column` give way as a whole.
void hideNeighbours(QPainter& painter, const HeatmapLayout& layout, Index row, const QRectF& column,
                    const QColor& ground);

/// The names of `cell`'s row and column once more, in bold, over what is there: also where they
/// were thinned out.
void paintCellNames(QPainter& painter, const HeatmapLayout& layout, const HeatmapContent& content,
                    Cell cell, const Theme& theme);

/// The outline of what shares `cell`'s denominator along `axis`: a row, a column, or the cell as
/// the front of a stack of maps. The masked part is dashed.
void paintSlice(QPainter& painter, const HeatmapLayout& layout, const MatrixView& logits, Cell cell,
                Axis axis, Index nStacked, const Theme& theme);

/// The colour bar with its ends, and the legend of the glyphs that are present.
void paintColorBar(QPainter& painter, const HeatmapLayout& layout, const GlyphsPresent& present,
                   const ColorMap& colors, const Theme& theme);

} // namespace keyaxis
