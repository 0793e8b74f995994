#pragma once

#include "core/io/file_bytes.h"

namespace keyaxis {

/// Whether `bytes` begin as Python pickles do (old PyTorch files are some). They are never opened:
/// unpickling runs whatever the file says.
bool looksLikePickle(BytesView bytes);

/// Why the file called `label` is refused, and the lines of Python that convert it.
std::string pickleRefusal(const std::string& label);

} // namespace keyaxis
