#include "ui/widgets/toggle_switch.h"

#include <QPainter>

namespace keyaxis {

namespace {

constexpr QSize kTrack(30, 18);
constexpr int kGap = 8;
constexpr int kMargin = 3; ///< room for the focus ring

} // namespace

ToggleSwitch::ToggleSwitch(const QString& text, QWidget* parent) : QAbstractButton(parent)
{
    setText(text);
    setCheckable(true);
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    setFont(uiFont(13));
}

void ToggleSwitch::setTheme(const Theme& theme)
{
    m_theme = theme;
    update();
}

QSize ToggleSwitch::sizeHint() const
{
    return {kTrack.width() + kGap + QFontMetrics(uiFont(13)).horizontalAdvance(text()) +
                3 * kMargin,
            kTrack.height() + 4 * kMargin};
}

void ToggleSwitch::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF track(kMargin, (height() - kTrack.height()) / 2.0, kTrack.width(),
                       kTrack.height());
    const double radius = track.height() / 2;
    if (hasFocus()) {
        painter.setPen(QPen(m_theme.key, 1.5));
        painter.drawRoundedRect(track.adjusted(-2, -2, 2, 2), radius + 2, radius + 2);
    }
    painter.setPen(Qt::NoPen);
    painter.setBrush(isChecked() ? m_theme.ink : mixed(m_theme.muted, m_theme.panel, 0.4));
    painter.drawRoundedRect(track, radius, radius);
    const double knob = track.height() - 4;
    const double left = isChecked() ? track.right() - knob - 2 : track.left() + 2;
    painter.setBrush(m_theme.panel);
    painter.drawEllipse(QRectF(left, track.top() + 2, knob, knob));

    painter.setPen(m_theme.ink);
    painter.setFont(uiFont(13));
    painter.drawText(QRectF(track.right() + kGap, 0, width(), height()),
                     Qt::AlignLeft | Qt::AlignVCenter, text());
}

} // namespace keyaxis
