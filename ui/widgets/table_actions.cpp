#include "ui/widgets/table_actions.h"

#include "ui/widgets/tensor_table.h"

#include <QAction>
#include <QMenu>

namespace keyaxis {

QAction* TableActions::make(const QString& text, const QString& tip, const QKeySequence& key,
                            void (TensorTable::*slot)())
{
    auto* action = new QAction(text, this);
    action->setStatusTip(tip);
    action->setToolTip(tip);
    action->setShortcut(key);
    action->setShortcutContext(Qt::WidgetShortcut); // elsewhere the same keys mean other things
    m_table.addAction(action);
    connect(action, &QAction::triggered, &m_table, slot);
    return action;
}

TableActions::TableActions(TensorTable& table) : QObject(&table), m_table(table)
{
    using T = TensorTable;
    cut = make(tr("C&ut numbers"), tr("Copy the selected numbers and set them to 0"),
               QKeySequence::Cut, &T::cut);
    copy = make(tr("&Copy numbers"), tr("Copy the selected numbers for a spreadsheet"),
                QKeySequence::Copy, &T::copy);
    paste = make(tr("&Paste numbers"), tr("Put the copied block at the outlined cell"),
                 QKeySequence::Paste, &T::paste);
    clear =
        make(tr("C&lear numbers"), tr("Set the selected numbers to 0"), Qt::Key_Delete, &T::clear);
    fill = make(tr("&Fill…"), tr("Set the selected numbers to one value"),
                QKeySequence(Qt::CTRL | Qt::Key_Return), &T::askForFill);
    fillDown = make(tr("Fill &down"), tr("Repeat the first selected row in those below"),
                    QKeySequence(Qt::CTRL | Qt::Key_D), &T::fillDown);
    toLengthOne =
        make(tr("Rows to &length 1"), tr("Divide each selected row by its Euclidean length"), {},
             &T::scaleToLengthOne);
    toSumOne = make(tr("Rows to &sum 1"), tr("Divide each selected row by its sum"), {},
                    &T::scaleToSumOne);

    const QString tokens = tr("A token has its place in Q, K, V, mask and bias");
    insertAbove = make(tr("Insert row &above"), tokens, Qt::Key_Insert, &T::insertAbove);
    insertBelow = make(tr("Insert row &below"), tokens, QKeySequence(Qt::ALT | Qt::Key_Insert),
                       &T::insertBelow);
    duplicateRows = make(tr("D&uplicate rows"), tr("Copies with the same numbers below them"), {},
                         &T::duplicateRows);
    removeRows =
        make(tr("&Remove rows"), tokens, QKeySequence(Qt::CTRL | Qt::Key_Delete), &T::removeRows);
    moveUp = make(tr("Move row &up"), tokens, QKeySequence(Qt::ALT | Qt::Key_Up), &T::moveUp);
    moveDown =
        make(tr("Move row &down"), tokens, QKeySequence(Qt::ALT | Qt::Key_Down), &T::moveDown);
    rename = make(tr("Re&name token…"), tr("Write another name; a double click on it does so too"),
                  QKeySequence(Qt::SHIFT | Qt::Key_F2), &T::renameRow);

    const QString features = tr("Queries and keys have the same features");
    insertLeft = make(tr("Insert column at the &left"), features,
                      QKeySequence(Qt::CTRL | Qt::Key_Insert), &T::insertLeft);
    insertRight = make(tr("Insert column at the r&ight"), features,
                       QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_Insert), &T::insertRight);
    duplicateColumns =
        make(tr("D&uplicate columns"), tr("Copies with the same numbers at their right"), {},
             &T::duplicateColumns);
    removeColumns = make(tr("Remove &columns"), features,
                         QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Delete), &T::removeColumns);
    moveLeft =
        make(tr("Move column l&eft"), features, QKeySequence(Qt::ALT | Qt::Key_Left), &T::moveLeft);
    moveRight = make(tr("Move column ri&ght"), features, QKeySequence(Qt::ALT | Qt::Key_Right),
                     &T::moveRight);
}

void TableActions::fillRowMenu(QMenu& menu)
{
    menu.addActions(
        {insertAbove, insertBelow, duplicateRows, removeRows, moveUp, moveDown, rename});
}

void TableActions::fillColumnMenu(QMenu& menu)
{
    menu.addActions(
        {insertLeft, insertRight, duplicateColumns, removeColumns, moveLeft, moveRight});
}

void TableActions::fillMenu(QMenu& menu)
{
    menu.addActions({cut, copy, paste, clear});
    menu.addSeparator();
    menu.addActions({fill, fillDown, toLengthOne, toSumOne});
    menu.addSeparator();
    fillRowMenu(*menu.addMenu(tr("&Rows")));
    fillColumnMenu(*menu.addMenu(tr("C&olumns")));
}

} // namespace keyaxis
