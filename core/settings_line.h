#pragma once

#include "core/inputs.h"
#include "core/settings.h"

namespace keyaxis {

/// The settings line of a document, UTF-8: as `settingsLine`, with what was given in place of q and
/// k named: "scores as loaded · softmax over keys · …", of weights no more than that, and the
/// layer.
std::string settingsLine(const Inputs& inputs, const ScoreSettings& settings);

/// The same for what is shown under every axis: "softmax over each axis · causal (start) · …".
std::string eachAxisSettingsLine(const Inputs& inputs, const ScoreSettings& settings);

} // namespace keyaxis
