#pragma once

#include "core/io/file_bytes.h"

namespace keyaxis {

/// What a file is that people have and that is not read, told by its first bytes, and what to do
/// with it; without the file and the full stop. Empty where it is nothing that is known here.
std::string foreignFormat(BytesView bytes);

} // namespace keyaxis
