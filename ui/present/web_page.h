#pragma once

#include "ui/present/step_state.h"

#include <QByteArray>
#include <filesystem>

namespace keyaxis {

/// One HTML page that shows `state` under the four axes and computes it anew as the reader changes
/// axis, mask, ALiBi, temperature, example or head. It fetches nothing; names are data, not markup.
/// Its weights are the core's within 1e-6.
///
/// @errors BadInput where the document is too large to be computed in a page (16,384 scores).
Result<QByteArray> webPage(const StepState& state);

/// The same in a file, which is replaced as a whole.
///
/// @errors as `webPage`; BadOutput where it cannot be written.
Result<void> writeWebPage(const StepState& state, const std::filesystem::path& path);

} // namespace keyaxis
