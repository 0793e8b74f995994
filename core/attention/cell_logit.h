#pragma once

#include "core/inputs.h"
#include "core/settings.h"

namespace keyaxis {

/// The logit of one cell (b, h, i, j), as `attend` computes it: scaled, biased, divided by τ
/// (undivided at τ = 0), -inf where masked. For whoever looks at a slice through the examples or
/// the heads, of which only one (batch, head) was computed in full.
///
/// @param inputs  with q and k, or scores: given weights have no logits.
/// @cost    one tile: O(kTile² dk) time. Same bits as every other path.
/// @source  mathematics.md, "Stages".
float cellLogit(const Inputs& inputs, const ScoreSettings& settings, Index b, Index h, Index i,
                Index j);

} // namespace keyaxis
