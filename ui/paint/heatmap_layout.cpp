#include "ui/paint/heatmap_layout.h"

#include "core/proof/verdict.h"
#include "ui/paint/shaped_text.h"
#include "ui/paint/theme.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

namespace keyaxis {

namespace {

/// Widths are measured once at this size and scaled: advances grow with the type.
constexpr int kReferencePx = 20;

/// Width at kReferencePx of the widest of `n` texts. Only the sixteen longest are measured: a
/// thousand labels took 15 ms a map.
template <typename LengthOf, typename WidthOf>
double widestOf(std::size_t n, LengthOf lengthOf, WidthOf widthOf)
{
    std::vector<std::size_t> order(n);
    std::iota(order.begin(), order.end(), std::size_t(0));
    const std::size_t nMeasured = std::min<std::size_t>(n, 16);
    std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(nMeasured),
                      order.end(), [&](std::size_t a, std::size_t b) {
                          return std::pair(lengthOf(b), a) < std::pair(lengthOf(a), b);
                      });
    double width = 0;
    for (std::size_t i = 0; i < nMeasured; ++i)
        width = std::max(width, widthOf(order[i]));
    return width;
}

double widestLabel(const std::vector<Label>* labels)
{
    if (!labels)
        return 0;
    const QFont font = uiFont(kReferencePx);
    return widestOf(
        labels->size(),
        [&](std::size_t n) {
            qsizetype length = 0;
            for (const Label::Run& run : (*labels)[n].runs)
                length += run.text.size();
            return length;
        },
        [&](std::size_t n) { return (*labels)[n].width(font); });
}

/// The widest row sum at kReferencePx: the largest, the smallest, or one so near to 1 that it needs
/// more than two decimals.
double widestSum(const std::vector<RowCertificate>& sums)
{
    const QFont font = uiFont(kReferencePx);
    double width = textWidth(QStringLiteral("0.00"), font);
    const RowCertificate* smallest = nullptr;
    const RowCertificate* largest = nullptr;
    const RowCertificate* nearest = nullptr;
    for (const RowCertificate& row : sums) {
        if (!row.isDefined())
            continue;
        if (!smallest || row.sum < smallest->sum)
            smallest = &row;
        if (!largest || row.sum > largest->sum)
            largest = &row;
        if (!row.isValid() && (!nearest || std::abs(row.sum - 1) < std::abs(nearest->sum - 1)))
            nearest = &row;
    }
    for (const RowCertificate* row : {smallest, largest, nearest})
        if (row)
            width = std::max(width, textWidth(QString::fromStdString(sumText(*row)), font));
    return width;
}

/// What does not change from one type size to the next.
struct Measures {
    double rowLabel, colLabel, sum, corner;
};

Measures measure(const HeatmapContent& content)
{
    return {widestLabel(content.rowLabels), widestLabel(content.colLabels),
            content.sums ? widestSum(*content.sums) : 0,
            textWidth(content.words("queries") + QStringLiteral(" ↓"), uiFont(kReferencePx))};
}

/// Sizes of everything around the cells at one type size.
struct Surroundings {
    double left, top, right, bottom;
    double rowLabels, colLabels, axisName, bars, sums, colSums, colorBar;
    bool isTilted;
};

Surroundings surroundingsFor(const HeatmapContent& content, const Measures& measures,
                             const QRectF& box, int labelPx, double cellWidth, bool isCompact)
{
    const double scale = static_cast<double>(labelPx) / kReferencePx;
    Surroundings s{};
    const double line = labelPx * 1.5;
    s.rowLabels = std::min(measures.rowLabel * scale + 1, box.width() * 0.22);
    const double widestCol = measures.colLabel * scale + 1;
    s.isTilted = content.colLabels && widestCol > cellWidth - 3;
    s.colLabels = s.isTilted ? std::min(widestCol * 0.72 + labelPx * 0.8, box.height() * 0.16)
                             : labelPx * 1.7;
    if (!content.colLabels)
        s.colLabels = 0;
    if (!content.rowLabels)
        s.rowLabels = 0;
    const bool isCornerNamed = isCompact && content.hasAxisNames;
    if (isCornerNamed)
        s.colLabels = std::max(s.colLabels, labelPx * 2.4); // the corner holds both axis names
    s.axisName = isCompact || !content.hasAxisNames ? 0 : line * 1.35;
    s.left = s.axisName + s.rowLabels + (content.rowLabels ? labelPx * 0.8 : 0);
    if (isCornerNamed)
        s.left = std::max(s.left, measures.corner * scale + 8);
    s.top = s.axisName + s.colLabels;
    if (content.sums) {
        s.bars = std::clamp(box.width() * (isCompact ? 0.105 : 0.15), 34.0, 150.0);
        s.sums = std::max(measures.sum * scale + 1, labelPx * 2.0) + labelPx * 1.2 + 4;
        s.colSums = line;
        s.right = labelPx + s.bars + labelPx * 0.6 + s.sums;
    } else if (s.isTilted) {
        s.right = std::max(0.0, s.colLabels - cellWidth / 2); // the last label leans over the edge
    }
    if (content.hasColorBar) // ends beside the bar, or below it
        s.colorBar = isCompact ? 18.0 : std::max(24.0, line * 1.7);
    s.bottom = s.colSums + s.colorBar + (isCompact ? 2 : labelPx * 0.6);
    return s;
}

double floorTo(double pixel, double size)
{
    return std::floor(size / pixel + 1e-9) * pixel;
}

/// Whole pixels a cell where cells are large, otherwise whole pixels for all `n` of them.
double snapped(double size, double n, double pixel)
{
    return size >= 8 ? floorTo(pixel, size) : std::max(pixel, floorTo(pixel, size * n)) / n;
}

/// How much longer one side of a cell may be than the other: a map that is nearly square looks like
/// one, a few queries by many keys need the height for their labels.
double mostStretch(double nLong, double nShort)
{
    return nLong > 2 * nShort ? 3.0 : 1.1;
}

/// How much wider than high a cell may be. Where a low card makes cells low, width is what their
/// numbers and names need.
double mostWide(double nRows, double nCols, double height)
{
    constexpr double kLow = 24;
    return std::max(height < kLow ? 1.6 : 1.3, mostStretch(nRows, nCols));
}

} // namespace

QRectF HeatmapLayout::cell(Index row, Index col) const
{
    return {cells.left() + static_cast<double>(col) * cellWidth,
            cells.top() + static_cast<double>(row) * cellHeight, cellWidth - gap, cellHeight - gap};
}

CellWindow CellWindow::whole() const
{
    const double top = std::floor(row + 1e-6);
    const double left = std::floor(col + 1e-6);
    return {top, left, std::ceil(row + nRows - 1e-6) - top, std::ceil(col + nCols - 1e-6) - left};
}

CellRange HeatmapLayout::visible() const
{
    if (!isZoomed())
        return {0, nRows, 0, nCols};
    // A sliver that rounding leaves of a neighbour is not a cell.
    const CellWindow seen = window();
    const auto first = [](double edge) {
        return std::max<Index>(0, static_cast<Index>(edge + 1e-6));
    };
    const auto end = [](double edge, Index n) {
        return std::min(n, static_cast<Index>(std::ceil(edge - 1e-6)));
    };
    return {first(seen.row), end(seen.row + seen.nRows, nRows), first(seen.col),
            end(seen.col + seen.nCols, nCols)};
}

CellWindow HeatmapLayout::window() const
{
    if (cellWidth <= 0 || cellHeight <= 0)
        return {};
    return {(view.top() - cells.top()) / cellHeight, (view.left() - cells.left()) / cellWidth,
            view.height() / cellHeight, view.width() / cellWidth};
}

QRectF HeatmapLayout::span(Cell first, Cell last) const
{
    return cell(first.row, first.col).united(cell(last.row, last.col));
}

std::optional<Cell> HeatmapLayout::cellAt(QPointF point) const
{
    if (nRows == 0 || nCols == 0 || cellWidth <= 0 || cellHeight <= 0 || !view.contains(point))
        return std::nullopt;
    const double x = (point.x() - cells.left()) / cellWidth;
    const double y = (point.y() - cells.top()) / cellHeight;
    if (x < 0 || y < 0 || x >= static_cast<double>(nCols) || y >= static_cast<double>(nRows))
        return std::nullopt;
    return Cell{static_cast<Index>(y), static_cast<Index>(x)};
}

std::optional<Index> HeatmapLayout::rowBesideAt(QPointF point) const
{
    const bool isBeside = rowLabels.contains(point) || bars.contains(point) || sums.contains(point);
    const auto cell = isBeside ? cellAt({view.center().x(), point.y()}) : std::nullopt;
    return cell ? std::optional(cell->row) : std::nullopt;
}

std::optional<Index> HeatmapLayout::colBesideAt(QPointF point) const
{
    const bool isName = colLabels.contains(point);
    if (!isName && !colSums.contains(point))
        return std::nullopt;
    // A tilted name rises to the right from above its column.
    const double rise = isName && isTilted ? view.top() - 6 - point.y() : 0;
    const auto cell = cellAt({point.x() - rise, view.center().y()});
    return cell ? std::optional(cell->col) : std::nullopt;
}

HeatmapLayout layoutHeatmap(const HeatmapContent& content, const QRectF& box)
{
    HeatmapLayout layout;
    layout.nRows = content.nRows;
    layout.nCols = content.nCols;
    layout.smallestPx = content.smallestPx;
    layout.words = content.words;
    layout.isCompact = box.height() < 330 || box.width() < 430;
    const double nAllRows = static_cast<double>(std::max<Index>(1, content.nRows));
    const double nAllCols = static_cast<double>(std::max<Index>(1, content.nCols));
    const double nRows = content.window ? content.window->nRows : nAllRows;
    const double nCols = content.window ? content.window->nCols : nAllCols;

    // The type follows the cell and the cell what the type leaves; three rounds settle it.
    const Measures measures = measure(content);
    Surroundings s{};
    layout.cellWidth = box.width() / (nCols + 4);
    // One token is a cell among its names and sums, no wall of colour.
    const double largest = std::max(64.0, std::min(box.width(), box.height()) * 0.3);
    const auto fitCells = [&] {
        s = surroundingsFor(content, measures, box, layout.labelPx, layout.cellWidth,
                            layout.isCompact);
        const double freeWidth = std::max(1.0, box.width() - s.left - s.right);
        const double freeHeight = std::max(1.0, box.height() - s.top - s.bottom);
        const double fitWidth = freeWidth / nCols;
        const double fitHeight = std::min(freeHeight / nRows, largest);
        const double width = std::min(fitWidth, fitHeight * mostWide(nRows, nCols, fitHeight));
        const double height = std::min(fitHeight, width * mostStretch(nCols, nRows));
        layout.cellWidth = snapped(width, nCols, content.pixel);
        layout.cellHeight = snapped(height, nRows, content.pixel);
    };
    const int smallestPx = std::max(content.smallestPx, layout.isCompact ? 10 : 11);
    const int largestPx = layout.isCompact
                              ? std::max(smallestPx, 13)
                              : std::clamp(static_cast<int>(box.height() / 28), 14, 24);
    for (int round = 0; round < 3; ++round) {
        fitCells();
        layout.labelPx =
            std::clamp(static_cast<int>(layout.cellHeight * 0.34), smallestPx, largestPx);
    }
    fitCells();
    // Upright labels read better than large ones.
    constexpr int kSmallestUpright = 12;
    for (int px = layout.labelPx; s.isTilted && px >= kSmallestUpright; --px)
        if (measures.colLabel * px / kReferencePx + 1 <= layout.cellWidth - 3) {
            layout.labelPx = px;
            fitCells();
        }
    layout.isTilted = s.isTilted;
    layout.gap = layout.cellWidth >= 14 ? 2 : layout.cellWidth >= 8 ? 1 : 0;
    layout.gap = std::round(layout.gap / content.pixel) * content.pixel;

    // On a screen a window takes the room that its cells leave; on paper it ends with its cells.
    const auto shown = [&](double n, double nAll, double room, double pitch) {
        const bool isWhole = !content.window || *content.window == content.window->whole();
        return isWhole ? pitch * n : std::min(floorTo(content.pixel, room), pitch * nAll);
    };
    const double width = shown(nCols, nAllCols, box.width() - s.left - s.right, layout.cellWidth);
    const double height =
        shown(nRows, nAllRows, box.height() - s.top - s.bottom, layout.cellHeight);
    const double spareWidth = std::max(0.0, box.width() - s.left - s.right - width);
    const double spareHeight = std::max(0.0, box.height() - s.top - s.bottom - height);
    const double x = floorTo(content.pixel, box.left() + s.left + spareWidth / 2);
    const double y = floorTo(content.pixel, box.top() + s.top + spareHeight / 2);
    layout.view = QRectF(x, y, width, height);
    layout.cells = layout.view;
    if (content.window) {
        // The corner lies on a whole pixel, so that cells keep their snapped edges.
        const double col = std::clamp(content.window->col, 0.0,
                                      std::max(0.0, nAllCols - width / layout.cellWidth));
        const double row = std::clamp(content.window->row, 0.0,
                                      std::max(0.0, nAllRows - height / layout.cellHeight));
        layout.cells =
            QRectF(x - floorTo(content.pixel, col * layout.cellWidth + content.pixel / 2),
                   y - floorTo(content.pixel, row * layout.cellHeight + content.pixel / 2),
                   layout.cellWidth * nAllCols, layout.cellHeight * nAllRows);
    }
    const double labelGap = layout.labelPx * 0.5;
    layout.rowLabels = QRectF(x - labelGap - s.rowLabels, y, s.rowLabels, height);
    layout.colLabels = QRectF(x, y - s.colLabels, width, s.colLabels);
    if (layout.isCompact) {
        layout.colAxisName =
            QRectF(x - s.left, y - layout.labelPx * 2.7, s.left - 6, layout.labelPx * 1.3);
        layout.rowAxisName = layout.colAxisName.translated(0, layout.labelPx * 1.3);
    } else {
        layout.colAxisName = QRectF(x, y - s.top, width, s.axisName);
        layout.rowAxisName = QRectF(x - s.left, y, s.axisName, height);
    }
    const double below = y + height;
    if (content.sums) {
        layout.bars = QRectF(x + width + layout.labelPx, y, s.bars, height);
        layout.sums = QRectF(layout.bars.right() + labelGap, y, s.sums, height);
        // A tilted last label leans to the right: the title begins where it cannot touch it.
        const double clear =
            s.isTilted ? x + width - layout.cellWidth / 2 + layout.labelPx * 2.7 : 0;
        layout.sumsTitle =
            QRectF(QPointF(std::max(layout.bars.left(), clear), y - layout.labelPx * 1.7),
                   QPointF(layout.sums.right(), y - layout.labelPx * 0.2));
        layout.colSums = QRectF(x, below, width, s.colSums);
    }
    layout.colorBar = QRectF(x, below + s.colSums, std::max(1.0, box.right() - x), s.colorBar);

    const auto every = [](double needed, double pitch) {
        return std::max<Index>(1, static_cast<Index>(std::ceil(needed / std::max(1e-9, pitch))));
    };
    layout.rowEvery = every(layout.labelPx * 1.15, layout.cellHeight);
    layout.colEvery = s.isTilted ? every(layout.labelPx * 1.5, layout.cellWidth) : 1;
    return layout;
}

} // namespace keyaxis
