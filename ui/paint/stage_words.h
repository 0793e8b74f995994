#pragma once

#include "core/inputs.h"
#include "core/settings.h"
#include "ui/paint/label.h"

#include <array>

namespace keyaxis {

inline constexpr std::array kAllStages{Stage::Scores,   Stage::Scaled, Stage::Biased,
                                       Stage::Tempered, Stage::Logits, Stage::Weights,
                                       Stage::Output};

/// What a stage is called on the way from the scores to the output.
struct StageWords {
    Label name;    ///< "÷ √d"
    QString below; ///< "scaled"
    QString tip;
    bool isOff = false;    ///< it looks like the one before it
    bool isAbsent = false; ///< there is none: the weights were loaded
};

/// The words of `stage` under `settings`.
StageWords stageWords(const Inputs& inputs, const ScoreSettings& settings, Stage stage);

} // namespace keyaxis
