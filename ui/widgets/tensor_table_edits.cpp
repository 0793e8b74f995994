// What a table's menu and keys do to it.
#include "ui/widgets/table_actions.h"
#include "ui/widgets/table_block.h"
#include "ui/widgets/tensor_model.h"
#include "ui/widgets/tensor_table.h"
#include "ui/widgets/token_header.h"

#include <QClipboard>
#include <QContextMenuEvent>
#include <QGuiApplication>
#include <QInputDialog>
#include <QMenu>
#include <QMimeData>
#include <cmath>

namespace keyaxis {

namespace {

double lengthOf(const double* row, Index n)
{
    return Eigen::Map<const Eigen::VectorXd>(row, n).stableNorm();
}

double sumOf(const double* row, Index n)
{
    return Eigen::Map<const Eigen::VectorXd>(row, n).sum();
}

} // namespace

/// The selected block, or else the current cell; none, and a sentence, where there is neither.
std::optional<QItemSelectionRange> TensorTable::chosen()
{
    const QItemSelection selection = selectionModel()->selection();
    if (!selection.isEmpty())
        return selection.first();
    if (currentIndex().isValid())
        return QItemSelectionRange(currentIndex());
    Q_EMIT refused(tr("Click a number of the table first."));
    return std::nullopt;
}

void TensorTable::set(const QItemSelectionRange& at, const Matrix& block, const QString& text)
{
    const std::vector<CellEdit> edits = m_model->editsFor(at.top(), at.left(), block);
    if (!edits.empty())
        Q_EMIT edited(edits, text, 0);
}

void TensorTable::copy()
{
    if (const auto range = chosen())
        QGuiApplication::clipboard()->setMimeData(newMimeData(m_model->block(*range)));
}

void TensorTable::cut()
{
    const auto range = chosen();
    if (!range)
        return;
    copy();
    set(*range, Matrix::Zero(range->height(), range->width()), tr("Cut numbers"));
}

void TensorTable::clear()
{
    if (const auto range = chosen())
        set(*range, Matrix::Zero(range->height(), range->width()), tr("Clear numbers"));
}

void TensorTable::paste()
{
    const auto range = chosen();
    if (!range)
        return;
    const auto block = readBlock(*QGuiApplication::clipboard()->mimeData());
    if (!block) {
        Q_EMIT refused(QString::fromStdString(block.error().message) + QLatin1Char(' ') +
                       tr("Nothing was pasted."));
        return;
    }
    const bool fits = range->top() + block->rows() <= m_model->rowCount() &&
                      range->left() + block->cols() <= m_model->columnCount();
    if (!fits) {
        Q_EMIT pastedBeyond(range->top(), range->left(), *block);
        return;
    }
    putBlock(range->top(), range->left(), *block);
}

void TensorTable::putBlock(int row, int col, const Matrix& block)
{
    const std::vector<CellEdit> edits = m_model->editsFor(row, col, block);
    if (!edits.empty())
        Q_EMIT edited(edits, tr("Paste"), 0);
}

void TensorTable::fill(float value)
{
    if (const auto range = chosen())
        set(*range, Matrix::Constant(range->height(), range->width(), value), tr("Fill numbers"));
}

void TensorTable::askForFill()
{
    if (!chosen())
        return;
    bool isAccepted = false;
    const QString text =
        QInputDialog::getText(this, tr("Fill"), tr("The number in every selected cell"),
                              QLineEdit::Normal, QStringLiteral("1"), &isAccepted);
    if (!isAccepted)
        return;
    if (const auto number = parseNumber(text))
        fill(*number);
    else
        Q_EMIT refused(tr("'%1' is not a number in float32.").arg(text));
}

void TensorTable::fillDown()
{
    const auto range = chosen();
    if (!range)
        return;
    const Matrix block = m_model->block(*range);
    set(*range, block.row(0).replicate(block.rows(), 1), tr("Fill down"));
}

/// Whole rows, in float64; a row that cannot be divided stays and is counted.
void TensorTable::scaleRows(double (*measure)(const double* row, Index n), const QString& text,
                            const QString& remark)
{
    const auto range = chosen();
    if (!range)
        return;
    const QItemSelectionRange rows(m_model->index(range->top(), 0),
                                   m_model->index(range->bottom(), m_model->columnCount() - 1));
    Matrix block = m_model->block(rows);
    int nKept = 0;
    for (Index i = 0; i < block.rows(); ++i) {
        const Eigen::RowVectorXd row = block.row(i).cast<double>();
        const double by = measure(row.data(), row.size());
        if (by != 0 && std::isfinite(by))
            block.row(i) = (row / by).cast<float>();
        else
            ++nKept;
    }
    set(rows, block, text);
    if (nKept > 0)
        Q_EMIT refused(remark.arg(nKept));
}

void TensorTable::scaleToLengthOne()
{
    scaleRows(lengthOf, tr("Rows to length 1"),
              tr("Rows whose length is 0 or not finite stayed as they were: %1."));
}

void TensorTable::scaleToSumOne()
{
    scaleRows(sumOf, tr("Rows to sum 1"),
              tr("Rows whose sum is 0 or not finite stayed as they were: %1."));
}

/// The table has other rows afterwards: `row` is then the current one.
void TensorTable::editRows(const Order& order, const QString& text, int row)
{
    const int col = std::max(0, currentIndex().column());
    Q_EMIT rowsEdited(order, text);
    setCurrentIndex(m_model->index(std::min(row, m_model->rowCount() - 1), col));
}

void TensorTable::editColumns(const Order& order, const QString& text, int col)
{
    const int row = std::max(0, currentIndex().row());
    Q_EMIT columnsEdited(order, text);
    setCurrentIndex(m_model->index(row, std::min(col, m_model->columnCount() - 1)));
}

void TensorTable::insertAbove()
{
    if (const auto range = chosen())
        editRows(inserting(m_model->rowCount(), range->top(), 1), tr("Insert row"), range->top());
}

void TensorTable::insertBelow()
{
    if (const auto range = chosen())
        editRows(inserting(m_model->rowCount(), range->bottom() + 1, 1), tr("Insert row"),
                 range->bottom() + 1);
}

void TensorTable::duplicateRows()
{
    if (const auto range = chosen())
        editRows(duplicating(m_model->rowCount(), range->top(), range->height()),
                 tr("Duplicate rows"), range->bottom() + 1);
}

void TensorTable::removeRows()
{
    const auto range = chosen();
    if (range && range->height() == m_model->rowCount())
        Q_EMIT refused(tr("One token has to stay."));
    else if (range)
        editRows(removing(m_model->rowCount(), range->top(), range->height()), tr("Remove rows"),
                 range->top());
}

void TensorTable::insertLeft()
{
    if (const auto range = chosen())
        editColumns(inserting(m_model->columnCount(), range->left(), 1), tr("Insert column"),
                    range->left());
}

void TensorTable::insertRight()
{
    if (const auto range = chosen())
        editColumns(inserting(m_model->columnCount(), range->right() + 1, 1), tr("Insert column"),
                    range->right() + 1);
}

void TensorTable::duplicateColumns()
{
    if (const auto range = chosen())
        editColumns(duplicating(m_model->columnCount(), range->left(), range->width()),
                    tr("Duplicate columns"), range->right() + 1);
}

void TensorTable::removeColumns()
{
    const auto range = chosen();
    if (range && range->width() == m_model->columnCount())
        Q_EMIT refused(tr("One column has to stay."));
    else if (range)
        editColumns(removing(m_model->columnCount(), range->left(), range->width()),
                    tr("Remove columns"), range->left());
}

/// Moves the chosen rows or columns by one place, and the selection with them.
void TensorTable::moveBy(int rows, int cols)
{
    const auto range = chosen();
    if (!range)
        return;
    const int top = range->top() + rows;
    const int left = range->left() + cols;
    if (top < 0 || left < 0 || range->bottom() + rows >= m_model->rowCount() ||
        range->right() + cols >= m_model->columnCount())
        return;
    const QItemSelectionRange target(m_model->index(top, left),
                                     m_model->index(range->bottom() + rows, range->right() + cols));
    if (rows != 0)
        editRows(moving(m_model->rowCount(), range->top(), range->height(), top), tr("Move rows"),
                 top);
    else
        editColumns(moving(m_model->columnCount(), range->left(), range->width(), left),
                    tr("Move columns"), left);
    selectionModel()->select(QItemSelection(target.topLeft(), target.bottomRight()),
                             QItemSelectionModel::ClearAndSelect);
}

void TensorTable::moveUp()
{
    moveBy(-1, 0);
}
void TensorTable::moveDown()
{
    moveBy(1, 0);
}
void TensorTable::moveLeft()
{
    moveBy(0, -1);
}
void TensorTable::moveRight()
{
    moveBy(0, 1);
}

void TensorTable::renameRow()
{
    if (const auto range = chosen())
        m_rowHeader->openEditor(range->top());
}

/// The menu of a header acts on the section under the pointer, unless more are chosen there.
void TensorTable::showMenu(const QHeaderView& header, QPoint at)
{
    const int section = header.logicalIndexAt(at);
    if (section < 0)
        return;
    const bool isRow = header.orientation() == Qt::Vertical;
    const bool isChosen = isRow ? selectionModel()->isRowSelected(section)
                                : selectionModel()->isColumnSelected(section);
    if (!isChosen)
        isRow ? selectRow(section) : selectColumn(section);
    QMenu menu;
    isRow ? m_actions->fillRowMenu(menu) : m_actions->fillColumnMenu(menu);
    menu.exec(header.viewport()->mapToGlobal(at));
}

void TensorTable::contextMenuEvent(QContextMenuEvent* event)
{
    const QModelIndex cell = indexAt(event->pos());
    if (cell.isValid() && !selectionModel()->isSelected(cell))
        setCurrentIndex(cell);
    QMenu menu;
    m_actions->fillMenu(menu);
    menu.exec(event->globalPos());
}

} // namespace keyaxis
