#include "ui/paint/heatmap_image.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

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
    const auto kindAt = [&](Index n) {
        return cellKind(values.data()[n], hasMask && logits.data()[n] == kMinusInfinity);
    };
    if (nRows == values.rows() && nCols == values.cols()) { // a pixel a cell
        for (Index y = 0; y < nRows; ++y) {
            auto* line = reinterpret_cast<QRgb*>(image.scanLine(static_cast<int>(y)));
            for (Index x = 0, n = y * nCols; x < nCols; ++x, ++n)
                line[x] = pixel(kindAt(n), values.data()[n], map, colors);
        }
        return image;
    }

    const float neutral = map.range().low < 0 && map.range().high > 0 ? 0.0F : map.range().low;
    std::vector<float> most(static_cast<std::size_t>(nCols));
    std::vector<Index> columnOf(static_cast<std::size_t>(values.cols()));
    for (Index x = 0; x < nCols; ++x)
        for (Index j = blockBegin(x, nCols, values.cols());
             j < blockBegin(x + 1, nCols, values.cols()); ++j)
            columnOf[static_cast<std::size_t>(j)] = x;
    for (Index y = 0; y < nRows; ++y) {
        auto* line = reinterpret_cast<QRgb*>(image.scanLine(static_cast<int>(y)));
        std::ranges::fill(most, -2.0F);
        const Index rowEnd = blockBegin(y + 1, nRows, values.rows());
        for (Index i = blockBegin(y, nRows, values.rows()); i < rowEnd; ++i)
            for (Index j = 0, n = i * values.cols(); j < values.cols(); ++j, ++n) {
                const float value = values.data()[n];
                const CellKind kind = kindAt(n);
                const float own = importance(kind, value, neutral);
                const auto x = static_cast<std::size_t>(columnOf[static_cast<std::size_t>(j)]);
                if (own > most[x]) {
                    most[x] = own;
                    line[x] = pixel(kind, value, map, colors);
                }
            }
    }
    return image;
}

void patternGlyphs(QImage& image, const GlyphColors& colors, const GlyphPatterns& patterns)
{
    const int line = std::max(1, static_cast<int>(std::lround(patterns.scale)));
    const int period = static_cast<int>(std::lround(6 * patterns.scale)) + (line == 1 ? 0 : line);
    const QImage flat = image.copy();
    const int stride = static_cast<int>(flat.bytesPerLine() / 4);
    const auto* pixels = reinterpret_cast<const QRgb*>(flat.constBits());
    const int right = image.width() - 1;
    const int bottom = image.height() - 1;
    for (int y = 0; y <= bottom; ++y) {
        auto* out = reinterpret_cast<QRgb*>(image.scanLine(y));
        const QRgb* row = pixels + y * stride;
        const QRgb* above = pixels + std::max(0, y - line) * stride;
        const QRgb* below = pixels + std::min(bottom, y + line) * stride;
        for (int x = 0; x <= right; ++x) {
            if (row[x] == colors.masked) {
                if (x % period < line && y % period < line)
                    out[x] = patterns.maskedDot;
            } else if (row[x] == colors.nan) {
                const bool isInside = row[std::max(0, x - line)] == colors.nan &&
                                      row[std::min(right, x + line)] == colors.nan &&
                                      above[x] == colors.nan && below[x] == colors.nan;
                if (isInside && (x + y) % period >= line)
                    out[x] = patterns.nanGround;
            }
        }
    }
}

} // namespace keyaxis
