#pragma once

#include "app/replayed.h"
#include "core/io/raw_tensor.h"
#include "core/proof/detective.h"

namespace keyaxis {

/// One tensor and what was found out about it.
struct CheckedTensor {
    std::string file;   ///< as typed
    std::string tensor; ///< its name
    std::vector<Index> shape;
    std::string dtype;
    std::string dims;                     ///< what its axes were taken for: "hqk"
    std::string toleranceOf;              ///< "float32"; empty where the tolerance was given
    Findings findings;                    ///< of weights; nothing is summed of an output
    std::optional<ReplayedDump> replayed; ///< where q, k and v are there as well
    std::string notReplayed;              ///< why they do not help; empty otherwise
    bool holds = false;
};

/// Reads the tensor of `file` that `command` means and checks it: weights by their sums, and by the
/// q, k and v beside them; an output, where there are no weights, by these alone.
///
/// @errors BadInput where there is nothing to check; BadValue where an option decides (--tensor,
///         --dims).
Result<CheckedTensor> checkedTensor(const std::string& file, const CheckCommand& command);

} // namespace keyaxis
