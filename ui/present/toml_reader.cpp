#include "ui/present/toml_reader.h"

#include <cmath>
#include <limits>

namespace keyaxis {

namespace {

/// More numbers than this are no literal that a person writes.
constexpr Index kMostNumbers = 65536;

QString kindOf(const toml::node& node)
{
    switch (node.type()) {
    case toml::node_type::table:
        return QStringLiteral("a table");
    case toml::node_type::array:
        return QStringLiteral("a list");
    case toml::node_type::string:
        return QStringLiteral("the text \"%1\"").arg(QString::fromStdString(**node.as_string()));
    case toml::node_type::integer:
        return QString::number(**node.as_integer());
    case toml::node_type::floating_point:
        return QString::number(**node.as_floating_point());
    case toml::node_type::boolean:
        return **node.as_boolean() ? QStringLiteral("true") : QStringLiteral("false");
    default:
        return QStringLiteral("a date or a time");
    }
}

tl::unexpected<Error> expected(const toml::node& node, const TomlBlock& block, const QString& key,
                               const QString& what)
{
    return failAt(block.placeOf(node),
                  QStringLiteral("%1 is %2, but %3 was expected.").arg(key, kindOf(node), what));
}

/// How many edits turn `a` into `b`; Levenshtein.
qsizetype distance(const QString& a, const QString& b)
{
    std::vector<qsizetype> row(static_cast<std::size_t>(b.size()) + 1);
    for (std::size_t j = 0; j < row.size(); ++j)
        row[j] = static_cast<qsizetype>(j);
    for (qsizetype i = 1; i <= a.size(); ++i) {
        qsizetype diagonal = row[0];
        row[0] = i;
        for (qsizetype j = 1; j <= b.size(); ++j) {
            const auto at = static_cast<std::size_t>(j);
            const qsizetype replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
            diagonal = row[at];
            row[at] = std::min({row[at] + 1, row[at - 1] + 1, replaced});
        }
    }
    return row.back();
}

/// Collects the numbers of nested lists; the first list of each depth fixes its length.
class NestedNumbers {
public:
    NestedNumbers(const TomlBlock& block, const QString& key) : m_block(block), m_key(key) {}

    Result<Tensor> read(const toml::node& node)
    {
        if (const auto done = collect(node, 0); !done)
            return tl::unexpected(done.error());
        if (m_lengths.size() < 2 || m_lengths.size() > 4)
            return expected(node, m_block, m_key,
                            QStringLiteral("a list of rows, [[…], …], up to four lists deep"));
        std::vector<Index> lengths(4 - m_lengths.size(), 1);
        lengths.insert(lengths.end(), m_lengths.begin(), m_lengths.end());
        Tensor tensor({lengths[0], lengths[1], lengths[2], lengths[3]});
        std::copy(m_numbers.begin(), m_numbers.end(), tensor.data());
        return tensor;
    }

private:
    Result<void> collect(const toml::node& node, std::size_t depth)
    {
        const toml::array* list = node.as_array();
        if (!list || depth == 4)
            return collectNumber(node, depth);
        const auto length = static_cast<Index>(list->size());
        if (length == 0)
            return expected(node, m_block, m_key, QStringLiteral("no empty list"));
        if (depth == m_lengths.size() && m_numbers.empty())
            m_lengths.push_back(length);
        else if (depth >= m_lengths.size())
            return expected(node, m_block, m_key, QStringLiteral("a number at this depth"));
        if (length != m_lengths[depth])
            return failAt(m_block.placeOf(node),
                          QStringLiteral("a list of %1 has %2 entries, but the first one has %3.")
                              .arg(m_key)
                              .arg(length)
                              .arg(m_lengths[depth]));
        for (const toml::node& entry : *list)
            if (const auto done = collect(entry, depth + 1); !done)
                return done;
        return {};
    }

    Result<void> collectNumber(const toml::node& node, std::size_t depth)
    {
        if (depth != m_lengths.size())
            return expected(node, m_block, m_key, QStringLiteral("a list"));
        const auto number = readNumber(node, m_block, m_key);
        if (!number)
            return tl::unexpected(number.error());
        if (static_cast<Index>(m_numbers.size()) == kMostNumbers)
            return failAt(m_block.placeOf(node),
                          QStringLiteral("%1 has more than %2 numbers; a lesson shows small ones.")
                              .arg(m_key)
                              .arg(kMostNumbers));
        m_numbers.push_back(static_cast<float>(*number));
        return {};
    }

    const TomlBlock& m_block;
    const QString& m_key;
    std::vector<Index> m_lengths;
    std::vector<float> m_numbers;
};

} // namespace

Result<TomlBlock> parseToml(const QString& text, const LessonPlace& fence)
{
    try {
        return TomlBlock{toml::parse(text.toStdString()), fence};
    } catch (const toml::parse_error& error) { // the library's only way to say so
        const auto line = static_cast<int>(error.source().begin.line);
        return failAt(
            fence.atLine(fence.line + line),
            QStringLiteral("this is no TOML: %1.")
                .arg(QString::fromUtf8(error.description().data(),
                                       static_cast<qsizetype>(error.description().size()))));
    }
}

Result<void> onlyKnownKeys(const toml::table& table, const TomlBlock& block,
                           const QStringList& known)
{
    for (const auto& [name, node] : table) {
        const QString key =
            QString::fromUtf8(name.str().data(), static_cast<qsizetype>(name.str().size()));
        if (known.contains(key))
            continue;
        const auto near = [&](const QString& other) { return distance(key, other) <= 2; };
        const auto found = std::find_if(known.begin(), known.end(), near);
        const LessonPlace place =
            block.fence.atLine(block.fence.line + static_cast<int>(name.source().begin.line));
        return failAt(place,
                      found != known.end()
                          ? QStringLiteral("there is no setting %1; was %2 meant?").arg(key, *found)
                          : QStringLiteral("there is no setting %1; expected one of %2.")
                                .arg(key, known.join(QStringLiteral(", "))));
    }
    return {};
}

Result<QString> readString(const toml::node& node, const TomlBlock& block, const QString& key)
{
    if (const auto text = node.value_exact<std::string>())
        return QString::fromStdString(*text);
    return expected(node, block, key, QStringLiteral("a text in quotes"));
}

Result<bool> readBool(const toml::node& node, const TomlBlock& block, const QString& key)
{
    if (const auto isOn = node.value_exact<bool>())
        return *isOn;
    return expected(node, block, key, QStringLiteral("true or false"));
}

Result<Index> readIndex(const toml::node& node, const TomlBlock& block, const QString& key)
{
    const auto number = node.value_exact<std::int64_t>();
    if (number && *number >= 0)
        return *number;
    return expected(node, block, key, QStringLiteral("a whole number from 0"));
}

std::optional<double> numberOf(const QString& text)
{
    if (text.startsWith(QLatin1String("ln "))) {
        const auto power = numberOf(text.mid(3).trimmed());
        return power && *power > 0 ? std::optional(std::log(*power)) : std::nullopt;
    }
    if (const auto slash = text.indexOf('/'); slash > 0) {
        const auto above = numberOf(text.left(slash).trimmed());
        const auto below = numberOf(text.mid(slash + 1).trimmed());
        return above && below && *below != 0 ? std::optional(*above / *below) : std::nullopt;
    }
    if (text.compare(QLatin1String("nan"), Qt::CaseInsensitive) == 0)
        return std::numeric_limits<double>::quiet_NaN();
    bool isNumber = false;
    const double value = text.toDouble(&isNumber); // the C locale's: a point, no grouping
    return isNumber ? std::optional(value) : std::nullopt;
}

Result<double> readNumber(const toml::node& node, const TomlBlock& block, const QString& key)
{
    if (node.is_number())
        return *node.value<double>();
    if (const auto text = node.value_exact<std::string>())
        if (const auto number = numberOf(QString::fromStdString(*text)))
            return *number;
    return expected(node, block, key,
                    QStringLiteral("a number, or a text such as \"ln 4\" or \"2/7\""));
}

Result<std::vector<std::string>> readStrings(const toml::node& node, const TomlBlock& block,
                                             const QString& key)
{
    const toml::array* list = node.as_array();
    if (!list)
        return expected(node, block, key, QStringLiteral("a list of texts"));
    std::vector<std::string> texts;
    for (const toml::node& entry : *list) {
        const auto text = readString(entry, block, key);
        if (!text)
            return tl::unexpected(text.error());
        texts.push_back(text->toStdString());
    }
    return texts;
}

Result<std::pair<Index, Index>> readPair(const toml::node& node, const TomlBlock& block,
                                         const QString& key)
{
    const toml::array* list = node.as_array();
    if (!list || list->size() != 2)
        return expected(node, block, key, QStringLiteral("a cell, [query, key] from 0"));
    const auto row = readIndex(*list->get(0), block, key);
    if (!row)
        return tl::unexpected(row.error());
    const auto col = readIndex(*list->get(1), block, key);
    if (!col)
        return tl::unexpected(col.error());
    return std::pair{*row, *col};
}

Result<std::vector<std::pair<Index, Index>>> readPairs(const toml::node& node,
                                                       const TomlBlock& block, const QString& key)
{
    const toml::array* list = node.as_array();
    if (!list)
        return expected(node, block, key, QStringLiteral("a list of cells, [[query, key], …]"));
    std::vector<std::pair<Index, Index>> pairs;
    for (const toml::node& entry : *list) {
        const auto pair = readPair(entry, block, key);
        if (!pair)
            return tl::unexpected(pair.error());
        pairs.push_back(*pair);
    }
    return pairs;
}

Result<Tensor> readTensor(const toml::node& node, const TomlBlock& block, const QString& key)
{
    return NestedNumbers(block, key).read(node);
}

} // namespace keyaxis
