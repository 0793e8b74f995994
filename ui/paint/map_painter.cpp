#include "ui/paint/map_painter.h"

#include "ui/paint/heatmap_painter.h"
#include "ui/paint/sum_bars.h"

#include <QFontMetricsF>

namespace keyaxis {

namespace {

constexpr double kRadius = 10;

HeatmapContent contentOf(const MapFigure& map)
{
    return {map.numbers.nRows, map.numbers.nCols, &map.rowLabels, &map.colLabels,
            map.hasSums() ? &map.certificate.rows : nullptr};
}

/// A tile has labels where they can be read, and is bare otherwise.
HeatmapContent tileContentOf(const MapFigure& map, bool hasLabels)
{
    return {map.numbers.nRows,
            map.numbers.nCols,
            hasLabels ? &map.rowLabels : nullptr,
            hasLabels ? &map.colLabels : nullptr,
            nullptr,
            false,
            false};
}

constexpr int kTilePx = 12;
constexpr double kSmallestLabelledCell = 12;

MapLayout layoutTile(const MapFigure& map, const QRectF& card)
{
    MapLayout layout;
    layout.card = card;
    const double margin = std::min(6.0, card.width() * 0.04);
    const double header = kTilePx * (map.gloss.isEmpty() ? 1.7 : 3.1);
    layout.header = {card.left() + margin, card.top() + margin, card.width() - 2 * margin, header};
    const QRectF body(QPointF(card.left() + margin, layout.header.bottom()),
                      QPointF(std::max(card.left() + margin + 1, card.right() - margin),
                              std::max(layout.header.bottom() + 1, card.bottom() - margin)));
    layout.heatmap = layoutHeatmap(tileContentOf(map, true), body);
    layout.hasLabels =
        std::min(layout.heatmap.cellWidth, layout.heatmap.cellHeight) >= kSmallestLabelledCell;
    if (!layout.hasLabels)
        layout.heatmap = layoutHeatmap(tileContentOf(map, false), body);
    return layout;
}

void paintTile(QPainter& painter, const MapFigure& map, const MapLayout& layout, const Theme& theme)
{
    painter.setOpacity(map.isDimmed ? 0.4 : 1.0);
    const QFont font = uiFont(kTilePx, QFont::DemiBold);
    QRectF line(layout.header.left(), layout.header.top(), layout.header.width(), kTilePx * 1.5);
    const bool hasMark = map.certificate.nRows() > 0;
    if (hasMark) {
        const double side = kTilePx * 0.8;
        paintMark(painter, {line.right() - side, line.center().y() - side / 2, side, side},
                  map.verdict.valid, theme.verdictColor(map.verdict.valid));
        line.setRight(line.right() - side - 4);
    }
    const Qt::Alignment side = hasMark ? Qt::AlignLeft : Qt::AlignHCenter;
    drawLabel(painter, line, side, map.heading.elided(font, line.width()), font,
              map.isSelected ? theme.axisColor(map.axis) : theme.ink);
    if (!map.gloss.isEmpty())
        drawLabel(painter, line.translated(0, line.height()), side,
                  Label(map.gloss).elided(uiFont(11), line.width()), uiFont(11), theme.muted);
    paintCells(painter, layout.heatmap, map.numbers.shown(), map.colors, theme);
    if (layout.hasLabels)
        paintLabels(painter, layout.heatmap, tileContentOf(map, true), {}, {}, theme);
    painter.setOpacity(1.0);
}

int headerPx(const QRectF& card)
{
    return card.height() < 330 || card.width() < 430 ? 13 : 15;
}

void paintHeader(QPainter& painter, const MapFigure& map, const MapLayout& layout,
                 const Theme& theme)
{
    const int px = headerPx(layout.card);
    const QFont font = uiFont(px, QFont::Bold);
    const double pillWidth = map.hasSums() && map.certificate.nRows() > 0
                                 ? paintPill(&painter, layout.header, map.verdict, px - 2, theme)
                                 : 0;
    QRectF left = layout.header.adjusted(0, 0, -pillWidth - 6, 0);
    const QString title = headerTitle(map, font, left.width());
    drawLabel(painter, left, Qt::AlignLeft, title, font,
              map.dependsOnAxis() ? theme.axisColor(map.axis) : theme.ink);
    left.setLeft(left.left() + QFontMetricsF(font).horizontalAdvance(title) + px * 0.7);
    // The longest gloss that fits: one that is cut says nothing.
    for (const QString& gloss : {map.gloss, map.shortGloss})
        for (int size = px - 2; size >= 11; --size)
            if (QFontMetricsF(uiFont(size)).horizontalAdvance(gloss) <= left.width()) {
                drawLabel(painter, left, Qt::AlignLeft, gloss, uiFont(size), theme.muted);
                return;
            }
}

} // namespace

QString headerTitle(const MapFigure& map, const QFont& font, double width)
{
    if (!map.dependsOnAxis())
        return map.title;
    const QString letter = QString(QLatin1Char(names(map.axis).letter)) + QStringLiteral("  ");
    if (QFontMetricsF(font).horizontalAdvance(letter + map.title) <= width)
        return letter + map.title;
    return letter.chopped(1) + map.title.section(QLatin1Char(' '), 0, 0);
}

double paintPill(QPainter* painter, const QRectF& right, const Verdict& verdict, int px,
                 const Theme& theme)
{
    const QFont font = uiFont(px, QFont::DemiBold);
    const QString text = QString::fromStdString(verdict.pill);
    const double mark = px * 0.9;
    const double height = px * 1.8;
    const double width = QFontMetricsF(font).horizontalAdvance(text) + mark + px * 2.0;
    if (!painter)
        return width;
    const QRectF pill(right.right() - width, right.center().y() - height / 2, width, height);
    const QColor color = theme.verdictColor(verdict.valid);
    painter->setPen(Qt::NoPen);
    painter->setBrush(theme.tint(color));
    painter->drawRoundedRect(pill, height / 2, height / 2);
    paintMark(*painter, {pill.left() + px * 0.75, pill.center().y() - mark / 2, mark, mark},
              verdict.valid, color);
    drawLabel(*painter, pill.adjusted(px * 0.75 + mark + px * 0.35, 0, -px * 0.6, 0), Qt::AlignLeft,
              text, font, color);
    return width;
}

MapLayout layoutMap(const MapFigure& map, const QRectF& card, const Figure& figure)
{
    if (map.detail == MapFigure::Detail::Tile)
        return layoutTile(map, card);
    const bool hasCard = figure.hasCards;
    MapLayout layout;
    layout.card = card;
    const double margin = hasCard ? (card.width() < 430 ? 10 : 14) : 4;
    const double headerHeight = headerPx(card) * 2.3;
    layout.header = {card.left() + margin, card.top() + margin * 0.4, card.width() - 2 * margin,
                     headerHeight};
    const QRectF body(card.left() + margin, layout.header.bottom(),
                      std::max(1.0, card.width() - 2 * margin),
                      std::max(1.0, card.bottom() - layout.header.bottom() - margin * 0.5));
    HeatmapContent content = contentOf(map);
    content.window = figure.window;
    content.pixel = figure.pixel;
    content.hasColorBar = figure.hasColorBars && !figure.sharesColorBar;
    layout.heatmap = layoutHeatmap(content, body);
    return layout;
}

void paintMap(QPainter& painter, const MapFigure& map, const MapLayout& layout, bool hasCard,
              const Theme& theme)
{
    painter.setRenderHint(QPainter::Antialiasing, true);
    if (hasCard) {
        painter.setPen(map.isSelected ? QPen(theme.axisColor(map.axis), 2)
                                      : QPen(theme.hairline, 1));
        painter.setBrush(theme.panel);
        const double inset = map.isSelected ? 1.0 : 0.5;
        painter.drawRoundedRect(layout.card.adjusted(inset, inset, -inset, -inset), kRadius,
                                kRadius);
    }
    const bool isOutput = map.stage == Stage::Output;
    const HeatmapLayout& heatmap = layout.heatmap;
    if (map.detail == MapFigure::Detail::Tile) {
        paintTile(painter, map, layout, theme);
        return;
    }
    paintHeader(painter, map, layout, theme);
    if (map.numbers.isEmpty()) {
        drawLabel(painter, layout.card, Qt::AlignHCenter,
                  isOutput ? QStringLiteral("No values V, so there is no output to draw.")
                           : QStringLiteral("No queries, so there is nothing to draw."),
                  uiFont(13), theme.muted);
        return;
    }
    paintCells(painter, heatmap, map.numbers.shown(), map.colors, theme);
    paintLabels(painter, heatmap, contentOf(map), QStringLiteral("queries"),
                isOutput ? QStringLiteral("features") : QStringLiteral("keys"), theme);
    if (map.hasSums()) {
        paintRowSums(painter, heatmap, map.certificate.rows, theme);
        if (!map.columnSums.empty())
            paintColumnSums(painter, heatmap, map.columnSums, theme);
    }
    if (heatmap.colorBar.height() > 0)
        paintColorBar(painter, heatmap, map.glyphs, map.colors, theme);
    if (map.highlighted && map.hasSlices())
        paintSlice(painter, heatmap, viewOf(map.stages->before->logits), *map.highlighted, map.axis,
                   map.nStacked, theme);
}

} // namespace keyaxis
