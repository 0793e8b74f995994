#include "core/io/bracket_text.h"

#include "core/io/bracket_array.h"
#include "core/io/text_number.h"

#include <array>
#include <charconv>
#include <set>

namespace keyaxis {

namespace {

/// What Python prints in front of the brackets of an array.
constexpr std::array<std::string_view, 9> kWrappers{
    "tensor(",      "array(",     "Array(",     "torch.tensor(",        "np.array(",
    "numpy.array(", "jnp.array(", "tf.Tensor(", "Parameter containing:"};

std::string_view wrapperAt(const TextCursor& cursor)
{
    for (const std::string_view wrapper : kWrappers)
        if (cursor.isAt(wrapper))
            return wrapper;
    return {};
}

/// The sizes of "shape=(2, 0), dtype=float32", which an empty array's print needs.
std::optional<std::vector<Index>> shapeIn(std::string_view arguments)
{
    for (const std::string_view name : {"shape=(", "size=("}) {
        const std::size_t at = arguments.find(name);
        if (at == std::string_view::npos)
            continue;
        std::string_view rest = arguments.substr(at + name.size());
        std::vector<Index> shape;
        for (Index size = 0; !rest.empty() && rest.front() != ')' && shape.size() < kMostAxes;) {
            const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), size);
            if (error != std::errc())
                return std::nullopt;
            shape.push_back(size);
            rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
            rest.remove_prefix(std::min(rest.find_first_not_of(", "), rest.size()));
        }
        return shape;
    }
    return std::nullopt;
}

class Reader {
public:
    Reader(std::string_view text, const std::string& label) : m_cursor(text, label), m_label(label)
    {
    }

    Result<TensorFile> read()
    {
        m_cursor.skipBlanks();
        const auto done = m_cursor.peek() == '{' ? object({}, 0) : tensor({});
        if (!done)
            return tl::unexpected(done.error());
        m_cursor.skipBlanks();
        if (!m_cursor.isAtEnd())
            return m_cursor.bad("the text goes on after its end; one value to a file");
        if (m_nOutOfRange > 0)
            m_file.notes.push_back(outOfRangeNote(m_label, m_nOutOfRange));
        return std::move(m_file);
    }

private:
    /// An object's tensors; `prefix` goes before their names.
    Result<void> object(const std::string& prefix, std::size_t depth)
    {
        if (depth >= kMostAxes)
            return m_cursor.bad("objects are nested more than " + std::to_string(kMostAxes) +
                                " deep");
        m_cursor.skip(1);
        for (bool isFirst = true; !m_cursor.accept('}'); isFirst = false) {
            if (!isFirst && !m_cursor.accept(','))
                return m_cursor.bad("a comma or } is needed here");
            if (!isFirst && m_cursor.accept('}'))
                return {};
            if (const auto done = entry(prefix, depth); !done)
                return done;
        }
        return {};
    }

    Result<void> entry(const std::string& prefix, std::size_t depth)
    {
        m_cursor.skipBlanks();
        const TextCursor begin = m_cursor;
        const auto key = name();
        if (!key)
            return tl::unexpected(key.error());
        const std::string full = prefix + *key;
        if (!m_names.insert(full).second)
            return begin.bad("'" + full + "' is there twice");
        if (!m_cursor.accept(':'))
            return m_cursor.bad("a colon is needed after '" + full + "'");
        m_cursor.skipBlanks();
        if (m_cursor.peek() == '{')
            return object(full + ".", depth + 1);
        if (m_cursor.peek() != '"')
            return tensor(full);
        auto text = m_cursor.quoted();
        if (!text)
            return tl::unexpected(text.error());
        m_file.metadata[full] = std::move(*text);
        return {};
    }

    /// A key, in double quotes or, as Python prints it, in single ones.
    Result<std::string> name()
    {
        if (m_cursor.peek() == '"')
            return m_cursor.quoted();
        const std::size_t end = m_cursor.rest().find('\'', 1);
        if (m_cursor.peek() != '\'' || end == std::string_view::npos)
            return m_cursor.bad("a name in quotes is needed here");
        const std::string name(m_cursor.rest().substr(1, end - 1));
        m_cursor.skip(end + 1);
        return name;
    }

    Result<void> tensor(const std::string& name)
    {
        std::size_t nWrappers = 0;
        for (m_cursor.skipBlanks(); !wrapperAt(m_cursor).empty(); m_cursor.skipBlanks()) {
            const std::string_view wrapper = wrapperAt(m_cursor);
            nWrappers += wrapper.ends_with('(') ? 1 : 0;
            m_cursor.skip(wrapper.size());
        }
        BracketArray array(m_cursor);
        auto read = array.read();
        if (!read)
            return tl::unexpected(read.error());
        m_nOutOfRange += array.nOutOfRange();
        for (; nWrappers > 0; --nWrappers)
            if (const auto done = endWrapper(*read); !done)
                return done;
        read->name = name;
        m_file.tensors.push_back(std::move(*read));
        return {};
    }

    /// Passes over ", dtype=float32)"; the shape that is said there counts for an empty tensor.
    Result<void> endWrapper(RawTensor& tensor)
    {
        const std::string_view rest = m_cursor.rest();
        std::size_t nOpen = 1;
        std::size_t end = 0;
        for (; end < rest.size() && nOpen > 0; ++end) {
            nOpen += rest[end] == '(' ? 1 : 0;
            nOpen -= rest[end] == ')' ? 1 : 0;
        }
        if (nOpen > 0)
            return m_cursor.bad("the parenthesis before this array does not end");
        m_cursor.skip(end);
        const auto shape = shapeIn(rest.substr(0, end));
        if (tensor.size() == 0 && shape && elementCount(*shape) == Index{0})
            tensor.shape = *shape;
        return {};
    }

    TextCursor m_cursor;
    const std::string& m_label;
    std::set<std::string> m_names;
    std::size_t m_nOutOfRange = 0;
    TensorFile m_file;
};

} // namespace

bool looksBracketed(std::string_view text)
{
    const std::string label;
    TextCursor cursor(text, label);
    cursor.skipBlanks();
    return cursor.peek() == '[' || cursor.peek() == '{' || !wrapperAt(cursor).empty();
}

Result<TensorFile> readBrackets(std::string_view text, const std::string& label)
{
    return Reader(text, label).read();
}

} // namespace keyaxis
