#pragma once

#include "core/inputs.h"

#include <vector>

namespace keyaxis {

/// The own mask of example b and head h in every cell, [Tq, Tk]: 1 = may attend. All ones where
/// `inputs` have none. The causal mask is none of it: that is a setting.
Matrix maskOf(const Inputs& inputs, Index b, Index h);

/// One cell of a mask and what it becomes.
struct MaskCell {
    Index row = 0;
    Index col = 0;
    bool mayAttend = true;
};

/// `inputs` with some cells of the mask of (b, h) changed. Examples or heads that share one mask go
/// on sharing it; a row or column that all share becomes one for each. A mask that hides nothing
/// any more is none.
///
/// @param cells  within [Tq, Tk].
Inputs withMaskCells(const Inputs& inputs, Index b, Index h, const std::vector<MaskCell>& cells);

} // namespace keyaxis
