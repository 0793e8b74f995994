#pragma once

#include "core/inputs.h"
#include "core/settings.h"
#include "ui/paint/heatmap_layout.h"
#include "ui/present/lesson_error.h"

#include <optional>
#include <vector>

namespace keyaxis {

/// The live document of a step, and what is looked at.
struct StepState {
    enum class Picture { None, Map, Compare };

    Inputs inputs; ///< empty where the lesson has shown none yet
    ScoreSettings settings;
    Index batch = 0;
    Index head = 0;
    Picture picture = Picture::None;
    Stage stage = Stage::Weights;  ///< of the single map
    std::optional<Cell> highlight; ///< whose slice is outlined
    std::vector<Cell> blanks;      ///< cells of a worksheet: empty until revealed
    std::optional<Index> plane;    ///< the query whose value plane stands beside the single map

    bool hasInputs() const { return inputs.q != nullptr; }
};

/// What a settings block makes of the state before it.
struct StepChange {
    StepState state;
    /// What stands there until the question is answered, from a table [before]; none: nothing.
    std::optional<StepState> before;
};

/// Reads a settings block, TOML. A block with inputs starts from the defaults (a sample: from its
/// own settings); one without changes only what it names.
///
/// @param toml   the text between the fences.
/// @param fence  where the opening fence is.
/// @errors       BadInput naming file, line and what was expected.
Result<StepChange> readStepSettings(const QString& toml, const LessonPlace& fence,
                                    const StepState& previous);

} // namespace keyaxis
