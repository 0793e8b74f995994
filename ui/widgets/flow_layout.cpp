#include "ui/widgets/flow_layout.h"

#include <QWidget>

namespace keyaxis {

namespace {

constexpr int kSpace = 8;

} // namespace

FlowLayout::FlowLayout(QWidget* parent) : QLayout(parent)
{
    setContentsMargins(0, 0, 0, 0);
}

FlowLayout::~FlowLayout()
{
    qDeleteAll(m_items);
}

QLayoutItem* FlowLayout::takeAt(int index)
{
    return index >= 0 && index < m_items.size() ? m_items.takeAt(index) : nullptr;
}

QSize FlowLayout::minimumSize() const
{
    QSize size;
    for (const QLayoutItem* item : m_items)
        size = size.expandedTo(item->minimumSize());
    return size;
}

void FlowLayout::setGeometry(const QRect& box)
{
    QLayout::setGeometry(box);
    place(box, true);
}

int FlowLayout::place(const QRect& box, bool moves) const
{
    int x = box.left();
    int y = box.top();
    int lineHeight = 0;
    for (QLayoutItem* item : m_items) {
        const QSize size = item->sizeHint();
        if (x > box.left() && x + size.width() > box.right() + 1) {
            x = box.left();
            y += lineHeight + kSpace;
            lineHeight = 0;
        }
        if (moves)
            item->setGeometry(QRect(QPoint(x, y), size));
        x += size.width() + kSpace;
        lineHeight = std::max(lineHeight, size.height());
    }
    return y + lineHeight - box.top();
}

} // namespace keyaxis
