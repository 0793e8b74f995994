#include "ui/paint/sum_bars.h"

#include "core/proof/verdict.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QPainterPath>
#include <cmath>

namespace keyaxis {

namespace {

constexpr double kLongestSum = 2.2; ///< what a bar of full length stands for

void paintHatched(QPainter& painter, const QRectF& box, const QColor& fill, const QColor& line)
{
    painter.setPen(Qt::NoPen);
    painter.setBrush(fill);
    painter.drawRoundedRect(box, 2, 2);
    painter.save();
    painter.setClipRect(box, Qt::IntersectClip);
    painter.setPen(QPen(line, 1.0));
    for (double x = box.left() - box.height(); x < box.right(); x += 6)
        painter.drawLine(QPointF(x, box.bottom()), QPointF(x + box.height(), box.top()));
    painter.restore();
}

/// Two slanted cuts near the end of a bar that goes on.
void paintBreak(QPainter& painter, const QRectF& bar, const QColor& background)
{
    const double x = bar.right() - 9;
    painter.setPen(QPen(background, 2.4));
    painter.drawLine(QPointF(x, bar.bottom() + 1), QPointF(x + 4, bar.top() - 1));
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
    painter.setPen(QPen(color, std::max(1.2, size * 0.17), Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
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
    drawLabel(painter, layout.sumsTitle, Qt::AlignLeft, QStringLiteral("row sum"),
              uiFont(std::max(9, layout.labelPx - 1)), theme.muted);
    const double unit = layout.bars.width() / kLongestSum;
    const double thickness = std::clamp((layout.cellHeight - layout.gap) * 0.62, 1.0, 34.0);
    for (Index i = 0; i < layout.nRows && i < std::ssize(rows); ++i) {
        const RowCertificate& row = rows[static_cast<std::size_t>(i)];
        const double middle = layout.cell(i, 0).center().y();
        QRectF bar(layout.bars.left(), middle - thickness / 2, 0, thickness);
        const bool isTooLong = row.isDefined() && row.sum > kLongestSum;
        if (!row.isDefined())
            bar.setWidth(layout.bars.width());
        else
            bar.setWidth(std::clamp(row.sum, 0.0, kLongestSum) * unit);
        if (thickness < 3) { // a rounded, hatched line of two pixels is a line
            painter.fillRect(bar, theme.verdictColor(row.isValid()));
        } else if (!row.isDefined()) {
            paintHatched(painter, bar, theme.tint(theme.invalid),
                         mixed(theme.invalid, theme.panel, 0.55));
        } else if (!row.isValid()) {
            if (bar.width() > 0)
                paintHatched(painter, bar, theme.invalid, mixed(theme.panel, theme.invalid, 0.45));
        } else {
            painter.setPen(Qt::NoPen);
            painter.setBrush(theme.valid);
            painter.drawRoundedRect(bar, 2, 2);
        }
        if (isTooLong)
            paintBreak(painter, bar, theme.panel);
        if (i % layout.rowEvery != 0)
            continue;
        const double line = layout.labelPx * 1.4;
        const double mark = layout.labelPx * 0.95;
        QRectF text(layout.sums.left(), middle - line / 2, layout.sums.width() - mark - 3, line);
        const QColor color = row.isDefined() ? theme.ink : theme.invalid;
        drawLabel(painter, text, Qt::AlignRight, QString::fromStdString(sumText(row)), font, color);
        paintMark(painter, {text.right() + 3, middle - mark / 2, mark, mark}, row.isValid(),
                  theme.verdictColor(row.isValid()));
    }
    const double one = layout.bars.left() + unit;
    QPen dashed(theme.ink, 1.2);
    dashed.setDashPattern({2, 2.5});
    painter.setPen(dashed);
    painter.drawLine(QPointF(one, layout.bars.top() - 4), QPointF(one, layout.bars.bottom() + 4));
    drawLabel(painter, {one - 20, layout.bars.bottom() + 2, 40, layout.labelPx * 1.4},
              Qt::AlignHCenter, QStringLiteral("1"), uiFont(std::max(9, layout.labelPx - 1)),
              theme.muted);
    painter.restore();
}

void paintColumnSums(QPainter& painter, const HeatmapLayout& layout, const std::vector<double>& sums,
                     const Theme& theme)
{
    const auto text = [](double sum) {
        if (!std::isfinite(sum))
            return std::isnan(sum) ? QStringLiteral("NaN") : QStringLiteral("inf");
        return QString::number(sum, 'f', 2);
    };
    const auto widest = [&](const QFont& font) { // of a sample
        const QFontMetricsF metrics(font);
        double width = 0;
        const std::size_t step = std::max<std::size_t>(1, sums.size() / 32);
        for (std::size_t n = 0; n < sums.size(); n += step)
            width = std::max(width, metrics.horizontalAdvance(text(sums[n])));
        return width + 3;
    };
    QFont font = uiFont(std::max(9, layout.labelPx - 1));
    while (font.pixelSize() > 9 && widest(font) > layout.cellWidth)
        font.setPixelSize(font.pixelSize() - 1);
    const double needed = widest(font);
    const QRectF title(layout.rowLabels.left() - 60, layout.colSums.top(),
                       layout.rowLabels.width() + 60, layout.colSums.height());
    drawLabel(painter, title, Qt::AlignRight, QStringLiteral("col. sum"), font, theme.muted);
    const auto every = static_cast<Index>(std::ceil(needed / std::max(1e-9, layout.cellWidth)));
    for (Index j = 0; j < layout.nCols && j < std::ssize(sums); j += std::max<Index>(1, every)) {
        const double sum = sums[static_cast<std::size_t>(j)];
        const double x = layout.cell(0, j).center().x();
        drawLabel(painter, {x - needed / 2, layout.colSums.top(), needed, layout.colSums.height()},
                  Qt::AlignHCenter, text(sum), font,
                  std::isfinite(sum) ? theme.muted : theme.invalid);
    }
}

} // namespace keyaxis
