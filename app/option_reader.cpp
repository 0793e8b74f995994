#include "app/option_reader.h"

#include <charconv>

namespace keyaxis {

namespace {

/// The whole of `text` as a number; from_chars knows no locale, and no leading plus.
template <typename Number>
std::optional<Number> parsed(std::string_view text)
{
    if (text.starts_with('+') && !text.starts_with("+-"))
        text.remove_prefix(1);
    Number number{};
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (problem != std::errc() || end != text.data() + text.size())
        return std::nullopt;
    return number;
}

} // namespace

std::optional<std::string> OptionReader::text(const QString& option) const
{
    if (!m_parser.isSet(option))
        return std::nullopt;
    return m_parser.value(option).toStdString();
}

template <typename Number>
std::optional<Number> OptionReader::number(const QString& option)
{
    const auto given = text(option);
    const auto number = given ? parsed<Number>(*given) : std::nullopt;
    if (given && !number)
        reject(option,
               "a number such as 0.5 is needed, neither too large nor too small for a float");
    return number;
}

template std::optional<float> OptionReader::number(const QString&);
template std::optional<double> OptionReader::number(const QString&);

std::optional<Index> OptionReader::index(const QString& option)
{
    const auto given = text(option);
    const auto number = given ? parsed<Index>(*given) : std::nullopt;
    if (!given || (number && *number >= 0))
        return number;
    reject(option, "an index is needed; the first is 0");
    return std::nullopt;
}

std::optional<Index> OptionReader::count(const QString& option, Index least, Index most)
{
    const auto given = text(option);
    const auto number = given ? parsed<Index>(*given) : std::nullopt;
    if (!given || (number && *number >= least && *number <= most))
        return number;
    reject(option, "a whole number from " + std::to_string(least) + " to " + std::to_string(most) +
                       " is needed");
    return std::nullopt;
}

std::optional<FigureSize> OptionReader::size(const QString& option)
{
    const auto given = text(option);
    if (!given)
        return std::nullopt;
    const std::size_t times = given->find('x');
    const auto width = parsed<Index>(given->substr(0, times));
    const auto height =
        times < given->size() ? parsed<Index>(given->substr(times + 1)) : std::nullopt;
    if (width && height && *width > 0 && *height > 0)
        return FigureSize{*width, *height};
    reject(option, "a width and a height such as 1600x1000 are needed");
    return std::nullopt;
}

std::optional<TokenRange> OptionReader::tokens(const QString& option)
{
    const auto given = text(option);
    if (!given)
        return std::nullopt;
    const std::size_t dash = given->find('-');
    const auto first = parsed<Index>(given->substr(0, dash));
    const auto last = dash < given->size() ? parsed<Index>(given->substr(dash + 1)) : first;
    if (first && last && *first >= 0 && *first <= *last)
        return TokenRange{*first, *last};
    reject(option, "the first and the last token are needed, such as 2-9; the first is 0");
    return std::nullopt;
}

std::optional<bool> OptionReader::onOff(const QString& option)
{
    const bool on = m_parser.isSet(option);
    const bool off = m_parser.isSet("no-" + option);
    const std::string name = option.toStdString();
    if (on && off)
        fail("--" + name + " and --no-" + name + " contradict each other.");
    return on || off ? std::optional(on) : std::nullopt;
}

void OptionReader::reject(const QString& option, const std::string& whatDoes)
{
    fail("--" + option.toStdString() + " is '" + m_parser.value(option).toStdString() + "', but " +
         whatDoes + ".");
}

void OptionReader::fail(const std::string& sentence)
{
    if (!m_error)
        m_error = Error{Errc::BadValue, sentence};
}

} // namespace keyaxis
