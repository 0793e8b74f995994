#include "core/io/settings_metadata.h"

#include "core/attention/scores.h"
#include "core/io/ascii.h"

#include <cmath>
#include <nlohmann/json.hpp>

namespace keyaxis {

namespace {

class SettingsReader {
public:
    SettingsReader(const FileMetadata& metadata, std::vector<std::string>& notes)
        : m_metadata(metadata), m_notes(notes)
    {
    }

    void read(std::string_view name, bool& value)
    {
        const auto flag = m_metadata.flag({name});
        noteUnless(flag.has_value(), name);
        value = flag.value_or(value);
    }

    std::optional<double> number(std::string_view name)
    {
        const auto found = m_metadata.number({name});
        noteUnless(found.has_value(), name);
        return found;
    }

    /// One of two words.
    template <typename Value>
    void read(std::string_view name, std::pair<std::string_view, Value> first,
              std::pair<std::string_view, Value> second, Value& value)
    {
        const auto text = m_metadata.text({name});
        if (!text)
            return;
        const bool isFirst = isSameName(*text, first.first);
        const bool isSecond = isSameName(*text, second.first);
        noteUnless(isFirst || isSecond, name);
        value = isFirst ? first.second : isSecond ? second.second : value;
    }

    void read(std::string_view name, Axis& value)
    {
        const auto text = m_metadata.text({name});
        const auto axis = text ? axisNamed(*text) : std::nullopt;
        noteUnless(axis.has_value(), name);
        value = axis.value_or(value);
    }

private:
    void noteUnless(bool isUnderstood, std::string_view name)
    {
        const auto text = m_metadata.text({name});
        if (!isUnderstood && text)
            m_notes.push_back("its " + std::string(name) + ", '" + *text +
                              "', is not understood and was passed over");
    }

    const FileMetadata& m_metadata;
    std::vector<std::string>& m_notes;
};

} // namespace

Result<ScoreSettings> readSettings(const FileMetadata& metadata, Index dk,
                                   std::vector<std::string>& notes)
{
    ScoreSettings settings;
    SettingsReader reader(metadata, notes);
    reader.read("axis", settings.axis);
    reader.read("causal", settings.causal);
    reader.read<Align>("align", {"start", Align::Start}, {"end", Align::End}, settings.align);
    reader.read("alibi", settings.alibi);
    reader.read<SlopeRule>("slopes", {"authors", SlopeRule::Authors},
                           {"geometric", SlopeRule::Geometric}, settings.slopes);
    if (const auto temperature = reader.number("temperature"))
        settings.temperature = static_cast<float>(*temperature);
    for (const std::string_view name : {"softmax_scale", "scale"}) {
        const double own = static_cast<double>(scaleOf({}, dk));
        if (const auto scale = reader.number(name))
            settings.scale = std::abs(*scale - own) > 1e-6 * own ? scale : std::nullopt;
    }
    reader.read<EmptySlice>("empty", {"nan", EmptySlice::Nan}, {"zero", EmptySlice::Zero},
                            settings.empty);
    if (const auto valid = checked(settings); !valid)
        return tl::unexpected(valid.error());
    return settings;
}

std::map<std::string, std::string> settingsMetadata(const SessionState& state)
{
    const ScoreSettings& s = state.settings;
    const auto flag = [](bool isOn) { return std::string(isOn ? "true" : "false"); };
    std::map<std::string, std::string> metadata{
        {"keyaxis.axis", std::string(names(s.axis).name)},
        {"keyaxis.causal", flag(s.causal)},
        {"keyaxis.align", s.align == Align::End ? "end" : "start"},
        {"keyaxis.alibi", flag(s.alibi)},
        {"keyaxis.slopes", s.slopes == SlopeRule::Geometric ? "geometric" : "authors"},
        {"keyaxis.temperature", shortest(s.temperature)},
        {"keyaxis.empty", s.empty == EmptySlice::Zero ? "zero" : "nan"}};
    if (s.scale)
        metadata["keyaxis.scale"] = shortest(*s.scale);
    const auto addTokens = [&](const char* name, const TokenNames& tokens) {
        if (!tokens.empty())
            metadata[name] = nlohmann::json(tokens).dump(-1, ' ', false,
                                                         nlohmann::json::error_handler_t::replace);
    };
    addTokens("keyaxis.query_tokens", state.queryTokens);
    addTokens("keyaxis.key_tokens", state.keyTokens);
    return metadata;
}

} // namespace keyaxis
