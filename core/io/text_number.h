#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace keyaxis {

/// A number as people and programs write it.
struct TextNumber {
    double value = 0;
    int nDecimals = 0; ///< places after the decimal sign, the exponent counted in; not below 0
    int nDigits = 0;   ///< significant digits
    bool isOutOfRange = false; ///< beyond float64: infinite now, or 0
};

/// Reads all of `text`, whatever the locale: blanks around it, a sign, nan, inf and infinity in any
/// case. Nothing else is a number: not hexadecimal, no grouped digits, no empty text.
///
/// @param decimalSign  '.' or ','.
std::optional<TextNumber> textNumber(std::string_view text, char decimalSign = '.');

/// true and false in any case, as JSON and Python write them.
std::optional<bool> textFlag(std::string_view text);

/// The note about `n` numbers of the file `label` that are `isOutOfRange`.
std::string outOfRangeNote(const std::string& label, std::size_t n);

/// `text` without blanks, tabs and line ends around it.
std::string_view trimmed(std::string_view text);

} // namespace keyaxis
