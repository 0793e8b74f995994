#pragma once

#include "core/inputs.h"
#include "core/proof/verdict.h"

#include <vector>

namespace keyaxis {

/// Which rows belong to padding: in self-attention, to a token whose key the mask or the bias hides
/// from every query of its example and head. Such a query answers nothing that anybody asks.
///
/// @return  in order (b, h, i); empty where there is none.
/// @cost    a look at the mask and the bias until a column shows its first allowed entry.
std::vector<bool> paddedRows(const Inputs& inputs);

/// The same of the rows of one (batch, head).
std::vector<bool> paddedRows(const Inputs& inputs, Index b, Index h);

/// What the other rows amount to. What is told of all cells (masked, even weights) stays as it is.
///
/// @param leftOut  as long as `certificate.rows`.
Certificate withoutRows(const Certificate& certificate, const std::vector<bool>& leftOut);

/// The verdict on the other rows; its pill says how many are left out. That on all of them where
/// `leftOut` is empty.
Verdict verdictWithoutRows(const Certificate& certificate, const std::vector<bool>& leftOut,
                           const Inputs& inputs, const ScoreSettings& settings);

} // namespace keyaxis
