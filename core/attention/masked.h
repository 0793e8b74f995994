#pragma once

#include "core/tensor.h"

#include <limits>

namespace keyaxis {

/// The logit of a key that a query may not use. Any -inf logit counts as masked, whatever its
/// source; mathematics.md, "Stages".
inline constexpr float kMasked = -std::numeric_limits<float>::infinity();

inline constexpr bool isMasked(float logit)
{
    return logit == kMasked;
}

/// Whether a cell of `logits` is masked; of an empty matrix none is.
inline bool isMasked(const MatrixView& logits, Index row, Index col)
{
    return logits.size() > 0 && isMasked(logits(row, col));
}

} // namespace keyaxis
