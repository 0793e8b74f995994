#pragma once

#include "app/command_line.h"

namespace keyaxis {

/// `keyaxis check`: prints the findings of every file.
///
/// @return  the exit code: 0 where all hold, 1 where one does not, else that of an error, which is
///          then already printed; the other files are still checked.
int check(const CheckCommand& command);

} // namespace keyaxis
