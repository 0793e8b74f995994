#include "core/io/base64.h"

#include <array>
#include <cstdint>

namespace keyaxis {

namespace {

constexpr std::string_view kDigits =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

} // namespace

std::string toBase64(BytesView bytes)
{
    std::string text;
    text.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t n = 0; n < bytes.size(); n += 3) {
        std::uint32_t group = 0;
        for (std::size_t k = 0; k < 3; ++k)
            group = group << 8 |
                    (n + k < bytes.size() ? std::to_integer<std::uint32_t>(bytes[n + k]) : 0U);
        const std::size_t nDigits = std::min<std::size_t>(3, bytes.size() - n) + 1;
        for (std::size_t k = 0; k < 4; ++k)
            text += k < nDigits ? kDigits[group >> (18 - 6 * k) & 63U] : '=';
    }
    return text;
}

std::optional<Bytes> fromBase64(std::string_view text)
{
    Bytes bytes;
    bytes.reserve(text.size() / 4 * 3);
    std::uint32_t group = 0;
    int nDigits = 0; // of the group
    int nPadding = 0;
    for (const char c : text) {
        if (c == ' ' || c == '\t' || c == '\r' || c == '\n')
            continue;
        const std::size_t digit = kDigits.find(c);
        nPadding += c == '=' ? 1 : 0;
        if ((digit == std::string_view::npos && c != '=') || (nPadding > 0 && c != '='))
            return std::nullopt;
        group = group << 6 | (c == '=' ? 0U : static_cast<std::uint32_t>(digit));
        if (++nDigits < 4)
            continue;
        for (int k = 0; k < 3 - nPadding; ++k)
            bytes.push_back(static_cast<std::byte>(group >> (16 - 8 * k) & 255U));
        group = 0;
        nDigits = 0;
        if (nPadding > 2)
            return std::nullopt;
    }
    return nDigits == 0 ? std::optional(std::move(bytes)) : std::nullopt;
}

} // namespace keyaxis
