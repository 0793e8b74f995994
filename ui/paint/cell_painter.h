#pragma once

#include "core/proof/map_digest.h"
#include "ui/paint/color_map.h"
#include "ui/paint/heatmap_layout.h"
#include "ui/paint/theme.h"

class QPainter;

namespace keyaxis {

/// What the painter needs of a map's numbers.
struct HeatmapValues {
    MatrixView values{nullptr, 0, 0};
    MatrixView logits{nullptr, 0, 0};  ///< -inf = masked; empty: nothing is
    const MapDigest* digest = nullptr; ///< of both; null: every cell is read
};

/// Which glyphs a map needs; its legend names them.
struct GlyphsPresent {
    bool masked = false;
    bool nan = false;
    bool infinity = false;
    bool clippedLow = false; ///< values beyond the ends of the colour bar
    bool clippedHigh = false;

    void include(const GlyphsPresent& other);
};

/// @cost O(cells) where the map has no digest.
GlyphsPresent glyphsIn(const HeatmapValues& map);

/// The same, and whether values lie outside the range of `colors`.
GlyphsPresent glyphsIn(const HeatmapValues& map, const ColorMap& colors);

/// Cells, their glyphs and, where they fit, their numbers. Large cells are drawn one by one; a map
/// of small or many cells is one image, whose undefined parts are hatched and masked parts dotted.
void paintCells(QPainter& painter, const HeatmapLayout& layout, const HeatmapValues& map,
                const ColorMap& colors, const Theme& theme);

/// A number as a cell shows it: "0.98", short ".98", "-1.3", "12".
QString cellText(float value, bool isShort);

} // namespace keyaxis
