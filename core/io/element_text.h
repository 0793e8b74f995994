#pragma once

#include "core/io/raw_tensor.h"

#include <string>

namespace keyaxis {

/// Element `n` of a tensor of numbers, as text that reads back as the same value. Integers are
/// exact; other numbers are the shortest of float64, or of float32 for it and all narrower types (a
/// reader does not know those, so their own shortest text would become another number); always with
/// a dot; nan, inf and -inf in words.
std::string elementText(const RawTensor& tensor, std::size_t n);

} // namespace keyaxis
