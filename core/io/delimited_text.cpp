#include "core/io/delimited_text.h"

#include "core/io/delimited_records.h"
#include "core/io/element_text.h"
#include "core/io/long_form.h"
#include "core/io/text_number.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace keyaxis {

namespace {

/// Whether `cell` is a number or an attempt at one, such as 0x10, 1,5 or $5: no label.
bool looksNumeric(std::string_view cell)
{
    std::string_view text = trimmed(cell);
    if (textNumber(text) || textFlag(text))
        return true;
    constexpr std::array<std::string_view, 9> kBefore{"+",      "-",      ".",      ",",     "$",
                                                      "\u2212", "\u20ac", "\u00a3", "\u00a5"};
    while (true) {
        const auto sign = std::ranges::find_if(
            kBefore, [&](std::string_view before) { return text.starts_with(before); });
        if (sign == kBefore.end())
            return !text.empty() && text.front() >= '0' && text.front() <= '9';
        text.remove_prefix(sign->size());
    }
}

bool isLabelRow(const Record& record)
{
    const bool hasCorner = record.cells.size() > 1 && trimmed(record.cells.front()).empty();
    const auto isLabel = [](const std::string& cell) {
        return !trimmed(cell).empty() && !looksNumeric(cell);
    };
    return hasCorner ? std::ranges::all_of(record.cells.begin() + 1, record.cells.end(),
                                           [](const auto& cell) { return !trimmed(cell).empty(); })
                     : std::ranges::all_of(record.cells, isLabel);
}

std::string separatorName(char separator)
{
    switch (separator) {
    case '\t':
        return "tabs";
    case ' ':
        return "blanks";
    case ',':
        return "commas";
    case ';':
        return "semicolons";
    default:
        return "'" + std::string(1, separator) + "'";
    }
}

class Reader {
public:
    Reader(std::string_view text, const std::string& label, const TableChoices& choices)
        : m_separator(choices.separator.value_or(sniffedSeparator(text))),
          m_decimalSign(choices.decimalSign),
          m_records(text, m_separator),
          m_label(label)
    {
        if (m_separator == ',' && !m_decimalSign)
            m_decimalSign = '.';
    }

    Result<TensorFile> read()
    {
        auto record = m_records.next();
        if (record && *record && isLabelRow(**record)) {
            m_header = std::move(**record);
            record = m_records.next();
        }
        if (record && *record)
            m_hasLabelColumn = labelsItsRows((*record)->cells);
        for (; record && *record; record = m_records.next())
            if (const auto done = addRow(**record); !done)
                return tl::unexpected(done.error());
        if (!record)
            return fail(Errc::BadInput, m_label + ", " + record.error().message + ".");
        if (m_nRows == 0)
            return fail(Errc::BadInput, m_label + ": there are no numbers in it.");
        return file();
    }

private:
    /// Whether the first cell of each row is a label, told by the first row of numbers, or by an
    /// empty corner above them.
    bool labelsItsRows(const std::vector<std::string>& cells)
    {
        const bool hasCorner =
            m_header && m_header->cells.size() > 1 && trimmed(m_header->cells.front()).empty();
        // A header that is one shorter has no name for the labels (R writes this).
        const bool isShort = m_header && m_header->cells.size() + 1 == cells.size();
        if (cells.size() <= 1 || hasCorner || isShort)
            return cells.size() > 1;
        if (!trimmed(cells.front()).empty() && !looksNumeric(cells.front()))
            m_firstLabel = std::string(trimmed(cells.front()));
        return m_firstLabel.has_value();
    }

    tl::unexpected<Error> bad(std::size_t line, const std::string& what) const
    {
        return fail(Errc::BadInput, m_label + ", row " + std::to_string(line) + what + ".");
    }

    Result<void> addRow(const Record& record)
    {
        const std::size_t nValues = record.cells.size() - (m_hasLabelColumn ? 1 : 0);
        if (m_nRows == 0)
            m_nColumns = nValues;
        else if (m_firstLabel && looksNumeric(record.cells.front()))
            return bad(m_lines.front(), ", column 1: '" + m_firstLabel->substr(0, 40) +
                                            "' is not a number, and no label either: row " +
                                            std::to_string(record.line) + " begins with a number");
        if (nValues != m_nColumns)
            return bad(record.line, " has " + std::to_string(nValues) +
                                        (nValues == 1 ? " value, " : " values, ") +
                                        std::to_string(m_nColumns) + " expected");
        for (std::size_t n = m_hasLabelColumn ? 1 : 0; n < record.cells.size(); ++n)
            if (const auto done = addCell(record.cells[n], record.line, n + 1); !done)
                return done;
        ++m_nRows;
        m_lines.push_back(record.line);
        return {};
    }

    Result<void> addCell(const std::string& cell, std::size_t line, std::size_t column)
    {
        const std::string_view text = trimmed(cell);
        const std::string place = ", column " + std::to_string(column);
        if (text.empty())
            return bad(line, place + " is empty");
        if (const auto flag = textFlag(text)) {
            ++m_nFlags;
            m_values.push_back(*flag ? 1.0 : 0.0);
        } else {
            if (!m_decimalSign && text.find_first_of(".,") != std::string_view::npos)
                m_decimalSign = text[text.find_first_of(".,")];
            const auto number = textNumber(text, m_decimalSign.value_or('.'));
            if (!number)
                return bad(line, place + ": " + whyNoNumber(text));
            m_nOutOfRange += number->isOutOfRange ? 1 : 0;
            m_printed.add(number->nDecimals, number->nDigits);
            m_values.push_back(number->value);
        }
        if (m_nFlags > 0 && m_nFlags < m_values.size())
            return bad(line, place + ": '" + std::string(text) +
                                 "' stands in a table that has both numbers and true or false");
        return {};
    }

    std::string whyNoNumber(std::string_view text) const
    {
        std::string why = "'" + std::string(text.substr(0, 40)) + "' is not a number";
        const char sign = m_decimalSign.value_or('.');
        const char other = sign == '.' ? ',' : '.';
        if (text.find(other) != std::string_view::npos)
            why += std::string("; the decimal sign of this file is '") + sign +
                   "', and digits are not grouped";
        return why;
    }

    Result<TensorFile> file()
    {
        TensorFile file;
        RawTensor tensor{{}, ElementType::F64, {Index(m_nRows), Index(m_nColumns)}, {}, {}};
        if (m_header && isLongForm(m_header->cells)) {
            auto shape = arrangeLongForm(m_values, m_nColumns, m_lines);
            if (!shape)
                return fail(Errc::BadInput, m_label + ", " + shape.error().message + ".");
            tensor.shape = std::move(*shape);
        }
        if (m_nFlags > 0) {
            tensor.type = ElementType::Bool;
            for (const double value : m_values)
                tensor.bytes.push_back(static_cast<std::byte>(value));
        } else {
            tensor.printed = m_printed;
            tensor.bytes.resize(m_values.size() * sizeof(double));
            std::memcpy(tensor.bytes.data(), m_values.data(), tensor.bytes.size());
        }
        file.tensors.push_back(std::move(tensor));
        file.table = {m_separator, m_decimalSign.value_or('.')};
        addNotes(file.notes);
        return file;
    }

    void addNotes(std::vector<std::string>& notes) const
    {
        std::string reading = m_label + ": read as cells between " + separatorName(m_separator) +
                              ", decimals after a " +
                              (m_decimalSign.value_or('.') == '.' ? "dot" : "comma");
        if (m_header) {
            reading += "; row " + std::to_string(m_header->line) + " is a header (";
            for (std::size_t n = 0; n < m_header->cells.size(); ++n)
                reading += (n > 0 ? ", " : "") + std::string(trimmed(m_header->cells[n]));
            reading += ")";
        }
        if (m_hasLabelColumn)
            reading += "; column 1 labels the rows";
        notes.push_back(reading + ".");
        if (m_nOutOfRange > 0)
            notes.push_back(outOfRangeNote(m_label, m_nOutOfRange));
    }

    char m_separator;
    std::optional<char> m_decimalSign; ///< the first of both signs that a cell has
    DelimitedRecords m_records;
    const std::string& m_label;
    std::optional<Record> m_header;
    bool m_hasLabelColumn = false;
    std::optional<std::string> m_firstLabel; ///< where only this tells that they are labels
    std::vector<double> m_values;
    std::vector<std::size_t> m_lines; ///< of each row
    std::size_t m_nRows = 0, m_nColumns = 0;
    std::size_t m_nFlags = 0, m_nOutOfRange = 0;
    PrintedDigits m_printed;
};

std::string cell(const RawTensor& tensor, std::size_t n)
{
    if (tensor.type != ElementType::Text)
        return elementText(tensor, n);
    std::string quoted = "\"";
    for (const char c : tensor.text[n])
        quoted += c == '"' ? "\"\"" : std::string(1, c);
    return quoted + "\"";
}

/// Rows of a table with up to two axes; one axis is one row.
std::string table(const RawTensor& tensor)
{
    const auto nItems = static_cast<std::size_t>(tensor.size());
    const std::size_t nColumns =
        tensor.shape.empty() ? 1 : static_cast<std::size_t>(tensor.shape.back());
    std::string csv;
    for (std::size_t n = 0; n < nItems; ++n) {
        csv += cell(tensor, n);
        csv += (n + 1) % nColumns == 0 ? '\n' : ',';
    }
    return csv;
}

/// One line an element, with its indices in front.
std::string longForm(const RawTensor& tensor)
{
    std::string csv;
    for (const std::string& name : longFormHeader(tensor.shape.size()))
        csv += (csv.empty() ? "" : ",") + name;
    csv += "\n";
    std::vector<Index> at(tensor.shape.size(), 0);
    const auto nItems = static_cast<std::size_t>(tensor.size());
    for (std::size_t n = 0; n < nItems; ++n) {
        for (const Index index : at)
            csv += std::to_string(index) + ",";
        csv += cell(tensor, n) + "\n";
        for (std::size_t axis = at.size(); axis-- > 0 && ++at[axis] == tensor.shape[axis];)
            at[axis] = 0;
    }
    return csv;
}

} // namespace

bool looksDelimited(std::string_view text, const TableChoices& choices)
{
    DelimitedRecords records(text, choices.separator.value_or(sniffedSeparator(text)));
    for (int line = 0; line < 2; ++line) {
        const auto record = records.next();
        if (!record || !*record)
            return false;
        const auto& cells = (*record)->cells;
        const auto first = cells.begin() + (cells.size() > 1 ? 1 : 0);
        if (std::all_of(first, cells.end(), looksNumeric))
            return true;
    }
    return false;
}

Result<TensorFile> readDelimited(std::string_view text, const std::string& label,
                                 const TableChoices& choices)
{
    return Reader(text, label, choices).read();
}

std::string writeCsv(const RawTensor& tensor)
{
    return tensor.shape.size() <= 2 ? table(tensor) : longForm(tensor);
}

} // namespace keyaxis
