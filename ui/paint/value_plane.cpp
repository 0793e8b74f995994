#include "ui/paint/value_plane.h"

#include "core/attention/masked.h"
#include "core/proof/verdict.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <algorithm>
#include <cmath>
#include <limits>

namespace keyaxis {

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kMargin = 30;       ///< of the field, for names beside its points
constexpr double kFieldRatio = 0.62; ///< height to width
constexpr double kLine = 16;
constexpr double kTitle = 28;
constexpr double kReach = 7;         ///< how far from a point the pointer may be
constexpr double kWide = 1.8;        ///< from this ratio on the words stand beside the field
constexpr double kWordsShare = 0.44; ///< of the width, there
constexpr double kBeforeWords = 14;

QString tr(const char* text)
{
    return QCoreApplication::translate("ValuePlane", text);
}

Eigen::VectorXd rowOf(const MatrixView& matrix, Index row)
{
    return matrix.row(row).cast<double>();
}

PlanePoint projected(const PrincipalPlane& plane, const Eigen::VectorXd& row)
{
    return row.allFinite() ? plane.project(row) : PlanePoint(kNan, kNan);
}

/// The mixture c of weights >= 0 whose sum is not 1.
std::optional<ValuePlaneFigure::Mixture>
mixtureOf(const RowCertificate& row, const Eigen::VectorXd& output, const PrincipalPlane& plane)
{
    if (!row.isDefined() || row.isValid() || row.smallest < 0 || row.sum <= 0)
        return std::nullopt;
    const PlanePoint at = projected(plane, output / row.sum);
    if (!at.allFinite())
        return std::nullopt;
    return ValuePlaneFigure::Mixture{row.sum, at};
}

/// The sentence for a query whose name stands in the head above.
QString sentenceOf(const RowCertificate& row, const HullDistance& hull, Index nAllowed, Index dv)
{
    using Place = HullDistance::Place;
    if (!row.isDefined())
        return tr("The weights are not all numbers, so the output is not a point.");
    if (row.isValid() && nAllowed == 1)
        return tr("One value row may be used: the output is that row.");
    if (row.isValid())
        return tr("The output is a weighted average of the %1 value rows it may use: it lies in "
                  "their hull.")
            .arg(nAllowed);
    const QString sum = QString::fromStdString(sumText(row));
    if (hull.place == Place::Undefined)
        return tr("The weights sum to %1, and the output is not a point.").arg(sum);
    if (hull.place == Place::Inside)
        return tr("The weights sum to %1: not a distribution, though this output happens to lie in "
                  "the hull.")
            .arg(sum);
    const QString far = QString::number(hull.distance, 'g', 3);
    return dv > 2
               ? tr("The weights sum to %1: the output lies %2 outside the hull, measured in all "
                    "%3 dimensions.")
                     .arg(sum, far)
                     .arg(dv)
               : tr("The weights sum to %1: the output lies %2 outside the hull.").arg(sum, far);
}

/// How high the sentence and the note are.
double wordsHeight(const ValuePlaneFigure& figure, double width)
{
    const QFontMetricsF metrics(uiFont(12));
    double words = -4;
    for (const QString& text : {figure.sentence, figure.note})
        if (!text.isEmpty())
            words += metrics.boundingRect({0, 0, width, 1000}, Qt::TextWordWrap, text).height() + 4;
    // Room for the longer sentences too, so that nothing below jumps while the pointer moves.
    const double usual = (width >= 280 ? 3 : 5) * metrics.height() + 4;
    return std::max(words, usual);
}

/// The legend of what `figure` shows, flowing over lines of `width` from `top` on.
std::vector<PlaneLegend> legendOf(const ValuePlaneFigure& figure, double width, double top)
{
    using Sign = PlaneLegend::Sign;
    Label rows(figure.words("rows that "));
    for (const Label::Run& run : figure.queryName.runs)
        rows.runs.push_back({run.text, run.place, true});
    rows.add(figure.words(" may use"));
    std::vector<PlaneLegend> legend{{Sign::Value, Label(figure.words("value rows")), {}},
                                    {Sign::Output, Label(figure.words("outputs")), {}},
                                    {Sign::Hull, rows, {}}};
    if (figure.mixture)
        legend.push_back({Sign::Mixture, Label(figure.words("c: the weights ÷ their sum")), {}});
    if (figure.witness)
        legend.push_back({Sign::Witness, Label(figure.words("no average gets as far")), {}});
    constexpr double kBetween = 12;
    double x = 0;
    for (PlaneLegend& item : legend) {
        const double own = std::min(width, item.text.width(uiFont(kLegendPx)) + kLegendSign + 2);
        if (x > 0 && x + own > width) {
            x = 0;
            top += kLine;
        }
        item.box = {x, top, own, kLine};
        x += own + kBetween;
    }
    return legend;
}

/// Grows to hold points, and nothing that is not finite.
struct Bounds {
    double left = kNan, right = kNan, bottom = kNan, top = kNan;

    void add(const PlanePoint& p)
    {
        if (!p.allFinite())
            return;
        left = std::fmin(left, p[0]);
        right = std::fmax(right, p[0]);
        bottom = std::fmin(bottom, p[1]);
        top = std::fmax(top, p[1]);
    }
    /// Whether `p` is so near that it belongs into the picture.
    bool isNear(const PlanePoint& p) const
    {
        const double reach = 0.75 * std::max(right - left, top - bottom);
        return p[0] > left - reach && p[0] < right + reach && p[1] > bottom - reach &&
               p[1] < top + reach;
    }
};

/// The field with its legend and words: below it, in a wide picture beside it.
void placeWords(const ValuePlaneFigure& figure, ValuePlaneLayout& layout, const QRectF& room)
{
    const bool isWide = room.width() >= kWide * room.height();
    const double width = isWide ? kWordsShare * room.width() : room.width();
    const double words = wordsHeight(figure, width);
    const double lines = legendOf(figure, width, 0).back().box.bottom();
    layout.box = room;
    QPointF at = room.topLeft();
    if (isWide) {
        layout.box.setRight(room.right() - width - kBeforeWords);
        at.setX(room.right() - width);
    } else {
        layout.box.setHeight(std::max(40.0, room.height() - words - 14 - lines));
        at.setY(layout.box.bottom() + 8);
    }
    layout.legend = legendOf(figure, width, at.y());
    for (PlaneLegend& item : layout.legend)
        item.box.translate(at.x(), 0);
    layout.words = {at.x(), at.y() + lines + 6, width, words};
}

} // namespace

ValuePlaneFigure makeValuePlane(const Inputs& inputs, const ScoreSettings& settings, Index b,
                                Index h, const SliceStages& stages, const Certificate& certificate,
                                Index query, const PrincipalPlane& plane)
{
    ValuePlaneFigure figure;
    const Sizes sizes = sizesOf(inputs);
    if (!inputs.v || stages.output.cols() == 0 || query < 0 || query >= stages.output.rows())
        return figure;
    figure.axis = settings.axis;
    figure.query = query;
    figure.queryName =
        tokenLabels(inputs.queryTokens, b, sizes.Tq, 'q')[static_cast<std::size_t>(query)];
    figure.names = tokenLabels(inputs.keyTokens, b, sizes.Tk, 'k');

    const MatrixView values = inputs.v->slice(b, sizes.groupOf(h));
    const MatrixView output = viewOf(stages.output);
    std::vector<Index> allowed;
    for (Index j = 0; j < sizes.Tk; ++j) {
        figure.values.push_back(projected(plane, rowOf(values, j)));
        const bool may = !isMasked(stages.before->logits(query, j));
        figure.isAllowed.push_back(may);
        figure.weights.push_back(stages.weights(query, j));
        if (may)
            allowed.push_back(j);
    }
    for (Index i = 0; i < sizes.Tq; ++i) {
        figure.outputs.push_back(projected(plane, rowOf(output, i)));
        figure.isValid.push_back(certificate.rows[static_cast<std::size_t>(i)].isValid());
    }
    figure.origin = plane.project(Eigen::VectorXd::Zero(values.cols()));

    const RowCertificate& row = certificate.rows[static_cast<std::size_t>(query)];
    figure.mixture = mixtureOf(row, rowOf(output, query), plane);
    HullDistance hull;
    if (!row.isValid() && row.isDefined())
        hull = distanceToHull(rowOf(output, query), values, allowed);
    figure.isOutside = hull.place == HullDistance::Place::Outside;
    if (figure.isOutside) {
        const Eigen::VectorXd zero = Eigen::VectorXd::Zero(values.cols());
        figure.witness = plane.project(hull.witness) - plane.project(zero);
    }
    figure.sentence = sentenceOf(row, hull, std::ssize(allowed), sizes.dv);
    if (!plane.isExact)
        figure.note = tr("A projection: it shows %1 % of how the value rows differ.")
                          .arg(qRound(100 * plane.share));
    return figure;
}

QPointF ValuePlaneLayout::at(const PlanePoint& point) const
{
    return box.center() + QPointF((point[0] - middle[0]) * scale, -(point[1] - middle[1]) * scale);
}

PlanePoint ValuePlaneLayout::from(QPointF point) const
{
    const QPointF move = point - box.center();
    return {middle[0] + move.x() / scale, middle[1] - move.y() / scale};
}

PlaneHit ValuePlaneLayout::hitTest(const ValuePlaneFigure& figure, QPointF point) const
{
    PlaneHit best;
    double nearest = kReach;
    const auto offer = [&](PlaneHit::Kind kind, const std::vector<PlanePoint>& points) {
        for (Index n = 0; n < std::ssize(points); ++n) {
            const PlanePoint& p = points[static_cast<std::size_t>(n)];
            if (!p.allFinite())
                continue;
            const QPointF away = at(p) - point;
            const double distance = std::hypot(away.x(), away.y());
            if (distance < nearest) {
                nearest = distance;
                best = {kind, n};
            }
        }
    };
    if (box.contains(point)) {
        offer(PlaneHit::Kind::Value, figure.values); // where both are, the row that can be dragged
        offer(PlaneHit::Kind::Output, figure.outputs);
    }
    return best;
}

double valuePlaneHeight(const ValuePlaneFigure& figure, double width)
{
    return std::round(width * kFieldRatio) + 8 + legendOf(figure, width, 0).back().box.bottom() +
           6 + wordsHeight(figure, width);
}

ValuePlaneLayout layoutValuePlane(const ValuePlaneFigure& figure, QSizeF size)
{
    ValuePlaneLayout layout;
    const double title = figure.hasTitle ? kTitle : 0;
    const double settings = figure.settingsLine.isEmpty()
                                ? 0
                                : QFontMetricsF(uiFont(11))
                                          .boundingRect({0, 0, size.width(), 1000},
                                                        Qt::TextWordWrap, figure.settingsLine)
                                          .height() +
                                      2;
    layout.title = {0, 0, size.width(), title};
    layout.settingsLine = {0, size.height() - settings, size.width(), settings};
    placeWords(figure, layout, {0, title, size.width(), size.height() - title - settings});

    Bounds bounds;
    bounds.add(figure.origin);
    for (const PlanePoint& p : figure.values)
        bounds.add(p);
    const Bounds ofValues = bounds;
    for (const PlanePoint& p : figure.outputs)
        if (ofValues.isNear(p))
            bounds.add(p);
    if (!figure.isEmpty())
        bounds.add(figure.outputs[static_cast<std::size_t>(figure.query)]);
    if (std::isnan(bounds.left))
        return layout;
    layout.middle = {(bounds.left + bounds.right) / 2, (bounds.bottom + bounds.top) / 2};
    const auto fit = [](double room, double extent) {
        return extent > 0 ? std::max(1.0, room - 2 * kMargin) / extent
                          : std::numeric_limits<double>::infinity();
    };
    layout.scale = std::min(fit(layout.box.width(), bounds.right - bounds.left),
                            fit(layout.box.height(), bounds.top - bounds.bottom));
    if (!std::isfinite(layout.scale))
        layout.scale = 1; // one point: any scale will do
    return layout;
}

} // namespace keyaxis
