#pragma once

#include "core/io/attention_file.h"

#include <optional>
#include <string>

namespace keyaxis {

/// A tensor of a file that stands in place of q and k: scores, from which attention starts, or
/// weights, which are looked at as they are.
struct GivenTensor {
    const RawTensor* tensor = nullptr; ///< in the file
    bool isWeights = false;
    std::string why; ///< why it was taken for that, a clause for a note; empty: its name says it
};

/// The given tensor of `file`. Names go first, scores before weights, which can be computed from
/// them; a lone tensor of another name (beside V, a mask, a bias and texts) is weights where all
/// its numbers lie in [0, 1] and sum to 1 along some axis, and scores otherwise.
///
/// @param choices  names as they were settled, see `withFoundNames`.
/// @return         nothing where there is neither, or a tensor is called as a Q or a K: then the
///                 other one is missing.
/// @cost           O(size) of a lone tensor.
std::optional<GivenTensor> givenTensor(const TensorFile& file, const ReadingChoices& choices);

} // namespace keyaxis
