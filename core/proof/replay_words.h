#pragma once

#include "core/proof/replay.h"

namespace keyaxis {

/// Fills the sentence and the code of `replay`.
///
/// @param right  what should have been.
void explain(Replay& replay, const Hypothesis& right, const Sizes& sizes);

} // namespace keyaxis
