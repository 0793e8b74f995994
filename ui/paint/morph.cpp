#include "ui/paint/morph.h"

#include <algorithm>
#include <cmath>

namespace keyaxis {

namespace {

/// Between two numbers; the nearer one where there is nothing between.
template <typename Number>
Number between(Number a, Number b, double part)
{
    if (!std::isfinite(a) || !std::isfinite(b))
        return part < 0.5 ? a : b;
    return static_cast<Number>(a + (b - a) * part);
}

MapNumbers numbersBetween(const MapNumbers& a, const MapNumbers& b, double part)
{
    auto values = std::make_shared<Matrix>(b.nRows, b.nCols);
    for (Index n = 0; n < values->size(); ++n)
        values->data()[n] = between(a.values[n], b.values[n], part);
    // Aliases the values, and keeps what the logits are in.
    struct Owner {
        std::shared_ptr<const Matrix> values;
        std::shared_ptr<const void> logits;
    };
    const float* first = values->data();
    return {std::make_shared<const Owner>(Owner{std::move(values), b.owner}), first, b.logits,
            b.nRows, b.nCols};
}

} // namespace

bool canMorph(const Figure& from, const Figure& to)
{
    return !to.maps.empty() &&
           std::ranges::equal(from.maps, to.maps, [](const MapFigure& a, const MapFigure& b) {
               return a.stage == b.stage && a.isDifference == b.isDifference &&
                      a.numbers.nRows == b.numbers.nRows && a.numbers.nCols == b.numbers.nCols;
           });
}

Figure morphed(const Figure& from, const Figure& to, double part)
{
    Figure figure = to;
    for (std::size_t n = 0; n < figure.maps.size(); ++n) {
        const MapFigure& old = from.maps[n];
        MapFigure& map = figure.maps[n];
        map.numbers = numbersBetween(old.numbers, map.numbers, part);
        auto& rows = map.certificate.rows;
        for (std::size_t i = 0; i < rows.size() && i < old.certificate.rows.size(); ++i) {
            const RowCertificate& before = old.certificate.rows[i];
            const double sum = between(before.sum, rows[i].sum, part);
            if (part < 0.5)
                rows[i] = before;
            rows[i].sum = sum;
        }
        for (std::size_t j = 0; j < map.columnSums.size() && j < old.columnSums.size(); ++j)
            map.columnSums[j] = between(old.columnSums[j], map.columnSums[j], part);
    }
    return figure;
}

void paintTurningSlice(QPainter& painter, const HeatmapLayout& layout, Cell cell, Axis from,
                       Axis to, double part, const Theme& theme)
{
    const auto boxOf = [&](Axis axis) {
        if (axis == Axis::Key)
            return layout.span({cell.row, 0}, {cell.row, layout.nCols - 1});
        if (axis == Axis::Query)
            return layout.span({0, cell.col}, {layout.nRows - 1, cell.col});
        return layout.cell(cell.row, cell.col);
    };
    const QRectF a = boxOf(from).intersected(layout.view);
    const QRectF b = boxOf(to).intersected(layout.view);
    const QRectF box(a.topLeft() * (1 - part) + b.topLeft() * part,
                     a.bottomRight() * (1 - part) + b.bottomRight() * part);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(mixed(theme.axisColor(to), theme.axisColor(from), part),
                        std::clamp(layout.cellHeight * 0.06, 1.6, 5.0)));
    painter.drawRoundedRect(box, 4, 4);
}

} // namespace keyaxis
