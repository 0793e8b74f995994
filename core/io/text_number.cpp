#include "core/io/text_number.h"

#include "core/io/ascii.h"

#include <algorithm>
#include <charconv>
#include <limits>

namespace keyaxis {

namespace {

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

/// Digits with at most one dot among them, at the front of a text.
struct Mantissa {
    std::size_t length = 0;
    long nBeforeDot = 0; ///< digits
    long nAfterDot = 0;
    long nLeadingZeros = 0; ///< of all digits
    long nSignificant = 0;
};

Mantissa mantissaOf(std::string_view text)
{
    Mantissa mantissa;
    bool hasDot = false;
    for (const char c : text) {
        if (!isDigit(c) && (c != '.' || hasDot))
            break;
        ++mantissa.length;
        hasDot = hasDot || c == '.';
        if (c == '.')
            continue;
        ++(hasDot ? mantissa.nAfterDot : mantissa.nBeforeDot);
        const bool isLeading = c == '0' && mantissa.nSignificant == 0;
        ++(isLeading ? mantissa.nLeadingZeros : mantissa.nSignificant);
    }
    return mantissa;
}

/// The exponent at the front of `text` ("e-5"), held within what decides about any number.
long exponentOf(std::string_view text)
{
    constexpr long kLargest = 1'000'000'000;
    if (text.size() < 2)
        return 0;
    const bool isNegative = text[1] == '-';
    text.remove_prefix(isNegative || text[1] == '+' ? 2 : 1);
    long exponent = 0;
    for (const char c : text)
        exponent = std::min(kLargest, 10 * exponent + (c - '0'));
    return isNegative ? -exponent : exponent;
}

std::optional<TextNumber> word(std::string_view text, double sign)
{
    using Limits = std::numeric_limits<double>;
    TextNumber number;
    if (isSameName(text, "nan"))
        number.value = Limits::quiet_NaN();
    else if (isSameName(text, "inf") || isSameName(text, "infinity"))
        number.value = sign * Limits::infinity();
    else
        return std::nullopt;
    return number;
}

} // namespace

std::string_view trimmed(std::string_view text)
{
    constexpr std::string_view kBlanks = " \t\r\n\v\f";
    const std::size_t first = text.find_first_not_of(kBlanks);
    if (first == std::string_view::npos)
        return {};
    return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

std::optional<bool> textFlag(std::string_view text)
{
    text = trimmed(text);
    if (isSameName(text, "true"))
        return true;
    return isSameName(text, "false") ? std::optional(false) : std::nullopt;
}

std::string outOfRangeNote(const std::string& label, std::size_t n)
{
    return label + ": " + std::to_string(n) + (n == 1 ? " number is" : " numbers are") +
           " beyond float64 and became infinite or 0.";
}

std::optional<TextNumber> textNumber(std::string_view text, char decimalSign)
{
    text = trimmed(text);
    const double sign = text.starts_with('-') ? -1.0 : 1.0;
    if (text.starts_with('-') || text.starts_with('+'))
        text.remove_prefix(1);
    if (text.empty() || !(isDigit(text[0]) || text[0] == decimalSign))
        return word(text, sign);

    std::string dotted;
    if (decimalSign != '.') {
        if (text.find('.') != std::string_view::npos)
            return std::nullopt;
        dotted = text;
        std::ranges::replace(dotted, decimalSign, '.');
        text = dotted;
    }
    TextNumber number;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number.value);
    if (error == std::errc::invalid_argument || end != text.data() + text.size())
        return std::nullopt;

    const Mantissa mantissa = mantissaOf(text);
    const long exponent = exponentOf(text.substr(mantissa.length));
    number.nDigits = static_cast<int>(std::min(mantissa.nSignificant, 1000L));
    number.nDecimals = static_cast<int>(std::clamp(mantissa.nAfterDot - exponent, 0L, 1000L));
    number.isOutOfRange = error == std::errc::result_out_of_range && mantissa.nSignificant > 0;
    if (number.isOutOfRange) {
        const bool isHuge = mantissa.nBeforeDot - mantissa.nLeadingZeros + exponent > 0;
        number.value = isHuge ? std::numeric_limits<double>::infinity() : 0.0;
    }
    number.value *= sign;
    return number;
}

} // namespace keyaxis
