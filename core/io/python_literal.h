#pragma once

#include "core/result.h"

#include <cstdint>
#include <map>
#include <string>
#include <variant>
#include <vector>

namespace keyaxis {

/// The values that a .npy header is made of. Nothing is evaluated.
struct PythonValue {
    using Tuple = std::vector<PythonValue>; ///< a tuple or a list
    std::variant<std::string, bool, std::int64_t, Tuple> value;
};

/// Reads `{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }`.
///
/// @errors BadInput with the byte where the text stops being such a dictionary.
Result<std::map<std::string, PythonValue>> parsePythonDict(std::string_view text);

} // namespace keyaxis
