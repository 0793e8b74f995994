#include "ui/paint/map_painter.h"

#include "ui/paint/heatmap_painter.h"
#include "ui/paint/morph.h"
#include "ui/paint/shaped_text.h"
#include "ui/paint/sum_bars.h"

namespace keyaxis {

namespace {

constexpr double kRadius = 10;
constexpr double kLowCard = 260; ///< what is around the cells then gives way to them

HeatmapContent contentOf(const MapFigure& map)
{
    HeatmapContent content{map.numbers.nRows, map.numbers.nCols, &map.rowLabels.all(),
                           &map.colLabels.all(), map.hasSums() ? &map.certificate.rows : nullptr};
    content.words = map.words;
    return content;
}

/// A tile has labels where they can be read, and is bare otherwise.
HeatmapContent tileContentOf(const MapFigure& map, bool hasLabels, int smallestPx)
{
    HeatmapContent content{map.numbers.nRows, map.numbers.nCols,
                           hasLabels ? &map.rowLabels.all() : nullptr,
                           hasLabels ? &map.colLabels.all() : nullptr};
    content.hasColorBar = content.hasAxisNames = false;
    content.smallestPx = smallestPx;
    content.words = map.words;
    return content;
}

QString titleOf(const MapFigure& map)
{
    return map.dependsOnAxis()
               ? QString(QLatin1Char(names(map.axis).letter)) + QStringLiteral("  ") + map.title
               : map.title;
}

/// A card as a small map: its verdict in words instead of the sums.
MapFigure asTile(MapFigure map)
{
    if (map.detail == MapFigure::Detail::Tile)
        return map;
    map.heading = Label(titleOf(map));
    map.gloss = map.hasSums() ? QString::fromStdString(map.verdict.pill) : QString();
    map.detail = MapFigure::Detail::Tile;
    return map;
}

constexpr int kTilePx = 12;
constexpr double kSmallestLabelledCell = 12;

MapLayout layoutTile(const MapFigure& map, const QRectF& card, int smallestPx)
{
    MapLayout layout;
    layout.isTile = true;
    layout.card = card;
    const double margin = std::min(6.0, card.width() * 0.04);
    const double header = kTilePx * (map.gloss.isEmpty() ? 1.7 : 3.1);
    layout.header = {card.left() + margin, card.top() + margin, card.width() - 2 * margin, header};
    const QRectF body(QPointF(card.left() + margin, layout.header.bottom()),
                      QPointF(std::max(card.left() + margin + 1, card.right() - margin),
                              std::max(layout.header.bottom() + 1, card.bottom() - margin)));
    layout.heatmap = layoutHeatmap(tileContentOf(map, true, smallestPx), body);
    layout.hasLabels =
        std::min(layout.heatmap.cellWidth, layout.heatmap.cellHeight) >= kSmallestLabelledCell;
    if (!layout.hasLabels)
        layout.heatmap = layoutHeatmap(tileContentOf(map, false, smallestPx), body);
    return layout;
}

/// What stands where a map has no cells.
QString emptyWords(const MapFigure& map)
{
    return map.stage == Stage::Output ? map.words("No values V, so there is no output to draw.")
                                      : map.words("No queries, so there is nothing to draw.");
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
    const bool isShort = !map.shortHeading.runs.empty() && map.heading.width(font) > line.width();
    const Label& heading = isShort ? map.shortHeading : map.heading;
    drawLabel(painter, line, side, heading.elided(font, line.width()), font,
              map.isSelected ? theme.axisColor(map.axis) : theme.ink);
    if (!map.gloss.isEmpty())
        drawLabel(painter, line.translated(0, line.height()), side,
                  Label(map.gloss).elided(uiFont(11), line.width()), uiFont(11), theme.muted);
    if (map.numbers.isEmpty()) {
        drawLabel(painter, layout.card, Qt::AlignHCenter, emptyWords(map), uiFont(11), theme.muted);
        painter.setOpacity(1.0);
        return;
    }
    paintCells(painter, layout.heatmap, map.numbers.shown(), map.colors, theme);
    if (layout.hasLabels)
        paintLabels(painter, layout.heatmap, tileContentOf(map, true, layout.heatmap.smallestPx),
                    {}, {}, theme);
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
    const double opacity = painter.opacity();
    painter.setOpacity(opacity * map.motion.bars);
    const double pillWidth = map.hasSums() && map.certificate.nRows() > 0
                                 ? paintPill(&painter, layout.header, map.verdict, px - 2, theme)
                                 : 0;
    painter.setOpacity(opacity);
    QRectF left = layout.header.adjusted(0, 0, -pillWidth - 6, 0);
    const QString title = headerTitle(map, font, left.width());
    drawLabel(painter, left, Qt::AlignLeft, title, font,
              map.dependsOnAxis() ? theme.axisColor(map.axis) : theme.ink);
    left.setLeft(left.left() + textWidth(title, font) + px * 0.7);
    // The longest gloss that fits: one that is cut says nothing.
    for (const QString& gloss : {map.gloss, map.shortGloss})
        for (int size = px - 2; size >= 11; --size)
            if (textWidth(gloss, uiFont(size)) <= left.width()) {
                drawLabel(painter, left, Qt::AlignLeft, gloss, uiFont(size), theme.muted);
                return;
            }
}

void paintOutline(QPainter& painter, const MapFigure& map, const HeatmapLayout& heatmap, Cell cell,
                  const Theme& theme)
{
    const MapFigure::Motion& motion = map.motion;
    if (motion.turnsFrom && motion.outline < 1) {
        paintTurningSlice(painter, heatmap, cell, *motion.turnsFrom, map.axis, motion.outline,
                          theme);
        return;
    }
    const double opacity = painter.opacity();
    painter.setOpacity(opacity * motion.outline);
    paintSlice(painter, heatmap, viewOf(map.stages->before->logits), cell, map.axis, map.nStacked,
               theme);
    painter.setOpacity(opacity);
}

} // namespace

QString headerTitle(const MapFigure& map, const QFont& font, double width)
{
    const QString whole = titleOf(map);
    if (!map.dependsOnAxis() || textWidth(whole, font) <= width)
        return whole;
    const QString letter(QLatin1Char(names(map.axis).letter));
    const QString shorter = letter + QLatin1Char(' ') + map.title.section(QLatin1Char(' '), 0, 0);
    return textWidth(shorter, font) <= width ? shorter : letter;
}

double paintPill(QPainter* painter, const QRectF& right, const Verdict& verdict, int px,
                 const Theme& theme)
{
    const QFont font = uiFont(px, QFont::DemiBold);
    const QString text = QString::fromStdString(verdict.pill);
    const double mark = px * 0.9;
    const double height = px * 1.8;
    const double width = textWidth(text, font) + mark + px * 2.0;
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
        return layoutTile(map, card, figure.smallestPx);
    const bool hasCard = figure.hasCards;
    MapLayout layout;
    layout.card = card;
    const double margin = hasCard ? (card.width() < 430 ? 10 : 14) : 4;
    const double headerHeight = headerPx(card) * (card.height() < kLowCard ? 1.85 : 2.3);
    layout.header = {card.left() + margin, card.top() + margin * 0.4, card.width() - 2 * margin,
                     headerHeight};
    const QRectF body(card.left() + margin, layout.header.bottom(),
                      std::max(1.0, card.width() - 2 * margin),
                      std::max(1.0, card.bottom() - layout.header.bottom() - margin * 0.5));
    HeatmapContent content = contentOf(map);
    content.window = figure.window;
    content.pixel = figure.pixel;
    content.smallestPx = figure.smallestPx;
    content.hasColorBar = figure.hasColorBars && !figure.sharesColorBar;
    layout.heatmap = layoutHeatmap(content, body);
    constexpr double kRoomy = 14; // points a cell
    if (!figure.prefersCells || layout.heatmap.cellWidth >= kRoomy)
        return layout;
    const MapLayout tile = layoutTile(asTile(map), card, figure.smallestPx);
    return tile.heatmap.cellWidth >= 1.5 * layout.heatmap.cellWidth ? tile : layout;
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
    if (layout.isTile) {
        paintTile(painter, asTile(map), layout, theme);
        return;
    }
    const double opacity = painter.opacity();
    paintHeader(painter, map, layout, theme);
    if (map.numbers.isEmpty()) {
        drawLabel(painter, layout.card, Qt::AlignHCenter, emptyWords(map), uiFont(13), theme.muted);
        return;
    }
    painter.setOpacity(opacity * map.motion.cells);
    paintCells(painter, heatmap, map.numbers.shown(), map.colors, theme);
    painter.setOpacity(opacity);
    paintLabels(painter, heatmap, contentOf(map), map.words("queries"),
                map.words(isOutput ? "features" : "keys"), theme);
    if (map.hasSums()) {
        painter.setOpacity(opacity * map.motion.bars);
        paintRowSums(painter, heatmap, map.certificate.rows, theme);
        if (!map.columnSums.empty())
            paintColumnSums(painter, heatmap, map.columnSums, theme);
        painter.setOpacity(opacity);
    }
    if (heatmap.colorBar.height() > 0)
        paintColorBar(painter, heatmap, map.glyphs, map.colors, theme);
    if (map.highlighted && map.hasSlices())
        paintOutline(painter, map, heatmap, *map.highlighted, theme);
}

} // namespace keyaxis
