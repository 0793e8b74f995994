#pragma once

#include "ui/document/document.h"

#include <QUndoCommand>

namespace keyaxis {

/// Edits of one gesture (a drag, a click) are one undo step; two drags are two. Numbers from
/// `newGesture`; 0 merges with nothing.
using Gesture = quint64;
Gesture newGesture();

/// Which settings an edit is about; edits of different fields never merge.
enum class SettingsField { Axis, Causal, Align, Alibi, Slopes, Temperature, Scale, Empty };

/// Changes the score settings.
class EditSettings : public QUndoCommand {
public:
    EditSettings(Document& document, const ScoreSettings& after, SettingsField field,
                 const QString& text, Gesture gesture = 0);

    void undo() override;
    void redo() override;
    int id() const override;
    bool mergeWith(const QUndoCommand* other) override;

private:
    Document& m_document;
    ScoreSettings m_before;
    ScoreSettings m_after;
    SettingsField m_field;
    Gesture m_gesture;
};

/// Which tensor of the inputs is edited.
enum class InputTensor { Q, K, V, Mask, Given }; ///< Given: scores or weights in place of q and k

const SharedTensor& tensorOf(const Inputs& inputs, InputTensor which);
SharedTensor& tensorOf(Inputs& inputs, InputTensor which);

/// Whether the rows of `which` are queries; otherwise they are keys.
inline bool hasQueryRows(InputTensor which)
{
    return which == InputTensor::Q || which == InputTensor::Mask || which == InputTensor::Given;
}

/// One number of a tensor, by its index in memory.
struct CellEdit {
    Index index = 0;
    float before = 0.0F;
    float after = 0.0F;
};

/// Changes some numbers of one tensor: only those are kept, the tensor is rebuilt from the present
/// one, so a running computation keeps its snapshot.
class EditCells : public QUndoCommand {
public:
    EditCells(Document& document, InputTensor which, std::vector<CellEdit> cells,
              const QString& text, Gesture gesture = 0);

    void undo() override;
    void redo() override;
    int id() const override;
    bool mergeWith(const QUndoCommand* other) override;

private:
    void write(float CellEdit::*value);

    Document& m_document;
    InputTensor m_which;
    std::vector<CellEdit> m_cells;
    Gesture m_gesture;
};

/// To the last bit, so that NaN equals itself; the names count.
bool areEqual(const Inputs& a, const Inputs& b);

/// Replaces the inputs as a whole: new sizes, a pattern, a sentence, a stroke over a mask. No step
/// where every value stays the same.
class ReplaceInputs : public QUndoCommand {
public:
    ReplaceInputs(Document& document, Inputs after, const QString& text, Gesture gesture = 0);

    void undo() override { m_document.setInputs(m_before); }
    void redo() override { m_document.setInputs(m_after); }
    int id() const override;
    bool mergeWith(const QUndoCommand* other) override;

private:
    Document& m_document;
    Inputs m_before;
    Inputs m_after;
    Gesture m_gesture;
};

} // namespace keyaxis
