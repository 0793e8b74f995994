#pragma once

#include "core/proof/influence.h"
#include "core/proof/outer_sums.h"

namespace keyaxis {

/// Later tokens are read: what is to blame, the mask alone on the key axis.
std::string laterTokensAreRead(bool hasMask, Axis axis);

/// What a map of `coupling` says, its sentence aside; UTF-8, English.
std::string couplingSentence(const Influence& map, const ScoreSettings& settings, Coupled what);

/// What a map of `tokenInfluence` says.
///
/// @param weights  [Tq, Tk]: of the slice; they tell a token that is read from one that sits in a
///                 denominator only.
std::string lightConeSentence(const Influence& map, const Inputs& inputs,
                              const ScoreSettings& settings, MovedToken moved,
                              const RowsOfDoubles& weights);

} // namespace keyaxis
