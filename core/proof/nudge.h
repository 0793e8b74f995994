#pragma once

#include "core/inputs.h"
#include "core/settings.h"

#include <cstdint>
#include <string>
#include <vector>

namespace keyaxis {

/// What is nudged: a column of a map of `Influence`. Where scores are given, a query's row of them
/// stands for its vector.
enum class Nudged {
    QueryVector, ///< q of (b, h, at)
    Example,     ///< every query vector of head h in example `at`
    Head,        ///< every query vector of head `at` in example b
    Token,       ///< q, k and v of token `at` of example b, in every head
    QueryToken,  ///< q of it
    KeyToken     ///< k and v of it
};

struct Nudge {
    Nudged what = Nudged::Token;
    Index b = 0;
    Index h = 0;
    Index at = 0;
    float amount = 0.5F; ///< largest change of a number, in units of the numbers themselves
    std::uint64_t seed = 1;
};

/// `inputs` with one thing moved: seeded numbers in [-amount, amount) are added to it, so that no
/// direction is favoured. Every other number keeps its bits.
///
/// @param nudge  its indices are within the sizes of `inputs`.
Inputs nudged(const Inputs& inputs, const Nudge& nudge);

/// `inputs` with a token more at the end of every example: the last token's vectors, moved by
/// seeded numbers. It may be used by every query and may use what the last one may, except that a
/// mask or bias that hides all later keys hides the new one from earlier queries too.
///
/// @return  [.., Tq + 1, ..] and [.., Tk + 1, ..] everywhere; a broadcast axis of a mask stays so.
Inputs withTokenAppended(const Inputs& inputs, std::uint64_t seed = 1);

/// Which outputs are not the same to the last bit; NaN equals NaN.
struct OutputChanges {
    std::vector<bool> hasChanged; ///< by row of the outputs before
    Index nRows = 0;
    Index nChanged = 0;
    double largest = 0; ///< difference of two numbers; NaN where one side alone is NaN
};

/// The outputs of one (b, h), [Tq, dv], held against those after a change, [Tq or more, dv].
OutputChanges compareOutputs(const MatrixView& before, const MatrixView& after);

/// The same for every (b, h); rows in order (b, h, i).
OutputChanges compareOutputs(const Tensor& before, const Tensor& after);

/// What appending a token has shown: "0 of 6 earlier outputs changed." and why.
///
/// @param inputs  before the token was appended.
std::string appendSentence(const OutputChanges& changes, const Inputs& inputs,
                           const ScoreSettings& settings);

} // namespace keyaxis
