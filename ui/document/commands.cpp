#include "ui/document/commands.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace keyaxis {

namespace {

constexpr int kSettingsId = 1;
constexpr int kCellsId = 2;
constexpr int kInputsId = 3;

/// To the last bit, so that NaN equals itself.
bool areEqual(const SharedTensor& a, const SharedTensor& b)
{
    if (a == b || !a || !b)
        return a == b;
    return a->shape() == b->shape() &&
           (a->isEmpty() || std::memcmp(a->data(), b->data(),
                                        static_cast<std::size_t>(a->size()) * sizeof(float)) == 0);
}

} // namespace

Gesture newGesture()
{
    static Gesture last = 0; // GUI thread only
    return ++last;
}

EditSettings::EditSettings(Document& document, const ScoreSettings& after, SettingsField field,
                           const QString& text, Gesture gesture)
    : QUndoCommand(text),
      m_document(document),
      m_before(document.settings()),
      m_after(after),
      m_field(field),
      m_gesture(gesture)
{
}

void EditSettings::undo()
{
    m_document.setSettings(m_before);
}
void EditSettings::redo()
{
    m_document.setSettings(m_after);
}
int EditSettings::id() const
{
    return m_gesture == 0 ? -1 : kSettingsId;
}

bool EditSettings::mergeWith(const QUndoCommand* other)
{
    const auto* next = static_cast<const EditSettings*>(other); // equal ids
    if (next->m_gesture != m_gesture || next->m_field != m_field)
        return false;
    m_after = next->m_after;
    setObsolete(m_after == m_before);
    return true;
}

const SharedTensor& tensorOf(const Inputs& inputs, InputTensor which)
{
    switch (which) {
    case InputTensor::Q:
        return inputs.q;
    case InputTensor::K:
        return inputs.k;
    case InputTensor::V:
        return inputs.v;
    case InputTensor::Mask:
        return inputs.mask;
    case InputTensor::Given:
        break;
    }
    return inputs.weights ? inputs.weights : inputs.scores;
}

SharedTensor& tensorOf(Inputs& inputs, InputTensor which)
{
    return const_cast<SharedTensor&>(tensorOf(std::as_const(inputs), which)); // `inputs` is not
}

EditCells::EditCells(Document& document, InputTensor which, std::vector<CellEdit> cells,
                     const QString& text, Gesture gesture)
    : QUndoCommand(text),
      m_document(document),
      m_which(which),
      m_cells(std::move(cells)),
      m_gesture(gesture)
{
}

void EditCells::write(float CellEdit::*value)
{
    Inputs inputs = m_document.inputs();
    Tensor tensor = *tensorOf(inputs, m_which);
    for (const CellEdit& cell : m_cells)
        tensor.data()[cell.index] = cell.*value;
    tensorOf(inputs, m_which) = share(std::move(tensor));
    m_document.setInputs(std::move(inputs));
}

void EditCells::undo()
{
    write(&CellEdit::before);
}
void EditCells::redo()
{
    write(&CellEdit::after);
}
int EditCells::id() const
{
    return m_gesture == 0 ? -1 : kCellsId;
}

bool EditCells::mergeWith(const QUndoCommand* other)
{
    const auto* next = static_cast<const EditCells*>(other);
    const auto sameCell = [](const CellEdit& a, const CellEdit& b) { return a.index == b.index; };
    if (next->m_gesture != m_gesture || next->m_which != m_which ||
        !std::ranges::equal(m_cells, next->m_cells, sameCell))
        return false;
    for (std::size_t n = 0; n < m_cells.size(); ++n)
        m_cells[n].after = next->m_cells[n].after;
    setObsolete(std::ranges::all_of(
        m_cells, [](const CellEdit& cell) { return cell.before == cell.after; }));
    return true;
}

bool areEqual(const Inputs& a, const Inputs& b)
{
    return areEqual(a.q, b.q) && areEqual(a.k, b.k) && areEqual(a.v, b.v) &&
           areEqual(a.mask, b.mask) && areEqual(a.bias, b.bias) && areEqual(a.scores, b.scores) &&
           areEqual(a.weights, b.weights) && a.queryTokens == b.queryTokens &&
           a.keyTokens == b.keyTokens && a.name == b.name;
}

ReplaceInputs::ReplaceInputs(Document& document, Inputs after, const QString& text, Gesture gesture)
    : QUndoCommand(text),
      m_document(document),
      m_before(document.inputs()),
      m_after(std::move(after)),
      m_gesture(gesture)
{
    setObsolete(areEqual(m_before, m_after));
}

int ReplaceInputs::id() const
{
    return m_gesture == 0 ? -1 : kInputsId;
}

bool ReplaceInputs::mergeWith(const QUndoCommand* other)
{
    const auto* next = static_cast<const ReplaceInputs*>(other);
    if (next->m_gesture != m_gesture)
        return false;
    m_after = next->m_after;
    setObsolete(areEqual(m_before, m_after));
    return true;
}

} // namespace keyaxis
