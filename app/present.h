#pragma once

#include "app/command_line.h"

#include <stop_token>

namespace keyaxis {

/// `keyaxis present LESSON -o OUT`: writes the hand-out of a lesson. Needs a QGuiApplication of any
/// platform, no display.
Result<void> writeHandout(const PresentCommand& command, std::stop_token stop);

/// `keyaxis present LESSON`: shows the lesson until it is left. Needs a QApplication.
Result<void> present(const PresentCommand& command);

} // namespace keyaxis
