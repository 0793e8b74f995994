#include "ui/widgets/stepper.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>

namespace keyaxis {

Stepper::Stepper(const QString& name, QWidget* parent)
    : QWidget(parent),
      m_text(new QLabel(this)),
      m_previous(new QToolButton(this)),
      m_next(new QToolButton(this))
{
    auto* label = new QLabel(name, this);
    label->setObjectName(QStringLiteral("stepperName"));
    m_text->setObjectName(QStringLiteral("stepperText"));
    m_previous->setText(QStringLiteral("‹"));
    m_next->setText(QStringLiteral("›"));
    m_previous->setAccessibleName(tr("previous %1").arg(name));
    m_next->setAccessibleName(tr("next %1").arg(name));
    m_previous->setToolTip(tr("Previous %1").arg(name));
    m_next->setToolTip(tr("Next %1").arg(name));
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(1);
    for (QWidget* widget : {static_cast<QWidget*>(label), static_cast<QWidget*>(m_previous),
                            static_cast<QWidget*>(m_text), static_cast<QWidget*>(m_next)})
        row->addWidget(widget);
    for (QToolButton* arrow : {m_previous, m_next}) {
        arrow->setAutoRaise(true);
        arrow->setFixedSize(18, 24);
        arrow->setObjectName(QStringLiteral("stepperArrow"));
    }
    connect(m_previous, &QToolButton::clicked, this, [this] { Q_EMIT stepped(m_index - 1); });
    connect(m_next, &QToolButton::clicked, this, [this] { Q_EMIT stepped(m_index + 1); });
}

void Stepper::setState(qsizetype index, qsizetype count)
{
    m_index = index;
    m_count = count;
    m_text->setText(tr("%1 of %2").arg(index + 1).arg(count));
    m_previous->setEnabled(index > 0);
    m_next->setEnabled(index + 1 < count);
}

} // namespace keyaxis
