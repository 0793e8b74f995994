#include "ui/widgets/tau_slider.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

namespace keyaxis {

namespace {

constexpr int kLast = 1000;
constexpr double kSmallest = 0.05;
constexpr double kLargest = 20.0;
constexpr double kKnob = 7.5; ///< radius

} // namespace

TauSlider::TauSlider(QWidget* parent) : QAbstractSlider(parent)
{
    setOrientation(Qt::Horizontal);
    setRange(0, kLast);
    setSingleStep(10);
    setPageStep(100);
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    setAccessibleName(tr("Attention temperature"));
    showTau(1.0F);
}

void TauSlider::setTheme(const Theme& theme)
{
    m_theme = theme;
    update();
}

float TauSlider::tauAt(int position)
{
    const double tau = kSmallest * std::pow(kLargest / kSmallest, double(position) / kLast);
    const double unit = std::pow(10.0, std::floor(std::log10(tau)) - 2);
    return static_cast<float>(std::round(tau / unit) * unit);
}

int TauSlider::positionOf(float tau)
{
    const double clamped = std::clamp<double>(tau, kSmallest, kLargest);
    return static_cast<int>(
        std::lround(kLast * std::log(clamped / kSmallest) / std::log(kLargest / kSmallest)));
}

void TauSlider::showTau(float tau)
{
    if (isSliderDown())
        return; // the hand is further than the document
    m_isShowing = true;
    setValue(positionOf(tau));
    m_isShowing = false;
}

void TauSlider::sliderChange(SliderChange change)
{
    QAbstractSlider::sliderChange(change);
    update();
    if (change == SliderValueChange && !m_isShowing)
        Q_EMIT tauEdited(tauAt(value()));
}

int TauSlider::positionAt(double x) const
{
    const double part = (x - kKnob) / std::max(1.0, width() - 2 * kKnob);
    const int position = static_cast<int>(std::lround(std::clamp(part, 0.0, 1.0) * kLast));
    constexpr int kSnap = 12; // τ = 1 is easy to hit
    return std::abs(position - kLast / 2) <= kSnap ? kLast / 2 : position;
}

double TauSlider::xOf(int position) const
{
    return kKnob + (width() - 2 * kKnob) * position / kLast;
}

void TauSlider::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton)
        return;
    Q_EMIT gestureStarted();
    setSliderDown(true);
    const double offset = event->position().x() - xOf(value());
    m_grab = std::abs(offset) <= kKnob + 2 ? offset : 0;
    setValue(positionAt(event->position().x() - m_grab));
}

void TauSlider::mouseMoveEvent(QMouseEvent* event)
{
    if (isSliderDown())
        setValue(positionAt(event->position().x() - m_grab));
}

void TauSlider::mouseReleaseEvent(QMouseEvent*)
{
    setSliderDown(false);
}

void TauSlider::mouseDoubleClickEvent(QMouseEvent* event)
{
    // Its first press has already begun the gesture: going there and back is one step.
    if (event->button() == Qt::LeftButton)
        setValue(kLast / 2);
}

void TauSlider::keyPressEvent(QKeyEvent* event)
{
    if (!event->isAutoRepeat())
        Q_EMIT gestureStarted();
    QAbstractSlider::keyPressEvent(event);
}

// Scrolling a bar must not change numbers by accident.
void TauSlider::wheelEvent(QWheelEvent* event)
{
    event->ignore();
}

void TauSlider::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const double y = height() / 2.0;
    const double x = xOf(value());
    painter.setPen(Qt::NoPen);
    painter.setBrush(mixed(m_theme.muted, m_theme.panel, 0.35));
    painter.drawRoundedRect(QRectF(kKnob, y - 1.5, width() - 2 * kKnob, 3), 1.5, 1.5);
    painter.setBrush(m_theme.ink);
    painter.drawRoundedRect(QRectF(kKnob, y - 1.5, x - kKnob, 3), 1.5, 1.5);
    // The place of τ = 1.
    painter.drawRect(QRectF(xOf(kLast / 2) - 0.5, y - 5, 1, 10));
    painter.setBrush(m_theme.panel);
    painter.setPen(QPen(hasFocus() ? m_theme.key : m_theme.ink, 2));
    painter.drawEllipse(QPointF(x, y), kKnob - 1, kKnob - 1);
}

} // namespace keyaxis
