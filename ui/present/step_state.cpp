#include "ui/present/step_state.h"

#include "ui/present/step_inputs.h"
#include "ui/present/toml_reader.h"

#include <utility>

namespace keyaxis {

namespace {

/// The names of a choice and what each means.
template <typename T>
using Words = std::initializer_list<std::pair<const char*, T>>;

template <typename T>
Result<T> readWord(const toml::node& node, const TomlBlock& block, const QString& key,
                   Words<T> words)
{
    const auto text = readString(node, block, key);
    if (!text)
        return tl::unexpected(text.error());
    QStringList names;
    for (const auto& [name, meaning] : words) {
        if (*text == QLatin1String(name))
            return meaning;
        names += QString::fromLatin1(name);
    }
    return failAt(block.placeOf(node), QStringLiteral("%1 is \"%2\"; expected one of %3.")
                                           .arg(key, *text, names.join(QStringLiteral(", "))));
}

/// Puts a read value where it belongs.
template <typename T, typename U>
Result<void> assign(U& target, Result<T> value)
{
    if (!value)
        return tl::unexpected(value.error());
    target = static_cast<U>(std::move(*value));
    return {};
}

const QStringList& lookKeys()
{
    static const QStringList keys{"axis", "causal", "align",     "alibi", "slopes",
                                  "tau",  "scale",  "empty",     "batch", "head",
                                  "view", "stage",  "highlight", "blank", "plane"};
    return keys;
}

Result<void> readScale(const toml::node& node, const TomlBlock& block, ScoreSettings& settings)
{
    if (node.value_exact<std::string>() == std::string("default")) {
        settings.scale.reset();
        return {};
    }
    return assign(settings.scale, readNumber(node, block, "scale"));
}

Result<void> readBlanks(const toml::node& node, const TomlBlock& block, std::vector<Cell>& blanks)
{
    const auto pairs = readPairs(node, block, "blank");
    if (!pairs)
        return tl::unexpected(pairs.error());
    blanks.clear();
    for (const auto& [row, col] : *pairs)
        blanks.push_back({row, col});
    return {};
}

Result<void> readHighlight(const toml::node& node, const TomlBlock& block,
                           std::optional<Cell>& highlight)
{
    if (node.value_exact<bool>() == false) {
        highlight.reset();
        return {};
    }
    const auto pair = readPair(node, block, "highlight");
    if (!pair)
        return tl::unexpected(pair.error());
    highlight = Cell{pair->first, pair->second};
    return {};
}

Result<void> readPlane(const toml::node& node, const TomlBlock& block, std::optional<Index>& plane)
{
    if (node.value_exact<bool>() == false) {
        plane.reset();
        return {};
    }
    return assign(plane, readIndex(node, block, "plane"));
}

/// One setting that changes the numbers; nothing for a key that does not.
Result<void> readScoreSetting(const QString& key, const toml::node& node, const TomlBlock& block,
                              ScoreSettings& s)
{
    if (key == "axis")
        return assign(s.axis, readWord<Axis>(node, block, key,
                                             {{"query", Axis::Query},
                                              {"key", Axis::Key},
                                              {"batch", Axis::Batch},
                                              {"head", Axis::Head}}));
    if (key == "causal")
        return assign(s.causal, readBool(node, block, key));
    if (key == "align")
        return assign(s.align, readWord<Align>(node, block, key,
                                               {{"start", Align::Start}, {"end", Align::End}}));
    if (key == "alibi")
        return assign(s.alibi, readBool(node, block, key));
    if (key == "slopes")
        return assign(s.slopes, readWord<SlopeRule>(node, block, key,
                                                    {{"authors", SlopeRule::Authors},
                                                     {"geometric", SlopeRule::Geometric}}));
    if (key == "tau")
        return assign(s.temperature, readNumber(node, block, key));
    if (key == "empty")
        return assign(s.empty,
                      readWord<EmptySlice>(node, block, key,
                                           {{"nan", EmptySlice::Nan}, {"zero", EmptySlice::Zero}}));
    return key == "scale" ? readScale(node, block, s) : Result<void>();
}

Result<void> readLook(const QString& key, const toml::node& node, const TomlBlock& block,
                      StepState& state)
{
    using Picture = StepState::Picture;
    if (key == "batch")
        return assign(state.batch, readIndex(node, block, key));
    if (key == "head")
        return assign(state.head, readIndex(node, block, key));
    if (key == "view")
        return assign(state.picture, readWord<Picture>(node, block, key,
                                                       {{"none", Picture::None},
                                                        {"map", Picture::Map},
                                                        {"compare", Picture::Compare}}));
    if (key == "stage")
        return assign(state.stage, readWord<Stage>(node, block, key,
                                                   {{"scores", Stage::Scores},
                                                    {"scaled", Stage::Scaled},
                                                    {"biased", Stage::Biased},
                                                    {"tempered", Stage::Tempered},
                                                    {"logits", Stage::Logits},
                                                    {"weights", Stage::Weights},
                                                    {"output", Stage::Output}}));
    if (key == "highlight")
        return readHighlight(node, block, state.highlight);
    if (key == "plane")
        return readPlane(node, block, state.plane);
    return key == "blank" ? readBlanks(node, block, state.blanks) : Result<void>();
}

/// Every setting of `table` but the inputs.
Result<void> readLooks(const toml::table& table, const TomlBlock& block, StepState& state)
{
    for (const auto& [name, node] : table) {
        const QString key = QString::fromStdString(std::string(name.str()));
        if (const auto done = readScoreSetting(key, node, block, state.settings); !done)
            return done;
        if (const auto done = readLook(key, node, block, state); !done)
            return done;
    }
    return {};
}

/// Whether the value plane that a step asks for can be drawn.
Result<void> checkPlane(const StepState& state, const LessonPlace& place)
{
    if (!state.plane)
        return {};
    const Index nQueries = sizesOf(state.inputs).Tq;
    if (*state.plane >= nQueries)
        return failAt(place, QStringLiteral("plane is %1, but expected a query, 0 to %2.")
                                 .arg(*state.plane)
                                 .arg(nQueries - 1));
    if (state.picture != StepState::Picture::Map)
        return failAt(place, QStringLiteral("the value plane stands beside a single map; expected "
                                            "view = \"map\"."));
    if (!state.inputs.v)
        return failAt(place, QStringLiteral("the value plane shows value rows; expected v."));
    return {};
}

/// Whether what is looked at is there; a mistake is told at its own line of `table`.
Result<void> checkState(const StepState& state, const toml::table& table, const TomlBlock& block)
{
    const auto placeOf = [&](const char* key) {
        const toml::node* node = table.get(key);
        return node ? block.placeOf(*node) : block.fence;
    };
    if (const auto fine = checked(state.settings); !fine)
        return failAt(placeOf(table.contains("tau") ? "tau" : "scale"),
                      QString::fromStdString(fine.error().message));
    if (!state.hasInputs() && state.picture == StepState::Picture::None)
        return {};
    if (!state.hasInputs())
        return failAt(placeOf("view"),
                      QStringLiteral("there is nothing to show yet; expected inputs: sample, "
                                     "sentence, pattern, q and k, or logits."));
    const Sizes sizes = sizesOf(state.inputs);
    const auto checkIndex = [&](const char* key, const char* what, Index index,
                                Index n) -> Result<void> {
        if (index < n)
            return {};
        return failAt(placeOf(key), QStringLiteral("%1 is %2, but expected 0 to %3.")
                                        .arg(QLatin1String(what))
                                        .arg(index)
                                        .arg(n - 1));
    };
    const auto checkCell = [&](const char* key, const Cell& cell) {
        return checkIndex(key, "the query of a cell", cell.row, sizes.Tq).and_then([&] {
            return checkIndex(key, "the key of a cell", cell.col, sizes.Tk);
        });
    };
    if (const auto fits = checkIndex("batch", "batch", state.batch, sizes.B); !fits)
        return fits;
    if (const auto fits = checkIndex("head", "head", state.head, sizes.H); !fits)
        return fits;
    if (state.highlight)
        if (const auto fits = checkCell("highlight", *state.highlight); !fits)
            return fits;
    for (const Cell& blank : state.blanks)
        if (const auto fits = checkCell("blank", blank); !fits)
            return fits;
    if (state.stage == Stage::Output && !state.inputs.v)
        return failAt(placeOf("stage"),
                      QStringLiteral("stage is \"output\", but expected v to compute it."));
    return checkPlane(state, placeOf("plane"));
}

} // namespace

Result<StepChange> readStepSettings(const QString& toml, const LessonPlace& fence,
                                    const StepState& previous)
{
    const auto block = parseToml(toml, fence);
    if (!block)
        return tl::unexpected(block.error());
    if (const auto known =
            onlyKnownKeys(block->table, *block, QStringList{"before"} + inputKeys() + lookKeys());
        !known)
        return tl::unexpected(known.error());

    StepChange change{previous, {}};
    change.state.highlight.reset();
    change.state.blanks.clear();
    change.state.plane.reset();
    if (const auto done = readInputs(*block, change.state); !done)
        return tl::unexpected(done.error());
    if (const auto done = readLooks(block->table, *block, change.state); !done)
        return tl::unexpected(done.error());
    if (const auto fits = checkState(change.state, block->table, *block); !fits)
        return tl::unexpected(fits.error());

    if (const toml::node* node = block->table.get("before")) {
        const toml::table* before = node->as_table();
        if (!before)
            return failAt(block->placeOf(*node),
                          QStringLiteral("expected a table, [before], with settings."));
        if (const auto known = onlyKnownKeys(*before, *block, lookKeys()); !known)
            return tl::unexpected(known.error());
        change.before = change.state;
        if (const auto done = readLooks(*before, *block, *change.before); !done)
            return tl::unexpected(done.error());
        if (const auto fits = checkState(*change.before, *before, *block); !fits)
            return tl::unexpected(fits.error());
    }
    return change;
}

} // namespace keyaxis
