#include "ui/widgets/cell_cursor.h"

#include <algorithm>

namespace keyaxis {

void CellCursor::tell(Cell before)
{
    if (cell() != before)
        Q_EMIT moved(cell());
}

void CellCursor::hover(std::optional<Cell> cell)
{
    const Cell before = this->cell();
    m_hovered = cell;
    tell(before);
}

void CellCursor::lock(Cell cell)
{
    const Cell before = this->cell();
    m_locked = cell;
    tell(before);
}

void CellCursor::unlock()
{
    const Cell before = cell();
    m_locked.reset();
    tell(before);
}

void CellCursor::rest(Cell cell, Index nRows, Index nCols)
{
    const auto isOutside = [&](const std::optional<Cell>& at) {
        return at && (at->row >= nRows || at->col >= nCols);
    };
    if (isOutside(m_locked))
        m_locked.reset();
    if (isOutside(m_hovered))
        m_hovered.reset();
    m_resting = cell;
}

void CellCursor::move(Index rows, Index cols, Index nRows, Index nCols)
{
    if (nRows == 0 || nCols == 0)
        return;
    const Cell from = cell();
    m_hovered.reset();
    m_locked = Cell{std::clamp<Index>(from.row + rows, 0, nRows - 1),
                    std::clamp<Index>(from.col + cols, 0, nCols - 1)};
    tell(from);
}

} // namespace keyaxis
