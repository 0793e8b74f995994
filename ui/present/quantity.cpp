#include "ui/present/quantity.h"

#include "ui/present/quantity_words.h"
#include "ui/present/toml_reader.h"

#include <QRegularExpression>
#include <algorithm>
#include <cmath>

namespace keyaxis {

namespace {

QStringList wordNames()
{
    QStringList all;
    for (const auto& [name, word] : quantityWords())
        all += name;
    return all;
}

/// "axis=query": read by the reader of settings blocks, so that both know the same words.
Result<void> applySetting(const QString& key, const QString& value, Quantity& quantity)
{
    static const QStringList texts{"axis", "align", "empty"};
    static const QStringList known{"axis",  "causal", "align", "alibi", "tau",
                                   "scale", "empty",  "batch", "head"};
    if (!known.contains(key))
        return failAt(quantity.place, QStringLiteral("there is no setting %1 of a quantity; "
                                                     "expected one of %2.")
                                          .arg(key, known.join(QStringLiteral(", "))));
    const bool isSwitch = value == "on" || value == "off";
    const QString toml =
        key + " = " +
        (isSwitch ? QString(value == "on" ? "true" : "false")
         : texts.contains(key) || value.contains('/') || value == "default" ? '"' + value + '"'
                                                                            : value);
    const LessonPlace above = quantity.place.atLine(quantity.place.line - 1);
    const auto change = readStepSettings(toml, above, quantity.state);
    if (!change)
        return tl::unexpected(change.error());
    quantity.state = change->state;
    return {};
}

Result<void> readIndices(const QStringList& texts, const QuantityWord& word, Quantity& quantity)
{
    if (texts.size() != std::ssize(word.indices))
        return failAt(quantity.place, QStringLiteral("%1 has %2 indices, but expected %3.")
                                          .arg(quantity.name)
                                          .arg(texts.size())
                                          .arg(word.indices.size()));
    for (std::size_t n = 0; n < word.indices.size(); ++n) {
        const QString& text = texts[static_cast<qsizetype>(n)];
        const Index end = countOf(word.indices[n], sizesOf(quantity.state.inputs));
        bool isNumber = false;
        const Index index = text.toLongLong(&isNumber);
        if (!isNumber || index < 0 || index >= end)
            return failAt(quantity.place,
                          QStringLiteral("an index of %1 is %2, but expected 0 to %3.")
                              .arg(quantity.name, text)
                              .arg(end - 1));
        quantity.indices.push_back(index);
    }
    return {};
}

const QuantityWord* wordNamed(const QString& name)
{
    const auto found = quantityWords().find(name);
    return found == quantityWords().end() ? nullptr : &found->second;
}

/// A number, or a quantity.
Result<double> evaluateSide(const QString& text, const StepState& state, const LessonPlace& place)
{
    const auto number = numberOf(text.trimmed());
    return number ? *number : evaluateQuantity(text, state, place);
}

bool compares(double a, const QString& sign, double b)
{
    if (sign == "==" || sign == "!=")
        return areSame(a, b) == (sign == "==");
    if (sign == "<" || sign == "<=")
        return areSame(a, b) ? sign == "<=" : a < b;
    return areSame(a, b) ? sign == ">=" : a > b;
}

/// What stands in the braces of a text: a quantity, and how it is written.
Result<QString> claim(const QString& text, const StepState& state, const LessonPlace& place)
{
    static const QRegularExpression shape(
        QStringLiteral("^(.*?)(?:\\s+=\\s+(\\S+)|\\s+:\\s+(\\d))?\\s*$"));
    const auto match = shape.match(text);
    const QString what = match.captured(1).trimmed();
    const QString written = match.captured(2);
    const auto value = evaluateQuantity(what, state, place);
    if (!value)
        return tl::unexpected(value.error());
    if (written.isEmpty()) {
        const QuantityWord* word = wordNamed(what.section(' ', 0, 0));
        const int nDecimals = match.captured(3).isEmpty() ? 2 : match.captured(3).toInt();
        return std::isnan(*value)
                   ? QStringLiteral("NaN")
                   : QString::number(*value, 'f', word && word->isCount ? 0 : nDecimals);
    }
    const auto isTrue = agrees(*value, written);
    if (!isTrue)
        return failAt(place, QStringLiteral("expected a number after =, found %1.").arg(written));
    if (!*isTrue)
        return failAt(place, QStringLiteral("the text says %1 = %2, but expected %3: this is what "
                                            "the core computes.")
                                 .arg(what, written)
                                 .arg(*value, 0, 'g', 6));
    return written;
}

} // namespace

Result<double> evaluateQuantity(const QString& text, const StepState& state,
                                const LessonPlace& place)
{
    QStringList parts = text.split(' ', Qt::SkipEmptyParts);
    if (parts.isEmpty())
        return failAt(place, QStringLiteral("expected a quantity, such as row_sum 0."));
    Quantity quantity{parts.takeFirst(), {}, state, state, place};
    const QuantityWord* word = wordNamed(quantity.name);
    if (!word)
        return failAt(place, QStringLiteral("there is no quantity %1; expected one of %2.")
                                 .arg(quantity.name, wordNames().join(QStringLiteral(", "))));
    if (!state.hasInputs())
        return failAt(place, QStringLiteral("%1 has nothing to be computed from; expected inputs "
                                            "in a settings block.")
                                 .arg(quantity.name));
    QStringList indices;
    for (const QString& part : parts) {
        const qsizetype sign = part.indexOf('=');
        if (sign < 0)
            indices += part;
        else if (const auto done = applySetting(part.left(sign), part.mid(sign + 1), quantity);
                 !done)
            return tl::unexpected(done.error());
    }
    if (const auto done = readIndices(indices, *word, quantity); !done)
        return tl::unexpected(done.error());
    return word->compute(quantity);
}

Result<bool> evaluateCondition(const QString& text, const StepState& state,
                               const LessonPlace& place)
{
    // Signs stand alone: "axis=key" has none.
    static const QRegularExpression comparison(
        QStringLiteral("^(.+?)\\s+(==|!=|<=|>=|<|>)\\s+(.+)$"));
    bool holds = true;
    for (const QString& part : text.split(QStringLiteral(" and "))) {
        const auto match = comparison.match(part.trimmed());
        if (!match.hasMatch())
            return failAt(place, QStringLiteral("\"%1\" is no comparison; expected, for example, "
                                                "\"row_sum 0 == 1\".")
                                     .arg(part.trimmed()));
        const auto left = evaluateSide(match.captured(1), state, place);
        const auto right = evaluateSide(match.captured(3), state, place);
        if (!left || !right)
            return tl::unexpected((left ? right : left).error());
        holds = holds && compares(*left, match.captured(2), *right);
    }
    return holds;
}

std::optional<bool> agrees(double value, const QString& written)
{
    const auto number = numberOf(written);
    if (!number)
        return std::nullopt;
    const qsizetype point = written.indexOf('.');
    if (point < 0 || !std::isfinite(*number) || written.contains('/') ||
        written.contains('e', Qt::CaseInsensitive))
        return areSame(value, *number);
    const auto nDecimals = static_cast<double>(written.size() - point - 1);
    return std::abs(value - *number) <= 0.5 * std::pow(10.0, -nDecimals) + 1e-6;
}

Result<QString> filledIn(const QString& text, const StepState& state, const LessonPlace& place)
{
    QString result;
    int line = place.line;
    for (qsizetype at = 0; at < text.size(); ++at) {
        if (text[at] == '\n')
            ++line;
        const bool isEscaped = text[at] == '\\' && at + 1 < text.size() &&
                               (text[at + 1] == '{' || text[at + 1] == '}');
        if (isEscaped)
            ++at;
        if (isEscaped || text[at] != '{') {
            result += text[at];
            continue;
        }
        const qsizetype end = text.indexOf('}', at);
        if (end < 0)
            return failAt(place.atLine(line),
                          QStringLiteral("expected a } to this {; a brace that is meant is \\{."));
        const auto filled = claim(text.mid(at + 1, end - at - 1), state, place.atLine(line));
        if (!filled)
            return tl::unexpected(filled.error());
        result += *filled;
        at = end;
    }
    return result;
}

} // namespace keyaxis
