#include "core/io/session_text.h"

#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <utility>

namespace keyaxis {

namespace {

using Json = nlohmann::ordered_json;

/// The words of an enumeration, in the order of its values.
template <typename Value>
constexpr std::array<std::pair<std::string_view, Value>, 2> kWords{};
template <>
constexpr std::array<std::pair<std::string_view, Align>, 2> kWords<Align>{
    std::pair{"start", Align::Start}, {"end", Align::End}};
template <>
constexpr std::array<std::pair<std::string_view, SlopeRule>, 2> kWords<SlopeRule>{
    std::pair{"authors", SlopeRule::Authors}, {"geometric", SlopeRule::Geometric}};
template <>
constexpr std::array<std::pair<std::string_view, EmptySlice>, 2> kWords<EmptySlice>{
    std::pair{"nan", EmptySlice::Nan}, {"zero", EmptySlice::Zero}};

std::optional<Axis> fromWord(const std::string& word, Axis /*kind*/)
{
    return axisNamed(word);
}

template <typename Value>
std::optional<Value> fromWord(const std::string& word, Value /*kind*/)
{
    for (const auto& [known, value] : kWords<Value>)
        if (known == word)
            return value;
    return std::nullopt;
}

template <typename Value>
std::string toWord(Value wanted)
{
    for (const auto& [word, value] : kWords<Value>)
        if (value == wanted)
            return std::string(word);
    return {};
}

/// Takes the fields of an object apart and remembers the first one that is not as it must be.
class Fields {
public:
    Fields(const Json& object, std::string prefix, std::string& wrong)
        : m_object(object), m_prefix(std::move(prefix)), m_wrong(wrong)
    {
    }

    void read(const char* name, bool& value)
    {
        with(name, [&](const Json& field) {
            return field.is_boolean() && (value = field.get<bool>(), true);
        });
    }

    void read(const char* name, float& value)
    {
        with(name, [&](const Json& field) {
            return field.is_number() && (value = static_cast<float>(field.get<double>()), true);
        });
    }

    /// null is none.
    void read(const char* name, std::optional<double>& value)
    {
        with(name, [&](const Json& field) {
            if (field.is_null())
                value.reset();
            else if (field.is_number())
                value = field.get<double>();
            return field.is_null() || field.is_number();
        });
    }

    void read(const char* name, std::string& value)
    {
        with(name, [&](const Json& field) {
            return field.is_string() && (value = field.get<std::string>(), true);
        });
    }

    template <typename Value>
    void readWord(const char* name, Value& value)
    {
        with(name, [&](const Json& field) {
            const auto found =
                field.is_string() ? fromWord(field.get<std::string>(), value) : std::nullopt;
            value = found.value_or(value);
            return found.has_value();
        });
    }

    void read(const char* name, TokenNames& tokens)
    {
        with(name, [&](const Json& field) {
            TokenNames read;
            for (const Json& list : field) {
                read.emplace_back();
                if (!list.is_array())
                    return false;
                for (const Json& token : list) {
                    if (!token.is_string())
                        return false;
                    read.back().push_back(token.get<std::string>());
                }
            }
            tokens = std::move(read);
            return field.is_array();
        });
    }

    void read(const char* name, std::map<std::string, std::string>& texts)
    {
        with(name, [&](const Json& field) {
            for (const auto& [key, text] : field.items()) {
                if (!text.is_string())
                    return false;
                texts[key] = text.get<std::string>();
            }
            return field.is_object();
        });
    }

private:
    template <typename Take>
    void with(const char* name, Take take)
    {
        const auto found = m_object.find(name);
        if (found != m_object.end() && !take(*found) && m_wrong.empty())
            m_wrong = m_prefix + name;
    }

    const Json& m_object;
    std::string m_prefix;
    std::string& m_wrong;
};

Json settingsJson(const ScoreSettings& settings)
{
    // A float in its own digits: 0.1, not 0.10000000149011612.
    Json json{{"axis", names(settings.axis).name},
              {"causal", settings.causal},
              {"align", toWord(settings.align)},
              {"alibi", settings.alibi},
              {"slopes", toWord(settings.slopes)},
              {"temperature", Json::parse(shortest(settings.temperature))},
              {"scale", nullptr},
              {"empty", toWord(settings.empty)}};
    if (settings.scale)
        json["scale"] = *settings.scale;
    return json;
}

tl::unexpected<Error> bad(const std::string& label, const std::string& what)
{
    return fail(Errc::BadInput, label + ", " + kSessionMember + ": " + what + ".");
}

/// Nothing, if this program reads the version that `json` says.
Result<void> checkVersion(const Json& json, const std::string& label)
{
    const auto version = json.find("version");
    if (version == json.end() || !version->is_number_integer())
        return bad(label, "it does not say its version");
    const auto number = version->get<std::int64_t>();
    if (number > kSessionVersion)
        return bad(label, "it is of version " + std::to_string(number) +
                              ", written by a newer Keyaxis; this one reads versions up to " +
                              std::to_string(kSessionVersion));
    if (number < 1)
        return bad(label, "its version is " + std::to_string(number) + "; the first is 1");
    return {};
}

} // namespace

std::string sessionText(const SessionState& state)
{
    Json json{{"version", kSessionVersion}, {"settings", settingsJson(state.settings)}};
    json["view"] = Json::object();
    for (const auto& [key, text] : state.view)
        json["view"][key] = text;
    if (!state.queryTokens.empty())
        json["query_tokens"] = state.queryTokens;
    if (!state.keyTokens.empty())
        json["key_tokens"] = state.keyTokens;
    if (!state.layer.empty())
        json["layer"] = state.layer;
    if (!state.source.empty())
        json["source"] = state.source;
    return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

Result<SessionState> parseSession(const std::string& text, const std::string& label,
                                  SessionState defaults)
{
    const Json json = Json::parse(text, nullptr, false);
    if (!json.is_object())
        return bad(label, "it is no JSON object");
    if (const auto known = checkVersion(json, label); !known)
        return tl::unexpected(known.error());

    SessionState state = std::move(defaults);
    std::string wrong;
    Fields fields(json, "", wrong);
    fields.read("view", state.view);
    fields.read("query_tokens", state.queryTokens);
    fields.read("key_tokens", state.keyTokens);
    fields.read("layer", state.layer);
    fields.read("source", state.source);
    const auto object = json.find("settings");
    if (object != json.end() && !object->is_object())
        wrong = "settings";
    if (object != json.end() && object->is_object()) {
        Fields settings(*object, "settings.", wrong);
        settings.readWord("axis", state.settings.axis);
        settings.read("causal", state.settings.causal);
        settings.readWord("align", state.settings.align);
        settings.read("alibi", state.settings.alibi);
        settings.readWord("slopes", state.settings.slopes);
        settings.read("temperature", state.settings.temperature);
        settings.read("scale", state.settings.scale);
        settings.readWord("empty", state.settings.empty);
    }
    if (!wrong.empty())
        return bad(label, "the value of " + wrong + " is not one that it can have");
    if (const auto valid = checked(state.settings); !valid)
        return fail(Errc::BadInput, label + ", " + kSessionMember + ": " + valid.error().message);
    return state;
}

} // namespace keyaxis
