#pragma once

#include "core/tensor.h"

#include <QObject>
#include <optional>

class QModelIndex;
class QTableView;

namespace keyaxis {

/// Says which row of a table is pointed at: the one under the pointer, or that of the current cell
/// as long as the table has the focus. *GUI thread*
class RowPointer : public QObject {
    Q_OBJECT

public:
    /// `table` has its model already; it owns the pointer.
    explicit RowPointer(QTableView& table);

Q_SIGNALS:
    void hovered(std::optional<keyaxis::Index> row);
    void clicked(keyaxis::Index row);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void point(const QModelIndex& index);

    QTableView& m_table;
};

} // namespace keyaxis
