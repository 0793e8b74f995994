#include "ui/widgets/row_pointer.h"

#include <QApplication>
#include <QEvent>
#include <QTableView>

namespace keyaxis {

RowPointer::RowPointer(QTableView& table) : QObject(&table), m_table(table)
{
    connect(&table, &QAbstractItemView::entered, this, &RowPointer::point);
    connect(&table, &QAbstractItemView::viewportEntered, this, [this] { point({}); });
    connect(table.selectionModel(), &QItemSelectionModel::currentChanged, this, &RowPointer::point);
    connect(&table, &QAbstractItemView::clicked, this,
            [this](const QModelIndex& index) { Q_EMIT clicked(index.row()); });
    table.setMouseTracking(true);
    table.installEventFilter(this);
    table.viewport()->installEventFilter(this);
}

void RowPointer::point(const QModelIndex& index)
{
    Q_EMIT hovered(index.isValid() ? std::optional<Index>(index.row()) : std::nullopt);
}

bool RowPointer::eventFilter(QObject* watched, QEvent* event)
{
    const bool isLeft = event->type() == QEvent::Leave && watched == m_table.viewport();
    const bool isAway = event->type() == QEvent::FocusOut && watched == &m_table &&
                        !m_table.isAncestorOf(QApplication::focusWidget()); // an editor of its own
    if (isLeft || isAway)
        point({});
    return QObject::eventFilter(watched, event);
}

} // namespace keyaxis
