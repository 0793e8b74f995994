#include "ui/widgets/reference_bar.h"

#include <QAction>
#include <QBoxLayout>
#include <QComboBox>
#include <QLabel>
#include <QToolButton>

namespace keyaxis {

ReferenceBar::ReferenceBar(QWidget* parent)
    : QWidget(parent),
      m_from(new QLabel(this)),
      m_references(new QComboBox(this)),
      m_row(new QHBoxLayout(this))
{
    hide();
    m_row->setContentsMargins(4, 0, 4, 0);
    m_row->setSpacing(8);
    m_row->addWidget(m_from);
    m_row->addWidget(m_references);
    m_row->addStretch(1);
    for (const Axis axis : kAllAxes)
        m_references->addItem(
            tr("the %1").arg(QString::fromLatin1(names(axis).title.data()).toLower()));
    m_references->addItem(tr("the kept state"));
    m_references->setAccessibleName(tr("What the weights are compared with"));
    m_references->setToolTip(tr("Blue: less weight than there. Red: more"));
    connect(m_references, &QComboBox::activated, this, [this](int index) {
        Q_EMIT chosen(index < 4 ? std::optional(static_cast<Axis>(index)) : std::nullopt);
    });
}

void ReferenceBar::show(Axis axis, std::optional<Axis> reference)
{
    m_from->setText(tr("Weights of the %1, less those of")
                        .arg(QString::fromLatin1(names(axis).title.data()).toLower()));
    m_references->setCurrentIndex(reference ? static_cast<int>(*reference) : 4);
}

void ReferenceBar::addAction(QAction* action)
{
    auto* button = new QToolButton(this);
    button->setDefaultAction(action);
    button->setObjectName(QStringLiteral("chip"));
    m_row->addWidget(button);
}

} // namespace keyaxis
