#include "ui/widgets/label_widget.h"

#include <QFontMetrics>
#include <QPainter>
#include <cmath>

namespace keyaxis {

LabelWidget::LabelWidget(QWidget* parent) : QWidget(parent)
{
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Preferred);
}

void LabelWidget::setLabel(const Label& label, const Label& shorter)
{
    if (label == m_label && shorter == m_shorter)
        return;
    m_label = label;
    m_shorter = shorter;
    setAccessibleName(label.plain());
    setToolTip(m_elides ? label.plain() : QString());
    updateGeometry();
    update();
}

void LabelWidget::setColor(const QColor& color)
{
    m_color = color;
    update();
}

void LabelWidget::setElides(bool elides)
{
    m_elides = elides;
    setSizePolicy(elides ? QSizePolicy::Ignored : QSizePolicy::Fixed, QSizePolicy::Preferred);
}

QSize LabelWidget::sizeHint() const
{
    // A raised or lowered part reaches beyond a plain line.
    const int height = fontMetrics().height() + fontMetrics().height() / 3;
    return {static_cast<int>(std::ceil(m_label.width(font()))) + 1, height};
}

QSize LabelWidget::minimumSizeHint() const
{
    return m_elides ? QSize(0, sizeHint().height()) : sizeHint();
}

void LabelWidget::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const bool isTooLong = m_elides && !m_shorter.runs.empty() && m_label.width(font()) > width();
    const Label& label = isTooLong ? m_shorter : m_label;
    const Label shown = m_elides ? label.elided(font(), width()) : label;
    drawLabel(painter, rect(), Qt::AlignLeft | Qt::AlignVCenter, shown, font(),
              m_color.isValid() ? m_color : palette().color(QPalette::WindowText));
}

} // namespace keyaxis
