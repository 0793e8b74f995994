#include "core/io/text_items.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace keyaxis {

namespace {

constexpr char32_t kReplacement = 0xFFFD;

bool isCharacter(char32_t code)
{
    return code <= 0x10FFFF && (code < 0xD800 || code >= 0xE000);
}

void appendUtf8(std::string& text, char32_t code)
{
    if (!isCharacter(code))
        code = kReplacement;
    if (code < 0x80) {
        text += static_cast<char>(code);
        return;
    }
    const int nMore = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    constexpr char32_t kLead[]{0, 0xC0, 0xE0, 0xF0};
    text += static_cast<char>(kLead[nMore] | code >> (6 * nMore));
    for (int n = nMore - 1; n >= 0; --n)
        text += static_cast<char>(0x80 | (code >> (6 * n) & 0x3F));
}

/// The character at `at`, which moves behind it; nothing, and one byte on, where there is none.
std::optional<char32_t> takeUtf8(std::string_view text, std::size_t& at)
{
    const auto byte = [&](std::size_t n) { return static_cast<unsigned char>(text[n]); };
    const unsigned lead = byte(at++);
    if (lead < 0x80)
        return lead;
    const std::size_t nMore = lead < 0xC2 ? 0 : lead < 0xE0 ? 1 : lead < 0xF0 ? 2 : 3;
    if (nMore == 0 || lead > 0xF4 || text.size() - at < nMore)
        return std::nullopt;
    char32_t code = lead & (0x3F >> nMore);
    for (std::size_t n = 0; n < nMore; ++n) {
        if ((byte(at + n) & 0xC0) != 0x80)
            return std::nullopt;
        code = code << 6 | (byte(at + n) & 0x3F);
    }
    constexpr char32_t kSmallest[]{0, 0x80, 0x800, 0x10000};
    if (code < kSmallest[nMore] || !isCharacter(code))
        return std::nullopt;
    at += nMore;
    return code;
}

bool isUtf8(std::string_view text)
{
    for (std::size_t at = 0; at < text.size();)
        if (!takeUtf8(text, at))
            return false;
    return true;
}

std::string fromWide(BytesView bytes)
{
    std::u32string wide(bytes.size() / 4, U'\0');
    std::memcpy(wide.data(), bytes.data(), wide.size() * 4);
    wide.resize(wide.find_last_not_of(U'\0') + 1); // npos + 1 is 0
    std::string text;
    for (const char32_t code : wide)
        appendUtf8(text, code);
    return text;
}

std::string fromBytes(BytesView bytes)
{
    std::string text(textOf(bytes));
    text.resize(text.find_last_not_of('\0') + 1);
    if (isUtf8(text))
        return text;
    std::string converted;
    for (const char c : text)
        appendUtf8(converted, static_cast<unsigned char>(c));
    return converted;
}

/// @param isBigEndian  which byte of each pair counts more: the first.
std::string fromUtf16(BytesView bytes, bool isBigEndian)
{
    const auto unit = [&](std::size_t n) {
        const auto first = std::to_integer<char32_t>(bytes[2 * n]);
        const auto second = std::to_integer<char32_t>(bytes[2 * n + 1]);
        return isBigEndian ? first << 8 | second : second << 8 | first;
    };
    std::string text;
    const std::size_t nUnits = bytes.size() / 2;
    for (std::size_t n = 0; n < nUnits; ++n) {
        char32_t code = unit(n);
        const bool isHigh = code >= 0xD800 && code < 0xDC00 && n + 1 < nUnits;
        if (isHigh && unit(n + 1) >= 0xDC00 && unit(n + 1) < 0xE000)
            code = 0x10000 + ((code - 0xD800) << 10) + (unit(++n) - 0xDC00);
        appendUtf8(text, code);
    }
    return text;
}

} // namespace

std::optional<std::string> plainText(BytesView bytes)
{
    const std::string_view view = textOf(bytes);
    std::string text;
    if (view.starts_with("\xFF\xFE") || view.starts_with("\xFE\xFF"))
        text = fromUtf16(bytes.subspan(2), view[0] == '\xFE');
    else
        text = view.substr(view.starts_with("\xEF\xBB\xBF") ? 3 : 0);
    return text.find('\0') == std::string::npos ? std::optional(std::move(text)) : std::nullopt;
}

std::vector<std::string> textItems(BytesView bytes, std::size_t itemSize, bool isWide)
{
    std::vector<std::string> items;
    items.reserve(bytes.size() / itemSize);
    for (std::size_t at = 0; at + itemSize <= bytes.size(); at += itemSize) {
        const BytesView own = bytes.subspan(at, itemSize);
        items.push_back(isWide ? fromWide(own) : fromBytes(own));
    }
    return items;
}

WideItems wideItems(const std::vector<std::string>& items)
{
    std::vector<std::u32string> wide;
    WideItems result;
    for (const std::string& item : items) {
        std::u32string text;
        for (std::size_t at = 0; at < item.size();)
            text += takeUtf8(item, at).value_or(kReplacement);
        result.nCharacters = std::max(result.nCharacters, text.size());
        wide.push_back(std::move(text));
    }
    result.bytes.resize(4 * result.nCharacters * wide.size());
    for (std::size_t n = 0; n < wide.size(); ++n)
        std::memcpy(result.bytes.data() + 4 * result.nCharacters * n, wide[n].data(),
                    4 * wide[n].size());
    return result;
}

} // namespace keyaxis
