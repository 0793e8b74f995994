#include "core/io/attention_names.h"

#include "core/io/ascii.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <span>

namespace keyaxis {

namespace {

using Words = std::span<const std::string_view>;

constexpr std::array<std::string_view, 3> kQueryWords{"q", "query", "queries"};
constexpr std::array<std::string_view, 3> kKeyWords{"k", "key", "keys"};
constexpr std::array<std::string_view, 3> kValueWords{"v", "value", "values"};
constexpr std::array<std::string_view, 5> kMaskWords{"mask", "attention_mask", "attn_mask",
                                                     "key_padding_mask", "padding_mask"};
constexpr std::array<std::string_view, 4> kBiasWords{"bias", "attention_bias", "attn_bias",
                                                     "position_bias"};
constexpr std::array<std::string_view, 6> kScoreWords{
    "scores", "logits", "s", "attn_scores", "attention_scores", "attn_logits"};
constexpr std::array<std::string_view, 9> kWeightWords{
    "weights",    "attn_weights", "attention_weights",
    "attention",  "attn",         "attention_probs",
    "attn_probs", "probs",        "pattern"};
/// What frameworks put behind the word for Q, K or V.
constexpr std::array<std::string_view, 6> kEndings{"_proj",  "_projection", "_states",
                                                   "_layer", "_heads",      "_activations"};

struct Role {
    std::string AttentionNames::*member;
    Words words;
    /// Whether a name may have the word behind an underscore or before a number as well.
    bool hasSpellings;
    bool isProjected; ///< Q, K or V
};

const std::array kRoles{Role{&AttentionNames::q, kQueryWords, true, true},
                        Role{&AttentionNames::k, kKeyWords, true, true},
                        Role{&AttentionNames::v, kValueWords, true, true},
                        Role{&AttentionNames::mask, kMaskWords, false, false},
                        Role{&AttentionNames::bias, kBiasWords, false, false},
                        Role{&AttentionNames::scores, kScoreWords, true, false},
                        Role{&AttentionNames::weights, kWeightWords, true, false}};

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

bool isOneOf(std::string_view word, Words words)
{
    return std::ranges::find(words, word) != words.end();
}

/// A name in lower case, cut in two: what it is called, and where.
struct Parts {
    std::string_view group; ///< "layers.3"
    std::string_view word;  ///< "q_proj"
};

Parts partsOf(std::string_view name)
{
    const std::size_t cut = name.find_last_of("./:");
    if (cut == std::string_view::npos)
        return {{}, name};
    return {name.substr(0, cut), name.substr(cut + 1)};
}

std::string_view withoutEnding(std::string_view word)
{
    for (const std::string_view ending : kEndings)
        if (word.size() > ending.size() && word.ends_with(ending))
            return word.substr(0, word.size() - ending.size());
    return word;
}

std::string joined(std::string_view group, std::string_view more)
{
    return std::string(group) + (group.empty() || more.empty() ? "" : ".") + std::string(more);
}

/// The group of a tensor that has one of `words` for its last word; none where it has not.
std::optional<std::string> groupOf(std::string_view name, const Role& role)
{
    auto [group, word] = partsOf(name);
    if (isOneOf(word, role.words))
        return std::string(group);
    if (!role.hasSpellings)
        return std::nullopt;
    if (role.isProjected)
        word = withoutEnding(word);
    if (isOneOf(word, role.words))
        return std::string(group);
    const auto isSpelled = [&](std::string_view stem) { // "hidden_s" are no scores
        return isOneOf(stem, role.words) && (role.isProjected || stem.size() > 1);
    };
    // "hook_q", "layer3_query"
    const std::size_t cut = word.rfind('_');
    if (cut != std::string_view::npos && isSpelled(word.substr(cut + 1)))
        return joined(group, word.substr(0, cut));
    // "q3", "query_3"
    std::size_t end = word.size();
    while (end > 0 && isDigit(word[end - 1]))
        --end;
    const std::string_view number = word.substr(end);
    const std::string_view stem = word.substr(0, end > 0 && word[end - 1] == '_' ? end - 1 : end);
    return !number.empty() && isSpelled(stem) ? std::optional(joined(group, number)) : std::nullopt;
}

/// Runs of digits count as numbers.
bool isNaturallyBefore(std::string_view a, std::string_view b)
{
    const bool isBefore = a < b; // where only zeros differ: 02 and 2 are two names
    while (!a.empty() && !b.empty()) {
        const auto run = [](std::string_view text) {
            std::size_t n = 0;
            while (n < text.size() && isDigit(text[n]))
                ++n;
            return n;
        };
        const std::size_t nA = run(a);
        const std::size_t nB = run(b);
        const auto significant = [](std::string_view digits) {
            return digits.substr(std::min(digits.find_first_not_of('0'), digits.size()));
        };
        const std::string_view first = nA > 0 ? significant(a.substr(0, nA)) : a.substr(0, 1);
        const std::string_view second = nB > 0 ? significant(b.substr(0, nB)) : b.substr(0, 1);
        if (nA > 0 && nB > 0 && first.size() != second.size())
            return first.size() < second.size();
        if (first != second)
            return first < second;
        a.remove_prefix(std::max<std::size_t>(nA, 1));
        b.remove_prefix(std::max<std::size_t>(nB, 1));
    }
    return a.empty() && b.empty() ? isBefore : a.size() < b.size();
}

/// The only number in `text`; empty where there are none or several.
std::string onlyNumber(std::string_view text)
{
    std::string number;
    for (std::size_t n = 0; n < text.size(); ++n) {
        const bool isFirst = isDigit(text[n]) && (n == 0 || !isDigit(text[n - 1]));
        if (isFirst && !number.empty())
            return {};
        if (isDigit(text[n]))
            number += text[n];
    }
    return number;
}

/// The one of `attentions` that `wanted` means: a group's name in any case, or the only number in
/// it ("3" for layers.3). Null where none or several are meant.
const AttentionNames* attentionNamed(const std::vector<AttentionNames>& attentions,
                                     std::string_view wanted)
{
    const AttentionNames* found = nullptr;
    for (const AttentionNames& names : attentions) {
        if (isSameName(names.group, wanted))
            return &names;
        if (!wanted.empty() && onlyNumber(names.group) == wanted) {
            if (found)
                return nullptr;
            found = &names;
        }
    }
    return found;
}

const std::string& anyNameOf(const AttentionNames& names)
{
    return names.hasQueriesAndKeys() ? names.q
           : names.scores.empty()    ? names.weights
                                     : names.scores;
}

/// The groups of `attentions` in words, not all of many.
std::string listed(const std::vector<AttentionNames>& attentions)
{
    constexpr std::size_t kMostNames = 4;
    std::string text;
    for (std::size_t n = 0; n < attentions.size() && n < kMostNames; ++n)
        text += (n > 0 ? ", " : "") +
                (attentions[n].group.empty() ? anyNameOf(attentions[n]) : attentions[n].group);
    if (attentions.size() > kMostNames)
        text += ", … " + attentions.back().group;
    return text.empty() ? "none" : text;
}

} // namespace

std::vector<AttentionNames> attentionsIn(const TensorFile& file)
{
    struct Before {
        bool operator()(const std::string& a, const std::string& b) const
        {
            return isNaturallyBefore(a, b);
        }
    };
    std::map<std::string, AttentionNames, Before> groups;
    for (const RawTensor& tensor : file.tensors) {
        if (tensor.type == ElementType::Text)
            continue;
        for (const Role& role : kRoles) {
            const auto group = groupOf(lowerAscii(tensor.name), role);
            if (!group)
                continue;
            AttentionNames& names = groups[*group];
            names.group = *group;
            if ((names.*role.member).empty()) // the first counts
                names.*role.member = tensor.name;
        }
    }
    std::vector<AttentionNames> attentions;
    for (auto& [group, names] : groups)
        if (names.isComplete())
            attentions.push_back(std::move(names));
    // Weights beside q and k are somebody's result, not another attention.
    if (std::ranges::any_of(attentions, &AttentionNames::hasQueriesAndKeys))
        std::erase_if(attentions,
                      [](const AttentionNames& names) { return !names.hasQueriesAndKeys(); });
    return attentions;
}

bool isQueryOrKey(std::string_view name)
{
    const std::string lower = lowerAscii(name);
    return groupOf(lower, kRoles[0]) || groupOf(lower, kRoles[1]);
}

bool isBesideQueries(std::string_view name)
{
    const std::string lower = lowerAscii(name);
    return groupOf(lower, kRoles[2]) || groupOf(lower, kRoles[3]) || groupOf(lower, kRoles[4]);
}

bool isProjection(std::string_view name)
{
    constexpr std::array<std::string_view, 3> kParameters{"weight", "bias", "kernel"};
    constexpr std::array<std::string_view, 9> kProjections{"c_attn", "qkv",  "wq",   "wk", "wv",
                                                           "to_q",   "to_k", "to_v", "w_q"};
    const std::string lower = lowerAscii(name);
    const auto [group, word] = partsOf(lower);
    if (word.starts_with("in_proj_"))
        return true;
    if (!isOneOf(word, kParameters))
        return false;
    const std::string_view parent = partsOf(group).word;
    return isOneOf(parent, kProjections) || isOneOf(withoutEnding(parent), kQueryWords) ||
           isOneOf(withoutEnding(parent), kKeyWords) || isOneOf(withoutEnding(parent), kValueWords);
}

Result<ReadingChoices> withFoundNames(ReadingChoices choices, const TensorFile& file)
{
    const std::vector<AttentionNames> attentions = attentionsIn(file);
    const bool isPlain = (file.find(choices.q) && file.find(choices.k)) ||
                         !choices.scores.empty() || !choices.weights.empty();
    const AttentionNames* chosen = nullptr;
    if (!choices.group.empty()) {
        chosen = attentionNamed(attentions, choices.group);
        if (!chosen)
            return fail(Errc::BadValue, "there is no attention called '" + choices.group +
                                            "', or more than one; the file holds " +
                                            listed(attentions));
    } else if (attentions.size() == 1 ||
               (!attentions.empty() && attentions.front().group.empty())) {
        chosen = &attentions.front();
    } else if (attentions.size() > 1 && !isPlain) {
        return fail(Errc::Ambiguous, "it holds " + std::to_string(attentions.size()) +
                                         " attentions: " + listed(attentions) +
                                         " (--layer NAME); say which");
    }
    if (!chosen)
        return choices;
    const ReadingChoices open;
    const auto settle = [&](std::string ReadingChoices::*name, const std::string& found) {
        const bool isOpen = choices.*name == open.*name;
        if (isOpen && !found.empty() && (!choices.group.empty() || !file.find(open.*name)))
            choices.*name = found;
    };
    settle(&ReadingChoices::q, chosen->q);
    settle(&ReadingChoices::k, chosen->k);
    settle(&ReadingChoices::v, chosen->v);
    settle(&ReadingChoices::mask, chosen->mask);
    settle(&ReadingChoices::bias, chosen->bias);
    // Beside q and k they are somebody's result, and are not asked for.
    if (choices.scores.empty() && choices.weights.empty() && !chosen->hasQueriesAndKeys()) {
        choices.scores = chosen->scores;
        choices.weights = chosen->weights;
    }
    return choices;
}

} // namespace keyaxis
