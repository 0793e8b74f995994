#include "core/proof/influence_words.h"

#include "core/attention/scores.h"

#include <cmath>

namespace keyaxis {

namespace {

struct Nouns {
    std::string one;
    std::string many;
    Axis axis; ///< on which they share denominators
};

Nouns nounsOf(Coupled what)
{
    switch (what) {
    case Coupled::Queries:
        return {"query", "queries", Axis::Query};
    case Coupled::Examples:
        return {"example", "examples", Axis::Batch};
    case Coupled::Heads:
        break;
    }
    return {"head", "heads", Axis::Head};
}

/// Whether anything beside the diagonal moves.
bool movesOthers(const Influence& map)
{
    for (Index r = 0; r < map.norms.rows(); ++r)
        for (Index c = 0; c < map.norms.cols(); ++c)
            if (map.rows[static_cast<std::size_t>(r)] != map.columns[static_cast<std::size_t>(c)] &&
                map.norms(r, c) > 0.0F)
                return true;
    return false;
}

/// The pair beside the diagonal that moves most, counted from 1 as the window does.
std::string strongestPair(const Influence& map)
{
    Index row = 0;
    Index column = 0;
    float largest = 0.0F;
    for (Index r = 0; r < map.norms.rows(); ++r)
        for (Index c = 0; c < map.norms.cols(); ++c)
            if (r != c && map.norms(r, c) > largest) {
                largest = map.norms(r, c);
                row = r;
                column = c;
            }
    return "Head " + std::to_string(map.rows[static_cast<std::size_t>(row)] + 1) +
           " moves when head " + std::to_string(map.columns[static_cast<std::size_t>(column)] + 1) +
           " does.";
}

/// What is said of every map: hatched entries, and what was left out.
std::string remarks(const Influence& map, const ScoreSettings& settings)
{
    std::string text;
    if (settings.temperature == 0.0F)
        text += " At τ = 0 a weight is a step of its logits: nothing moves until another logit is "
                "the largest.";
    if (map.norms.hasNaN())
        text += settings.temperature == 0.0F
                    ? " Hatched entries rest on a tie or an undefined weight."
                    : " Hatched entries rest on undefined weights.";
    if (map.isSampled)
        text += " Too many to show in time: a sample, evenly spread.";
    return text;
}

std::string mainCoupling(const Influence& map, const ScoreSettings& settings, Coupled what)
{
    if (settings.axis == Axis::Key)
        return "No query, example or head enters another's denominator.";
    const Nouns nouns = nounsOf(what);
    if (settings.axis != nouns.axis)
        return "On the " + std::string(names(settings.axis).name) + " axis no " + nouns.one +
               " enters another's denominator.";
    if (map.norms.rows() < 2)
        return "There is only one " + nouns.one + ".";
    if (!movesOthers(map))
        return map.norms.hasNaN() ? "What could move is undefined."
                                  : "Here no " + nouns.one + " moves with another.";
    switch (what) {
    case Coupled::Queries:
        return "Queries compete for each key.";
    case Coupled::Examples:
        return "Your result depends on who shares the batch.";
    case Coupled::Heads:
        break;
    }
    return strongestPair(map);
}

/// Whether some output moves with a later token, and whether it reads it.
struct Leak {
    bool isThere = false;
    bool isRead = false; ///< by a weight that is not 0
};

Leak leakIn(const Influence& map, Index offset, const RowsOfDoubles& weights)
{
    Leak leak;
    for (std::size_t r = 0; r < map.rows.size(); ++r)
        for (std::size_t c = 0; c < map.columns.size(); ++c) {
            const Index i = map.rows[r];
            const Index t = map.columns[c];
            if (t <= i + offset || !(map.norms(static_cast<Index>(r), static_cast<Index>(c)) > 0))
                continue;
            leak.isThere = true;
            leak.isRead = leak.isRead || weights(i, t) > 0.0;
        }
    return leak;
}

std::string mainLightCone(const Influence& map, const Inputs& inputs, const ScoreSettings& settings,
                          MovedToken moved, const RowsOfDoubles& weights)
{
    if (map.norms.size() > 0 && map.norms.array().isNaN().all())
        return "Every weight is undefined, so nothing can be said of what moves.";
    if (moved == MovedToken::Key)
        return "An output moves with the keys it uses, and with no other.";
    if (moved == MovedToken::Query)
        return movesOthers(map)
                   ? "Queries compete for each key: an output moves with other queries."
                   : "An output moves with its own query, and with no other.";
    const Leak leak = leakIn(map, offsetOf(settings, sizesOf(inputs)), weights);
    if (leak.isRead)
        return laterTokensAreRead(settings.causal || inputs.mask || inputs.bias, settings.axis);
    if (leak.isThere)
        return "The mask is on, yet later queries sit in the denominators: earlier outputs move.";
    const Sizes sizes = sizesOf(inputs);
    if (settings.axis == Axis::Batch && sizes.B > 1)
        return "No later token leaks; other examples do.";
    if (settings.axis == Axis::Head && sizes.H > 1)
        return "No later token leaks; other heads do.";
    return "No later token moves an earlier output.";
}

} // namespace

std::string laterTokensAreRead(bool hasMask, Axis axis)
{
    return std::string(hasMask ? "The mask lets later tokens be read. "
                               : "The mask is off: later tokens are read. ") +
           (axis == Axis::Key ? "Wrong mask, not wrong axis."
                              : "That is the mask's doing; the axis is wrong besides.");
}

std::string couplingSentence(const Influence& map, const ScoreSettings& settings, Coupled what)
{
    return mainCoupling(map, settings, what) + remarks(map, settings);
}

std::string lightConeSentence(const Influence& map, const Inputs& inputs,
                              const ScoreSettings& settings, MovedToken moved,
                              const RowsOfDoubles& weights)
{
    return mainLightCone(map, inputs, settings, moved, weights) + remarks(map, settings);
}

} // namespace keyaxis
