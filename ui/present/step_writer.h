#pragma once

#include "ui/present/lesson.h"

namespace keyaxis {

/// A step in the format of lessons that shows `state` again: its settings block holds every number,
/// name and setting in the fewest digits that read back the same.
///
/// @errors BadInput where the tensors have more numbers than a lesson can hold.
Result<QString> stepText(const StepState& state, const QString& title);

/// Adds that step to the end of the lesson in `path`, or begins a lesson there. The file is
/// replaced as a whole.
///
/// @errors BadInput where the file is no lesson, or the tensors are too large; BadOutput where it
///         cannot be written. The old file is then intact.
Result<void> saveAsStep(const QString& path, const StepState& state, const QString& title);

} // namespace keyaxis
