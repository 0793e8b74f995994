#include "core/settings_line.h"

namespace keyaxis {

namespace {

std::string line(const Inputs& inputs, const ScoreSettings& settings, const std::string& axis)
{
    const std::string layer = inputs.layer.empty() ? "" : " · layer " + inputs.layer;
    if (inputs.weights)
        return "weights as loaded" + layer;
    return (inputs.scores ? "scores as loaded · " : "") + axis + " · " +
           sharedSettingsLine(settings, sizesOf(inputs).dk, inputs.mask != nullptr,
                              inputs.bias != nullptr) +
           layer;
}

} // namespace

std::string settingsLine(const Inputs& inputs, const ScoreSettings& settings)
{
    return line(inputs, settings, "softmax over " + std::string(names(settings.axis).members));
}

std::string eachAxisSettingsLine(const Inputs& inputs, const ScoreSettings& settings)
{
    return line(inputs, settings, "softmax over each axis");
}

} // namespace keyaxis
