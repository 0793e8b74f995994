#pragma once

#include "core/inputs.h"
#include "core/settings.h"

#include <string>

namespace keyaxis {

/// The bias of one (b, h), loaded bias plus ALiBi before the division by τ, in two parts. -inf
/// where a key is masked, as in the logits.
struct BiasParts {
    Matrix
        cancelled; ///< [Tq, Tk]: the same in all cells of a slice, so that the softmax cancels it
    Matrix surviving;     ///< [Tq, Tk]: the rest; 0 at the place from which each slice is measured
    bool hasBias = false; ///< there is a loaded bias, or ALiBi is on
    bool cancelsAll = false;     ///< nothing survives
    bool dependsOnPlace = false; ///< all slices agree: what survives depends only on the place
                                 ///< along the axis (the key, on the key axis)
    std::string sentence;        ///< UTF-8, English
};

/// What the softmax along the settings' axis cancels of the bias, and what it leaves. The two are
/// defined up to a constant of each slice; it is taken at the place along the axis that is allowed
/// in the most slices, the first such (in a slice where it is not, at the first allowed one). So
/// causal ALiBi, -m (p_i - j), leaves +m j on the key axis, and nothing on the batch axis.
///
/// @cost    O(Tq Tk) on the key and query axes, times B or H on the others; no scores are computed.
/// @source  mathematics.md, "Facts": adding a constant to every logit of a slice changes nothing.
BiasParts biasParts(const Inputs& inputs, const ScoreSettings& settings, Index b, Index h);

} // namespace keyaxis
