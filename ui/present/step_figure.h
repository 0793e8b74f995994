#pragma once

#include "ui/paint/compositions.h"
#include "ui/present/step_state.h"

namespace keyaxis {

/// Computes what `state` shows: the looked-at slice under the axes that are drawn.
///
/// @errors as `attendSlice`.
Result<SliceSource> computedSource(const StepState& state);

/// The picture of a step: no maps where it shows none.
///
/// @param source  the present numbers, which an editing hand may have changed.
/// @param look    what is drawn of them.
Figure stepFigure(const SliceSource& source, const StepState& look);

} // namespace keyaxis
