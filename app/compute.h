#pragma once

#include "app/command_line.h"

#include <stop_token>

namespace keyaxis {

/// `keyaxis compute`: reads, computes, prints the settings line and writes. Needs no display and no
/// application object.
Result<void> compute(const ComputeCommand& command, std::stop_token stop);

} // namespace keyaxis
