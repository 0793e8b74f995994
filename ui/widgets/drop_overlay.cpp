#include "ui/widgets/drop_overlay.h"

#include <QPainter>

namespace keyaxis {

DropOverlay::DropOverlay(QWidget* parent) : QWidget(parent)
{
    setAttribute(Qt::WA_TransparentForMouseEvents);
    hide();
}

void DropOverlay::say(const QString& text)
{
    m_text = text;
    setGeometry(parentWidget()->rect());
    raise();
    show();
    update();
}

void DropOverlay::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    QColor veil = m_theme.paper;
    veil.setAlphaF(0.86F);
    painter.fillRect(rect(), veil);
    constexpr int kInset = 24;
    painter.setPen(QPen(m_theme.key, 2, Qt::DashLine));
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(rect().adjusted(kInset, kInset, -kInset, -kInset), 14, 14);
    painter.setPen(m_theme.ink);
    painter.setFont(uiFont(22, QFont::DemiBold));
    painter.drawText(rect().adjusted(60, 60, -60, -60), Qt::AlignCenter | Qt::TextWordWrap, m_text);
}

} // namespace keyaxis
