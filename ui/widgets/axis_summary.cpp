#include "ui/widgets/axis_summary.h"

#include "core/proof/padding.h"
#include "ui/paint/sum_bars.h"

#include <QFontMetrics>
#include <QMouseEvent>
#include <QPainter>
#include <cmath>

namespace keyaxis {

namespace {

constexpr int kLineHeight = 30;
constexpr int kNameWidth = 96;
constexpr int kMark = 11;
constexpr int kNarrow = 270;

} // namespace

AxisSummary::AxisSummary(QWidget* parent) : QWidget(parent)
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setCursor(Qt::PointingHandCursor);
    setToolTip(tr("What a softmax over each axis makes of this map; click to choose the axis"));
}

void AxisSummary::setTheme(const Theme& theme)
{
    m_theme = theme;
    update();
}

void AxisSummary::show(const ShownResults& shown, bool leavesOutPadding)
{
    const Results& results = *shown.results;
    const std::vector<bool> padded = leavesOutPadding
                                         ? paddedRows(results.inputs, results.batch, results.head)
                                         : std::vector<bool>();
    m_axis = shown.results->settings.axis;
    QStringList all;
    for (const Axis axis : kAllAxes) {
        Line& line = m_verdicts[static_cast<std::size_t>(axis)];
        if (shown.results->inputs.weights) {
            line = sumsAlong(axis, shown.results->findings);
        } else {
            ScoreSettings settings = shown.results->settings;
            settings.axis = axis;
            const Verdict verdict =
                verdictWithoutRows(shown.certificate(axis), padded, results.inputs, settings);
            line = {QString::fromStdString(verdict.pill), verdict.valid, verdict.hasRows};
        }
        all += QString::fromLatin1(names(axis).title.data()) + QStringLiteral(": ") + line.text;
    }
    setAccessibleName(all.join(QStringLiteral("; ")));
    update();
}

/// What loaded weights sum to along `axis`, over all of them.
AxisSummary::Line AxisSummary::sumsAlong(Axis axis, const std::optional<Findings>& findings)
{
    if (!findings)
        return {};
    const auto member = axis == Axis::Key     ? AxisSet::Key
                        : axis == Axis::Query ? AxisSet::Query
                        : axis == Axis::Batch ? AxisSet::Batch
                                              : AxisSet::Head;
    const AxisSums& sums = findings->along(AxisSet(1U << member));
    const auto number = [](double sum) { return QString::number(sum, 'g', 4); };
    QString text = std::isnan(sums.largestDeviation) ? tr("no sum is defined")
                   : sums.holds
                       ? tr("sums to 1")
                       : tr("sums to %1 … %2").arg(number(sums.smallest), number(sums.largest));
    if (sums.nUndefined > 0)
        text += tr(", %1 undefined").arg(sums.nUndefined);
    return {text, sums.holds, true};
}

QSize AxisSummary::sizeHint() const
{
    return {300, kLineHeight * static_cast<int>(kAllAxes.size())};
}

QRect AxisSummary::lineOf(Axis axis) const
{
    return {0, static_cast<int>(axis) * kLineHeight, width(), kLineHeight};
}

void AxisSummary::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    for (const Axis axis : kAllAxes) {
        const Line& line = m_verdicts[static_cast<std::size_t>(axis)];
        if (line.text.isEmpty())
            continue;
        const QRect box = lineOf(axis);
        const QColor identity = m_theme.axisColor(axis);
        if (axis == m_axis) {
            painter.setPen(Qt::NoPen);
            painter.setBrush(m_theme.tint(identity));
            painter.drawRoundedRect(box, 6, 6);
        }
        const QFont font = uiFont(12, QFont::DemiBold);
        // The letter alone where there is no room for both.
        const bool isNarrow = width() < kNarrow;
        QString title(QLatin1Char(names(axis).letter));
        if (!isNarrow)
            title += QStringLiteral("  ") + QString::fromLatin1(names(axis).title.data());
        drawLabel(painter, QRectF(box).adjusted(10, 0, 0, 0), Qt::AlignLeft, Label(title), font,
                  identity);
        const QColor color = line.isJudged ? m_theme.verdictColor(line.isValid) : m_theme.muted;
        const int left = isNarrow ? 28 : 10 + kNameWidth;
        if (line.isJudged)
            paintMark(painter, QRectF(left, box.center().y() - kMark / 2.0, kMark, kMark),
                      line.isValid, color);
        const QFont plain = uiFont(isNarrow ? 11 : 12);
        const int room = width() - left - kMark - 11;
        drawLabel(painter, QRectF(left + kMark + 7, box.top(), room, kLineHeight), Qt::AlignLeft,
                  Label(QFontMetrics(plain).elidedText(line.text, Qt::ElideRight, room)), plain,
                  color);
    }
}

void AxisSummary::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton)
        return;
    for (const Axis axis : kAllAxes)
        if (lineOf(axis).contains(event->position().toPoint()))
            Q_EMIT axisChosen(axis);
}

} // namespace keyaxis
