#pragma once

#include <string>
#include <string_view>

namespace keyaxis {

/// Letters A to Z in lower case, whatever the locale: std::tolower makes no 'i' of 'I' in Turkish.
inline std::string lowerAscii(std::string_view text)
{
    std::string lower(text);
    for (char& c : lower)
        if (c >= 'A' && c <= 'Z')
            c = static_cast<char>(c - 'A' + 'a');
    return lower;
}

/// Whether two names differ in the case of A to Z at the most.
inline bool isSameName(std::string_view a, std::string_view b)
{
    return a.size() == b.size() && lowerAscii(a) == lowerAscii(b);
}

} // namespace keyaxis
