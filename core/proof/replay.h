#pragma once

#include "core/inputs.h"
#include "core/result.h"
#include "core/settings.h"

#include <array>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace keyaxis {

/// One way in which somebody's weights may have come about.
struct Hypothesis {
    ScoreSettings settings;      ///< axis, causal rule, ALiBi, scale and the rest
    bool isAlibiFlipped = false; ///< ALiBi was added with a plus: far keys are favoured
    bool masksAfter = false; ///< weights were set to 0 after the softmax, not logits to -inf before
    bool usesMask = false;   ///< the file's own mask
    bool usesBias = false;   ///< the file's own bias

    bool operator==(const Hypothesis&) const = default;
};

/// What a hypothesis gives, held against what the file has.
struct Replayed {
    Hypothesis hypothesis;
    double largestDifference = 0; ///< over all numbers; infinite where only one side is NaN
    bool fits = false;            ///< no difference is above the tolerance
    std::optional<std::array<Index, 4>> firstCell; ///< the first number that differs: b, h, i and
                                                   ///< j, or the feature of an output
};

/// Which hypothesis explains the weights or the output of a file.
struct Replay {
    bool isOutput = false; ///< an output was explained, not weights
    double tolerance = 0;
    std::vector<Replayed> best; ///< at most five, best first: those that fit, the plainest first,
                                ///< then by their difference
    Index nFitting = 0;         ///< of `best`
    std::string sentence;       ///< the diagnosis; UTF-8, English
    std::vector<std::string> code; ///< PyTorch lines that would be right; empty where nothing is
                                   ///< wrong, or nothing fits
};

/// Explains `given`: computes weights, or output, under each hypothesis of mathematics.md,
/// "Replay", and reports the best few.
///
/// @param inputs     the q, k, v, mask and bias of the file, validated.
/// @param settings   the file's own settings: what should have been.
/// @param given      weights [B, H, Tq, Tk], or output [B, H, Tq, dv].
/// @param isOutput   which of the two it is.
/// @param tolerance  of a weight; that of an output is so much of the largest value.
/// @errors           BadInput naming both shapes where `given` does not fit; BadValue without V for
///                   an output; Cancelled on stop.
/// @cost             the scores once, half a second at most for ranking by a sample of numbers, and
///                   five full computations.
/// @source           mathematics.md, "Replay".
Result<Replay> replay(const Inputs& inputs, const ScoreSettings& settings, const Tensor& given,
                      bool isOutput, double tolerance, std::stop_token stop = {});

/// "softmax over heads · causal (start) · scale 1/√16 · mask after the softmax": UTF-8.
std::string hypothesisText(const Hypothesis& hypothesis, const Sizes& sizes);

} // namespace keyaxis
