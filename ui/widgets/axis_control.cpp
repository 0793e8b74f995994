#include "ui/widgets/axis_control.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <QToolTip>
#include <algorithm>

namespace keyaxis {

namespace {

constexpr int kHeight = 38;
constexpr double kRadius = 8.0;

int indexOf(Axis axis)
{
    return static_cast<int>(axis);
}

/// "Query": the axis without the word "axis".
QString shortTitle(Axis axis)
{
    QString name = QString::fromLatin1(names(axis).name.data(), names(axis).name.size());
    name[0] = name[0].toUpper();
    return name;
}

} // namespace

AxisControl::AxisControl(QWidget* parent) : ChoiceWidget(parent)
{
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    setAxis(m_axis);
}

void AxisControl::setTheme(const Theme& theme)
{
    m_theme = theme;
    update();
}

void AxisControl::setAxis(Axis axis)
{
    m_axis = axis;
    setAccessibleName(
        tr("Softmax over: %1, dim=%2").arg(shortTitle(axis)).arg(names(axis).torchDim));
    tellChosen(indexOf(axis));
    update();
}

void AxisControl::setNarrow(bool isNarrow)
{
    m_isNarrow = isNarrow;
    updateGeometry();
    update();
}

ChoiceWidget::Choice AxisControl::choice(int index) const
{
    const Axis axis = kAllAxes[static_cast<std::size_t>(index)];
    return {tr("%1 axis, dim=%2").arg(shortTitle(axis)).arg(names(axis).torchDim), segment(axis),
            axis == m_axis};
}

void AxisControl::pick(int index)
{
    choose(kAllAxes[static_cast<std::size_t>(index)]);
}

QSize AxisControl::sizeHint() const
{
    return {segmentWidth() * static_cast<int>(kAllAxes.size()) + 2, kHeight};
}

QRect AxisControl::segment(Axis axis) const
{
    return {1 + indexOf(axis) * segmentWidth(), (height() - kHeight) / 2, segmentWidth(), kHeight};
}

void AxisControl::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF frame =
        QRectF(segment(Axis::Query) | segment(Axis::Head)).adjusted(0.5, 0.5, -0.5, -0.5);
    QPainterPath outline;
    outline.addRoundedRect(frame, kRadius, kRadius);
    painter.fillPath(outline, m_theme.panel);

    painter.save();
    painter.setClipPath(outline);
    for (const Axis axis : kAllAxes) {
        const QRect box = segment(axis);
        const bool isOn = axis == m_axis;
        if (isOn)
            painter.fillRect(box, m_theme.axisColor(axis));
        else if (m_hovered == axis)
            painter.fillRect(box, m_theme.tint(m_theme.axisColor(axis)));

        const QString name = QStringLiteral("%1%2%3")
                                 .arg(QLatin1Char(names(axis).letter))
                                 .arg(QString(m_isNarrow ? 1 : 2, QLatin1Char(' ')))
                                 .arg(shortTitle(axis));
        painter.setPen(isOn ? m_theme.onAccent : m_theme.ink);
        painter.setFont(uiFont(13, isOn ? QFont::DemiBold : QFont::Normal));
        painter.drawText(box.adjusted(0, 4, 0, -16), Qt::AlignCenter, name);
        painter.setPen(isOn ? m_theme.onAccent : m_theme.muted);
        painter.setFont(codeFont(10));
        painter.drawText(box.adjusted(0, 20, 0, -4), Qt::AlignCenter,
                         QStringLiteral("dim=%1").arg(names(axis).torchDim));
    }
    painter.setPen(m_theme.hairline);
    for (const Axis axis : {Axis::Key, Axis::Batch, Axis::Head})
        painter.drawLine(segment(axis).topLeft(), segment(axis).bottomLeft());
    painter.restore();

    painter.setPen(
        QPen(hasFocus() ? m_theme.axisColor(m_axis) : m_theme.hairline, hasFocus() ? 2 : 1));
    painter.drawPath(outline);
}

std::optional<Axis> AxisControl::axisAt(const QPoint& point) const
{
    for (const Axis axis : kAllAxes)
        if (segment(axis).contains(point))
            return axis;
    return std::nullopt;
}

void AxisControl::choose(Axis axis)
{
    if (axis != m_axis)
        Q_EMIT axisChosen(axis);
}

void AxisControl::setHovered(std::optional<Axis> axis)
{
    if (axis == m_hovered)
        return;
    m_hovered = axis;
    update();
}

void AxisControl::mousePressEvent(QMouseEvent* event)
{
    const auto axis = axisAt(event->position().toPoint());
    if (event->button() == Qt::LeftButton && axis)
        choose(*axis);
}

void AxisControl::mouseMoveEvent(QMouseEvent* event)
{
    setHovered(axisAt(event->position().toPoint()));
}

void AxisControl::leaveEvent(QEvent*)
{
    setHovered(std::nullopt);
}

void AxisControl::keyPressEvent(QKeyEvent* event)
{
    const int step = event->key() == Qt::Key_Left ? -1 : event->key() == Qt::Key_Right ? 1 : 0;
    if (step == 0) {
        QWidget::keyPressEvent(event);
        return;
    }
    const int last = static_cast<int>(kAllAxes.size()) - 1;
    choose(kAllAxes[static_cast<std::size_t>(std::clamp(indexOf(m_axis) + step, 0, last))]);
}

bool AxisControl::event(QEvent* event)
{
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        if (const auto axis = axisAt(help->pos()))
            QToolTip::showText(help->globalPos(),
                               tr("Normalise over the %1: softmax(scores, dim=%2)  (Ctrl+%3)")
                                   .arg(QString::fromLatin1(names(*axis).members.data(),
                                                            names(*axis).members.size()))
                                   .arg(names(*axis).torchDim)
                                   .arg(indexOf(*axis) + 1),
                               this);
        return true;
    }
    return QWidget::event(event);
}

} // namespace keyaxis
