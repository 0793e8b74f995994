#pragma once

#include "ui/document/commands.h"
#include "ui/paint/color_map.h"
#include "ui/paint/theme.h"

#include <QAbstractTableModel>
#include <QItemSelectionRange>
#include <QStringList>
#include <optional>

namespace keyaxis {

/// A number as people type it: a dot or a comma, "nan", "inf", a leading plus. Nothing else.
std::optional<float> parseNumber(const QString& text);

/// Names along one side of a table.
struct SectionNames {
    QStringList shown;   ///< a repeated name with its place; fewer than sections: the others count
    QStringList written; ///< as they are edited

    bool operator==(const SectionNames&) const = default;
};

/// One (batch, head) slice of a tensor as a table: tokens down, features across. It shows what it
/// is given and reports edits; it never changes a tensor.
class TensorModel : public QAbstractTableModel {
    Q_OBJECT

public:
    explicit TensorModel(QObject* parent = nullptr);

    /// @param tensor   null shows nothing.
    /// @param columns  none: they are numbered.
    void show(SharedTensor tensor, Index b, Index h, const SectionNames& rows,
              const SectionNames& columns = {});
    /// Numbers of a mask, 0 and 1, are whole and have no tint.
    void setMask(bool isMask) { m_isMask = isMask; }
    void setTheme(const Theme& theme);
    /// The row that the outlined weight comes from; its name is underlined.
    void markRow(std::optional<Index> row);
    std::optional<Index> markedRow() const { return m_markedRow; }

    float valueAt(const QModelIndex& index) const;
    /// The numbers of a block of cells.
    Matrix block(const QItemSelectionRange& range) const;
    /// Index in memory of a cell.
    Index memoryIndex(const QModelIndex& index) const;
    /// What setting `cells` to `values` would change; cells outside the table are left out.
    std::vector<CellEdit> editsFor(const QModelIndexList& cells,
                                   const std::vector<float>& values) const;
    /// The same for a block whose first number goes to (row, col).
    std::vector<CellEdit> editsFor(int row, int col, const Matrix& block) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;

Q_SIGNALS:
    void edited(const std::vector<keyaxis::CellEdit>& cells);
    void refused(const QString& sentence); ///< a text that is no number

private:
    SharedTensor m_tensor;
    Index m_b = 0;
    Index m_h = 0;
    SectionNames m_rows;
    SectionNames m_columns;
    bool m_isMask = false;
    std::optional<Index> m_markedRow;
    ColorMap m_colors;
    Theme m_theme = Theme::light();
};

} // namespace keyaxis
