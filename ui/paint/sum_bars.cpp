#include "ui/paint/sum_bars.h"

#include "core/proof/verdict.h"
#include "ui/paint/hatching.h"
#include "ui/paint/heatmap_painter.h"
#include "ui/paint/shaped_text.h"

#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>

namespace keyaxis {

namespace {

constexpr double kLongestSum = 2.2; ///< what a bar of full length stands for

void paintHatched(QPainter& painter, const QRectF& box, const QColor& fill, const QColor& line)
{
    painter.setPen(Qt::NoPen);
    painter.setBrush(fill);
    painter.drawRoundedRect(box, 2, 2);
    paintHatching(painter, box, line, 6);
}

/// A slanted cut near the end of a bar that goes on.
void paintBreak(QPainter& painter, const QRectF& bar, const QColor& background)
{
    const double x = bar.right() - std::max(8.0, bar.height() * 0.4);
    const double slant = std::max(4.0, bar.height() * 0.25);
    painter.setPen(QPen(background, 2.4));
    painter.drawLine(QPointF(x, bar.bottom() + 1), QPointF(x + slant, bar.top() - 1));
}

/// Length of a row's bar: a row that is undefined or too long fills the column.
double barLength(const RowCertificate& row, double unit)
{
    return (row.isDefined() ? std::clamp(row.sum, 0.0, kLongestSum) : kLongestSum) * unit;
}

void paintBar(QPainter& painter, const RowCertificate& row, const QRectF& bar, const Theme& theme)
{
    if (bar.width() <= 0)
        return;
    if (!row.isDefined()) {
        paintHatched(painter, bar, theme.tint(theme.invalid),
                     mixed(theme.invalid, theme.panel, 0.55));
    } else if (!row.isValid()) {
        paintHatched(painter, bar, theme.invalid, mixed(theme.panel, theme.invalid, 0.45));
        if (row.sum > kLongestSum)
            paintBreak(painter, bar, theme.panel);
    } else {
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme.valid);
        painter.drawRoundedRect(bar, 2, 2);
    }
}

/// What counts more where several rows share a line of the picture: undefined rows before wrong
/// ones, the wrong by their distance from 1.
double seriousness(const RowCertificate& row)
{
    if (!row.isDefined())
        return INFINITY;
    return row.isValid() ? -1 : std::abs(row.sum - 1);
}

/// Bars of rows that are lower than a few points: one line a point, the most serious of its rows.
void paintProfile(QPainter& painter, const HeatmapLayout& layout,
                  const std::vector<RowCertificate>& rows, double unit, const Theme& theme)
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing, false);
    const auto nLines = static_cast<Index>(std::ceil(layout.bars.height()));
    const CellRange seen = layout.visible();
    for (Index line = 0; line < nLines; ++line) {
        const Index begin = seen.firstRow + line * seen.nRows() / nLines;
        const Index end = std::max(begin + 1, seen.firstRow + (line + 1) * seen.nRows() / nLines);
        const auto& worst = *std::max_element(rows.begin() + begin, rows.begin() + end,
                                              [](const RowCertificate& a, const RowCertificate& b) {
                                                  return seriousness(a) < seriousness(b);
                                              });
        // Lines of an undefined region alternate: hatched, as far as a line can be.
        const QColor color = worst.isDefined() ? theme.verdictColor(worst.isValid())
                             : line % 3 == 0   ? theme.invalid
                                               : theme.tint(theme.invalid);
        painter.fillRect(QRectF(layout.bars.left(), layout.bars.top() + static_cast<double>(line),
                                barLength(worst, unit), 1),
                         color);
    }
    painter.restore();
}

constexpr double kMarkSize = 0.95; ///< of ✓ and ✗, by the type size

/// Where the number of row i stands.
QRectF sumBox(const HeatmapLayout& layout, Index i)
{
    const double line = layout.labelPx * 1.4;
    return {layout.sums.left(), layout.cell(i, 0).center().y() - line / 2,
            layout.sums.width() - layout.labelPx * kMarkSize - 3, line};
}

/// The sum in `box`, and its mark to the right of it.
void drawSum(QPainter& painter, const QRectF& box, int labelPx, const RowCertificate& row,
             const QFont& font, const Theme& theme)
{
    drawLabel(painter, box, Qt::AlignRight, QString::fromStdString(sumText(row)), font,
              row.isDefined() ? theme.ink : theme.invalid);
    const double mark = labelPx * kMarkSize;
    paintMark(painter, {box.right() + 3, box.center().y() - mark / 2, mark, mark}, row.isValid(),
              theme.verdictColor(row.isValid()));
}

} // namespace

void paintMark(QPainter& painter, const QRectF& box, bool isValid, const QColor& color)
{
    const double size = std::min(box.width(), box.height()) * 0.72;
    const QPointF c = box.center();
    QPainterPath path;
    if (isValid) {
        path.moveTo(c + QPointF(-0.45, 0.05) * size);
        path.lineTo(c + QPointF(-0.12, 0.36) * size);
        path.lineTo(c + QPointF(0.45, -0.36) * size);
    } else {
        path.moveTo(c + QPointF(-0.34, -0.34) * size);
        path.lineTo(c + QPointF(0.34, 0.34) * size);
        path.moveTo(c + QPointF(0.34, -0.34) * size);
        path.lineTo(c + QPointF(-0.34, 0.34) * size);
    }
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing, true);
    painter.setPen(
        QPen(color, std::max(1.2, size * 0.17), Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter.setBrush(Qt::NoBrush);
    painter.drawPath(path);
    painter.restore();
}

void paintRowSums(QPainter& painter, const HeatmapLayout& layout,
                  const std::vector<RowCertificate>& rows, const Theme& theme)
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing, true);
    const QFont font = uiFont(layout.labelPx);
    drawLabel(painter, layout.sumsTitle, Qt::AlignLeft, layout.words("row sum"),
              uiFont(layout.captionPx()), theme.muted);
    const double unit = layout.bars.width() / kLongestSum;
    const double thickness = std::min((layout.cellHeight - layout.gap) * 0.62, 34.0);
    const bool isProfile = thickness < 2.5;
    if (isProfile && !rows.empty())
        paintProfile(painter, layout, rows, unit, theme);
    const CellRange seen = layout.visible();
    for (Index i = seen.firstRow; i < seen.endRow && i < std::ssize(rows); ++i) {
        const RowCertificate& row = rows[static_cast<std::size_t>(i)];
        const double middle = layout.cell(i, 0).center().y();
        if (middle < layout.view.top() || middle > layout.view.bottom())
            continue;
        if (!isProfile)
            paintBar(painter, row,
                     {layout.bars.left(), middle - thickness / 2, barLength(row, unit), thickness},
                     theme);
        if (i % layout.rowEvery != 0)
            continue;
        drawSum(painter, sumBox(layout, i), layout.labelPx, row, font, theme);
    }
    const double one = layout.bars.left() + unit;
    QPen dashed(theme.ink, 1.2);
    dashed.setDashPattern({2, 2.5});
    painter.setPen(dashed);
    painter.drawLine(QPointF(one, layout.bars.top() - 2), QPointF(one, layout.bars.bottom() + 4));
    drawLabel(painter, {one - 20, layout.bars.bottom() + 4, 40, layout.labelPx * 1.4},
              Qt::AlignHCenter, QStringLiteral("1"), uiFont(layout.captionPx()), theme.muted);
    painter.restore();
}

void paintRowSum(QPainter& painter, const HeatmapLayout& layout,
                 const std::vector<RowCertificate>& rows, Index row, const Theme& theme)
{
    const RowCertificate& certificate = rows[static_cast<std::size_t>(row)];
    const QRectF box = sumBox(layout, row);
    if (box.center().y() < layout.view.top() || box.center().y() > layout.view.bottom())
        return;
    const QFont font = uiFont(layout.labelPx, QFont::Bold);
    const double width = textWidth(QString::fromStdString(sumText(certificate)), font);
    // The patch hides the thin digits below, and a neighbour's where sums are thinned out.
    const QRectF room(box.right() - width - 1, box.top(), width + 1, box.height());
    hideNeighbours(painter, layout, row, layout.sums, theme.panel);
    painter.fillRect(room, theme.panel);
    drawSum(painter, room, layout.labelPx, certificate, font, theme);
}

void paintColumnSums(QPainter& painter, const HeatmapLayout& layout,
                     const std::vector<double>& sums, const Theme& theme)
{
    const auto text = [](double sum, int nDecimals) {
        if (!std::isfinite(sum))
            return std::isnan(sum) ? QStringLiteral("NaN") : QStringLiteral("inf");
        return QString::number(sum, 'f', nDecimals);
    };
    double largest = 1;
    bool hasNan = false;
    for (const double sum : sums) {
        if (std::isfinite(sum))
            largest = std::max(largest, std::abs(sum));
        hasNan |= !std::isfinite(sum);
    }
    // Two decimals; one where that lets every column keep its number.
    QFont font = uiFont(layout.captionPx());
    int nDecimals = 2;
    const auto needed = [&] {
        return std::max(textWidth(text(largest, nDecimals), font) + 3,
                        hasNan ? textWidth(QStringLiteral("NaN"), font) + 2 : 0.0);
    };
    while (font.pixelSize() > layout.smallestPx && needed() > layout.cellWidth)
        font.setPixelSize(font.pixelSize() - 1);
    if (needed() > layout.cellWidth && layout.cellWidth >= 14)
        nDecimals = 1;
    const QRectF title(layout.rowLabels.left() - 60, layout.colSums.top(),
                       layout.rowLabels.width() + 60, layout.colSums.height());
    const QString name = layout.words("col. sum");
    QFont nameFont = font; // beside short row labels there is little room
    while (nameFont.pixelSize() > layout.smallestPx && textWidth(name, nameFont) > title.width())
        nameFont.setPixelSize(nameFont.pixelSize() - 1);
    drawLabel(painter, title, Qt::AlignRight, name, nameFont, theme.muted);
    const double width = needed();
    const auto every =
        std::max<Index>(1, static_cast<Index>(std::ceil(width / std::max(1e-9, layout.cellWidth))));
    const CellRange seen = layout.visible();
    for (Index j = (seen.firstCol + every - 1) / every * every;
         j < seen.endCol && j < std::ssize(sums); j += every) {
        const double sum = sums[static_cast<std::size_t>(j)];
        const QRectF cell = layout.cell(0, j);
        if (cell.center().x() < layout.view.left() || cell.center().x() > layout.view.right())
            continue;
        // Of thinned numbers each begins at its column, so that the first keeps off the title.
        const double x = every > 1 ? cell.left() : cell.center().x() - width / 2;
        if (every > 1 && x + width > layout.colSums.right() + layout.labelPx)
            break;
        drawLabel(painter, {x, layout.colSums.top(), width, layout.colSums.height()},
                  every > 1 ? Qt::AlignLeft : Qt::AlignHCenter, text(sum, nDecimals), font,
                  std::isfinite(sum) ? theme.muted : theme.invalid);
    }
}

} // namespace keyaxis
