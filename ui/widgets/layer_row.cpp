#include "ui/widgets/layer_row.h"

#include "ui/widgets/layer_tree.h"
#include "ui/widgets/stepper.h"

#include <QFrame>
#include <QHBoxLayout>
#include <QScreen>
#include <QToolButton>

namespace keyaxis {

LayerRow::LayerRow(QWidget* parent)
    : QWidget(parent),
      m_stepper(new Stepper(tr("layer"), this)),
      m_name(new QToolButton(this)),
      m_popup(new QFrame(this, Qt::Popup)),
      m_tree(new LayerTree(m_popup))
{
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->addWidget(m_stepper);
    row->addWidget(m_name, 1);
    m_name->setObjectName(QStringLiteral("chooser"));
    m_name->setIcon(QIcon(QStringLiteral(":/icons/chevron.svg")));
    m_name->setIconSize({10, 10});
    m_name->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_name->setLayoutDirection(Qt::RightToLeft); // the chevron at the end, as a box has it
    m_name->setFocusPolicy(Qt::StrongFocus);
    m_name->setToolTip(
        tr("Which layer of the file is shown; the axis, the mask and the view stay"));
    m_name->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed); // the dock stays narrow
    auto* inside = new QVBoxLayout(m_popup);
    inside->setContentsMargins(0, 0, 0, 0);
    inside->addWidget(m_tree);
    connect(m_stepper, &Stepper::stepped, this,
            [this](qsizetype index) { Q_EMIT chosen(static_cast<std::size_t>(index)); });
    connect(m_name, &QToolButton::clicked, this, &LayerRow::openTree);
    connect(m_tree, &LayerTree::picked, this, [this](std::size_t layer) {
        m_popup->hide();
        Q_EMIT chosen(layer);
    });
    hide();
}

void LayerRow::show(const Document& document)
{
    if (m_layers != document.layers()) {
        m_layers = document.layers();
        m_tree->setLayers(m_layers ? m_layers->names : std::vector<std::string>());
    }
    setVisible(m_layers != nullptr);
    if (!m_layers)
        return;
    const std::size_t at = m_layers->indexOf(document.inputs()).value_or(0);
    m_stepper->setState(static_cast<qsizetype>(at), std::ssize(m_layers->names));
    m_tree->setCurrentLayer(at);
    m_fullName = QString::fromStdString(m_layers->names[at]);
    m_name->setAccessibleName(tr("Layer %1, choose another").arg(m_fullName));
    elide();
}

void LayerRow::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    elide();
}

/// The end of a name tells layers apart.
void LayerRow::elide()
{
    constexpr int kAround = 46; // the frame, the chevron and its gap
    m_name->setText(
        m_name->fontMetrics().elidedText(m_fullName, Qt::ElideLeft, m_name->width() - kAround));
}

/// Below the button, or above it where the screen ends.
void LayerRow::openTree()
{
    constexpr int kTallest = 420;
    constexpr int kRow = 24;
    const int rows = static_cast<int>(std::min<std::size_t>(m_layers->names.size() + 4, 100));
    m_popup->resize(std::max(m_name->width(), 240), std::min(kTallest, rows * kRow));
    QPoint at = m_name->mapToGlobal(QPoint(0, m_name->height() + 2));
    if (at.y() + m_popup->height() > screen()->availableGeometry().bottom())
        at.setY(m_name->mapToGlobal(QPoint()).y() - m_popup->height() - 2);
    m_popup->move(at);
    m_popup->show();
    m_tree->setFocus();
}

} // namespace keyaxis
