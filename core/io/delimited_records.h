#pragma once

#include "core/result.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace keyaxis {

/// What stands between cells: a character, or runs of blanks and tabs.
inline constexpr char kBlanks = ' ';

/// One line of a table; more than one where a quoted cell has line ends.
struct Record {
    std::size_t line = 0; ///< of the file, from 1
    std::vector<std::string> cells;
};

/// Splits a table into its records. Blank lines and lines that begin with # are passed over, unless
/// what follows is an error of a spreadsheet (#N/A), and so is a first line sep=; (or another sign)
/// as spreadsheets have it. CR LF, LF and CR end a line. A view: the text must outlive it.
class DelimitedRecords {
public:
    /// @param text       without a byte order mark.
    /// @param separator  a character, or `kBlanks`.
    DelimitedRecords(std::string_view text, char separator);

    /// The next record; none at the end.
    ///
    /// @errors BadInput where a quote is not closed: "row 3: …", without a full stop.
    Result<std::optional<Record>> next();

private:
    char peek() const { return m_rest.empty() ? '\0' : m_rest.front(); }
    bool isLineEnd() const { return peek() == '\n' || peek() == '\r'; }
    void skipBlanks();
    void skipLineEnd();
    void skipIdleLines();
    Result<std::string> cell();
    Result<void> quoted(std::string& cell);

    std::string_view m_rest;
    char m_separator;
    std::size_t m_line = 1;
};

/// The separator of the table `text`: a tab where there is one, or a semicolon, or a comma, or else
/// blanks. Commas within numbers that blanks separate ("0,5 1,25") are decimal signs.
char sniffedSeparator(std::string_view text);

} // namespace keyaxis
