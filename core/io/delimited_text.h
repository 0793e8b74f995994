#pragma once

#include "core/io/raw_tensor.h"

#include <string>

namespace keyaxis {

/// `tensor` as comma-separated text. Up to two axes: the table itself. More: long form, one line an
/// element with its indices in front (a header line names the columns b, h, i, j for four axes,
/// axis0 … otherwise). Integers are exact; other numbers are the shortest that read back as the
/// same value of the stored type (float8: of float32), always with a dot; nan, inf and -inf in
/// words.
std::string writeCsv(const RawTensor& tensor);

} // namespace keyaxis
