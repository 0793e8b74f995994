#include "ui/paint/heatmap_layout.h"

#include "core/proof/verdict.h"
#include "ui/paint/theme.h"

#include <QFontMetricsF>
#include <algorithm>
#include <cmath>

namespace keyaxis {

namespace {

/// Widest of at most 400 labels spread over the list, at a size.
double widest(const std::vector<Label>* labels, const QFont& font)
{
    if (!labels)
        return 0;
    double width = 0;
    const std::size_t step = std::max<std::size_t>(1, labels->size() / 400);
    for (std::size_t n = 0; n < labels->size(); n += step)
        width = std::max(width, (*labels)[n].width(font));
    return width;
}

double widestSum(const std::vector<RowCertificate>& sums, const QFont& font)
{
    const QFontMetricsF metrics(font);
    double width = 0;
    const std::size_t step = std::max<std::size_t>(1, sums.size() / 400);
    for (std::size_t n = 0; n < sums.size(); n += step)
        width = std::max(width,
                         metrics.horizontalAdvance(QString::fromStdString(sumText(sums[n]))));
    return width;
}

/// Sizes of everything around the cells at one type size.
struct Surroundings {
    double left, top, right, bottom;
    double rowLabels, colLabels, axisName, bars, sums, colSums, colorBar;
    bool isTilted;
};

Surroundings surroundingsFor(const HeatmapContent& content, const QRectF& box, int labelPx,
                             double cellWidth, bool isCompact)
{
    const QFont font = uiFont(labelPx);
    Surroundings s{};
    const double line = labelPx * 1.5;
    s.rowLabels = std::min(widest(content.rowLabels, font), box.width() * 0.22);
    const double widestCol = widest(content.colLabels, font);
    s.isTilted = widestCol > cellWidth - 3 && cellWidth > labelPx * 0.8;
    s.colLabels = s.isTilted ? std::min(widestCol * 0.72 + labelPx * 0.8, box.height() * 0.16)
                             : labelPx * 1.7;
    if (isCompact)
        s.colLabels = std::max(s.colLabels, labelPx * 2.4); // the corner holds both axis names
    s.axisName = isCompact ? 0 : line * 1.35;
    s.left = s.axisName + s.rowLabels + labelPx * 0.8;
    if (isCompact)
        s.left = std::max(s.left, QFontMetricsF(font).horizontalAdvance(QStringLiteral("queries ↓")) + 8);
    s.top = s.axisName + s.colLabels;
    if (content.sums) {
        s.bars = std::clamp(box.width() * (isCompact ? 0.12 : 0.15), 34.0, 150.0);
        s.sums = std::max(widestSum(*content.sums, font), labelPx * 2.0) + labelPx * 1.2 + 4;
        s.colSums = line;
        s.right = labelPx + s.bars + labelPx * 0.6 + s.sums;
    }
    s.colorBar = isCompact ? 18.0 : std::max(24.0, line * 1.7); // ends beside the bar, or below it
    s.bottom = s.colSums + s.colorBar + (isCompact ? 2 : labelPx * 0.6);
    return s;
}

double snapped(double size)
{
    return size >= 8 ? std::floor(size) : size;
}

} // namespace

QRectF HeatmapLayout::cell(Index row, Index col) const
{
    return {cells.left() + static_cast<double>(col) * cellWidth,
            cells.top() + static_cast<double>(row) * cellHeight, cellWidth - gap, cellHeight - gap};
}

QRectF HeatmapLayout::span(Cell first, Cell last) const
{
    return cell(first.row, first.col).united(cell(last.row, last.col));
}

std::optional<Cell> HeatmapLayout::cellAt(QPointF point) const
{
    if (nRows == 0 || nCols == 0 || cellWidth <= 0 || cellHeight <= 0)
        return std::nullopt;
    const double x = (point.x() - cells.left()) / cellWidth;
    const double y = (point.y() - cells.top()) / cellHeight;
    if (x < 0 || y < 0 || x >= static_cast<double>(nCols) || y >= static_cast<double>(nRows))
        return std::nullopt;
    return Cell{static_cast<Index>(y), static_cast<Index>(x)};
}

HeatmapLayout layoutHeatmap(const HeatmapContent& content, const QRectF& box)
{
    HeatmapLayout layout;
    layout.nRows = content.nRows;
    layout.nCols = content.nCols;
    layout.isCompact = box.height() < 330 || box.width() < 430;
    const double nRows = static_cast<double>(std::max<Index>(1, content.nRows));
    const double nCols = static_cast<double>(std::max<Index>(1, content.nCols));

    // The type follows the cell and the cell what the type leaves; three rounds settle it.
    Surroundings s{};
    layout.cellWidth = box.width() / (nCols + 4);
    const auto fitCells = [&] {
        s = surroundingsFor(content, box, layout.labelPx, layout.cellWidth, layout.isCompact);
        const double freeWidth = std::max(1.0, box.width() - s.left - s.right);
        const double freeHeight = std::max(1.0, box.height() - s.top - s.bottom);
        const double cellWidth = std::min(freeWidth / nCols, freeHeight / nRows * 1.3);
        layout.cellWidth = snapped(cellWidth); // nearly square: it is one map
        layout.cellHeight = snapped(std::min(freeHeight / nRows, cellWidth * 1.1));
    };
    for (int round = 0; round < 3; ++round) {
        fitCells();
        layout.labelPx = std::clamp(static_cast<int>(layout.cellHeight * 0.34),
                                    layout.isCompact ? 10 : 11, 24);
    }
    fitCells();
    layout.isTilted = s.isTilted;
    layout.gap = layout.cellWidth >= 14 ? 2 : layout.cellWidth >= 8 ? 1 : 0;

    const double width = layout.cellWidth * nCols;
    const double height = layout.cellHeight * nRows;
    const double spareWidth = std::max(0.0, box.width() - s.left - s.right - width);
    const double spareHeight = std::max(0.0, box.height() - s.top - s.bottom - height);
    const double x = std::floor(box.left() + s.left + spareWidth / 2);
    const double y = std::floor(box.top() + s.top + spareHeight / 2);
    layout.cells = QRectF(x, y, width, height);
    const double labelGap = layout.labelPx * 0.5;
    layout.rowLabels = QRectF(x - labelGap - s.rowLabels, y, s.rowLabels, height);
    layout.colLabels = QRectF(x, y - s.colLabels, width, s.colLabels);
    if (layout.isCompact) {
        layout.colAxisName = QRectF(x - s.left, y - layout.labelPx * 2.7, s.left - 6, layout.labelPx * 1.3);
        layout.rowAxisName = layout.colAxisName.translated(0, layout.labelPx * 1.3);
    } else {
        layout.colAxisName = QRectF(x, y - s.top, width, s.axisName);
        layout.rowAxisName = QRectF(x - s.left, y, s.axisName, height);
    }
    const double below = y + height;
    if (content.sums) {
        layout.bars = QRectF(x + width + layout.labelPx, y, s.bars, height);
        layout.sums = QRectF(layout.bars.right() + labelGap, y, s.sums, height);
        layout.sumsTitle = QRectF(layout.bars.left(), y - layout.labelPx * 1.7,
                                  s.bars + labelGap + s.sums, layout.labelPx * 1.5);
        layout.colSums = QRectF(x, below, width, s.colSums);
    }
    layout.colorBar = QRectF(x, below + s.colSums, std::max(width, 150.0), s.colorBar);

    const auto every = [](double needed, double pitch) {
        return std::max<Index>(1, static_cast<Index>(std::ceil(needed / std::max(1e-9, pitch))));
    };
    layout.rowEvery = every(layout.labelPx * 1.15, layout.cellHeight);
    const double colNeeded = s.isTilted ? layout.labelPx * 1.5
                                        : std::min(widest(content.colLabels, uiFont(layout.labelPx)) + 6,
                                                   width);
    layout.colEvery = every(colNeeded, layout.cellWidth);
    return layout;
}

} // namespace keyaxis
