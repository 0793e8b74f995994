#include "ui/paint/map_painter.h"

#include "ui/paint/heatmap_painter.h"
#include "ui/paint/sum_bars.h"

#include <QFontMetricsF>

namespace keyaxis {

namespace {

constexpr double kRadius = 10;

HeatmapContent contentOf(const MapFigure& map)
{
    const Matrix& values = map.stages->of(map.stage);
    return {values.rows(), values.cols(), &map.rowLabels, &map.colLabels,
            map.hasSums() ? &map.certificate.rows : nullptr};
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
    const QString title = map.dependsOnAxis() ? QString(QLatin1Char(names(map.axis).letter)) +
                                                    QStringLiteral("  ") + map.title
                                              : map.title;
    QRectF left = layout.header.adjusted(0, 0, -pillWidth - 10, 0);
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

MapLayout layoutMap(const MapFigure& map, const QRectF& card, bool hasCard)
{
    MapLayout layout;
    layout.card = card;
    const double margin = hasCard ? (card.width() < 430 ? 10 : 14) : 4;
    const double headerHeight = headerPx(card) * 2.3;
    layout.header = {card.left() + margin, card.top() + margin * 0.4, card.width() - 2 * margin,
                     headerHeight};
    const QRectF body(card.left() + margin, layout.header.bottom(),
                      std::max(1.0, card.width() - 2 * margin),
                      std::max(1.0, card.bottom() - layout.header.bottom() - margin * 0.5));
    layout.heatmap = layoutHeatmap(contentOf(map), body);
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
    paintHeader(painter, map, layout, theme);

    const Matrix& values = map.stages->of(map.stage);
    const bool isOutput = map.stage == Stage::Output;
    const HeatmapValues shown = valuesOf(*map.stages, map.stage);
    const HeatmapLayout& heatmap = layout.heatmap;
    if (values.size() == 0) {
        drawLabel(painter, layout.card, Qt::AlignHCenter,
                  isOutput ? QStringLiteral("No values V, so there is no output to draw.")
                           : QStringLiteral("No queries, so there is nothing to draw."),
                  uiFont(13), theme.muted);
        return;
    }
    paintCells(painter, heatmap, shown, map.colors, theme);
    paintLabels(painter, heatmap, contentOf(map), QStringLiteral("queries"),
                isOutput ? QStringLiteral("features") : QStringLiteral("keys"), theme);
    if (map.hasSums()) {
        paintRowSums(painter, heatmap, map.certificate.rows, theme);
        paintColumnSums(painter, heatmap, map.columnSums, theme);
    }
    paintColorBar(painter, heatmap, map.glyphs, map.colors, theme);
    if (map.highlighted && !isOutput)
        paintSlice(painter, heatmap, viewOf(map.stages->before->logits), *map.highlighted, map.axis,
                   map.nStacked, theme);
}

} // namespace keyaxis
