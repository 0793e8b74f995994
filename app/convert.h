#pragma once

#include "app/command_line.h"

namespace keyaxis {

/// `keyaxis convert`: reads a file of tensors and writes it in another format. What is odd about
/// the file goes to standard error; standard output gets nothing.
///
/// @errors as `readTensorFile` and `writeTensorFile`; BadInput where a tensor cannot be read,
/// unless
///         another one was chosen; BadValue where the chosen one is not there.
Result<void> convert(const ConvertCommand& command);

} // namespace keyaxis
