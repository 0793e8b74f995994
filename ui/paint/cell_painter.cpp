#include "ui/paint/cell_painter.h"

#include "core/attention/masked.h"
#include "ui/paint/hatching.h"
#include "ui/paint/heatmap_image.h"
#include "ui/paint/shaped_text.h"

#include <QFontMetricsF>
#include <QPaintEngine>
#include <QPainter>
#include <QPainterPath>
#include <cmath>

namespace keyaxis {

namespace {

constexpr Index kMostVectorCells = 64 * 64;
constexpr double kVectorScale = 4; ///< pixels a point of an image in a PDF or SVG: about 300 dpi

bool isRaster(const QPainter& painter)
{
    return painter.paintEngine()->type() == QPaintEngine::Raster;
}

/// How large the numbers are, and whether they are short; size 0: they do not fit.
struct NumberStyle {
    int px = 0;
    bool isShort = false;
    int smallestPx = 9;
};

/// One style for the whole map, by the widest number in it: a number is never cut.
NumberStyle numberStyle(const HeatmapLayout& layout, const MatrixView& values)
{
    const double width = layout.cellWidth - layout.gap;
    const double height = layout.cellHeight - layout.gap;
    NumberStyle none;
    none.smallestPx = layout.smallestPx;
    if (width < 16 || height < 11)
        return none;
    float largest = 0;
    bool isSigned = false;
    const CellRange seen = layout.visible();
    for (Index i = seen.firstRow; i < seen.endRow; ++i)
        for (Index j = seen.firstCol; j < seen.endCol; ++j)
            if (const float value = values(i, j); std::isfinite(value)) {
                largest = std::max(largest, std::abs(value));
                isSigned |= value < 0;
            }
    const auto fits = [&](int px, bool isShort) {
        // The short form of every number below 99.5 has two digits and at most a point and a sign.
        const QString widest =
            isShort && largest < 99.5F ? QStringLiteral(".00") : cellText(largest, isShort);
        const QString text = isSigned ? QStringLiteral("-") + widest : widest;
        return textWidth(text, uiFont(px, QFont::Medium)) + (isShort ? 2 : 3) <= width &&
               px * 1.25 <= height;
    };
    const int px =
        std::clamp(static_cast<int>(std::min(height * 0.44, width * 0.36)), layout.smallestPx, 26);
    for (int size = px; size >= std::min(px, std::max(layout.smallestPx, 10)); --size)
        if (fits(size, false))
            return {size, false, layout.smallestPx};
    for (int size = std::min(px + 2, 12); size >= layout.smallestPx; --size)
        if (fits(size, true))
            return {size, true, layout.smallestPx};
    return none;
}

void paintNan(QPainter& painter, const QRectF& box, bool alsoMasked, const NumberStyle& numbers,
              const Theme& theme)
{
    paintHatching(painter, box, mixed(theme.invalid, theme.panel, 0.55),
                  std::clamp(box.width() / 4, 3.0, 9.0));
    const QString word = QStringLiteral("NaN");
    QFont font = uiFont(std::clamp(numbers.px, numbers.smallestPx, 16), QFont::DemiBold);
    const auto patchOf = [&] {
        const QFontMetricsF metrics(font);
        return QSizeF(textWidth(word, font) + 4, metrics.capHeight() + 5);
    };
    while (font.pixelSize() > numbers.smallestPx && patchOf().width() > box.width())
        font.setPixelSize(font.pixelSize() - 1);
    const QSizeF patch = patchOf();
    if (patch.width() <= box.width() && patch.height() <= box.height()) {
        const QRectF clear(box.center() - QPointF(patch.width(), patch.height()) / 2, patch);
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme.tint(theme.invalid));
        painter.drawRoundedRect(clear, 2, 2);
        drawLabel(painter, clear, Qt::AlignHCenter, word, font, theme.invalid);
    }
    if (alsoMasked && box.width() >= 14) {
        const double dot = std::clamp(box.width() * 0.035, 1.2, 2.5);
        const double inset = std::max(3.5, dot * 2.2);
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme.muted);
        painter.drawEllipse(box.topRight() + QPointF(-inset, inset), dot, dot);
    }
}

void paintGlyph(QPainter& painter, const QRectF& box, CellKind kind, bool alsoMasked,
                const NumberStyle& numbers, const Theme& theme)
{
    if (kind == CellKind::Nan) {
        paintNan(painter, box, alsoMasked, numbers, theme);
        return;
    }
    if (kind == CellKind::PlusInfinity) {
        const int px = std::clamp(static_cast<int>(box.height() * 0.5), 4, 26);
        drawLabel(painter, box, Qt::AlignHCenter, QStringLiteral("+∞"),
                  uiFont(std::min(px, static_cast<int>(box.width() * 0.5)), QFont::Medium),
                  theme.ink);
        return;
    }
    const double dot = std::clamp(box.width() * 0.07, 0.6, 3.0);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.muted);
    painter.drawEllipse(box.center(), dot, dot);
}

void paintNumber(QPainter& painter, const QRectF& box, const QString& text, const QFont& font,
                 const QColor& color)
{
    const QFontMetricsF metrics(font);
    painter.setPen(color);
    drawText(painter,
             QPointF(box.center().x() - textWidth(text, font) / 2,
                     box.center().y() + metrics.capHeight() / 2),
             text, font);
}

void paintOneByOne(QPainter& painter, const HeatmapLayout& layout, const HeatmapValues& map,
                   const ColorMap& colors, const Theme& theme)
{
    const NumberStyle numbers = numberStyle(layout, map.values);
    // Plain rectangles in SVG: they are what the writer of the file asks viewers to keep crisp.
    const bool isSvg = painter.paintEngine()->type() == QPaintEngine::SVG;
    const double radius = layout.gap > 1 && !isSvg ? std::min(3.0, layout.cellWidth * 0.08) : 0;
    const QFont font = uiFont(numbers.px, QFont::Medium);
    const CellRange seen = layout.visible();
    for (Index i = seen.firstRow; i < seen.endRow; ++i)
        for (Index j = seen.firstCol; j < seen.endCol; ++j) {
            const QRectF box = layout.cell(i, j);
            const float value = map.values(i, j);
            const bool masked = isMasked(map.logits, i, j);
            const CellKind kind = cellKind(value, masked);
            const QColor fill = kind == CellKind::Number ? colors.color(value)
                                : kind == CellKind::Nan  ? theme.tint(theme.invalid)
                                                         : theme.paper;
            painter.setPen(Qt::NoPen);
            painter.setBrush(fill);
            painter.setRenderHint(QPainter::Antialiasing, radius > 0);
            if (radius > 0)
                painter.drawRoundedRect(box, radius, radius);
            else
                painter.fillRect(box, fill);
            painter.setRenderHint(QPainter::Antialiasing, true);
            if (kind != CellKind::Number) {
                paintGlyph(painter, box, kind, masked, numbers, theme);
                continue;
            }
            if (numbers.px > 0)
                paintNumber(painter, box, cellText(value, numbers.isShort), font, textOn(fill));
            if (colors.isClipped(value)) { // never silently in the colour of the bar's end
                QPainterPath corner(box.topRight());
                corner.lineTo(box.topRight() - QPointF(box.width() * 0.28, 0));
                corner.lineTo(box.topRight() + QPointF(0, box.width() * 0.28));
                painter.setPen(Qt::NoPen);
                painter.setBrush(textOn(fill));
                painter.drawPath(corner);
            }
        }
}

/// One image: a rectangle for each cell of a 512 x 512 map costs 61 MB of SVG.
void paintImage(QPainter& painter, const HeatmapLayout& layout, const HeatmapValues& map,
                const ColorMap& colors, const Theme& theme)
{
    // On a screen the image has the pixels of the screen, so that none is dropped on the way.
    const QTransform device = painter.deviceTransform();
    const bool onScreen = isRaster(painter);
    const double scale = onScreen ? device.m11() : kVectorScale;
    const CellRange seen = layout.visible();
    const double gap = layout.gap;
    const QRectF area =
        layout.span({seen.firstRow, seen.firstCol}, {seen.endRow - 1, seen.endCol - 1})
            .adjusted(0, 0, gap, gap);
    const QRect onDevice = device.mapRect(area).toRect();
    const QSize pixels =
        onScreen ? onDevice.size().expandedTo({1, 1}) : (area.size() * kVectorScale).toSize();
    const GlyphColors glyphs{theme.paper.rgb(), theme.invalid.rgb(), theme.ink.rgb()};
    QImage image = heatmapImage(map, seen, colors, glyphs, pixels);
    if (image.size() != pixels)
        image = image.scaled(pixels, Qt::IgnoreAspectRatio, Qt::FastTransformation);
    patternGlyphs(image, glyphs, {theme.tint(theme.invalid).rgb(), theme.muted.rgb(), scale});
    painter.setRenderHint(QPainter::SmoothPixmapTransform, false);
    painter.drawImage(onScreen ? device.inverted().mapRect(QRectF(onDevice)) : area, image);
}

} // namespace

GlyphsPresent glyphsIn(const HeatmapValues& map)
{
    if (map.digest)
        return {map.digest->hasMasked, map.digest->hasNan, map.digest->hasInfinity};
    // Counts of whole vectors: flags, or a stop at the first hit, are not vectorised, and four maps
    // of 512 tokens then cost a fifth of a frame.
    const auto nEqual = [](const MatrixView& matrix, float wanted) {
        int n = 0;
        const float* values = matrix.data();
        for (Index i = 0; i < matrix.size(); ++i)
            n += values[i] == wanted ? 1 : 0;
        return n;
    };
    int nNan = 0;
    const float* values = map.values.data();
    for (Index i = 0; i < map.values.size(); ++i)
        nNan += values[i] != values[i] ? 1 : 0;
    return {nEqual(map.values, kMasked) + nEqual(map.logits, kMasked) > 0, nNan > 0,
            nEqual(map.values, -kMasked) > 0};
}

GlyphsPresent glyphsIn(const HeatmapValues& map, const ColorMap& colors)
{
    GlyphsPresent present = glyphsIn(map);
    const Range& range = colors.range();
    if (map.digest) {
        present.clippedLow = !map.digest->isEmpty && map.digest->low < range.low;
        present.clippedHigh = !map.digest->isEmpty && map.digest->high > range.high;
        return present;
    }
    const bool hasMask = map.logits.size() > 0;
    for (Index n = 0; n < map.values.size(); ++n) {
        const float value = map.values.data()[n];
        if (!std::isfinite(value) || (hasMask && map.logits.data()[n] == kMasked))
            continue;
        present.clippedLow |= value < range.low;
        present.clippedHigh |= value > range.high;
    }
    return present;
}

void GlyphsPresent::include(const GlyphsPresent& other)
{
    masked |= other.masked;
    nan |= other.nan;
    infinity |= other.infinity;
    clippedLow |= other.clippedLow;
    clippedHigh |= other.clippedHigh;
}

QString cellText(float value, bool isShort)
{
    const auto number = static_cast<double>(value);
    if (std::abs(value) >= 1e5F)
        return QString::number(number, 'g', 2);
    QString text = QString::number(number, 'f', 2);
    if (text == QLatin1String("-0.00"))
        text = QStringLiteral("0.00");
    if (!isShort)
        return text;
    // A bare "0" or "1" claims to be exact; a rounded one keeps its point.
    if (text.endsWith(QLatin1String(".00")) && std::abs(value) < 9.95F &&
        text != QLatin1String("0.00"))
        return text.chopped(number == std::round(number) ? 3 : 1);
    if (value == 0.0F)
        return QStringLiteral("0");
    if (text.startsWith(QLatin1String("0.")))
        return text.mid(1);
    if (text.startsWith(QLatin1String("-0.")))
        return QStringLiteral("-") + text.mid(2);
    return QString::number(number, 'f', std::abs(value) < 9.95F ? 1 : 0);
}

void paintCells(QPainter& painter, const HeatmapLayout& layout, const HeatmapValues& map,
                const ColorMap& colors, const Theme& theme)
{
    if (layout.nRows == 0 || layout.nCols == 0)
        return;
    painter.save();
    const CellRange seen = layout.visible();
    if (layout.isZoomed()) // a cell at the edge may be cut
        painter.setClipRect(layout.view, Qt::IntersectClip);
    const bool isSmall = layout.cellWidth < 6 && isRaster(painter);
    if (!isSmall && seen.nRows() * seen.nCols() <= kMostVectorCells)
        paintOneByOne(painter, layout, map, colors, theme);
    else
        paintImage(painter, layout, map, colors, theme);
    painter.restore();
}

} // namespace keyaxis
