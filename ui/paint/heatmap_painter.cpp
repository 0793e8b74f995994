#include "ui/paint/heatmap_painter.h"

#include "ui/paint/heatmap_image.h"

#include <QFontMetricsF>
#include <QPaintEngine>
#include <QPainter>
#include <QPainterPath>
#include <cmath>
#include <limits>

namespace keyaxis {

namespace {

constexpr float kMasked = -std::numeric_limits<float>::infinity();
constexpr Index kMostVectorCells = 64 * 64;

bool isMasked(const MatrixView& logits, Index row, Index col)
{
    return logits.size() > 0 && logits(row, col) == kMasked;
}

void paintHatching(QPainter& painter, const QRectF& box, const QColor& color, double step)
{
    painter.save();
    painter.setClipRect(box, Qt::IntersectClip);
    painter.setRenderHint(QPainter::Antialiasing, true);
    painter.setPen(QPen(color, 1.0));
    for (double x = box.left() - box.height(); x < box.right(); x += step)
        painter.drawLine(QPointF(x, box.bottom()), QPointF(x + box.height(), box.top()));
    painter.restore();
}

/// How large the numbers are, and whether they are short; size 0: they do not fit.
struct NumberStyle {
    int px = 0;
    bool isShort = false;
};

NumberStyle numberStyle(const HeatmapLayout& layout, bool isSigned)
{
    const double width = layout.cellWidth - layout.gap;
    const double height = layout.cellHeight - layout.gap;
    const int px = std::clamp(static_cast<int>(std::min(height * 0.44, width * 0.36)), 9, 26);
    const auto fits = [&](int size, const QString& text) {
        return QFontMetricsF(uiFont(size, QFont::Medium)).horizontalAdvance(text) + 3 <= width &&
               size * 1.25 <= height;
    };
    if (fits(px, isSigned ? QStringLiteral("-0.00") : QStringLiteral("0.00")))
        return {px, false};
    for (int size = std::min(px, 11); size >= 9; --size)
        if (fits(size, isSigned ? QStringLiteral("-0.0") : QStringLiteral(".00")))
            return {size, true};
    return {};
}

void paintGlyph(QPainter& painter, const QRectF& box, CellKind kind, bool alsoMasked,
                const NumberStyle& numbers, const Theme& theme)
{
    const double dot = std::clamp(box.width() * 0.07, 0.6, 3.0);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.muted);
    if (kind == CellKind::Masked || kind == CellKind::MinusInfinity) {
        painter.drawEllipse(box.center(), dot, dot);
        return;
    }
    if (kind == CellKind::PlusInfinity) {
        painter.setPen(QPen(theme.ink, 1.2));
        painter.setFont(uiFont(std::max(8, static_cast<int>(box.height() * 0.5))));
        painter.drawText(box, Qt::AlignCenter, QStringLiteral("+∞"));
        return;
    }
    paintHatching(painter, box, mixed(theme.invalid, theme.panel, 0.55),
                  std::clamp(box.width() / 4, 3.0, 9.0));
    const QFont font = uiFont(std::min(numbers.px > 0 ? numbers.px : 9, 16), QFont::DemiBold);
    const QFontMetricsF metrics(font);
    const QString word = QStringLiteral("NaN");
    const QSizeF patch(metrics.horizontalAdvance(word) + 4, metrics.capHeight() + 5);
    if (patch.width() <= box.width() && patch.height() <= box.height()) {
        const QRectF clear(box.center() - QPointF(patch.width(), patch.height()) / 2, patch);
        painter.setBrush(theme.tint(theme.invalid));
        painter.drawRoundedRect(clear, 2, 2);
        drawLabel(painter, clear, Qt::AlignHCenter, word, font, theme.invalid);
    }
    if (alsoMasked && box.width() >= 14) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme.muted);
        painter.drawEllipse(box.topRight() + QPointF(-3.5, 3.5), 1.2, 1.2);
    }
}

void paintOneByOne(QPainter& painter, const HeatmapLayout& layout, const HeatmapValues& map,
                   const ColorMap& colors, const Theme& theme)
{
    const bool isSigned = colors.range().low < 0;
    const NumberStyle numbers = numberStyle(layout, isSigned);
    const double radius = layout.gap > 1 ? std::min(3.0, layout.cellWidth * 0.08) : 0;
    const QFont font = uiFont(numbers.px, QFont::Medium);
    for (Index i = 0; i < layout.nRows; ++i)
        for (Index j = 0; j < layout.nCols; ++j) {
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
                drawLabel(painter, box, Qt::AlignHCenter, cellText(value, numbers.isShort), font,
                          textOn(fill));
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

/// Contiguous runs of masked and allowed cells along a slice.
template <typename IsMasked, typename Paint>
void forEachRun(Index n, IsMasked isMaskedAt, Paint paint)
{
    for (Index begin = 0; begin < n;) {
        Index end = begin + 1;
        while (end < n && isMaskedAt(end) == isMaskedAt(begin))
            ++end;
        paint(begin, end - 1, isMaskedAt(begin));
        begin = end;
    }
}

} // namespace

QString cellText(float value, bool isShort)
{
    QString text = QString::number(static_cast<double>(value), 'f', 2);
    if (text == QLatin1String("-0.00"))
        text = QStringLiteral("0.00");
    if (!isShort)
        return text;
    if (text == QLatin1String("1.00"))
        return QStringLiteral("1");
    if (text == QLatin1String("0.00"))
        return QStringLiteral("0");
    if (text.startsWith(QLatin1String("0.")))
        return text.mid(1);
    return QString::number(static_cast<double>(value), 'f', std::abs(value) < 9.95F ? 1 : 0);
}

void paintCells(QPainter& painter, const HeatmapLayout& layout, const HeatmapValues& map,
                const ColorMap& colors, const Theme& theme)
{
    if (layout.nRows == 0 || layout.nCols == 0)
        return;
    painter.save();
    if (layout.cellWidth >= 6 && layout.nRows * layout.nCols <= kMostVectorCells) {
        paintOneByOne(painter, layout, map, colors, theme);
        painter.restore();
        return;
    }
    // One image: a rectangle for each cell of a 512 x 512 map costs 61 MB of SVG. Where cells are
    // larger than a device pixel it is enlarged by whole factors, for viewers that would smooth it.
    const GlyphColors glyphs{mixed(theme.muted, theme.paper, 0.15).rgb(), theme.invalid.rgb(),
                             theme.ink.rgb()};
    const QTransform device = painter.deviceTransform();
    const QSize pixels(static_cast<int>(std::ceil(layout.cells.width() * device.m11())),
                       static_cast<int>(std::ceil(layout.cells.height() * device.m22())));
    QImage image = heatmapImage(map.values, map.logits, colors, glyphs, pixels);
    const bool isRaster = painter.paintEngine()->type() == QPaintEngine::Raster;
    if (!isRaster && (image.width() < pixels.width() || image.height() < pixels.height()))
        image = image.scaled(std::max(pixels.width(), image.width()),
                             std::max(pixels.height(), image.height()), Qt::IgnoreAspectRatio,
                             Qt::FastTransformation);
    painter.setRenderHint(QPainter::SmoothPixmapTransform, false);
    painter.drawImage(layout.cells, image);
    painter.restore();
}

void paintLabels(QPainter& painter, const HeatmapLayout& layout, const HeatmapContent& content,
                 const QString& rowName, const QString& colName, const Theme& theme)
{
    const QFont font = uiFont(layout.labelPx);
    const double line = layout.labelPx * 1.4;
    for (Index i = 0; content.rowLabels && i < layout.nRows; i += layout.rowEvery) {
        const double y = layout.cell(i, 0).center().y();
        drawLabel(painter, {layout.rowLabels.left(), y - line / 2, layout.rowLabels.width(), line},
                  Qt::AlignRight, (*content.rowLabels)[static_cast<std::size_t>(i)], font, theme.ink);
    }
    for (Index j = 0; content.colLabels && j < layout.nCols; j += layout.colEvery) {
        const double x = layout.cell(0, j).center().x();
        const Label& label = (*content.colLabels)[static_cast<std::size_t>(j)];
        painter.save();
        // A sign or two stand upright: tilted they look like dirt.
        if (layout.isTilted && label.width(font) > layout.cellWidth * 0.55) {
            painter.translate(x + layout.labelPx * 0.1, layout.cells.top() - 4);
            painter.rotate(-45);
            const double length = (layout.colLabels.height() - layout.labelPx * 0.6) / 0.72;
            drawLabel(painter, {0, -line / 2, length, line}, Qt::AlignLeft, label, font, theme.ink);
        } else {
            const double width = std::max(layout.cellWidth * static_cast<double>(layout.colEvery), 12.0);
            drawLabel(painter, {x - width / 2, layout.cells.top() - layout.labelPx * 1.7, width, line},
                      Qt::AlignHCenter, label, font, theme.ink);
        }
        painter.restore();
    }
    const QFont nameFont = uiFont(std::max(9, layout.isCompact ? layout.labelPx - 1 : layout.labelPx));
    if (layout.isCompact) {
        drawLabel(painter, layout.colAxisName, Qt::AlignRight, colName + QStringLiteral(" →"), nameFont,
                  theme.muted);
        drawLabel(painter, layout.rowAxisName, Qt::AlignRight, rowName + QStringLiteral(" ↓"), nameFont,
                  theme.muted);
        return;
    }
    drawLabel(painter, layout.colAxisName, Qt::AlignHCenter | Qt::AlignTop,
              colName + QStringLiteral(" (columns) →"), nameFont, theme.muted);
    painter.save();
    painter.translate(layout.rowAxisName.center());
    painter.rotate(-90);
    const double half = std::max(60.0, layout.rowAxisName.height() / 2);
    drawLabel(painter, {-half, -line, 2 * half, line}, Qt::AlignHCenter,
              QStringLiteral("← ") + rowName + QStringLiteral(" (rows)"), nameFont, theme.muted);
    painter.restore();
}

void paintSlice(QPainter& painter, const HeatmapLayout& layout, const MatrixView& logits, Cell cell,
                Axis axis, Index nStacked, const Theme& theme)
{
    if (cell.row >= layout.nRows || cell.col >= layout.nCols)
        return;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing, true);
    painter.setBrush(Qt::NoBrush);
    const double pen = std::clamp(layout.cellHeight * 0.06, 1.6, 5.0);
    const QColor color = theme.axisColor(axis);
    const auto outline = [&](Cell first, Cell last, bool masked) {
        QPen stroke(color, masked ? pen * 0.65 : pen);
        if (masked)
            stroke.setDashPattern({3, 2});
        painter.setPen(stroke);
        const double grow = layout.gap / 2;
        const double radius = std::min(5.0, layout.cellHeight * 0.14);
        painter.drawRoundedRect(layout.span(first, last).adjusted(-grow, -grow, grow, grow), radius,
                                radius);
    };
    if (axis == Axis::Key) {
        forEachRun(layout.nCols, [&](Index j) { return isMasked(logits, cell.row, j); },
                   [&](Index a, Index b, bool masked) {
                       outline({cell.row, a}, {cell.row, b}, masked);
                   });
    } else if (axis == Axis::Query) {
        forEachRun(layout.nRows, [&](Index i) { return isMasked(logits, i, cell.col); },
                   [&](Index a, Index b, bool masked) {
                       outline({a, cell.col}, {b, cell.col}, masked);
                   });
    } else {
        // The same cell of the other maps, as sheets behind this one.
        const QRectF front = layout.cell(cell.row, cell.col);
        const double step = std::clamp(layout.cellHeight * 0.08, 1.5, 4.0);
        for (Index n = std::min<Index>(nStacked, 5); n-- > 0;) {
            painter.setPen(QPen(color, n == 0 ? pen : pen * 0.55));
            painter.drawRoundedRect(
                front.translated(static_cast<double>(n) * step, -static_cast<double>(n) * step), 4, 4);
        }
    }
    painter.restore();
}

GlyphsPresent glyphsIn(const HeatmapValues& map)
{
    // No early end and no branch: the loop is one pass of vector instructions.
    GlyphsPresent present;
    const float* values = map.values.data();
    for (Index n = 0; n < map.values.size(); ++n) {
        present.nan |= values[n] != values[n];
        present.infinity |= values[n] == -kMasked;
        present.masked |= values[n] == kMasked;
    }
    const float* logits = map.logits.data();
    for (Index n = 0; n < map.logits.size(); ++n)
        present.masked |= logits[n] == kMasked;
    return present;
}

void paintColorBar(QPainter& painter, const HeatmapLayout& layout, const GlyphsPresent& present,
                   const ColorMap& colors, const Theme& theme)
{
    const QFont font = uiFont(std::clamp(layout.labelPx - 1, 9, 18));
    const double width = std::clamp(layout.cells.width() * 0.58, 60.0, 320.0);
    const double barHeight = std::clamp(layout.labelPx * 0.55, 5.0, 12.0);
    const auto end = [](float value) {
        return std::abs(value) >= 1e4F || (value != 0 && std::abs(value) < 1e-2F)
                   ? QString::number(static_cast<double>(value), 'g', 3)
                   : QString::number(static_cast<double>(value), 'f',
                                     value == std::round(value) ? 0 : 2);
    };
    const QString low = end(colors.range().low);
    const QString high = end(colors.range().high);
    const QFontMetricsF metrics(font);
    const double line = font.pixelSize() * 1.3;
    const double indent = layout.isCompact ? metrics.horizontalAdvance(low) + 5 : 0;
    const QRectF bar(layout.colorBar.left() + indent, layout.colorBar.top() + 5, width, barHeight);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing, false);
    QImage steps(256, 1, QImage::Format_RGB32);
    for (int n = 0; n < 256; ++n)
        steps.setPixelColor(n, 0, colors.step(n));
    painter.drawImage(bar, steps.scaled(1024, 8));
    painter.setRenderHint(QPainter::Antialiasing, true);
    const double y = layout.isCompact ? bar.center().y() - line / 2 : bar.bottom() + 1;
    const double out = layout.isCompact ? metrics.horizontalAdvance(high) + 5 : 0;
    const QRectF ends(bar.left() - indent, y, indent + bar.width() + out, line);
    drawLabel(painter, ends, Qt::AlignLeft, low, font, theme.muted);
    drawLabel(painter, ends, Qt::AlignRight, high, font, theme.muted);

    double x = ends.right() + 14;
    const auto entry = [&](const QString& text) {
        const double textWidth = QFontMetricsF(font).horizontalAdvance(text) + 1;
        const QRectF box(x, bar.center().y() - 8, textWidth, 16);
        if (box.right() <= std::max(layout.colorBar.right(), layout.sums.right()))
            drawLabel(painter, box, Qt::AlignLeft, text, font, theme.muted);
        x += textWidth + 10;
    };
    if (present.masked)
        entry(QStringLiteral("• masked"));
    if (present.nan) {
        paintHatching(painter, {x, bar.center().y() - 5, 10, 10}, theme.invalid, 4);
        x += 14;
        entry(QStringLiteral("undefined"));
    }
    if (present.infinity)
        entry(QStringLiteral("+∞"));
    painter.restore();
}

} // namespace keyaxis
