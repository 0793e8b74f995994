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
    return static_cast<Number>(std::lerp(static_cast<double>(a), static_cast<double>(b), part));
}

PlanePoint between(const PlanePoint& a, const PlanePoint& b, double part)
{
    if (!a.allFinite() || !b.allFinite())
        return part < 0.5 ? a : b;
    return a + (b - a) * part;
}

RowCertificate between(const RowCertificate& a, const RowCertificate& b, double part)
{
    RowCertificate row = part < 0.5 ? a : b;
    row.sum = between(a.sum, b.sum, part);
    return row;
}

/// 0 before `start`, 1 after `end`, without a jolt in between.
double eased(double part, double start, double end)
{
    const double x = std::clamp((part - start) / (end - start), 0.0, 1.0);
    return x * x * (3 - 2 * x);
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

MorphOrder morphOrder(double part)
{
    // Each part starts before the last one has ended, or the picture would stop in between.
    return {eased(part, 0, 0.4), eased(part, 0.25, 0.65), eased(part, 0.5, 0.85),
            eased(part, 0.7, 1)};
}

namespace {

std::size_t selectedOf(const Figure& figure)
{
    const auto found = std::ranges::find_if(figure.maps, &MapFigure::isSelected);
    return static_cast<std::size_t>(found - figure.maps.begin());
}

} // namespace

Figure morphed(const Figure& from, const Figure& to, double part)
{
    const MorphOrder order = morphOrder(part);
    Figure figure = to;
    if (framesTravel(from, to))
        for (MapFigure& map : figure.maps)
            map.isSelected = false;
    for (std::size_t n = 0; n < figure.maps.size(); ++n) {
        const MapFigure& old = from.maps[n];
        MapFigure& map = figure.maps[n];
        if (map.numbers.values != old.numbers.values)
            map.numbers = numbersBetween(old.numbers, map.numbers, order.cells);
        if (old.axis != map.axis) {
            map.motion.turnsFrom = old.axis;
            map.motion.outline = order.outline;
        }
        if (order.bars < 0.5)
            map.verdict = old.verdict;
        auto& rows = map.certificate.rows;
        for (std::size_t i = 0; i < rows.size() && i < old.certificate.rows.size(); ++i)
            rows[i] = between(old.certificate.rows[i], rows[i], order.bars);
        for (std::size_t j = 0; j < map.columnSums.size() && j < old.columnSums.size(); ++j)
            map.columnSums[j] = between(old.columnSums[j], map.columnSums[j], order.bars);
    }
    return figure;
}

bool canMorph(const ValuePlaneFigure& from, const ValuePlaneFigure& to)
{
    return !to.isEmpty() && from.query == to.query && from.values.size() == to.values.size() &&
           from.outputs.size() == to.outputs.size() && from.weights.size() == to.weights.size();
}

ValuePlaneFigure morphed(const ValuePlaneFigure& from, const ValuePlaneFigure& to, double part)
{
    const MorphOrder order = morphOrder(part);
    ValuePlaneFigure figure = to;
    for (std::size_t j = 0; j < figure.weights.size(); ++j)
        figure.weights[j] = between(from.weights[j], to.weights[j], order.cells);
    for (std::size_t i = 0; i < figure.outputs.size(); ++i)
        figure.outputs[i] = between(from.outputs[i], to.outputs[i], order.points);
    if (order.points < 1) { // where the output will be told apart once it has arrived
        figure.mixture.reset();
        figure.witness.reset();
        figure.isOutside = from.isOutside;
        figure.isValid = from.isValid;
        figure.sentence = from.sentence;
        figure.note = from.note;
    }
    return figure;
}

ValuePlaneLayout morphed(const ValuePlaneLayout& from, const ValuePlaneLayout& to, double part)
{
    const double points = morphOrder(part).points;
    ValuePlaneLayout layout = to;
    layout.scale = between(from.scale, to.scale, points);
    // The words below may need other room than before: the field has moved, its points stay.
    layout.middle = between(from.from(to.box.center()), to.middle, points);
    return layout;
}

ValuePlaneFigure appearing(const ValuePlaneFigure& to, double part)
{
    ValuePlaneFigure figure = to;
    figure.visible = morphOrder(part).points;
    return figure;
}

Figure appearing(const Figure& to, double part)
{
    const MorphOrder order = morphOrder(part);
    Figure figure = to;
    for (MapFigure& map : figure.maps) {
        map.motion = {std::nullopt, order.outline, order.cells, order.bars};
        for (RowCertificate& row : map.certificate.rows)
            row.sum = between(1.0, row.sum, order.bars);
    }
    return figure;
}

bool framesTravel(const Figure& from, const Figure& to)
{
    return selectedOf(from) != selectedOf(to) && selectedOf(from) < from.maps.size() &&
           selectedOf(to) < to.maps.size();
}

void paintTravellingFrame(QPainter& painter, const FigureLayout& layout, const Figure& from,
                          const Figure& to, double part, const Theme& theme)
{
    const std::size_t first = selectedOf(from);
    const std::size_t last = selectedOf(to);
    const QRectF a = layout.maps[first].card;
    const QRectF b = layout.maps[last].card;
    const QRectF frame(a.topLeft() * (1 - part) + b.topLeft() * part, b.size());
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(
        mixed(theme.axisColor(to.maps[last].axis), theme.axisColor(from.maps[first].axis), part),
        2));
    painter.drawRoundedRect(frame.adjusted(1, 1, -1, -1), 10, 10);
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
