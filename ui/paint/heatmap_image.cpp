#include "ui/paint/heatmap_image.h"

#include <cmath>
#include <limits>

namespace keyaxis {

namespace {

constexpr float kMinusInfinity = -std::numeric_limits<float>::infinity();

/// First cell of block `n` of `nBlocks` blocks over `nCells` cells.
Index blockBegin(Index n, Index nBlocks, Index nCells) { return n * nCells / nBlocks; }

QRgb pixel(CellKind kind, float value, const ColorMap& map, const GlyphColors& colors)
{
    switch (kind) {
    case CellKind::Number:
        return map.rgb(value);
    case CellKind::Nan:
        return colors.nan;
    case CellKind::PlusInfinity:
        return colors.infinity;
    case CellKind::Masked:
    case CellKind::MinusInfinity:
        break;
    }
    return colors.masked;
}

/// How much a cell of a block matters: NaN before infinities, the hot before the pale, masked last.
float importance(CellKind kind, float value, float neutral)
{
    switch (kind) {
    case CellKind::Nan:
        return std::numeric_limits<float>::infinity();
    case CellKind::PlusInfinity:
        return std::numeric_limits<float>::max();
    case CellKind::Number:
        return std::abs(value - neutral);
    case CellKind::Masked:
    case CellKind::MinusInfinity:
        break;
    }
    return -1.0F;
}

} // namespace

CellKind cellKind(float value, bool isMasked)
{
    if (std::isnan(value))
        return CellKind::Nan;
    if (isMasked)
        return CellKind::Masked;
    if (std::isinf(value))
        return value > 0 ? CellKind::PlusInfinity : CellKind::MinusInfinity;
    return CellKind::Number;
}

QImage heatmapImage(const MatrixView& values, const MatrixView& logits, const ColorMap& map,
                    const GlyphColors& colors, QSize largest)
{
    const Index nRows = std::min<Index>(values.rows(), std::max(1, largest.height()));
    const Index nCols = std::min<Index>(values.cols(), std::max(1, largest.width()));
    QImage image(static_cast<int>(nCols), static_cast<int>(nRows), QImage::Format_RGB32);
    const bool hasMask = logits.size() == values.size();
    const float neutral = map.range().low < 0 && map.range().high > 0 ? 0.0F : map.range().low;
    for (Index y = 0; y < nRows; ++y) {
        auto* line = reinterpret_cast<QRgb*>(image.scanLine(static_cast<int>(y)));
        const Index rowEnd = blockBegin(y + 1, nRows, values.rows());
        for (Index x = 0; x < nCols; ++x) {
            const Index colEnd = blockBegin(x + 1, nCols, values.cols());
            float most = -2.0F;
            for (Index i = blockBegin(y, nRows, values.rows()); i < rowEnd; ++i)
                for (Index j = blockBegin(x, nCols, values.cols()); j < colEnd; ++j) {
                    const float value = values(i, j);
                    const CellKind kind =
                        cellKind(value, hasMask && logits(i, j) == kMinusInfinity);
                    const float own = importance(kind, value, neutral);
                    if (own > most) {
                        most = own;
                        line[x] = pixel(kind, value, map, colors);
                    }
                }
        }
    }
    return image;
}

} // namespace keyaxis
