#pragma once

#include "core/result.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace keyaxis {

/// Where something stands in a text; both from 1, columns in characters.
struct TextPlace {
    std::size_t line = 1;
    std::size_t column = 1;
};

/// Walks through a text and knows where it is. A view: the text must outlive it. A copy stays where
/// it was made, for a message that may have to be given later.
class TextCursor {
public:
    /// @param label  what messages call the text.
    TextCursor(std::string_view text, const std::string& label) : m_text(text), m_label(label) {}

    bool isAtEnd() const { return m_at == m_text.size(); }
    char peek() const { return isAtEnd() ? '\0' : m_text[m_at]; }
    bool isAt(std::string_view word) const { return m_text.substr(m_at).starts_with(word); }

    void skip(std::size_t nBytes) { m_at += nBytes; }
    void skipBlanks();
    bool accept(char c); ///< skips blanks, then `c` where it is there

    std::string_view rest() const { return m_text.substr(m_at); }
    /// What stands here up to a blank, a bracket, a comma or a colon.
    std::string_view word() const;
    /// "FILE, line 3, column 5: what." in the code BadInput, for where the cursor is.
    tl::unexpected<Error> bad(const std::string& what) const;

    /// Reads the string in double quotes that the cursor stands at, with JSON's escapes.
    ///
    /// @errors BadInput where it does not end, or has an escape or bytes that JSON has not.
    Result<std::string> quoted();

private:
    TextPlace place() const; ///< @cost one pass over the text before

    std::string_view m_text;
    std::size_t m_at = 0;
    const std::string& m_label;
};

} // namespace keyaxis
