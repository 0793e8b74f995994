#pragma once

#include "ui/present/lesson.h"

#include <cstdint>

namespace keyaxis {

/// Questions about the present document, as a lesson: along which axis was this, is the mask on,
/// which head has the steepest slope, which row is no distribution. Every answer is computed; the
/// same seed asks the same.
///
/// @param state   the document and what is looked at.
/// @param nSteps  how many questions, at least 1.
/// @errors        BadInput where no question fits: fewer than two queries or keys.
Result<Lesson> quizAbout(const StepState& state, std::uint64_t seed, int nSteps);

} // namespace keyaxis
