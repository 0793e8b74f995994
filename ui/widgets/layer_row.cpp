#include "ui/widgets/layer_row.h"

#include "ui/widgets/stepper.h"

#include <QComboBox>
#include <QHBoxLayout>

namespace keyaxis {

LayerRow::LayerRow(QWidget* parent)
    : QWidget(parent), m_stepper(new Stepper(tr("layer"), this)), m_names(new QComboBox(this))
{
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->addWidget(m_stepper);
    row->addWidget(m_names, 1);
    m_names->setAccessibleName(tr("Layers of the file"));
    m_names->setToolTip(
        tr("Which layer of the file is shown; the axis, the mask and the view stay"));
    m_names->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed); // the dock stays narrow
    m_names->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    connect(m_stepper, &Stepper::stepped, this,
            [this](qsizetype index) { Q_EMIT chosen(static_cast<std::size_t>(index)); });
    connect(m_names, &QComboBox::activated, this,
            [this](int index) { Q_EMIT chosen(static_cast<std::size_t>(index)); });
    hide();
}

void LayerRow::show(const Document& document)
{
    if (m_layers != document.layers()) {
        m_layers = document.layers();
        m_names->clear();
        for (std::size_t n = 0; m_layers && n < m_layers->names.size(); ++n)
            m_names->addItem(QString::fromStdString(m_layers->names[n]));
    }
    setVisible(m_layers != nullptr);
    if (!m_layers)
        return;
    const auto at = static_cast<qsizetype>(m_layers->indexOf(document.inputs()).value_or(0));
    m_stepper->setState(at, std::ssize(m_layers->names));
    m_names->setCurrentIndex(static_cast<int>(at));
}

} // namespace keyaxis
