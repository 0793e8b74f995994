#pragma once

#include <QObject>

class QAction;
class QKeySequence;
class QMenu;

namespace keyaxis {

class TensorTable;

/// What can be done to a table: its entries in the menu Edit, in the menus under the pointer, and
/// the keys that work while the table has the focus.
class TableActions : public QObject {
    Q_OBJECT

public:
    explicit TableActions(TensorTable& table);

    QAction* cut;
    QAction* copy;
    QAction* paste;
    QAction* clear;
    QAction* fill;
    QAction* fillDown;
    QAction* toLengthOne;
    QAction* toSumOne;
    QAction* insertAbove;
    QAction* insertBelow;
    QAction* duplicateRows;
    QAction* removeRows;
    QAction* moveUp;
    QAction* moveDown;
    QAction* rename;
    QAction* insertLeft;
    QAction* insertRight;
    QAction* duplicateColumns;
    QAction* removeColumns;
    QAction* moveLeft;
    QAction* moveRight;

    void fillMenu(QMenu& menu);       ///< everything
    void fillRowMenu(QMenu& menu);    ///< of the names at the left
    void fillColumnMenu(QMenu& menu); ///< of the numbers above

private:
    QAction* make(const QString& text, const QString& tip, const QKeySequence& key,
                  void (TensorTable::*slot)());

    TensorTable& m_table;
};

} // namespace keyaxis
