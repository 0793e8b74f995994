#pragma once

#include "core/token_edit.h"
#include "ui/document/commands.h"

#include <QItemSelectionRange>
#include <QTableView>

namespace keyaxis {

class TableActions;
class TensorModel;
class TokenHeader;

/// A table of numbers: typed, scrubbed (Alt + drag, or Ctrl + wheel), copied and pasted as a block,
/// filled, cleared, with rows and columns that come, go and move. A plain drag selects. One
/// gesture, one undo step.
class TensorTable : public QTableView {
    Q_OBJECT

public:
    explicit TensorTable(QWidget* parent = nullptr);

    TensorModel& tensorModel() const { return *m_model; }
    TableActions& actions() const { return *m_actions; }
    TokenHeader& rowHeader() const { return *m_rowHeader; }
    TokenHeader& columnHeader() const { return *m_columnHeader; }

    void cut();
    void copy();
    void paste();
    void putBlock(int row, int col, const Matrix& block); ///< which must fit
    void clear();
    void fill(float value);
    void askForFill();
    void fillDown();
    void scaleToLengthOne();
    void scaleToSumOne();
    void insertAbove();
    void insertBelow();
    void duplicateRows();
    void removeRows();
    void moveUp();
    void moveDown();
    void renameRow();
    void insertLeft();
    void insertRight();
    void duplicateColumns();
    void removeColumns();
    void moveLeft();
    void moveRight();

Q_SIGNALS:
    void edited(const std::vector<keyaxis::CellEdit>& cells, const QString& text,
                keyaxis::Gesture gesture);
    void pastedBeyond(int row, int col, const keyaxis::Matrix& block); ///< more than there is room
    void rowsEdited(const keyaxis::Order& order, const QString& text);
    void columnsEdited(const keyaxis::Order& order, const QString& text);
    void rowRenamed(int row, const QString& name);
    void columnRenamed(int column, const QString& name);
    void refused(const QString& sentence);

protected:
    void resizeEvent(QResizeEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;

private:
    /// A number that is being dragged.
    struct Scrub {
        QPersistentModelIndex cell;
        float start = 0.0F;
        double fromX = 0.0;
        Gesture gesture = 0;
    };

    void fitColumns();
    void limitHeight();
    std::optional<QItemSelectionRange> chosen();
    /// Puts `block` where `at` begins, as one edit.
    void set(const QItemSelectionRange& at, const Matrix& block, const QString& text);
    void scaleRows(double (*measure)(const double* row, Index n), const QString& text,
                   const QString& remark);
    void editRows(const Order& order, const QString& text, int row);
    void editColumns(const Order& order, const QString& text, int col);
    void moveBy(int rows, int cols);
    void showMenu(const QHeaderView& header, QPoint at);
    void scrubTo(const Scrub& scrub, float value);

    TensorModel* m_model;
    TokenHeader* m_rowHeader;
    TokenHeader* m_columnHeader;
    TableActions* m_actions;
    std::optional<Scrub> m_scrub;
    Scrub m_wheel; ///< turns of the wheel are one gesture until another cell is turned
};

} // namespace keyaxis
