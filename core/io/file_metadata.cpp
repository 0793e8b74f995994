#include "core/io/file_metadata.h"

#include "core/io/ascii.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <nlohmann/json.hpp>

namespace keyaxis {

namespace {

using Json = nlohmann::json;

std::vector<std::string> strings(const Json& list)
{
    std::vector<std::string> result;
    for (const Json& item : list)
        result.push_back(item.is_string() ? item.get<std::string>() : item.dump());
    return result;
}

/// A text array [B, T] or [T].
TokenNames tokensOf(const RawTensor& raw)
{
    if (raw.shape.empty() || raw.shape.size() > 2 || raw.text.empty())
        return {};
    const auto nTokens = static_cast<std::size_t>(raw.shape.back());
    TokenNames names;
    for (std::size_t n = 0; n < raw.text.size(); ++n) {
        if (n % nTokens == 0)
            names.emplace_back();
        names.back().push_back(raw.text[n]);
    }
    return names;
}

TokenNames tokensOf(const std::string& text)
{
    const Json json = Json::parse(text, nullptr, false);
    if (!json.is_array() || json.empty())
        return {};
    if (!json.front().is_array())
        return {strings(json)};
    TokenNames names;
    for (const Json& list : json) {
        if (!list.is_array())
            return {};
        names.push_back(strings(list));
    }
    return names;
}

} // namespace

bool isTokenName(std::string_view name)
{
    constexpr std::array<std::string_view, 5> kTokenNames{"query_tokens", "key_tokens", "q_tokens",
                                                          "k_tokens", "tokens"};
    constexpr std::string_view kOwn = "keyaxis.";
    if (lowerAscii(name).starts_with(kOwn))
        name.remove_prefix(kOwn.size());
    return std::ranges::any_of(kTokenNames, [&](auto known) { return isSameName(known, name); });
}

const RawTensor* FileMetadata::array(std::string_view name) const
{
    const RawTensor* own = m_file.find("keyaxis." + std::string(name));
    return own ? own : m_file.find(name);
}

std::optional<std::string> FileMetadata::text(Names names) const
{
    for (const std::string_view name : names) {
        for (const std::string& key : {"keyaxis." + std::string(name), std::string(name)})
            if (const auto found = m_file.metadata.find(key); found != m_file.metadata.end())
                return found->second;
        const RawTensor* raw = array(name);
        if (raw && raw->type == ElementType::Text && raw->text.size() == 1)
            return raw->text.front();
    }
    return std::nullopt;
}

std::optional<double> FileMetadata::number(Names names) const
{
    if (const auto written = text(names)) {
        double value = 0;
        const char* end = written->data() + written->size();
        const auto [stop, error] = std::from_chars(written->data(), end, value);
        return error == std::errc() && stop == end ? std::optional(value) : std::nullopt;
    }
    for (const std::string_view name : names)
        if (const RawTensor* raw = array(name);
            raw && raw->type != ElementType::Text && raw->size() == 1)
            return toDoubles(*raw).front();
    return std::nullopt;
}

std::optional<bool> FileMetadata::flag(Names names) const
{
    if (const auto written = text(names)) {
        if (*written == "true" || *written == "True" || *written == "1")
            return true;
        if (*written == "false" || *written == "False" || *written == "0")
            return false;
        return std::nullopt;
    }
    const auto value = number(names);
    return value ? std::optional(*value != 0.0) : std::nullopt;
}

TokenNames FileMetadata::tokens(Names names) const
{
    for (const std::string_view name : names) {
        const RawTensor* raw = array(name);
        TokenNames found;
        if (raw && raw->type == ElementType::Text && raw->size() != 1)
            found = tokensOf(*raw);
        else if (const auto written = text({name}))
            found = tokensOf(*written);
        if (found.empty() && raw && raw->type == ElementType::Text)
            found = tokensOf(*raw); // one token
        if (!found.empty())
            return found;
    }
    return {};
}

} // namespace keyaxis
