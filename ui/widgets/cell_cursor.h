#pragma once

#include "ui/paint/heatmap_layout.h"

#include <QObject>
#include <optional>

namespace keyaxis {

/// Which cell all views speak of: the one under the pointer, else the locked one, else one where
/// the view rests. View state, shared by the maps, the status strip and the slice tray.
class CellCursor : public QObject {
    Q_OBJECT

public:
    using QObject::QObject;

    Cell cell() const { return m_hovered.value_or(m_locked.value_or(m_resting)); }
    bool isLocked() const { return m_locked.has_value(); }

    void hover(std::optional<Cell> cell);
    void lock(Cell cell);
    void unlock();
    /// Where the view rests; a lock that is outside nRows × nCols is let go.
    void rest(Cell cell, Index nRows, Index nCols);
    /// Moves the locked (or present) cell within nRows × nCols and locks it.
    void move(Index rows, Index cols, Index nRows, Index nCols);

Q_SIGNALS:
    void moved(keyaxis::Cell cell);

private:
    void tell(Cell before);

    std::optional<Cell> m_hovered;
    std::optional<Cell> m_locked;
    Cell m_resting;
};

} // namespace keyaxis
