#pragma once

#include "core/proof/map_digest.h"
#include "core/tensor.h"
#include "ui/paint/cell_painter.h"
#include "ui/paint/color_map.h"
#include "ui/paint/heatmap_layout.h"

#include <QImage>
#include <limits>

namespace keyaxis {

/// What stands in a cell that has no colour of the map.
enum class CellKind { Number, Masked, Nan, PlusInfinity, MinusInfinity };

/// Kind of a cell: masked where its logit is -inf and the value is not NaN.
CellKind cellKind(float value, bool isMasked);

/// Colours of the glyph cells.
struct GlyphColors {
    QRgb masked;
    QRgb nan;
    QRgb infinity;
};

/// One pixel a cell where `size` is at least that large, otherwise one pixel for a block of cells:
/// NaN if any is, else the block's value farthest from the range's neutral end. No hot cell and no
/// NaN is lost by zooming out.
///
/// @param logits  the same shape, -inf = masked; empty: nothing is.
/// @cost          O(cells), once per picture.
QImage heatmapImage(const MatrixView& values, const MatrixView& logits, const ColorMap& map,
                    const GlyphColors& colors, QSize largest);

/// How the glyph colours of an image become patterns.
struct GlyphPatterns {
    QRgb nanGround; ///< between the lines of the hatching
    QRgb maskedDot;
    double scale; ///< pixels of the image a point
};

/// The same of a part of the map; other cells are not read.
QImage heatmapImage(const MatrixView& values, const MatrixView& logits, const CellRange& part,
                    const ColorMap& map, const GlyphColors& colors, QSize largest);

/// The same, from the map's digest where that has blocks for it.
QImage heatmapImage(const HeatmapValues& map, const CellRange& part, const ColorMap& colors,
                    const GlyphColors& glyphs, QSize largest);

/// The same from the extremes of blocks: nothing is lost, and a cell may lie one block beside its
/// place.
///
/// @cost O(pixels), where a block is not much smaller than a pixel.
QImage heatmapImage(const MapDigest::Level& level, const CellRange& part, const ColorMap& map,
                    const GlyphColors& colors, QSize largest);

/// Hatches the inside of each undefined region of an image at the resolution of the device, whose
/// edge stays solid so that a lone pixel is not lost, and dots the masked ones: patterns, not
/// colours.
void patternGlyphs(QImage& image, const GlyphColors& colors, const GlyphPatterns& patterns);

} // namespace keyaxis
