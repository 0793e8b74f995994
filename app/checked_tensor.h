#pragma once

#include "app/command_line.h"
#include "core/io/raw_tensor.h"
#include "core/proof/detective.h"

namespace keyaxis {

/// One tensor and what was found out about it.
struct CheckedTensor {
    std::string file;   ///< as typed
    std::string tensor; ///< its name
    std::vector<Index> shape;
    std::string dtype;
    std::string dims;        ///< what its axes were taken for: "hqk"
    std::string toleranceOf; ///< "float32"; empty where the tolerance was given
    Findings findings;
    bool holds = false;
};

/// Reads the tensor of `file` that `command` means and checks it.
///
/// @errors BadInput where there is nothing to check; BadValue where an option decides (--tensor,
///         --dims).
Result<CheckedTensor> checkedTensor(const std::string& file, const CheckCommand& command);

} // namespace keyaxis
