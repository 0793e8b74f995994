#pragma once

#include "core/io/raw_tensor.h"
#include "core/result.h"

namespace keyaxis {

/// `file` as JSON: an object with a member for each tensor, nested lists in the order of its axes,
/// and one for each metadata, a string. Numbers as `elementText` has them, and NaN, Infinity and
/// -Infinity as Python writes and reads them; bool as true and false. The same bytes from run to
/// run. An axis of size 0 hides those after it.
///
/// @errors BadValue where two members would have the same name.
Result<std::string> writeJson(const TensorFile& file);

} // namespace keyaxis
