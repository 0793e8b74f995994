#pragma once

#include "core/axis.h"
#include "ui/paint/color_map.h"
#include "ui/paint/heatmap_layout.h"
#include "ui/paint/theme.h"

class QPainter;

namespace keyaxis {

/// What the painter needs of a map's numbers.
struct HeatmapValues {
    MatrixView values{nullptr, 0, 0};
    MatrixView logits{nullptr, 0, 0}; ///< -inf = masked; empty: nothing is
};

/// Which glyphs a map needs; its legend names them.
struct GlyphsPresent {
    bool masked = false;
    bool nan = false;
    bool infinity = false;
};

/// @cost O(cells), once per figure.
GlyphsPresent glyphsIn(const HeatmapValues& map);

/// Cells, their glyphs and, where they fit, their numbers.
void paintCells(QPainter& painter, const HeatmapLayout& layout, const HeatmapValues& map,
                const ColorMap& colors, const Theme& theme);

/// Labels of rows and columns, thinned out, and the words that say which side is which.
void paintLabels(QPainter& painter, const HeatmapLayout& layout, const HeatmapContent& content,
                 const QString& rowName, const QString& colName, const Theme& theme);

/// The outline of what shares `cell`'s denominator along `axis`: a row, a column, or the cell as the
/// front of a stack of maps. The masked part is dashed.
void paintSlice(QPainter& painter, const HeatmapLayout& layout, const MatrixView& logits, Cell cell,
                Axis axis, Index nStacked, const Theme& theme);

/// The colour bar with its ends, and the legend of the glyphs that are present.
void paintColorBar(QPainter& painter, const HeatmapLayout& layout, const GlyphsPresent& present,
                   const ColorMap& colors, const Theme& theme);

/// A number as a cell shows it: "0.98", short ".98", "-1.3".
QString cellText(float value, bool isShort);

} // namespace keyaxis
