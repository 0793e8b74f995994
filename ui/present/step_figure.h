#pragma once

#include "ui/paint/compositions.h"
#include "ui/paint/value_plane.h"
#include "ui/present/step_state.h"

namespace keyaxis {

/// Computes what `state` shows: the looked-at slice under the axes that are drawn.
///
/// @errors as `attendSlice`.
Result<SliceSource> computedSource(const StepState& state);

/// What stands beside the text of a step.
struct StepPicture {
    Figure figure;          ///< no maps: none
    ValuePlaneFigure plane; ///< beside the map; empty: none
};

/// The picture of a step.
///
/// @param source  the present numbers, which an editing hand may have changed.
/// @param look    what is drawn of them.
StepPicture stepPicture(const SliceSource& source, const StepState& look);

} // namespace keyaxis
