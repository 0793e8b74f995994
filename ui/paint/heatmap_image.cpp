#include "ui/paint/heatmap_image.h"

#include "core/attention/masked.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace keyaxis {

namespace {

/// First cell of block `n` of `nBlocks` blocks over `nCells` cells.
Index blockBegin(Index n, Index nBlocks, Index nCells)
{
    return n * nCells / nBlocks;
}

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

/// A bar on one side of 0, as a logarithmic one, is neutral at its low end.
float neutralOf(const ColorMap& map)
{
    return map.range().low < 0 && map.range().high > 0 ? 0.0F : map.range().low;
}

/// The extremes of some blocks.
struct Extremes {
    float low = std::numeric_limits<float>::infinity();
    float high = -std::numeric_limits<float>::infinity();
    bool hasNan = false;

    void include(float lower, float upper)
    {
        hasNan |= lower != lower;
        low = lower < low ? lower : low;
        high = upper > high ? upper : high;
    }
    QRgb color(float neutral, const ColorMap& map, const GlyphColors& colors) const
    {
        const float value = std::abs(high - neutral) >= std::abs(low - neutral) ? high : low;
        const CellKind kind = hasNan       ? CellKind::Nan
                              : low > high ? CellKind::Masked
                                           : cellKind(value, false);
        return pixel(kind, value, map, colors);
    }
};

constexpr float kNanImportance = std::numeric_limits<float>::infinity();
constexpr float kMaskedImportance = -1.0F;

/// For each column the value that matters most among the rows seen so far: NaN before infinities,
/// the hot before the pale, masked last.
class MostImportant {
public:
    MostImportant(Index nCols, float neutral)
        : m_neutral(neutral),
          m_importance(static_cast<std::size_t>(nCols)),
          m_value(static_cast<std::size_t>(nCols))
    {
    }

    void clear() { std::ranges::fill(m_importance, -2.0F); }

    /// @param logits  null: nothing is masked.
    void addRow(const float* values, const float* logits)
    {
        if (logits)
            add(values, [logits](std::size_t j) { return isMasked(logits[j]); });
        else
            add(values, [](std::size_t) { return false; });
    }

    /// Colour of the most important of the columns from `begin` to `end`.
    QRgb color(Index begin, Index end, const ColorMap& map, const GlyphColors& colors) const
    {
        const auto most =
            std::max_element(m_importance.begin() + begin, m_importance.begin() + end);
        const float value = m_value[static_cast<std::size_t>(most - m_importance.begin())];
        const CellKind kind = *most == kNanImportance ? CellKind::Nan
                              : *most < 0             ? CellKind::Masked
                                                      : cellKind(value, false);
        return pixel(kind, value, map, colors);
    }

private:
    template <typename IsMasked>
    void add(const float* values, IsMasked isMaskedAt)
    {
        float* importance = m_importance.data();
        float* kept = m_value.data();
        const float neutral = m_neutral;
        const std::size_t n = m_importance.size();
#pragma omp simd
        for (std::size_t j = 0; j < n; ++j) {
            const float value = values[j];
            const float distance = std::min(std::abs(value - neutral), kLargest);
            const float allowed = isMaskedAt(j) || isMasked(value) ? kMaskedImportance : distance;
            const float own = value != value ? kNanImportance : allowed;
            kept[j] = own > importance[j] ? value : kept[j];
            importance[j] = own > importance[j] ? own : importance[j];
        }
    }

    static constexpr float kLargest = std::numeric_limits<float>::max();
    float m_neutral;
    std::vector<float> m_importance;
    std::vector<float> m_value;
};

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
    return heatmapImage(values, logits, {0, values.rows(), 0, values.cols()}, map, colors, largest);
}

QImage heatmapImage(const MatrixView& values, const MatrixView& logits, const CellRange& part,
                    const ColorMap& map, const GlyphColors& colors, QSize largest)
{
    const Index nRows = std::min<Index>(part.nRows(), std::max(1, largest.height()));
    const Index nCols = std::min<Index>(part.nCols(), std::max(1, largest.width()));
    QImage image(static_cast<int>(nCols), static_cast<int>(nRows), QImage::Format_RGB32);
    const bool hasMask = logits.size() == values.size();
    const auto kindAt = [&](Index n) {
        return cellKind(values.data()[n], hasMask && isMasked(logits.data()[n]));
    };
    if (nRows == part.nRows() && nCols == part.nCols()) { // a pixel a cell
        for (Index y = 0; y < nRows; ++y) {
            auto* line = reinterpret_cast<QRgb*>(image.scanLine(static_cast<int>(y)));
            const Index first = (part.firstRow + y) * values.cols() + part.firstCol;
            for (Index x = 0; x < nCols; ++x)
                line[x] = pixel(kindAt(first + x), values.data()[first + x], map, colors);
        }
        return image;
    }

    MostImportant most(part.nCols(), neutralOf(map));
    for (Index y = 0; y < nRows; ++y) {
        most.clear();
        for (Index i = blockBegin(y, nRows, part.nRows());
             i < blockBegin(y + 1, nRows, part.nRows()); ++i) {
            const Index first = (part.firstRow + i) * values.cols() + part.firstCol;
            most.addRow(values.data() + first, hasMask ? logits.data() + first : nullptr);
        }
        auto* line = reinterpret_cast<QRgb*>(image.scanLine(static_cast<int>(y)));
        for (Index x = 0; x < nCols; ++x)
            line[x] = most.color(blockBegin(x, nCols, part.nCols()),
                                 blockBegin(x + 1, nCols, part.nCols()), map, colors);
    }
    return image;
}

QImage heatmapImage(const MapDigest::Level& level, const CellRange& part, const ColorMap& map,
                    const GlyphColors& colors, QSize largest)
{
    const Index top = part.firstRow / level.edge;
    const Index left = part.firstCol / level.edge;
    const Index nBlockRows = (part.endRow + level.edge - 1) / level.edge - top;
    const Index nBlockCols = (part.endCol + level.edge - 1) / level.edge - left;
    const Index nRows = std::min<Index>(nBlockRows, std::max(1, largest.height()));
    const Index nCols = std::min<Index>(nBlockCols, std::max(1, largest.width()));
    QImage image(static_cast<int>(nCols), static_cast<int>(nRows), QImage::Format_RGB32);
    const float neutral = neutralOf(map);
    std::vector<Extremes> extremes(static_cast<std::size_t>(nCols));
    for (Index y = 0; y < nRows; ++y) {
        std::ranges::fill(extremes, Extremes());
        const Index end = top + blockBegin(y + 1, nRows, nBlockRows);
        for (Index i = top + blockBegin(y, nRows, nBlockRows); i < end; ++i) {
            const float* low = level.low.data() + i * level.low.cols() + left;
            const float* high = level.high.data() + i * level.high.cols() + left;
            for (Index x = 0, j = 0; x < nCols; ++x)
                for (const Index next = blockBegin(x + 1, nCols, nBlockCols); j < next; ++j)
                    extremes[static_cast<std::size_t>(x)].include(low[j], high[j]);
        }
        auto* line = reinterpret_cast<QRgb*>(image.scanLine(static_cast<int>(y)));
        for (Index x = 0; x < nCols; ++x)
            line[x] = extremes[static_cast<std::size_t>(x)].color(neutral, map, colors);
    }
    return image;
}

QImage heatmapImage(const HeatmapValues& map, const CellRange& part, const ColorMap& colors,
                    const GlyphColors& glyphs, QSize largest)
{
    const auto cellsAPixel = [](Index nCells, int nPixels) {
        return static_cast<double>(nCells) / std::max(1, nPixels);
    };
    const double nCells = std::min(cellsAPixel(part.nRows(), largest.height()),
                                   cellsAPixel(part.nCols(), largest.width()));
    const MapDigest::Level* level = map.digest ? map.digest->levelFor(nCells) : nullptr;
    return level ? heatmapImage(*level, part, colors, glyphs, largest)
                 : heatmapImage(map.values, map.logits, part, colors, glyphs, largest);
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
