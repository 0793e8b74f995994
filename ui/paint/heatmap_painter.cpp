#include "ui/paint/heatmap_painter.h"

#include "core/attention/masked.h"
#include "ui/paint/hatching.h"
#include "ui/paint/heatmap_image.h"
#include "ui/paint/shaped_text.h"

#include <QPainter>
#include <QPainterPath>
#include <cmath>

namespace keyaxis {

namespace {

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

/// Draws a line with a light edge, so that it stands out on every colour of the map.
template <typename Draw>
void paintHalo(QPainter& painter, Draw draw, QPen pen, const QColor& halo)
{
    QPen edge(halo, pen.widthF() + 2.0);
    painter.setPen(edge);
    draw();
    painter.setPen(pen);
    draw();
}

/// The same cell of the other maps, as sheets behind this one: each hides what it covers.
void paintSheets(QPainter& painter, const QRectF& front, Index nSheets, const QColor& color,
                 double pen, const QColor& halo)
{
    // Of small cells the sheets reach no further than the gap, or they would cover the neighbour's
    // number: the stack is then a thick edge.
    const auto nBehind = static_cast<double>(nSheets - 1);
    const double most = front.height() < 30 ? 3.0 : front.height() * 0.3;
    const double step =
        nBehind > 0 ? std::min(std::clamp(front.height() * 0.08, 1.5, 5.0), most / nBehind) : 1.0;
    for (double n = nBehind; n > 0.5; --n) {
        const double shift = n * step;
        const QRectF sheet = front.translated(shift, -shift);
        QPainterPath edge(sheet.topLeft() + QPointF(0, step));
        edge.lineTo(sheet.topLeft());
        edge.lineTo(sheet.topRight());
        edge.lineTo(sheet.bottomRight());
        edge.lineTo(sheet.bottomRight() - QPointF(step, 0));
        painter.setPen(
            QPen(color, std::max(1.0, pen * 0.6), Qt::SolidLine, Qt::FlatCap, Qt::RoundJoin));
        painter.drawPath(edge);
    }
    paintHalo(
        painter, [&] { painter.drawRoundedRect(front, 3, 3); }, QPen(color, pen), halo);
}

} // namespace

namespace {

/// A tick at each power of ten of a logarithmic bar.
void paintDecades(QPainter& painter, const QRectF& bar, const ColorMap& colors, const Theme& theme)
{
    if (colors.spread() != Spread::Logarithmic)
        return;
    const double low = std::log10(static_cast<double>(colors.range().low));
    const double high = std::log10(static_cast<double>(colors.range().high));
    const double every = std::max(1.0, std::ceil((high - low) / 12));
    painter.setPen(QPen(theme.panel, 1));
    for (double decade = std::ceil(low); decade <= high; decade += every) {
        const double x = bar.left() + (decade - low) / (high - low) * bar.width();
        painter.drawLine(QPointF(x, bar.top()), QPointF(x, bar.bottom()));
    }
}

} // namespace

void paintLabels(QPainter& painter, const HeatmapLayout& layout, const HeatmapContent& content,
                 const QString& rowName, const QString& colName, const Theme& theme)
{
    const QFont font = uiFont(layout.labelPx);
    const double line = layout.labelPx * 1.4;
    const CellRange seen = layout.visible();
    const auto firstOf = [](Index first, Index every) {
        return (first + every - 1) / every * every;
    };
    for (Index i = firstOf(seen.firstRow, layout.rowEvery); content.rowLabels && i < seen.endRow;
         i += layout.rowEvery) {
        const double y = layout.cell(i, 0).center().y();
        if (y < layout.view.top() || y > layout.view.bottom())
            continue; // the middle of a cell that is cut
        drawLabel(painter, {layout.rowLabels.left(), y - line / 2, layout.rowLabels.width(), line},
                  Qt::AlignRight, (*content.rowLabels)[static_cast<std::size_t>(i)], font,
                  theme.ink);
    }
    for (Index j = firstOf(seen.firstCol, layout.colEvery); content.colLabels && j < seen.endCol;
         j += layout.colEvery) {
        const double x = layout.cell(0, j).center().x();
        if (x < layout.view.left() || x > layout.view.right())
            continue;
        const Label& label = (*content.colLabels)[static_cast<std::size_t>(j)];
        painter.save();
        if (layout.isTilted) { // all of them: two heights would read as two rows
            painter.translate(x + layout.labelPx * 0.1, layout.view.top() - 6);
            painter.rotate(-45);
            const double length = (layout.colLabels.height() - layout.labelPx * 0.6) / 0.72;
            drawLabel(painter, {0, -line / 2, length, line}, Qt::AlignLeft, label, font, theme.ink);
        } else {
            const double width = std::max(layout.cellWidth, layout.labelPx * 1.2);
            drawLabel(painter,
                      {x - width / 2, layout.view.top() - layout.labelPx * 1.7, width, line},
                      Qt::AlignHCenter, label, font, theme.ink);
        }
        painter.restore();
    }
    if (!content.hasAxisNames)
        return;
    const QFont nameFont = uiFont(layout.isCompact ? layout.captionPx() : layout.labelPx);
    if (layout.isCompact) {
        drawLabel(painter, layout.colAxisName, Qt::AlignRight, colName + QStringLiteral(" →"),
                  nameFont, theme.muted);
        drawLabel(painter, layout.rowAxisName, Qt::AlignRight, rowName + QStringLiteral(" ↓"),
                  nameFont, theme.muted);
        return;
    }
    drawLabel(painter, layout.colAxisName, Qt::AlignHCenter | Qt::AlignTop,
              layout.words("%1 (columns) →").arg(colName), nameFont, theme.muted);
    painter.save();
    painter.translate(layout.rowAxisName.center());
    painter.rotate(-90);
    const QString name = layout.words("← %1 (rows)").arg(rowName);
    const double half = std::max(layout.rowAxisName.height(), textWidth(name, nameFont) + 2) / 2;
    drawLabel(painter, {-half, -line, 2 * half, line}, Qt::AlignHCenter, name, nameFont,
              theme.muted);
    painter.restore();
}

namespace {

/// Where names are thinned out, one that was left out has no room among them: those it would cross
/// give way as a whole.
void hideTiltedNeighbours(QPainter& painter, const HeatmapLayout& layout, Index col,
                          const QColor& ground)
{
    constexpr double kSlope = 0.72; // of 45°
    const double height = layout.labelPx * 1.15;
    const auto reach = static_cast<Index>(height / std::max(1e-9, layout.cellWidth * kSlope));
    for (Index j = std::max<Index>(0, col - reach); j <= std::min(layout.nCols - 1, col + reach);
         ++j) {
        if (j % layout.colEvery != 0 || j == col)
            continue;
        painter.save();
        painter.translate(layout.cell(0, j).center().x() + layout.labelPx * 0.1,
                          layout.view.top() - 6);
        painter.rotate(-45);
        painter.fillRect(QRectF(0, -height / 2, layout.colLabels.height() / kSlope, height),
                         ground);
        painter.restore();
    }
}

} // namespace

void hideNeighbours(QPainter& painter, const HeatmapLayout& layout, Index row, const QRectF& column,
                    const QColor& ground)
{
    const double height = layout.labelPx * 1.15;
    const auto reach = static_cast<Index>(height / std::max(1e-9, layout.cellHeight));
    for (Index i = std::max<Index>(0, row - reach); i <= std::min(layout.nRows - 1, row + reach);
         ++i) {
        const double y = layout.cell(i, 0).center().y();
        if (i % layout.rowEvery == 0 && i != row)
            painter.fillRect(QRectF(column.left(), y - height / 2, column.width(), height), ground);
    }
}

void paintCellNames(QPainter& painter, const HeatmapLayout& layout, const HeatmapContent& content,
                    Cell cell, const Theme& theme)
{
    if (!content.rowLabels || !content.colLabels || cell.row >= std::ssize(*content.rowLabels) ||
        cell.col >= std::ssize(*content.colLabels))
        return;
    const QPointF centre = layout.cell(cell.row, cell.col).center();
    if (!layout.view.contains(centre))
        return;
    const QFont font = uiFont(layout.labelPx, QFont::Bold);
    const double line = layout.labelPx * 1.4;
    const auto draw = [&](const QRectF& room, Qt::Alignment side, const Label& label) {
        // The patch hides the thin letters below, but no neighbour's that only stand close.
        const double height = layout.labelPx * 1.15;
        const double width = std::min(room.width(), label.width(font) + 2);
        const double x = side == Qt::AlignRight     ? room.right() - width
                         : side == Qt::AlignHCenter ? room.center().x() - width / 2
                                                    : room.left();
        painter.fillRect(QRectF(x, room.center().y() - height / 2, width, height), theme.panel);
        drawLabel(painter, room, side, label, font, theme.ink);
    };
    const Label& row = (*content.rowLabels)[static_cast<std::size_t>(cell.row)];
    const Label& col = (*content.colLabels)[static_cast<std::size_t>(cell.col)];
    const double width = std::max(layout.rowLabels.width(), row.width(font) + 1);
    const double roomForBold = std::min(width, layout.rowLabels.width() * 1.2);
    hideNeighbours(painter, layout, cell.row, layout.rowLabels, theme.panel);
    draw({layout.rowLabels.right() - roomForBold, centre.y() - line / 2, roomForBold, line},
         Qt::AlignRight, row);
    painter.save();
    if (layout.isTilted) {
        hideTiltedNeighbours(painter, layout, cell.col, theme.panel);
        painter.translate(centre.x() + layout.labelPx * 0.1, layout.view.top() - 6);
        painter.rotate(-45);
        const double length = (layout.colLabels.height() - layout.labelPx * 0.6) / 0.72;
        draw({0, -line / 2, length, line}, Qt::AlignLeft, col);
    } else {
        const double room = std::max({layout.cellWidth, layout.labelPx * 1.2, col.width(font) + 1});
        draw({centre.x() - room / 2, layout.view.top() - layout.labelPx * 1.7, room, line},
             Qt::AlignHCenter, col);
    }
    painter.restore();
}

void paintSlice(QPainter& painter, const HeatmapLayout& layout, const MatrixView& logits, Cell cell,
                Axis axis, Index nStacked, const Theme& theme)
{
    if (cell.row >= layout.nRows || cell.col >= layout.nCols)
        return;
    const CellRange seen = layout.visible();
    const bool isRowSeen = cell.row >= seen.firstRow && cell.row < seen.endRow;
    const bool isColSeen = cell.col >= seen.firstCol && cell.col < seen.endCol;
    if ((axis != Axis::Query && !isRowSeen) || (axis != Axis::Key && !isColSeen))
        return;
    painter.save();
    if (layout.isZoomed()) // room for the line itself
        painter.setClipRect(layout.view.adjusted(-4, -4, 4, 4), Qt::IntersectClip);
    painter.setRenderHint(QPainter::Antialiasing, true);
    painter.setBrush(Qt::NoBrush);
    const double pen = std::clamp(layout.cellHeight * 0.06, 1.6, 5.0);
    const QColor color = theme.axisColor(axis);
    const auto outline = [&](Cell first, Cell last, bool masked) {
        QPen stroke(color, masked ? pen * 0.65 : pen);
        if (masked)
            stroke.setDashPattern({3, 2});
        const double grow = layout.gap / 2;
        const double radius = std::min(5.0, layout.cellHeight * 0.14);
        const QRectF around = layout.span(first, last).adjusted(-grow, -grow, grow, grow);
        const auto draw = [&] { painter.drawRoundedRect(around, radius, radius); };
        if (masked) { // on paper it stands out by itself
            painter.setPen(stroke);
            draw();
        } else {
            paintHalo(painter, draw, stroke, theme.panel);
        }
    };
    if (axis == Axis::Key) {
        forEachRun(
            seen.nCols(), [&](Index j) { return isMasked(logits, cell.row, seen.firstCol + j); },
            [&](Index a, Index b, bool masked) {
                outline({cell.row, seen.firstCol + a}, {cell.row, seen.firstCol + b}, masked);
            });
    } else if (axis == Axis::Query) {
        forEachRun(
            seen.nRows(), [&](Index i) { return isMasked(logits, seen.firstRow + i, cell.col); },
            [&](Index a, Index b, bool masked) {
                outline({seen.firstRow + a, cell.col}, {seen.firstRow + b, cell.col}, masked);
            });
    } else {
        paintSheets(painter, layout.cell(cell.row, cell.col), std::min<Index>(nStacked, 5), color,
                    pen, theme.panel);
    }
    painter.restore();
}

void paintColorBar(QPainter& painter, const HeatmapLayout& layout, const GlyphsPresent& present,
                   const ColorMap& colors, const Theme& theme)
{
    const QFont font = uiFont(std::min(layout.captionPx(), 18));
    const double width = std::clamp(layout.view.width() * 0.58, 60.0, 320.0);
    const double barHeight = std::clamp(layout.labelPx * 0.55, 5.0, 12.0);
    const auto end = [](float value) {
        // Whole numbers bare, two decimals where they say enough, else three digits.
        return std::abs(value) >= 1e4F || (value != 0 && std::abs(value) < 1e-2F)
                   ? QString::number(static_cast<double>(value), 'g', 3)
                   : QString::number(static_cast<double>(value), 'f',
                                     value == std::round(value) ? 0 : 2);
    };
    const QString low =
        (present.clippedLow ? QStringLiteral("≤ ") : QString()) + end(colors.range().low);
    const QString high =
        (present.clippedHigh ? QStringLiteral("≥ ") : QString()) + end(colors.range().high);
    const double line = font.pixelSize() * 1.3;
    const double indent = layout.isCompact ? textWidth(low, font) + 5 : 0;
    const QRectF bar(layout.colorBar.left() + indent, layout.colorBar.top() + 5, width, barHeight);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing, false);
    QImage steps(256, 1, QImage::Format_RGB32);
    for (int n = 0; n < 256; ++n)
        steps.setPixelColor(n, 0, colors.step(n));
    painter.drawImage(bar, steps.scaled(1024, 8));
    painter.setRenderHint(QPainter::Antialiasing, true);
    paintDecades(painter, bar, colors, theme);
    const double y = layout.isCompact ? bar.center().y() - line / 2 : bar.bottom() + 1;
    const double out = layout.isCompact ? textWidth(high, font) + 5 : 0;
    const QRectF ends(bar.left() - indent, y, indent + bar.width() + out, line);
    drawLabel(painter, ends, Qt::AlignLeft, low, font, theme.muted);
    drawLabel(painter, ends, Qt::AlignRight, high, font, theme.muted);

    double x = ends.right() + 14;
    const double swatch = std::max(8.0, font.pixelSize() * 0.9);
    const auto entry = [&](const QString& text, auto paintSwatch) {
        const double words = textWidth(text, font) + 1;
        if (x + swatch + 4 + words > layout.colorBar.right())
            return; // the words are in the picture anyway; half of one is not a legend
        paintSwatch(QRectF(x, bar.center().y() - swatch / 2, swatch, swatch));
        drawLabel(painter, {x + swatch + 4, bar.center().y() - line / 2, words, line},
                  Qt::AlignLeft, text, font, theme.muted);
        x += swatch + 4 + words + 12;
    };
    if (colors.spread() == Spread::Logarithmic)
        entry(layout.words("logarithmic"), [&](const QRectF& box) {
            painter.setPen(QPen(theme.muted, 1.2));
            for (const double part : {0.1, 0.55, 0.82, 1.0}) // steps that shrink
                painter.drawLine(QPointF(box.left() + part * box.width(), box.top() + 1),
                                 QPointF(box.left() + part * box.width(), box.bottom() - 1));
        });
    if (present.masked)
        entry(layout.words("masked"), [&](const QRectF& box) {
            painter.fillRect(box, theme.paper);
            painter.setPen(Qt::NoPen);
            painter.setBrush(theme.muted);
            painter.drawEllipse(box.center(), swatch * 0.16, swatch * 0.16);
        });
    if (present.nan)
        entry(layout.words("undefined"), [&](const QRectF& box) {
            painter.fillRect(box, theme.tint(theme.invalid));
            paintHatching(painter, box, theme.invalid, 4);
        });
    if (present.clippedLow || present.clippedHigh)
        entry(layout.words("beyond the bar"), [&](const QRectF& box) {
            QPainterPath corner(box.topRight());
            corner.lineTo(box.topRight() - QPointF(box.width() * 0.6, 0));
            corner.lineTo(box.topRight() + QPointF(0, box.height() * 0.6));
            painter.setPen(QPen(theme.hairline, 1));
            painter.setBrush(Qt::NoBrush);
            painter.drawRect(box);
            painter.fillPath(corner, theme.muted);
        });
    if (present.infinity)
        entry(layout.words("infinite"), [&](const QRectF& box) {
            drawLabel(painter, box, Qt::AlignRight, QStringLiteral("∞"), font, theme.ink);
        });
    painter.restore();
}

} // namespace keyaxis
