#pragma once

#include "core/axis.h"
#include "ui/paint/words.h"

#include <optional>
#include <vector>

class QKeyEvent;

namespace keyaxis {

/// What a key does in the presenter.
enum class PresenterAction {
    Next,
    Back,
    First,
    Last,
    Answer, ///< with a letter
    Axis,   ///< with an axis
    Mask,
    Alibi,
    Hotter, ///< τ × 2
    Colder, ///< τ ÷ 2
    Undo,
    Redo,
    Blank,
    Wake, ///< F5: the other half of a clicker's start button
    Leave,
    Reset,
    Tally,
    Edit,
    Notes,
    Freeze,
    Zoom,
    Spotlight,
    Pointer,
    Pen,
    Wipe,
    Help,
};

/// An action and what it is about.
struct PresenterKey {
    PresenterAction action;
    char letter = 0;       ///< of an answer
    Axis axis = Axis::Key; ///< of PresenterAction::Axis
};

/// What `event` means; none for a key that has no meaning, and for the repeats of one that is held.
///
/// @param nChoices  of the present question: their letters are answers before anything else.
std::optional<PresenterKey> presenterKey(const QKeyEvent& event, std::size_t nChoices);

/// A line of the list of keys.
struct KeyHelp {
    QString keys;
    QString text;
};
std::vector<KeyHelp> presenterKeyHelp(const Words& words);

} // namespace keyaxis
