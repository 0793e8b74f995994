#include "core/settings.h"

#include <array>
#include <charconv>
#include <cmath>

namespace keyaxis {

namespace {

template <typename Real>
std::string shortestOf(Real value)
{
    std::array<char, 32> buffer{};
    const auto [end, error] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
    return {buffer.data(), end};
}

std::string scaleText(const ScoreSettings& settings, Index keyWidth)
{
    if (!settings.scale && keyWidth == 0)
        return "scale off";
    if (!settings.scale)
        return "scale 1/√" + std::to_string(keyWidth);
    return *settings.scale == 1.0 ? "scale off" : "scale " + shortest(*settings.scale);
}

} // namespace

std::string shortest(float value)
{
    return shortestOf(value);
}
std::string shortest(double value)
{
    return shortestOf(value);
}

Result<void> checked(const ScoreSettings& settings)
{
    const float temperature = settings.temperature;
    if (!std::isfinite(temperature) || temperature < 0.0F)
        return fail(Errc::BadValue, "The temperature is " + shortest(temperature) +
                                        "; it must be a finite number, 0 or greater.");
    if (settings.scale && !std::isfinite(*settings.scale))
        return fail(Errc::BadValue,
                    "The scale is " + shortest(*settings.scale) + "; it must be a finite number.");
    return {};
}

std::string settingsLine(const ScoreSettings& settings, Index keyWidth, bool hasMask, bool hasBias)
{
    return "softmax over " + std::string(names(settings.axis).members) + " · " +
           sharedSettingsLine(settings, keyWidth, hasMask, hasBias);
}

std::string sharedSettingsLine(const ScoreSettings& settings, Index keyWidth, bool hasMask,
                               bool hasBias)
{
    std::string line;
    const std::string align = settings.align == Align::Start ? " (start)" : " (end)";
    if (settings.causal)
        line += "causal" + align + " · ";
    if (hasMask)
        line += "mask (1 keeps) · ";
    if (hasBias)
        line += "bias · ";
    if (settings.alibi) {
        line += settings.slopes == SlopeRule::Authors ? "ALiBi (authors" : "ALiBi (geometric";
        // Where the mask does not name the alignment, ALiBi's distances have to.
        line += settings.align == Align::End && !settings.causal ? ", end) · " : ") · ";
    }
    line += "τ = " + shortest(settings.temperature);
    if (settings.temperature == 0.0F)
        line += " (arg-max limit)";
    line += " · " + scaleText(settings, keyWidth);
    line += settings.empty == EmptySlice::Nan ? " · empty NaN" : " · empty 0";
    return line;
}

} // namespace keyaxis
