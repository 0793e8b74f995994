#pragma once

#include "core/io/raw_tensor.h"
#include "core/io/text_cursor.h"

namespace keyaxis {

/// Reads one value that `cursor` stands at: a number, a string, true, false, or nested lists of one
/// of these. Items are parted by blanks, a comma, or both.
///
/// @return  a tensor without a name.
/// @errors  BadInput as `readBrackets`.
class BracketArray {
public:
    explicit BracketArray(TextCursor& cursor) : m_cursor(cursor) {}

    Result<RawTensor> read();
    std::size_t nOutOfRange() const { return m_nOutOfRange; } ///< numbers beyond float64

private:
    Result<void> value(std::size_t depth);
    Result<void> list(std::size_t depth);
    Result<void> item();
    Result<void> settleRank(std::size_t depth, const TextCursor& where);

    TextCursor& m_cursor;
    std::vector<Index> m_sizes; ///< of each depth; -1: not known yet
    std::optional<std::size_t> m_rank;
    std::optional<ElementType> m_type;
    std::vector<double> m_numbers;
    std::vector<std::byte> m_flags;
    std::vector<std::string> m_texts;
    PrintedDigits m_printed;
    std::size_t m_nOutOfRange = 0;
};

} // namespace keyaxis
