#pragma once

#include "app/command_line.h"
#include "core/result.h"
#include "core/tensor.h"

#include <QCommandLineParser>
#include <QString>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace keyaxis {

/// Turns the texts of a parsed command line into values and remembers the first mistake.
///
/// Every getter returns nothing where its option was not given or is mistaken. Numbers have a dot,
/// whatever the locale.
class OptionReader {
public:
    explicit OptionReader(const QCommandLineParser& parser) : m_parser(parser) {}

    bool isSet(const QString& option) const { return m_parser.isSet(option); }
    std::optional<std::string> text(const QString& option) const;
    std::optional<Index> index(const QString& option); ///< 0 or more
    std::optional<Index> count(const QString& option, Index least, Index most);
    std::optional<FigureSize> size(const QString& option);   ///< "1600x1000"
    std::optional<TokenRange> tokens(const QString& option); ///< "2-9", or "4"

    template <typename Number>
    std::optional<Number> number(const QString& option); ///< float or double

    /// `--option` is true, `--no-option` is false, both are a mistake.
    std::optional<bool> onOff(const QString& option);

    /// One of a few words: `oneOf<Align>("align", {{"start", Align::Start}, {"end", Align::End}})`.
    template <typename Value>
    std::optional<Value> oneOf(const QString& option,
                               std::initializer_list<std::pair<std::string_view, Value>> words)
    {
        const std::optional<std::string> given = text(option);
        if (!given)
            return std::nullopt;
        std::string allowed;
        for (const auto& [word, value] : words) {
            if (*given == word)
                return value;
            allowed += (allowed.empty() ? "" : ", ") + std::string(word);
        }
        reject(option, "it may be " + allowed);
        return std::nullopt;
    }

    /// Remembers that the value of `option` does not do.
    void reject(const QString& option, const std::string& whatDoes);

    /// Remembers `sentence`, unless something was wrong before.
    void fail(const std::string& sentence);

    const std::optional<Error>& error() const { return m_error; }

private:
    const QCommandLineParser& m_parser;
    std::optional<Error> m_error;
};

} // namespace keyaxis
