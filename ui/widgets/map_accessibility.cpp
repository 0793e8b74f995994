#include "ui/widgets/map_accessibility.h"

#include "core/attention/masked.h"
#include "ui/paint/heatmap_image.h"
#include "ui/widgets/accessible_part.h"
#include "ui/widgets/accessible_parts.h"
#include "ui/widgets/heatmap_view.h"
#include "ui/widgets/one_slice.h"

#include <QHash>

namespace keyaxis {

namespace {

class MapInterface;

/// One cell. It looks its numbers up when it is asked, so that it never speaks of old ones.
class CellInterface : public AccessibleLeaf, public QAccessibleTableCellInterface {
public:
    CellInterface(MapInterface* map, Cell cell) : m_map(map), m_cell(cell) {}

    bool isValid() const override;
    QAccessibleInterface* parent() const override;
    QString text(QAccessible::Text kind) const override;
    QRect rect() const override;
    QAccessible::Role role() const override { return QAccessible::Cell; }
    QAccessible::State state() const override;
    void* interface_cast(QAccessible::InterfaceType type) override
    {
        return type == QAccessible::TableCellInterface
                   ? static_cast<QAccessibleTableCellInterface*>(this)
                   : nullptr;
    }

    bool isSelected() const override { return state().selected; }
    QList<QAccessibleInterface*> columnHeaderCells() const override { return {}; }
    QList<QAccessibleInterface*> rowHeaderCells() const override { return {}; }
    int columnIndex() const override { return static_cast<int>(m_cell.col); }
    int rowIndex() const override { return static_cast<int>(m_cell.row); }
    int columnExtent() const override { return 1; }
    int rowExtent() const override { return 1; }
    QAccessibleInterface* table() const override { return parent(); }

private:
    MapInterface* m_map;
    Cell m_cell;
};

/// One map, as a table.
class MapInterface : public AccessiblePart, public QAccessibleTableInterface {
public:
    MapInterface(HeatmapView* view, std::size_t index) : m_view(view), m_index(index) {}
    ~MapInterface() override
    {
        for (const QAccessible::Id id : std::as_const(m_cells))
            QAccessible::deleteAccessibleInterface(id);
    }

    const MapFigure* map() const
    {
        const auto& maps = m_view->figure().maps;
        return m_index < maps.size() ? &maps[m_index] : nullptr;
    }
    const MapLayout& layout() const { return m_view->layoutOfFigure().maps[m_index]; }
    HeatmapView* view() const { return m_view; }
    QRect onScreen(const QRectF& rect) const
    {
        return {m_view->mapToGlobal(rect.topLeft().toPoint()), rect.size().toSize()};
    }

    bool isValid() const override { return map() != nullptr; }
    QAccessibleInterface* parent() const override
    {
        return QAccessible::queryAccessibleInterface(m_view);
    }
    QAccessibleInterface* child(int index) const override
    {
        const int nCols = columnCount();
        return nCols > 0 ? cellAt(index / nCols, index % nCols) : nullptr;
    }
    int childCount() const override { return rowCount() * columnCount(); }
    int indexOfChild(const QAccessibleInterface* of) const override
    {
        for (auto cell = m_cells.begin(); cell != m_cells.end(); ++cell)
            if (QAccessible::accessibleInterface(cell.value()) == of)
                return cell.key();
        return -1;
    }
    QAccessibleInterface* childAt(int x, int y) const override
    {
        const QPoint at = m_view->mapFromGlobal(QPoint(x, y));
        const auto cell = isValid() ? layout().heatmap.cellAt(at) : std::nullopt;
        return cell ? cellAt(static_cast<int>(cell->row), static_cast<int>(cell->col)) : nullptr;
    }
    QString text(QAccessible::Text kind) const override
    {
        if (!map())
            return {};
        if (kind == QAccessible::Name)
            return map()->title;
        if (kind == QAccessible::Description)
            return QString::fromStdString(map()->verdict.pill);
        return {};
    }
    QRect rect() const override { return isValid() ? onScreen(layout().card) : QRect(); }
    QAccessible::Role role() const override { return QAccessible::Table; }
    void* interface_cast(QAccessible::InterfaceType type) override
    {
        return type == QAccessible::TableInterface ? static_cast<QAccessibleTableInterface*>(this)
                                                   : nullptr;
    }

    QAccessibleInterface* caption() const override { return nullptr; }
    QAccessibleInterface* summary() const override { return nullptr; }
    QAccessibleInterface* cellAt(int row, int column) const override
    {
        if (row < 0 || column < 0 || row >= rowCount() || column >= columnCount())
            return nullptr;
        const int key = row * columnCount() + column;
        auto known = m_cells.constFind(key);
        auto* cell = known == m_cells.cend() ? nullptr : QAccessible::accessibleInterface(*known);
        // Of another size the same number was another cell.
        if (cell && cell->tableCellInterface()->rowIndex() == row &&
            cell->tableCellInterface()->columnIndex() == column)
            return cell;
        if (cell)
            QAccessible::deleteAccessibleInterface(*known);
        cell = new CellInterface(const_cast<MapInterface*>(this), {row, column});
        m_cells.insert(key, QAccessible::registerAccessibleInterface(cell));
        return cell;
    }
    int columnCount() const override { return map() ? static_cast<int>(map()->numbers.nCols) : 0; }
    int rowCount() const override { return map() ? static_cast<int>(map()->numbers.nRows) : 0; }
    QString columnDescription(int column) const override
    {
        return nameOf(map() ? &map()->colLabels.all() : nullptr, column);
    }
    QString rowDescription(int row) const override
    {
        return nameOf(map() ? &map()->rowLabels.all() : nullptr, row);
    }

    int selectedCellCount() const override { return static_cast<int>(selectedCells().size()); }
    int selectedColumnCount() const override { return 0; }
    int selectedRowCount() const override { return 0; }
    QList<QAccessibleInterface*> selectedCells() const override
    {
        const auto cell = m_view->highlighted();
        auto* selected =
            cell ? cellAt(static_cast<int>(cell->row), static_cast<int>(cell->col)) : nullptr;
        return selected ? QList{selected} : QList<QAccessibleInterface*>();
    }
    QList<int> selectedColumns() const override { return {}; }
    QList<int> selectedRows() const override { return {}; }
    bool isColumnSelected(int) const override { return false; }
    bool isRowSelected(int) const override { return false; }
    bool selectRow(int) override { return false; }
    bool selectColumn(int) override { return false; }
    bool unselectRow(int) override { return false; }
    bool unselectColumn(int) override { return false; }
    void modelChange(QAccessibleTableModelChangeEvent*) override {}

private:
    static QString nameOf(const std::vector<Label>* labels, int n)
    {
        return labels && n >= 0 && n < std::ssize(*labels)
                   ? (*labels)[static_cast<std::size_t>(n)].plain()
                   : QString();
    }

    HeatmapView* m_view;
    std::size_t m_index;
    mutable QHash<int, QAccessible::Id> m_cells; ///< made when they are asked for
};

bool CellInterface::isValid() const
{
    return m_map->isValid() && m_cell.row < m_map->rowCount() && m_cell.col < m_map->columnCount();
}

QAccessibleInterface* CellInterface::parent() const
{
    return m_map;
}

QRect CellInterface::rect() const
{
    return isValid() ? m_map->onScreen(m_map->layout().heatmap.cell(m_cell.row, m_cell.col))
                     : QRect();
}

QAccessible::State CellInterface::state() const
{
    QAccessible::State state;
    state.selectable = true;
    state.selected = m_map->view()->highlighted() == m_cell;
    state.offscreen = isValid() && !m_map->layout().heatmap.view.intersects(
                                       m_map->layout().heatmap.cell(m_cell.row, m_cell.col));
    return state;
}

QString CellInterface::text(QAccessible::Text kind) const
{
    if (!isValid() || (kind != QAccessible::Name && kind != QAccessible::Value))
        return {};
    const HeatmapValues shown = m_map->map()->numbers.shown();
    const float value = shown.values(m_cell.row, m_cell.col);
    const CellKind found = cellKind(value, isMasked(shown.logits, m_cell.row, m_cell.col));
    const QString words = found == CellKind::Masked ? HeatmapView::tr("masked")
                          : found == CellKind::Nan  ? HeatmapView::tr("undefined")
                                                    : weightNumber(static_cast<double>(value));
    if (kind == QAccessible::Value)
        return words;
    const bool isOutput = m_map->map()->stage == Stage::Output;
    return (isOutput ? HeatmapView::tr("query %1, feature %2: %3")
                     : HeatmapView::tr("query %1, key %2: %3"))
        .arg(m_map->rowDescription(rowIndex()), m_map->columnDescription(columnIndex()), words);
}

/// The view, with a table for each map.
class ViewInterface : public AccessibleParts {
public:
    using AccessibleParts::AccessibleParts;
    int childCount() const override { return static_cast<int>(view()->figure().maps.size()); }

protected:
    QAccessibleInterface* make(int index) const override
    {
        return new MapInterface(view(), static_cast<std::size_t>(index));
    }

private:
    HeatmapView* view() const { return static_cast<HeatmapView*>(widget()); }
};

QAccessibleInterface* makeInterface(const QString&, QObject* object)
{
    auto* view = qobject_cast<HeatmapView*>(object);
    return view ? new ViewInterface(view) : nullptr;
}

} // namespace

void installMapAccessibility()
{
    QAccessible::installFactory(makeInterface);
}

} // namespace keyaxis
