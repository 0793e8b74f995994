#pragma once

#include "core/attention/attention.h"
#include "core/proof/certificate.h"
#include "core/proof/detective.h"

#include <stop_token>
#include <string>

namespace keyaxis {

/// What turns logits into weights, beside the plain softmax along one axis.
struct Normaliser {
    enum class Kind {
        Plain,        ///< the softmax along the settings' axis
        Renormalised, ///< the same, then each row divided by its sum, as in Slot Attention
        Joint,        ///< one softmax over a set of axes at once
        Sink,         ///< e^z / (1 + Σ e^z) along the settings' axis: the rest goes nowhere
        Sigmoid       ///< 1 / (1 + e^-z), each entry on its own
    };
    Kind kind = Kind::Plain;
    AxisSet joint{}; ///< of Joint: at least one axis
};

/// One (batch, head) under a normaliser, and what its rows are worth.
struct NormalisedSlice {
    Matrix weights; ///< [Tq, Tk]; a masked weight is 0 wherever its denominator is not empty
    Matrix output;  ///< [Tq, dv]; empty without V
    Certificate certificate;  ///< of its rows
    bool isConvex = false;    ///< every row is a distribution over keys
    bool isSubConvex = false; ///< every row is >= 0 and sums to at most 1: a mixture pulled to 0
    bool isCoupled = false;   ///< other queries, examples or heads sit in a denominator
    std::string sentence;     ///< UTF-8, English; true for this very input
};

/// Weights and output of (b, h) under `normaliser`, from the logits of `settings`.
///
/// @errors  BadValue for an empty joint set, for τ = 0 with a joint softmax, a sink or a sigmoid
///          (their limits are no weights), and as `attend`; Cancelled on stop.
/// @cost    one slice where its denominators stay in it, else all logits.
/// @source  mathematics.md, "Beyond the plain softmax"; sums in float64, shifted by the largest
///          logit.
Result<NormalisedSlice> normalisedSlice(const Inputs& inputs, const ScoreSettings& settings,
                                        const Normaliser& normaliser, Index b, Index h,
                                        std::stop_token stop = {});

} // namespace keyaxis
