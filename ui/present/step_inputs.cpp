#include "ui/present/step_inputs.h"

#include "core/patterns.h"
#include "ui/document/samples.h"

#include <cmath>

namespace keyaxis {

namespace {

constexpr Index kMostTokens = 256; ///< of generated inputs: a map that a room can read

/// The keys that name where numbers come from; a block has at most one of them.
const QStringList& sourceKeys()
{
    static const QStringList keys{"sample", "sentence", "pattern", "q", "logits"};
    return keys;
}

Result<Sizes> readSizes(const TomlBlock& block)
{
    Sizes sizes{1, 1, 1, 4, 4, 4, 4};
    const toml::node* node = block.table.get("sizes");
    if (!node)
        return sizes;
    const toml::table* table = node->as_table();
    if (!table)
        return failAt(block.placeOf(*node),
                      QStringLiteral("expected sizes = {examples = 2, heads = 2, …}."));
    if (const auto known =
            onlyKnownKeys(*table, block, {"examples", "heads", "queries", "keys", "width"});
        !known)
        return tl::unexpected(known.error());
    const std::initializer_list<std::pair<const char*, Index*>> fields{{"examples", &sizes.B},
                                                                       {"heads", &sizes.H},
                                                                       {"queries", &sizes.Tq},
                                                                       {"keys", &sizes.Tk},
                                                                       {"width", &sizes.dk}};
    for (const auto& [name, size] : fields) {
        const toml::node* entry = table->get(name);
        if (!entry)
            continue;
        const auto number = readIndex(*entry, block, QString::fromLatin1(name));
        if (!number)
            return tl::unexpected(number.error());
        if (*number < 1 || *number > kMostTokens)
            return failAt(block.placeOf(*entry), QStringLiteral("%1 is %2, but expected 1 to %3.")
                                                     .arg(QLatin1String(name))
                                                     .arg(*number)
                                                     .arg(kMostTokens));
        *size = *number;
    }
    sizes.G = sizes.H;
    sizes.dv = sizes.dk;
    return sizes;
}

Result<std::uint64_t> readSeed(const TomlBlock& block)
{
    const toml::node* node = block.table.get("seed");
    if (!node)
        return 1;
    return readIndex(*node, block, "seed").map([](Index n) {
        return static_cast<std::uint64_t>(n);
    });
}

Inputs zeroInputs(const Sizes& s)
{
    Inputs inputs;
    inputs.q = share(Tensor::zeros({s.B, s.H, s.Tq, s.dk}));
    inputs.k = share(Tensor::zeros({s.B, s.G, s.Tk, s.dk}));
    inputs.v = share(Tensor::zeros({s.B, s.G, s.Tk, s.dv}));
    return inputs;
}

/// Random numbers, a pattern, or the words of a sentence.
Result<Inputs> generated(const TomlBlock& block, const toml::node& node, bool isSentence)
{
    const auto sizes = readSizes(block);
    if (!sizes)
        return tl::unexpected(sizes.error());
    const auto seed = readSeed(block);
    if (!seed)
        return tl::unexpected(seed.error());
    const auto text = readString(node, block, isSentence ? "sentence" : "pattern");
    if (!text)
        return tl::unexpected(text.error());
    if (isSentence) {
        Inputs inputs = ofSentence(zeroInputs(*sizes), text->toStdString(), *seed);
        if (inputs.queryTokens.empty())
            return failAt(block.placeOf(node), QStringLiteral("the sentence has no words."));
        return inputs;
    }
    const std::initializer_list<std::pair<const char*, Pattern>> patterns{
        {"random", Pattern::Random},
        {"one_hot", Pattern::OneHot},
        {"uniform", Pattern::Uniform},
        {"previous_token", Pattern::PreviousToken}};
    for (const auto& [name, pattern] : patterns)
        if (*text == QLatin1String(name))
            return filled(zeroInputs(*sizes), pattern, *seed);
    return failAt(block.placeOf(node),
                  QStringLiteral("pattern is \"%1\"; expected one of random, one_hot, uniform, "
                                 "previous_token.")
                      .arg(*text));
}

/// Reads `key` into `target` where it is there.
Result<void> readOptional(const TomlBlock& block, const char* key, SharedTensor& target)
{
    const toml::node* node = block.table.get(key);
    if (!node)
        return {};
    auto tensor = readTensor(*node, block, QString::fromLatin1(key));
    if (!tensor)
        return tl::unexpected(tensor.error());
    target = share(std::move(*tensor));
    return {};
}

Result<Inputs> literal(const TomlBlock& block, const toml::node& q)
{
    if (!block.table.get("k"))
        return failAt(block.placeOf(q), QStringLiteral("q is given; expected k too."));
    Inputs inputs;
    for (const auto& [key, target] : {std::pair{"q", &inputs.q}, std::pair{"k", &inputs.k}})
        if (const auto done = readOptional(block, key, *target); !done)
            return tl::unexpected(done.error());
    return inputs;
}

/// Scores as they are: q is the scores, k the identity, so that q kᵀ gives back every one of them.
Result<Inputs> ofLogits(const TomlBlock& block, const toml::node& node)
{
    auto scores = readTensor(node, block, "logits");
    if (!scores)
        return tl::unexpected(scores.error());
    for (Index n = 0; n < scores->size(); ++n)
        if (!std::isfinite(scores->data()[n]))
            return failAt(block.placeOf(node),
                          QStringLiteral("logits must be finite; expected a mask for what may not "
                                         "be used."));
    Inputs inputs;
    const Shape shape = scores->shape();
    Tensor identity = Tensor::zeros({shape.batch, shape.heads, shape.cols, shape.cols});
    for (Index b = 0; b < shape.batch; ++b)
        for (Index h = 0; h < shape.heads; ++h)
            identity.slice(b, h).setIdentity();
    inputs.q = share(std::move(*scores));
    inputs.k = share(std::move(identity));
    inputs.v = inputs.k;
    return inputs;
}

/// The names of one example.
Result<std::vector<std::string>> readTokens(const toml::node& node, const TomlBlock& block,
                                            const QString& key, Index nTokens)
{
    auto tokens = readStrings(node, block, key);
    if (tokens && static_cast<Index>(tokens->size()) != nTokens)
        return failAt(block.placeOf(node), QStringLiteral("%1 names %2 tokens, but expected %3.")
                                               .arg(key)
                                               .arg(tokens->size())
                                               .arg(nTokens));
    return tokens;
}

/// One list of names for all examples, or one for each.
Result<void> readNames(const TomlBlock& block, const char* name, TokenNames& target, Index nTokens,
                       Index nExamples)
{
    const toml::node* node = block.table.get(name);
    if (!node)
        return {};
    const QString key = QString::fromLatin1(name);
    const toml::array* list = node->as_array();
    if (!list || list->empty() || !list->get(0)->is_array()) {
        const auto tokens = readTokens(*node, block, key, nTokens);
        if (!tokens)
            return tl::unexpected(tokens.error());
        target.assign(static_cast<std::size_t>(nExamples), *tokens);
        return {};
    }
    if (static_cast<Index>(list->size()) != nExamples)
        return failAt(block.placeOf(*node), QStringLiteral("%1 has %2 lists, but expected %3.")
                                                .arg(key)
                                                .arg(list->size())
                                                .arg(nExamples));
    target.clear();
    for (const toml::node& entry : *list) {
        auto tokens = readTokens(entry, block, key, nTokens);
        if (!tokens)
            return tl::unexpected(tokens.error());
        target.push_back(std::move(*tokens));
    }
    return {};
}

/// v, mask, bias and names, which any inputs may be given.
Result<void> readAdditions(const TomlBlock& block, Inputs& inputs)
{
    for (const auto& [key, target] : {std::pair{"v", &inputs.v}, std::pair{"mask", &inputs.mask},
                                      std::pair{"bias", &inputs.bias}})
        if (const auto done = readOptional(block, key, *target); !done)
            return done;
    const Shape q = inputs.q->shape();
    const Shape k = inputs.k->shape();
    for (const char* key : {"tokens", "query_tokens"})
        if (const auto done = readNames(block, key, inputs.queryTokens, q.rows, q.batch); !done)
            return done;
    for (const char* key : {"tokens", "key_tokens"})
        if (const auto done = readNames(block, key, inputs.keyTokens, k.rows, q.batch); !done)
            return done;
    return {};
}

Result<void> readSource(const TomlBlock& block, const QString& source, const toml::node& node,
                        StepState& state)
{
    if (source == "sample") {
        const auto name = readString(node, block, source);
        if (!name)
            return tl::unexpected(name.error());
        QStringList names;
        for (const Sample& sample : samples()) {
            names += QString::fromLatin1(sample.file);
            if (*name != names.back())
                continue;
            auto file = readSample(sample);
            if (!file)
                return tl::unexpected(file.error());
            state.inputs = std::move(file->inputs);
            state.settings = file->settings;
            state.head = sample.head;
            return {};
        }
        return failAt(block.placeOf(node), QStringLiteral("sample is \"%1\"; expected one of %2.")
                                               .arg(*name, names.join(QStringLiteral(", "))));
    }
    auto inputs = source == "q"        ? literal(block, node)
                  : source == "logits" ? ofLogits(block, node)
                                       : generated(block, node, source == "sentence");
    if (!inputs)
        return tl::unexpected(inputs.error());
    state.inputs = std::move(*inputs);
    if (source == "logits")
        state.settings.scale = 1;
    return {};
}

} // namespace

const QStringList& inputKeys()
{
    static const QStringList keys =
        sourceKeys() + QStringList{"sizes",  "seed",         "k",         "v", "mask", "bias",
                                   "tokens", "query_tokens", "key_tokens"};
    return keys;
}

Result<void> readInputs(const TomlBlock& block, StepState& state)
{
    QStringList sources;
    for (const QString& key : sourceKeys())
        if (block.table.contains(key.toStdString()))
            sources += key;
    if (sources.size() > 1)
        return failAt(block.fence, QStringLiteral("expected one source of inputs, not both %1.")
                                       .arg(sources.join(QStringLiteral(" and "))));
    if (!sources.isEmpty()) {
        state = {};
        state.picture = StepState::Picture::Map;
        const toml::node& node = *block.table.get(sources.front().toStdString());
        if (const auto done = readSource(block, sources.front(), node, state); !done)
            return done;
    }
    const bool isGenerated =
        sources == QStringList{"sentence"} || sources == QStringList{"pattern"};
    for (const char* key : {"sizes", "seed"})
        if (const toml::node* node = block.table.get(key); node && !isGenerated)
            return failAt(block.placeOf(*node),
                          QStringLiteral("%1 goes with a sentence or a pattern; expected one.")
                              .arg(QLatin1String(key)));
    const auto isInput = [&](const QString& key) {
        return block.table.contains(key.toStdString());
    };
    if (std::none_of(inputKeys().begin(), inputKeys().end(), isInput))
        return {};
    if (!state.hasInputs())
        return failAt(block.fence, QStringLiteral("expected inputs: sample, sentence, pattern, q "
                                                  "and k, or logits."));
    if (const auto done = readAdditions(block, state.inputs); !done)
        return done;
    auto inputs = validated(state.inputs);
    if (!inputs)
        return failAt(block.fence, QString::fromStdString(inputs.error().message));
    state.inputs = std::move(*inputs);
    return {};
}

} // namespace keyaxis
