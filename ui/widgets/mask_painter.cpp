#include "ui/widgets/mask_painter.h"

#include "core/attention/cell_logit.h"
#include "core/attention/masked.h"
#include "core/mask_edit.h"

#include <algorithm>
#include <cmath>

namespace keyaxis {

namespace {

/// The cells on the way from `a` to `b`, without `a`.
std::vector<Cell> cellsBetween(Cell a, Cell b)
{
    const Index nSteps = std::max(std::abs(b.row - a.row), std::abs(b.col - a.col));
    std::vector<Cell> cells;
    for (Index n = 1; n <= nSteps; ++n) {
        const double part = static_cast<double>(n) / static_cast<double>(nSteps);
        const auto between = [part](Index from, Index to) {
            return from + static_cast<Index>(std::lround(part * static_cast<double>(to - from)));
        };
        cells.push_back({between(a.row, b.row), between(a.col, b.col)});
    }
    return cells;
}

} // namespace

MaskPainter::MaskPainter(const Document& document, QObject* parent)
    : QObject(parent), m_document(document)
{
}

void MaskPainter::begin(Cell cell)
{
    const ViewSettings& view = m_document.view();
    const bool isOpen = maskOf(m_document.inputs(), view.batch, view.head)(cell.row, cell.col) != 0;
    const float logit = cellLogit(m_document.inputs(), m_document.settings(), view.batch, view.head,
                                  cell.row, cell.col);
    if (isOpen && isMasked(logit)) {
        Q_EMIT refused(
            tr("The causal mask or the bias hides this cell; no painted mask opens it."));
        return;
    }
    m_stroke = Stroke{cell, !isOpen, newGesture()};
    paint({cell});
}

void MaskPainter::extend(Cell cell)
{
    if (!m_stroke || cell == m_stroke->last)
        return;
    paint(cellsBetween(m_stroke->last, cell));
    m_stroke->last = cell;
}

void MaskPainter::paint(const std::vector<Cell>& cells)
{
    const ViewSettings& view = m_document.view();
    std::vector<MaskCell> edits;
    for (const Cell& cell : cells)
        edits.push_back({cell.row, cell.col, m_stroke->mayAttend});
    Q_EMIT painted(withMaskCells(m_document.inputs(), view.batch, view.head, edits),
                   m_stroke->gesture);
}

} // namespace keyaxis
