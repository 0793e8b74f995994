#include "core/io/text_cursor.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace keyaxis {

void TextCursor::skipBlanks()
{
    m_at = std::min(m_text.find_first_not_of(" \t\r\n", m_at), m_text.size());
}

bool TextCursor::accept(char c)
{
    skipBlanks();
    if (peek() != c || isAtEnd())
        return false;
    ++m_at;
    return true;
}

std::string_view TextCursor::word() const
{
    const std::string_view rest = m_text.substr(m_at);
    return rest.substr(0, rest.find_first_of(" \t\r\n[](){},:"));
}

TextPlace TextCursor::place() const
{
    TextPlace place;
    for (std::size_t n = 0; n < m_at; ++n) {
        const bool isContinuation = (static_cast<unsigned char>(m_text[n]) & 0xC0U) == 0x80U;
        const bool isPaired = m_text[n] == '\r' && m_text.substr(n + 1, 1) == "\n";
        if (m_text[n] == '\n' || (m_text[n] == '\r' && !isPaired))
            place = {place.line + 1, 1};
        else if (!isContinuation)
            ++place.column;
    }
    return place;
}

tl::unexpected<Error> TextCursor::bad(const std::string& what) const
{
    const TextPlace at = place();
    return fail(Errc::BadInput, m_label + ", line " + std::to_string(at.line) + ", column " +
                                    std::to_string(at.column) + ": " + what + ".");
}

Result<std::string> TextCursor::quoted()
{
    std::size_t end = m_at + 1;
    while (end < m_text.size() && m_text[end] != '"')
        end += m_text[end] == '\\' ? 2 : 1;
    if (end >= m_text.size())
        return bad("a string begins here and does not end");
    const auto json = nlohmann::json::parse(m_text.substr(m_at, end + 1 - m_at), nullptr, false);
    if (!json.is_string())
        return bad("the string that begins here is not valid JSON in UTF-8");
    m_at = end + 1;
    return json.get<std::string>();
}

} // namespace keyaxis
