#pragma once

#include "core/axis.h"
#include "ui/paint/cell_painter.h"

namespace keyaxis {

/// Labels of rows and columns, thinned out, and the words that say which side is which.
void paintLabels(QPainter& painter, const HeatmapLayout& layout, const HeatmapContent& content,
                 const QString& rowName, const QString& colName, const Theme& theme);

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
