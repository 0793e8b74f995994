#include "core/io/python_literal.h"

#include <charconv>
#include <optional>

namespace keyaxis {

namespace {

constexpr int kDeepest = 8;

/// A recursive descent over the text; `nullopt` means: not what was expected at m_at.
class Parser {
public:
    explicit Parser(std::string_view text) : m_text(text) {}

    std::optional<std::map<std::string, PythonValue>> dict()
    {
        std::map<std::string, PythonValue> entries;
        if (!take('{'))
            return std::nullopt;
        while (!take('}')) {
            const auto key = string();
            if (!key || !take(':'))
                return std::nullopt;
            auto entry = value(0);
            if (!entry || !entries.emplace(*key, std::move(*entry)).second)
                return std::nullopt;
            if (!take(',') && peek() != '}')
                return std::nullopt;
        }
        return peek() == '\0' ? std::optional(std::move(entries)) : std::nullopt;
    }

    std::size_t at() const { return m_at; }

private:
    char peek()
    {
        while (m_at < m_text.size() &&
               std::string_view(" \t\r\n").find(m_text[m_at]) != m_text.npos)
            ++m_at;
        return m_at < m_text.size() ? m_text[m_at] : '\0';
    }

    bool take(char wanted)
    {
        if (peek() != wanted)
            return false;
        ++m_at;
        return true;
    }

    bool takeWord(std::string_view word)
    {
        peek();
        if (!m_text.substr(m_at).starts_with(word))
            return false;
        m_at += word.size();
        return true;
    }

    std::optional<std::string> string()
    {
        const char quote = peek();
        if (quote != '\'' && quote != '"')
            return std::nullopt;
        const std::size_t end = m_text.find(quote, m_at + 1);
        if (end == m_text.npos)
            return std::nullopt;
        std::string text(m_text.substr(m_at + 1, end - m_at - 1));
        m_at = end + 1;
        return text;
    }

    std::optional<PythonValue> number()
    {
        std::int64_t n = 0;
        const char* begin = m_text.data() + m_at;
        const auto [end, error] = std::from_chars(begin, m_text.data() + m_text.size(), n);
        if (error != std::errc())
            return std::nullopt;
        m_at += static_cast<std::size_t>(end - begin);
        takeWord("L"); // Python 2 wrote long integers so
        return PythonValue{n};
    }

    std::optional<PythonValue> value(int depth)
    {
        const char next = peek();
        if (depth > kDeepest)
            return std::nullopt;
        if (next == '\'' || next == '"') {
            auto text = string();
            return text ? std::optional(PythonValue{std::move(*text)}) : std::nullopt;
        }
        if (next == '(' || next == '[')
            return tuple(next == '(' ? ')' : ']', depth);
        if (takeWord("True"))
            return PythonValue{true};
        if (takeWord("False"))
            return PythonValue{false};
        return number();
    }

    std::optional<PythonValue> tuple(char close, int depth)
    {
        ++m_at;
        PythonValue::Tuple items;
        while (!take(close)) {
            auto item = value(depth + 1);
            if (!item)
                return std::nullopt;
            items.push_back(std::move(*item));
            if (!take(',') && peek() != close)
                return std::nullopt;
        }
        return PythonValue{std::move(items)};
    }

    std::string_view m_text;
    std::size_t m_at = 0;
};

} // namespace

Result<std::map<std::string, PythonValue>> parsePythonDict(std::string_view text)
{
    Parser parser(text);
    auto entries = parser.dict();
    if (!entries)
        return fail(Errc::BadInput, "the header is not a Python dictionary (byte " +
                                        std::to_string(parser.at()) + ")");
    return std::move(*entries);
}

} // namespace keyaxis
