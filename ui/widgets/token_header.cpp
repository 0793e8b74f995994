#include "ui/widgets/token_header.h"

#include <QKeyEvent>
#include <QLineEdit>
#include <QMouseEvent>
#include <QStyle>
#include <QStyleOptionHeader>

namespace keyaxis {

TokenHeader::TokenHeader(Qt::Orientation orientation, QWidget* parent)
    : QHeaderView(orientation, parent), m_editor(new QLineEdit(viewport()))
{
    m_editor->hide();
    m_editor->setAccessibleName(tr("Name of the token"));
    m_editor->installEventFilter(this);
    connect(m_editor, &QLineEdit::editingFinished, this, [this] { close(true); });
}

void TokenHeader::openEditor(int section)
{
    if (!m_isNameable || section < 0 || section >= count())
        return;
    m_section = section;
    const int at = sectionViewportPosition(section);
    m_editor->setGeometry(orientation() == Qt::Vertical
                              ? QRect(0, at, viewport()->width(), sectionSize(section))
                              : QRect(at, 0, sectionSize(section), viewport()->height()));
    m_editor->setText(model()->headerData(section, orientation(), Qt::EditRole).toString());
    m_editor->show();
    m_editor->selectAll();
    m_editor->setFocus();
}

/// Hiding takes the focus away, which finishes the editing once more.
void TokenHeader::close(bool keeps)
{
    if (m_section < 0)
        return;
    const int section = m_section;
    m_section = -1;
    const QString name = m_editor->text().trimmed();
    m_editor->hide();
    if (parentWidget())
        parentWidget()->setFocus();
    if (keeps && !name.isEmpty() &&
        name != model()->headerData(section, orientation(), Qt::EditRole).toString())
        Q_EMIT renamed(section, name);
}

/// A name that is cut at both ends reads as another: it is cut at its end, and says so.
void TokenHeader::initStyleOptionForIndex(QStyleOptionHeader* option, int section) const
{
    QHeaderView::initStyleOptionForIndex(option, section);
    if (orientation() == Qt::Vertical) // as wide as its names
        return;
    option->rect = QRect(0, 0, sectionSize(section), height());
    const QRect room = style()->subElementRect(QStyle::SE_HeaderLabel, option, this);
    option->text = option->fontMetrics.elidedText(option->text, Qt::ElideRight, room.width());
}

void TokenHeader::mouseDoubleClickEvent(QMouseEvent* event)
{
    const int section = logicalIndexAt(event->position().toPoint());
    if (m_isNameable && section >= 0)
        openEditor(section);
    else
        QHeaderView::mouseDoubleClickEvent(event);
}

bool TokenHeader::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_editor && event->type() == QEvent::KeyPress &&
        static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape) {
        close(false);
        return true;
    }
    return QHeaderView::eventFilter(watched, event);
}

} // namespace keyaxis
