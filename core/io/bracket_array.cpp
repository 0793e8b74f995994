#include "core/io/bracket_array.h"

#include "core/io/text_number.h"

#include <cstring>

namespace keyaxis {

namespace {

constexpr std::size_t kLongestQuote = 40; // of a text in a message

std::string counted(Index n, const char* noun)
{
    return std::to_string(n) + " " + noun + (n == 1 ? "" : "s");
}

} // namespace

/// All leaves stand equally deep; the first leaf or empty list says how deep.
Result<void> BracketArray::settleRank(std::size_t depth, const TextCursor& where)
{
    if (!m_rank)
        m_rank = depth;
    if (*m_rank != depth)
        return where.bad("this stands in " + counted(Index(depth), "list") +
                         " and what came before in " + std::to_string(*m_rank));
    return {};
}

Result<void> BracketArray::item()
{
    const auto ofType = [&](ElementType type, const char* what) -> Result<void> {
        if (!m_type)
            m_type = type;
        if (*m_type != type)
            return m_cursor.bad(std::string("numbers, strings and true or false do not mix; here "
                                            "is ") +
                                what);
        return {};
    };
    if (m_cursor.peek() == '"') {
        if (const auto fits = ofType(ElementType::Text, "a string"); !fits)
            return fits;
        auto text = m_cursor.quoted();
        if (!text)
            return tl::unexpected(text.error());
        m_texts.push_back(std::move(*text));
        return {};
    }
    const std::string_view word = m_cursor.word();
    if (word.empty())
        return m_cursor.isAtEnd() ? m_cursor.bad("the text ends within a list")
                                  : m_cursor.bad("'" + std::string(1, m_cursor.peek()) +
                                                 "' stands where a number is needed");
    if (const auto flag = textFlag(word)) {
        if (const auto fits = ofType(ElementType::Bool, "true or false"); !fits)
            return fits;
        m_flags.push_back(static_cast<std::byte>(*flag));
    } else if (const auto number = textNumber(word)) {
        if (const auto fits = ofType(ElementType::F64, "a number"); !fits)
            return fits;
        m_numbers.push_back(number->value);
        m_printed.add(number->nDecimals, number->nDigits);
        m_nOutOfRange += number->isOutOfRange ? 1 : 0;
    } else {
        return m_cursor.bad("'" + std::string(word.substr(0, kLongestQuote)) + "' is not a number");
    }
    m_cursor.skip(word.size());
    return {};
}

Result<void> BracketArray::list(std::size_t depth)
{
    if (depth >= kMostAxes || (m_rank && depth >= *m_rank))
        return m_cursor.bad(depth >= kMostAxes ? "lists are nested more than " +
                                                     std::to_string(kMostAxes) + " deep"
                                               : "a list stands where a number is needed");
    const TextCursor begin = m_cursor;
    m_cursor.skip(1);
    if (m_sizes.size() <= depth)
        m_sizes.push_back(-1);
    Index nItems = 0;
    while (!m_cursor.accept(']')) {
        if (nItems > 0)
            m_cursor.accept(',');
        m_cursor.skipBlanks();
        if (nItems > 0 && m_cursor.accept(']')) // a comma after the last item, as Python allows
            break;
        if (const auto done = value(depth + 1); !done)
            return done;
        ++nItems;
    }
    if (nItems == 0)
        if (const auto settled = settleRank(depth + 1, begin); !settled)
            return settled;
    Index& size = m_sizes[depth];
    if (size >= 0 && size != nItems)
        return begin.bad("this list has " + counted(nItems, "item") + " and the one before has " +
                         std::to_string(size));
    size = nItems;
    return {};
}

Result<void> BracketArray::value(std::size_t depth)
{
    if (m_cursor.peek() == '[')
        return list(depth);
    if (m_cursor.isAt("..."))
        return m_cursor.bad("the print is abbreviated here by '...'; print the whole array, after "
                            "numpy.set_printoptions(threshold=sys.maxsize) or "
                            "torch.set_printoptions(profile='full')");
    if (m_rank && *m_rank != depth)
        return settleRank(depth, m_cursor);
    m_rank = depth;
    return item();
}

Result<RawTensor> BracketArray::read()
{
    m_cursor.skipBlanks();
    if (const auto done = value(0); !done)
        return tl::unexpected(done.error());
    RawTensor tensor{{}, m_type.value_or(ElementType::F64), {}, {}, std::move(m_texts)};
    tensor.shape = std::move(m_sizes);
    if (tensor.type == ElementType::Bool)
        tensor.bytes = std::move(m_flags);
    if (tensor.type == ElementType::F64) {
        tensor.bytes.resize(m_numbers.size() * sizeof(double));
        if (!m_numbers.empty())
            std::memcpy(tensor.bytes.data(), m_numbers.data(), tensor.bytes.size());
        tensor.printed = m_printed;
    }
    return tensor;
}

} // namespace keyaxis
