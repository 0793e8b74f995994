#include "core/io/delimited_records.h"

#include "core/io/ascii.h"

#include <algorithm>

namespace keyaxis {

namespace {

bool isBlank(char c)
{
    return c == ' ' || c == '\t';
}

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

/// `line` without what stands between quotes.
std::string unquoted(std::string_view line)
{
    std::string result;
    bool isInside = false;
    for (const char c : line) {
        if (c == '"')
            isInside = !isInside;
        else if (!isInside)
            result += c;
    }
    return result;
}

/// Whether each comma of `line` stands between digits, each word has one at the most, and there are
/// several words.
bool hasOnlyDecimalCommas(std::string_view line)
{
    bool hasGap = false;
    std::size_t nInWord = 0;
    for (std::size_t n = 0; n < line.size(); ++n) {
        if (isBlank(line[n])) {
            hasGap = hasGap || n > 0;
            nInWord = 0;
        }
        if (line[n] != ',')
            continue;
        const bool isInside =
            n > 0 && isDigit(line[n - 1]) && n + 1 < line.size() && isDigit(line[n + 1]);
        if (!isInside || ++nInWord > 1)
            return false;
    }
    return hasGap;
}

/// Whether `line` begins with what a spreadsheet has in a cell that it could not work out.
bool isSpreadsheetError(std::string_view line)
{
    for (const std::string_view error :
         {"#N/A", "#DIV/0!", "#VALUE!", "#REF!", "#NUM!", "#NAME?", "#NULL!"})
        if (line.starts_with(error))
            return true;
    return false;
}

bool isComment(std::string_view line)
{
    return line.starts_with('#') && !isSpreadsheetError(line);
}

/// The sign that a first line "sep=;" names; nothing where there is no such line.
std::optional<char> namedSeparator(std::string_view text)
{
    const bool isThere = text.size() > 5 && lowerAscii(std::string(text.substr(0, 4))) == "sep=" &&
                         (text[5] == '\r' || text[5] == '\n');
    return isThere ? std::optional(text[4]) : std::nullopt;
}

} // namespace

DelimitedRecords::DelimitedRecords(std::string_view text, char separator)
    : m_rest(text), m_separator(separator)
{
}

void DelimitedRecords::skipBlanks()
{
    while (isBlank(peek()) && peek() != m_separator)
        m_rest.remove_prefix(1);
    while (m_separator == kBlanks && isBlank(peek()))
        m_rest.remove_prefix(1);
}

void DelimitedRecords::skipLineEnd()
{
    if (m_rest.empty())
        return;
    m_rest.remove_prefix(m_rest.starts_with("\r\n") ? 2 : 1);
    ++m_line;
}

void DelimitedRecords::skipIdleLines()
{
    while (!m_rest.empty()) {
        const std::size_t end = std::min(m_rest.find_first_of("\r\n"), m_rest.size());
        const std::size_t first = std::min(m_rest.find_first_not_of(" \t"), m_rest.size());
        const bool isHint = m_line == 1 && namedSeparator(m_rest);
        if (first < end && !isHint && !isComment(m_rest.substr(first)))
            return;
        m_rest.remove_prefix(end);
        skipLineEnd();
    }
}

Result<void> DelimitedRecords::quoted(std::string& cell)
{
    const std::size_t line = m_line;
    m_rest.remove_prefix(1);
    while (true) {
        if (m_rest.empty())
            return fail(Errc::BadInput,
                        "row " + std::to_string(line) + ": a quoted cell does not end");
        if (peek() == '"' && !m_rest.starts_with("\"\"")) {
            m_rest.remove_prefix(1);
            return {};
        }
        const bool isEnd = isLineEnd();
        cell += isEnd ? '\n' : peek();
        if (isEnd)
            skipLineEnd();
        else
            m_rest.remove_prefix(peek() == '"' ? 2 : 1);
    }
}

Result<std::string> DelimitedRecords::cell()
{
    std::string cell;
    skipBlanks();
    if (peek() == '"')
        if (const auto done = quoted(cell); !done)
            return tl::unexpected(done.error());
    const auto isOver = [&] {
        return m_rest.empty() || isLineEnd() || peek() == m_separator ||
               (m_separator == kBlanks && isBlank(peek()));
    };
    while (!isOver()) {
        cell += peek();
        m_rest.remove_prefix(1);
    }
    return cell;
}

Result<std::optional<Record>> DelimitedRecords::next()
{
    skipIdleLines();
    if (m_rest.empty())
        return std::nullopt;
    Record record{m_line, {}};
    while (true) {
        auto text = cell();
        if (!text)
            return tl::unexpected(text.error());
        record.cells.push_back(std::move(*text));
        if (m_separator == kBlanks)
            skipBlanks();
        if (m_rest.empty() || isLineEnd()) {
            skipLineEnd();
            return record;
        }
        if (m_separator != kBlanks)
            m_rest.remove_prefix(1);
    }
}

char sniffedSeparator(std::string_view text)
{
    if (const auto named = namedSeparator(text))
        return *named;
    constexpr std::size_t kEnough = 1U << 16; // a table is of one kind throughout
    bool hasSemicolon = false;
    bool hasComma = false;
    for (std::string_view rest = text.substr(0, kEnough); !rest.empty();) {
        const std::size_t end = std::min(rest.find_first_of("\r\n"), rest.size());
        const std::string line = unquoted(rest.substr(0, end));
        rest.remove_prefix(std::min(end + 1, rest.size()));
        const std::size_t first = line.find_first_not_of(" \t");
        if (first == std::string::npos || isComment(std::string_view(line).substr(first)))
            continue;
        if (line.find('\t') != std::string::npos)
            return '\t';
        hasSemicolon = hasSemicolon || line.find(';') != std::string::npos;
        hasComma = hasComma || (line.find(',') != std::string::npos &&
                                !hasOnlyDecimalCommas(std::string_view(line).substr(first)));
    }
    return hasSemicolon ? ';' : hasComma ? ',' : kBlanks;
}

} // namespace keyaxis
