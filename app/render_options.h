#pragma once

#include "app/command_line.h"

class QCommandLineParser;

namespace keyaxis {

/// The options of `keyaxis render`.
///
/// @errors BadValue in one sentence.
Result<Command> parseRender(const QCommandLineParser& parser);

} // namespace keyaxis
