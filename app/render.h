#pragma once

#include "app/command_line.h"

#include <stop_token>

namespace keyaxis {

/// `keyaxis render`: computes one example and head, prints the settings line and the verdicts, and
/// draws. Needs a QGuiApplication of any platform, no display.
Result<void> render(const RenderCommand& command, std::stop_token stop);

} // namespace keyaxis
