#include "ui/paint/value_plane.h"

#include <QFontMetricsF>
#include <QImage>
#include <QLineF>
#include <QPaintEngine>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace keyaxis {

namespace {

constexpr double kThickest = 13; ///< the line of a weight of 1
constexpr double kSquare = 7;
constexpr double kRing = 8;
constexpr double kOwnRing = 12;
constexpr int kNamePx = 11;

QRectF around(QPointF point, double size)
{
    return {point.x() - size / 2, point.y() - size / 2, size, size};
}

/// The hull of those of `points` that are finite and `isWanted`, on the picture.
template <typename IsWanted>
QPolygonF hullOf(const ValuePlaneFigure& figure, const ValuePlaneLayout& layout, IsWanted isWanted)
{
    std::vector<PlanePoint> points;
    for (Index j = 0; j < std::ssize(figure.values); ++j)
        if (const PlanePoint& p = figure.values[static_cast<std::size_t>(j)];
            p.allFinite() && isWanted(j))
            points.push_back(p);
    QPolygonF polygon;
    for (const Index corner : planarHull(points))
        polygon += layout.at(points[static_cast<std::size_t>(corner)]);
    return polygon;
}

void paintHulls(QPainter& painter, const ValuePlaneFigure& figure, const ValuePlaneLayout& layout,
                const Theme& theme)
{
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(theme.muted, 0.8));
    painter.drawPolygon(hullOf(figure, layout, [](Index) { return true; }));
    QColor shade = theme.valid;
    shade.setAlphaF(theme.isDark ? 0.22F : 0.16F);
    painter.setBrush(shade);
    painter.setPen(QPen(theme.valid, 1.2));
    painter.drawPolygon(hullOf(
        figure, layout, [&](Index j) { return figure.isAllowed[static_cast<std::size_t>(j)]; }));
}

/// A line from each value row to the output, as thick as its weight.
void paintWeights(QPainter& painter, const ValuePlaneFigure& figure, const ValuePlaneLayout& layout,
                  const Theme& theme)
{
    const PlanePoint output = figure.outputs[static_cast<std::size_t>(figure.query)];
    if (!output.allFinite())
        return;
    QColor color = theme.axisColor(figure.axis);
    color.setAlphaF(0.38F);
    for (std::size_t j = 0; j < figure.values.size(); ++j) {
        const double width = kThickest * std::min(1.0, std::abs(double(figure.weights[j])));
        if (width < 0.15 || !figure.values[j].allFinite())
            continue;
        painter.setPen(QPen(color, width, Qt::SolidLine, Qt::FlatCap));
        painter.drawLine(layout.at(figure.values[j]), layout.at(output));
    }
}

/// The zero row, and the ray from it through the mixture c to o = r × c.
void paintRay(QPainter& painter, const ValuePlaneFigure& figure, const ValuePlaneLayout& layout,
              const Theme& theme)
{
    const QPointF zero = layout.at(figure.origin);
    painter.setPen(QPen(theme.muted, 1));
    painter.drawLine(zero - QPointF(4, 0), zero + QPointF(4, 0));
    painter.drawLine(zero - QPointF(0, 4), zero + QPointF(0, 4));
    const PlanePoint output = figure.outputs[static_cast<std::size_t>(figure.query)];
    if (!figure.mixture || !output.allFinite())
        return;
    const QColor color = theme.axisColor(figure.axis);
    const QPointF c = layout.at(figure.mixture->at);
    QPen dashed(color, 1);
    dashed.setDashPattern({3, 3});
    painter.setPen(dashed);
    painter.drawLine(zero, figure.mixture->mass < 1 ? c : layout.at(output));
    painter.setPen(QPen(color, 1.4));
    painter.setBrush(theme.panel);
    painter.drawEllipse(c, kRing / 2 - 0.5, kRing / 2 - 0.5);
}

/// Where the output of query i is drawn: one that lies far out sits on the border.
QPointF outputPoint(const ValuePlaneFigure& figure, const ValuePlaneLayout& layout, Index query)
{
    const QPointF p = layout.at(figure.outputs[static_cast<std::size_t>(query)]);
    const QRectF field = layout.box.adjusted(6, 6, -6, -6);
    return {std::clamp(p.x(), field.left(), field.right()),
            std::clamp(p.y(), field.top(), field.bottom())};
}

/// The witness direction as an arrow from the output; it is as short as the plane sees little of
/// it. Null where there is none, or too little of it to be seen.
QLineF witnessArrow(const ValuePlaneFigure& figure, const ValuePlaneLayout& layout)
{
    constexpr double kLength = 34;
    constexpr double kShortest = 6;
    const PlanePoint output = figure.outputs[static_cast<std::size_t>(figure.query)];
    if (!figure.witness || !output.allFinite())
        return {};
    const QPointF from = layout.at(output);
    const QLineF arrow(from, from + kLength * QPointF(figure.witness->x(), -figure.witness->y()));
    return arrow.length() < kShortest ? QLineF() : arrow;
}

void paintWitness(QPainter& painter, const ValuePlaneFigure& figure, const ValuePlaneLayout& layout,
                  const Theme& theme)
{
    const QLineF arrow = witnessArrow(figure, layout);
    if (arrow.isNull())
        return;
    const QPointF along = (arrow.p2() - arrow.p1()) / arrow.length();
    const QPointF across(-along.y(), along.x());
    painter.setPen(QPen(theme.invalid, 1.6, Qt::SolidLine, Qt::RoundCap));
    painter.drawLine(arrow);
    painter.drawLine(arrow.p2(), arrow.p2() - 5 * along + 3.5 * across);
    painter.drawLine(arrow.p2(), arrow.p2() - 5 * along - 3.5 * across);
}

void paintOutputs(QPainter& painter, const ValuePlaneFigure& figure, const ValuePlaneLayout& layout,
                  const Theme& theme)
{
    const auto drawRing = [&](QPainter& on, QPointF at, bool isValid, double size, double line) {
        on.setPen(QPen(theme.verdictColor(isValid), line));
        on.setBrush(theme.panel);
        on.drawEllipse(at, size / 2, size / 2);
    };
    // A thousand rings one by one took longer than four maps: on a screen many are stamps.
    constexpr std::ptrdiff_t kMany = 100;
    const bool areStamped =
        std::ssize(figure.outputs) > kMany && painter.paintEngine()->type() == QPaintEngine::Raster;
    constexpr double kStamp = kRing + 4;
    std::array<QImage, 2> stamps;
    for (std::size_t isValid = 0; areStamped && isValid < stamps.size(); ++isValid) {
        const double ratio = painter.device()->devicePixelRatioF();
        QImage& stamp = stamps[isValid];
        stamp =
            QImage((QSizeF(kStamp, kStamp) * ratio).toSize(), QImage::Format_ARGB32_Premultiplied);
        stamp.setDevicePixelRatio(ratio);
        stamp.fill(Qt::transparent);
        QPainter on(&stamp);
        on.setRenderHint(QPainter::Antialiasing);
        drawRing(on, QPointF(kStamp, kStamp) / 2, isValid == 1, kRing, 1.3);
    }
    const auto ring = [&](Index query, double size, double line) {
        const auto n = static_cast<std::size_t>(query);
        if (!figure.outputs[n].allFinite())
            return;
        const QPointF at = outputPoint(figure, layout, query);
        if (areStamped && query != figure.query)
            painter.drawImage(at - QPointF(kStamp, kStamp) / 2, stamps[figure.isValid[n] ? 1 : 0]);
        else
            drawRing(painter, at, figure.isValid[n], size, line);
    };
    for (Index i = 0; i < std::ssize(figure.outputs); ++i)
        if (i != figure.query)
            ring(i, kRing, 1.3);
    ring(figure.query, kOwnRing, 2.6);
}

/// Names that keep off each other and off what is drawn under them.
class Names {
public:
    Names(QPainter& painter, const QRectF& field) : m_painter(painter), m_field(field) {}

    void keepOff(const QRectF& box) { m_taken.push_back(box); }

    /// Beside `point`, on the side away from `inner` first; left out where no side is free.
    void place(const Label& label, QPointF point, QPointF inner, const QFont& font,
               const QColor& color)
    {
        const double width = std::min(label.width(font) + 1, 120.0);
        const double height = QFontMetricsF(font).height();
        const double right = point.x() >= inner.x() ? 1 : -1;
        const double down = point.y() >= inner.y() ? 1 : -1;
        const std::array<QPointF, 6> ways{QPointF(right, down), QPointF(right, -down),
                                          QPointF(0, down),     QPointF(-right, down),
                                          QPointF(0, -down),    QPointF(-right, -down)};
        for (const QPointF& way : ways) {
            const QPointF middle = point + QPointF(way.x() * (width / 2 + (way.x() != 0 ? 5 : 0)),
                                                   way.y() * (height / 2 + 4));
            const QRectF box(middle.x() - width / 2, middle.y() - height / 2, width, height);
            const bool isFree = m_field.contains(box) &&
                                std::none_of(m_taken.begin(), m_taken.end(),
                                             [&](const QRectF& r) { return r.intersects(box); });
            if (!isFree)
                continue;
            drawLabel(m_painter, box, Qt::AlignHCenter, label.elided(font, width), font, color);
            m_taken.push_back(box);
            return;
        }
    }

private:
    QPainter& m_painter;
    QRectF m_field;
    std::vector<QRectF> m_taken;
};

/// A square for each value row, and a frame around the one that is spoken of.
void paintValues(QPainter& painter, const ValuePlaneFigure& figure, const ValuePlaneLayout& layout,
                 const Theme& theme)
{
    for (Index j = 0; j < std::ssize(figure.values); ++j) {
        const auto n = static_cast<std::size_t>(j);
        if (!figure.values[n].allFinite())
            continue;
        const QPointF at = layout.at(figure.values[n]);
        painter.fillRect(around(at, kSquare), figure.isAllowed[n] ? theme.ink : theme.muted);
        if (j != figure.key)
            continue;
        painter.setPen(QPen(theme.ink, 1.5));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(around(at, kSquare + 6));
    }
}

void paintNames(QPainter& painter, const ValuePlaneFigure& figure, const ValuePlaneLayout& layout,
                const Theme& theme)
{
    Names names(painter, layout.box.adjusted(3, 3, -3, -3));
    QPointF inner;
    double nInner = 0;
    for (const PlanePoint& p : figure.values)
        if (p.allFinite()) {
            inner += layout.at(p);
            ++nInner;
        }
    inner /= std::max(1.0, nInner);

    for (Index i = 0; i < std::ssize(figure.outputs); ++i)
        if (figure.outputs[static_cast<std::size_t>(i)].allFinite())
            names.keepOff(around(outputPoint(figure, layout, i), kRing));
    for (const PlanePoint& p : figure.values)
        if (p.allFinite())
            names.keepOff(around(layout.at(p), kSquare));
    if (const QLineF arrow = witnessArrow(figure, layout); !arrow.isNull())
        names.keepOff(QRectF(arrow.p1(), arrow.p2()).normalized().adjusted(-3, -3, 3, 3));
    const PlanePoint output = figure.outputs[static_cast<std::size_t>(figure.query)];
    const QFont font = uiFont(kNamePx);
    const QFont bold = uiFont(kNamePx, QFont::Bold);
    if (output.allFinite()) {
        const QPointF at = outputPoint(figure, layout, figure.query);
        Label label(QStringLiteral("o"));
        if (figure.mixture)
            label.add(QStringLiteral(" = %1 × c").arg(figure.mixture->mass, 0, 'g', 3));
        names.place(label, at, inner, bold, theme.axisColor(figure.axis));
    }
    if (figure.mixture)
        names.place(Label(QStringLiteral("c")), layout.at(figure.mixture->at), inner, font,
                    theme.axisColor(figure.axis));
    names.place(Label(QStringLiteral("0")), layout.at(figure.origin), inner, font, theme.muted);

    // The framed row first, then allowed rows, the heavy before the light: where room is short, the
    // others go unnamed.
    std::vector<Index> order;
    for (Index j = 0; j < std::ssize(figure.values); ++j)
        if (figure.values[static_cast<std::size_t>(j)].allFinite())
            order.push_back(j);
    const auto rank = [&](Index j) {
        const auto n = static_cast<std::size_t>(j);
        if (j == figure.key)
            return std::numeric_limits<float>::infinity();
        return figure.isAllowed[n] ? std::abs(figure.weights[n]) : -1.0F;
    };
    std::stable_sort(order.begin(), order.end(),
                     [&](Index a, Index b) { return rank(a) > rank(b); });
    constexpr std::size_t kMostNames = 60;
    order.resize(std::min(order.size(), kMostNames));
    for (const Index j : order) {
        const auto n = static_cast<std::size_t>(j);
        names.place(figure.names[n], layout.at(figure.values[n]), inner,
                    j == figure.key ? bold : font, figure.isAllowed[n] ? theme.ink : theme.muted);
    }
}

void paintLegend(QPainter& painter, const ValuePlaneFigure& figure, const ValuePlaneLayout& layout,
                 const Theme& theme)
{
    const QFont font = uiFont(kLegendPx);
    for (const PlaneLegend& item : layout.legend) {
        const QPointF middle(item.box.left() + 4, item.box.center().y());
        QColor color = theme.muted;
        switch (item.sign) {
        case PlaneLegend::Sign::Value:
            painter.fillRect(around(middle, kSquare), theme.ink);
            break;
        case PlaneLegend::Sign::Output:
            painter.setPen(QPen(theme.muted, 1.3));
            painter.setBrush(Qt::NoBrush);
            painter.drawEllipse(middle, kRing / 2, kRing / 2);
            break;
        case PlaneLegend::Sign::Hull: {
            QColor shade = theme.valid;
            shade.setAlphaF(0.3F);
            painter.fillRect(around(middle, 9), shade);
            break;
        }
        case PlaneLegend::Sign::Mixture:
            painter.setPen(QPen(theme.axisColor(figure.axis), 1.4));
            painter.setBrush(theme.panel);
            painter.drawEllipse(middle, kRing / 2 - 0.5, kRing / 2 - 0.5);
            break;
        case PlaneLegend::Sign::Witness:
            color = theme.invalid;
            drawLabel(painter, around(middle, 14), Qt::AlignHCenter, Label(QStringLiteral("→")),
                      font, color);
            break;
        }
        const QRectF text = item.box.adjusted(kLegendSign, 0, 0, 0);
        drawLabel(painter, text, Qt::AlignLeft, item.text.elided(font, text.width()), font, color);
    }
}

void paintWords(QPainter& painter, const ValuePlaneFigure& figure, const ValuePlaneLayout& layout,
                const Theme& theme)
{
    constexpr int kFlags = Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap;
    painter.setFont(uiFont(12));
    painter.setPen(figure.isOutside ? theme.invalid : theme.ink);
    QRectF used;
    painter.drawText(layout.words, kFlags, figure.sentence, &used);
    painter.setPen(theme.muted);
    painter.drawText(layout.words.adjusted(0, used.height() + 4, 0, 0), kFlags, figure.note);
}

} // namespace

void paintValuePlane(QPainter& painter, const ValuePlaneFigure& figure,
                     const ValuePlaneLayout& layout, const Theme& theme)
{
    if (figure.isEmpty())
        return;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setOpacity(painter.opacity() * figure.visible);
    if (figure.hasTitle) {
        Label title(figure.words("Value plane · query "));
        title.runs.insert(title.runs.end(), figure.queryName.runs.begin(),
                          figure.queryName.runs.end());
        drawLabel(painter, layout.title, Qt::AlignLeft, title, uiFont(15, QFont::DemiBold),
                  theme.ink);
    }
    painter.setFont(uiFont(11));
    painter.setPen(theme.muted);
    painter.drawText(layout.settingsLine, Qt::AlignLeft | Qt::AlignBottom | Qt::TextWordWrap,
                     figure.settingsLine);
    painter.setPen(figure.hasTitle ? QPen(theme.hairline, 1) : QPen(Qt::NoPen));
    painter.setBrush(theme.paper);
    painter.drawRoundedRect(layout.box, 8, 8);
    paintHulls(painter, figure, layout, theme);
    paintWeights(painter, figure, layout, theme);
    paintValues(painter, figure, layout, theme);
    paintRay(painter, figure, layout, theme);
    paintWitness(painter, figure, layout, theme);
    paintOutputs(painter, figure, layout, theme);
    paintNames(painter, figure, layout, theme);
    paintLegend(painter, figure, layout, theme);
    paintWords(painter, figure, layout, theme);
    painter.restore();
}

} // namespace keyaxis
