#include "ui/present/question.h"

#include "ui/present/quantity.h"
#include "ui/present/toml_reader.h"

#include <algorithm>

namespace keyaxis {

namespace {

constexpr std::size_t kFewestChoices = 2;
constexpr std::size_t kMostChoices = 6;

/// A text of `table` with its claims filled in; empty where there is none.
Result<QString> readText(const toml::table& table, const char* key, const TomlBlock& block,
                         const StepState& state)
{
    const toml::node* node = table.get(key);
    if (!node)
        return QString();
    return readString(*node, block, QString::fromLatin1(key)).and_then([&](const QString& text) {
        return filledIn(text, state, block.placeOf(*node));
    });
}

/// Whether a choice is right, by its number or its condition.
Result<bool> isRight(const toml::table& table, const TomlBlock& block, const QString& quantity,
                     const StepState& state)
{
    const char* key = quantity.isEmpty() ? "right_if" : "number";
    const toml::node* node = table.get(key);
    if (!node)
        return failAt(block.placeOf(table),
                      quantity.isEmpty()
                          ? QStringLiteral("expected right_if = \"…\", a condition that the core "
                                           "can compute.")
                          : QStringLiteral("expected number = …, since the question has a value."));
    if (quantity.isEmpty())
        return readString(*node, block, QString::fromLatin1(key))
            .and_then([&](const QString& text) {
                return evaluateCondition(text, state, block.placeOf(*node));
            });
    const auto number = readNumber(*node, block, QString::fromLatin1(key));
    const auto value = evaluateQuantity(quantity, state, block.placeOf(*node));
    if (!number || !value)
        return tl::unexpected((number ? value : number).error());
    // As a text, 0.43 stands for everything that rounds to it.
    const auto text = node->value_exact<std::string>();
    const QString written =
        text ? QString::fromStdString(*text) : QString::number(*number, 'g', 12);
    return agrees(*value, written).value_or(false);
}

Result<Choice> readChoice(const toml::node& node, const TomlBlock& block, const QString& quantity,
                          const StepState& state, char letter)
{
    const toml::table* table = node.as_table();
    if (!table)
        return failAt(block.placeOf(node), QStringLiteral("expected a choice, [[choice]]."));
    if (const auto known = onlyKnownKeys(*table, block, {"text", "why", "right_if", "number"});
        !known)
        return tl::unexpected(known.error());
    const auto text = readText(*table, "text", block, state);
    const auto why = readText(*table, "why", block, state);
    if (!text || !why)
        return tl::unexpected((text ? why : text).error());
    if (text->isEmpty())
        return failAt(block.placeOf(node), QStringLiteral("expected text = \"…\" of the choice."));
    const auto right = isRight(*table, block, quantity, state);
    if (!right)
        return tl::unexpected(right.error());
    return Choice{letter, *text, *why, *right};
}

/// Exactly one: a question with two right answers, or none, teaches something wrong.
Result<void> checkAnswers(const Question& question, const LessonPlace& place)
{
    QStringList right;
    for (const Choice& choice : question.choices)
        if (choice.isRight)
            right += QString(QLatin1Char(choice.letter));
    if (right.size() == 1)
        return {};
    return failAt(place, right.isEmpty()
                             ? QStringLiteral("no choice is right by computation; expected one.")
                             : QStringLiteral("%1 are right by computation; expected one.")
                                   .arg(right.join(QStringLiteral(" and "))));
}

} // namespace

const Choice& Question::right() const
{
    return *std::find_if(choices.begin(), choices.end(),
                         [](const Choice& choice) { return choice.isRight; });
}

Result<Question> readQuestion(const QString& toml, const LessonPlace& fence, const StepState& state)
{
    const auto block = parseToml(toml, fence);
    if (!block)
        return tl::unexpected(block.error());
    if (const auto known =
            onlyKnownKeys(block->table, *block, {"ask", "value", "shows_map", "choice"});
        !known)
        return tl::unexpected(known.error());
    Question question;
    const auto ask = readText(block->table, "ask", *block, state);
    if (!ask)
        return tl::unexpected(ask.error());
    question.ask = *ask;
    if (const toml::node* node = block->table.get("shows_map")) {
        const auto showsMap = readBool(*node, *block, "shows_map");
        if (!showsMap)
            return tl::unexpected(showsMap.error());
        question.showsMap = *showsMap;
    }
    QString quantity;
    if (const toml::node* node = block->table.get("value")) {
        const auto text = readString(*node, *block, "value");
        if (!text)
            return tl::unexpected(text.error());
        quantity = *text;
        // A mistake in it is told here and not at the first choice.
        if (const auto fine = evaluateQuantity(quantity, state, block->placeOf(*node)); !fine)
            return tl::unexpected(fine.error());
    }
    const toml::node* node = block->table.get("choice");
    const toml::array* list = node ? node->as_array() : nullptr;
    if (!list || list->size() < kFewestChoices || list->size() > kMostChoices)
        return failAt(fence, QStringLiteral("a question has %1 to %2 choices, expected as "
                                            "[[choice]].")
                                 .arg(kFewestChoices)
                                 .arg(kMostChoices));
    for (const toml::node& entry : *list) {
        const auto letter = static_cast<char>('A' + question.choices.size());
        auto choice = readChoice(entry, *block, quantity, state, letter);
        if (!choice)
            return tl::unexpected(choice.error());
        question.choices.push_back(std::move(*choice));
    }
    if (const auto fine = checkAnswers(question, fence); !fine)
        return tl::unexpected(fine.error());
    return question;
}

} // namespace keyaxis
