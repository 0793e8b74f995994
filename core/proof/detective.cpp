#include "core/proof/detective.h"

#include "core/settings.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace keyaxis {

namespace {

constexpr std::array<AxisSet::Member, 4> kMembers{AxisSet::Batch, AxisSet::Head, AxisSet::Query,
                                                  AxisSet::Key};

std::array<Index, 4> sizesOfShape(const Shape& shape)
{
    return {shape.batch, shape.heads, shape.rows, shape.cols};
}

/// Sum, and whether any entry is not 0, of every slice along `axes`.
struct Slices {
    std::vector<double> sums;
    std::vector<char> hasEntry;
};

Slices slicesAlong(const std::vector<double>& weights, const Shape& shape, AxisSet axes)
{
    const std::array<Index, 4> sizes = sizesOfShape(shape);
    std::array<Index, 4> steps{}; // 0 along the axes that are summed away
    Index nSlices = 1;
    for (int axis = 3; axis >= 0; --axis) {
        const auto n = static_cast<std::size_t>(axis);
        if (axes.has(kMembers[n]))
            continue;
        steps[n] = nSlices;
        nSlices *= sizes[n];
    }
    Slices slices{std::vector<double>(static_cast<std::size_t>(nSlices), 0.0),
                  std::vector<char>(static_cast<std::size_t>(nSlices), 0)};
    std::size_t n = 0;
    for (Index b = 0; b < sizes[0]; ++b)
        for (Index h = 0; h < sizes[1]; ++h)
            for (Index i = 0; i < sizes[2]; ++i)
                for (Index j = 0; j < sizes[3]; ++j, ++n) {
                    const auto slice = static_cast<std::size_t>(b * steps[0] + h * steps[1] +
                                                                i * steps[2] + j * steps[3]);
                    slices.sums[slice] += weights[n];
                    slices.hasEntry[slice] |= weights[n] != 0.0;
                }
    return slices;
}

AxisSums sumsAlong(const std::vector<double>& weights, const Shape& shape, AxisSet axes,
                   double tolerance)
{
    AxisSums result;
    result.axes = axes;
    result.smallest = std::numeric_limits<double>::infinity();
    result.largest = -result.smallest;
    const Slices slices = slicesAlong(weights, shape, axes);
    result.nSums = static_cast<Index>(slices.sums.size());
    for (std::size_t n = 0; n < slices.sums.size(); ++n) {
        const double sum = slices.sums[n];
        if (!std::isfinite(sum)) {
            ++result.nUndefined;
            continue;
        }
        if (!slices.hasEntry[n]) {
            ++result.nZero;
            continue;
        }
        result.smallest = std::min(result.smallest, sum);
        result.largest = std::max(result.largest, sum);
        result.largestDeviation = std::max(result.largestDeviation, std::abs(sum - 1.0));
    }
    const bool hasSums = result.nZero + result.nUndefined < result.nSums;
    if (!hasSums)
        result.smallest = result.largest = result.largestDeviation =
            std::numeric_limits<double>::quiet_NaN();
    result.holds = hasSums && result.largestDeviation <= tolerance;
    return result;
}

/// Whether every entry that `isHidden` says is 0 or NaN, and some other entry is neither.
template <typename IsHidden>
bool isZeroWhere(const std::vector<double>& weights, const Shape& shape, IsHidden isHidden)
{
    bool hidesSomething = false;
    bool showsSomething = false;
    std::size_t n = 0;
    for (Index slice = 0; slice < shape.slices(); ++slice)
        for (Index i = 0; i < shape.rows; ++i)
            for (Index j = 0; j < shape.cols; ++j, ++n) {
                const bool isZero = weights[n] == 0.0 || std::isnan(weights[n]);
                if (isHidden(i, j)) {
                    if (!isZero)
                        return false;
                    hidesSomething = true;
                } else {
                    showsSomething = showsSomething || !isZero;
                }
            }
    return hidesSomething && showsSomething;
}

Triangle triangleOf(const std::vector<double>& weights, const Shape& shape)
{
    const Index offset = shape.cols - shape.rows;
    if (isZeroWhere(weights, shape, [](Index i, Index j) { return j > i; }))
        return Triangle::Start;
    if (isZeroWhere(weights, shape, [&](Index i, Index j) { return j > i + offset; }))
        return Triangle::End;
    if (isZeroWhere(weights, shape, [](Index i, Index j) { return j < i; }))
        return Triangle::Flipped;
    return Triangle::None;
}

std::string number(double value)
{
    return shortest(static_cast<float>(value));
}

std::string members(AxisSet axes)
{
    constexpr std::array kNames{"examples", "heads", "queries", "keys"};
    std::string text;
    for (const AxisSet::Member axis : kMembers)
        if (axes.has(axis))
            text +=
                (text.empty() ? "" : " and ") + std::string(kNames[static_cast<std::size_t>(axis)]);
    return text;
}

/// The sets that hold and say something of their own: an axis of length 1 adds nothing to a set.
std::vector<AxisSet> tellingSets(const Findings& findings, const Shape& shape)
{
    const std::array<Index, 4> sizes = sizesOfShape(shape);
    std::vector<AxisSet> sets;
    for (const AxisSums& sums : findings.sums) {
        bool addsLengthOne = false;
        for (const AxisSet::Member axis : kMembers) {
            const AxisSet without(sums.axes.bits() & ~(1U << axis));
            addsLengthOne = addsLengthOne || (sums.axes.has(axis) && without.bits() != 0 &&
                                              sizes[static_cast<std::size_t>(axis)] == 1);
        }
        if (sums.holds && !addsLengthOne)
            sets.push_back(sums.axes);
    }
    return sets;
}

bool isUniform(const std::vector<double>& weights)
{
    return std::ranges::all_of(weights, [&](double w) { return std::abs(w - weights[0]) < 1e-12; });
}

/// "1 weight is", "3 weights are".
std::string weightsAre(Index n)
{
    return std::to_string(n) + (n == 1 ? " weight is" : " weights are");
}

/// What PyTorch's softmax does without dim: dimension 0 of one and three, 1 otherwise.
std::string omission(AxisSet set, std::string_view dims)
{
    const std::size_t rank = dims.size();
    const std::size_t dim = rank == 1 || rank == 3 ? 0 : 1;
    constexpr std::string_view kLetters = "bhqk"; // in the order of the members
    if (dim >= rank || set.bits() != 1U << kLetters.find(dims[dim]))
        return {};
    constexpr std::array kCounts{"one dimension", "two dimensions", "three dimensions",
                                 "four dimensions"};
    return std::string(", as happens when PyTorch's softmax is called without dim on ") +
           kCounts[rank - 1];
}

/// "; use dim=-1": where the keys are.
std::string remedy(std::string_view dims)
{
    const std::size_t place = dims.find('k');
    if (place == std::string_view::npos)
        return {};
    return "; use dim=-" + std::to_string(dims.size() - place);
}

/// Whether the causal rule that `triangle` stands for hides (i, j).
bool isHidden(Triangle triangle, const Shape& shape, Index i, Index j)
{
    switch (triangle) {
    case Triangle::None:
        return false;
    case Triangle::Start:
        return j > i;
    case Triangle::End:
        return j > i + shape.cols - shape.rows;
    case Triangle::Flipped:
        break;
    }
    return j < i;
}

/// Dropout sets weights to 0 here and there and scales the others, so that rows sum to 1 on
/// average. Empty where the weights do not look like that.
std::string dropoutSentence(const Findings& findings, const std::vector<double>& weights,
                            const Shape& shape, const AxisSums& keys)
{
    Index nSeen = 0;
    Index nZero = 0;
    double total = 0.0;
    std::size_t n = 0;
    for (Index slice = 0; slice < shape.slices(); ++slice)
        for (Index i = 0; i < shape.rows; ++i)
            for (Index j = 0; j < shape.cols; ++j, ++n) {
                if (isHidden(findings.triangle, shape, i, j))
                    continue;
                ++nSeen;
                nZero += weights[n] == 0.0 ? 1 : 0;
                total += weights[n];
            }
    const double share = static_cast<double>(nZero) / static_cast<double>(nSeen);
    const double mean = total / static_cast<double>(keys.nSums);
    const bool isAround = keys.smallest < 1.0 && keys.largest > 1.0 && std::abs(mean - 1.0) < 0.1;
    if (findings.nNegative > 0 || nZero == 0 || share > 0.9 || !isAround)
        return {};
    return "No axis sums to 1, but rows do on average (" + number(keys.smallest) + " … " +
           number(keys.largest) + ") and " + std::to_string(std::lround(100.0 * share)) +
           " % of the weights are 0, as after dropout.";
}

std::string mainSentence(const std::vector<AxisSet>& sets, const Findings& findings,
                         const std::vector<double>& weights, const Shape& shape,
                         std::string_view dims)
{
    constexpr AxisSet kKey(1U << AxisSet::Key);
    if (sets.empty()) {
        const AxisSums& keys = findings.along(kKey);
        if (std::isnan(keys.largestDeviation))
            return "No sum over the keys is defined, so nothing can be said about the axis.";
        if (findings.triangle == Triangle::Start && keys.largest <= 1 + findings.tolerance &&
            std::abs(keys.largest - 1) <= 10 * findings.tolerance)
            return "No axis sums to 1. Rows sum to " + number(keys.smallest) + " … " +
                   number(keys.largest) +
                   " and only full rows to 1, as when the mask is applied after the softmax.";
        if (std::string dropout = dropoutSentence(findings, weights, shape, keys); !dropout.empty())
            return dropout;
        return "No axis and no set of axes sums to 1: rows sum to " + number(keys.smallest) +
               " … " + number(keys.largest) + ".";
    }
    if (sets.size() > 1) {
        std::string list;
        for (const AxisSet set : sets)
            list += (list.empty() ? "" : ", over ") + members(set);
        return std::string("Ambiguous: it sums to 1 over ") + list +
               (isUniform(weights) ? "; all weights are equal, so several axes fit."
                                   : "; several axes fit these numbers.");
    }
    const AxisSet set = sets.front();
    if (findings.nNegative > 0)
        return "It sums to 1 over " + members(set) +
               ", but with negative weights: these are no distributions.";
    if (set == kKey)
        return "It sums to 1 over the keys: each query has a distribution over keys.";
    if (set == AxisSet(1U << AxisSet::Query))
        return "It sums to 1 over the queries" + omission(set, dims) +
               ": each key hands out 1 and no query is owed 1" + remedy(dims) + ".";
    if (members(set).find(" and ") == std::string::npos)
        return "It sums to 1 over the " + members(set) + omission(set, dims) + remedy(dims) + ".";
    return "It sums to 1 over " + members(set) +
           " jointly, as when one softmax runs over all of them" + remedy(dims) + ".";
}

} // namespace

std::string AxisSet::name() const
{
    constexpr std::array kNames{"batch", "head", "query", "key"};
    std::string text;
    for (const Member axis : kMembers)
        if (has(axis))
            text += (text.empty() ? "" : "+") + std::string(kNames[static_cast<std::size_t>(axis)]);
    return text;
}

const std::array<AxisSet, 15>& allAxisSets()
{
    static constexpr std::array kSets{AxisSet(8),  AxisSet(4),  AxisSet(2),  AxisSet(1),
                                      AxisSet(12), AxisSet(10), AxisSet(9),  AxisSet(6),
                                      AxisSet(5),  AxisSet(3),  AxisSet(14), AxisSet(13),
                                      AxisSet(11), AxisSet(7),  AxisSet(15)};
    return kSets;
}

const AxisSums& Findings::along(AxisSet axes) const
{
    return *std::ranges::find(sums, axes, &AxisSums::axes);
}

Findings investigate(const std::vector<double>& weights, const Shape& shape, double tolerance,
                     std::string_view dims)
{
    Findings findings;
    findings.tolerance = tolerance;
    if (weights.empty()) { // one size of 0 says nothing of how many sums there would be
        constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
        for (const AxisSet axes : allAxisSets())
            findings.sums.push_back({axes, kNone, 0, 0, 0, kNone, kNone, false});
        findings.smallest = findings.largest = kNone;
        findings.sentences.emplace_back("The tensor is empty.");
        return findings;
    }
    for (const AxisSet axes : allAxisSets())
        findings.sums.push_back(sumsAlong(weights, shape, axes, tolerance));
    findings.triangle = triangleOf(weights, shape);
    findings.smallest = findings.largest = std::numeric_limits<double>::quiet_NaN();
    for (const double w : weights) {
        findings.nNan += std::isnan(w) ? 1 : 0;
        findings.nNegative += w < 0 ? 1 : 0;
        findings.nAboveOne += w > 1 + tolerance ? 1 : 0;
        if (std::isfinite(w)) { // fmin and fmax take the number where the other is NaN
            findings.smallest = std::fmin(findings.smallest, w);
            findings.largest = std::fmax(findings.largest, w);
        }
    }
    findings.sentences.push_back(
        mainSentence(tellingSets(findings, shape), findings, weights, shape, dims));
    const auto say = [&](std::string sentence) {
        findings.sentences.push_back(std::move(sentence));
    };
    if (findings.triangle == Triangle::Start || findings.triangle == Triangle::End)
        say("No query sees a later key: it is causal.");
    if (findings.triangle == Triangle::Flipped)
        say("No query sees an earlier key: the causal triangle is flipped.");
    if (findings.nNan > 0)
        say(weightsAre(findings.nNan) +
            " NaN: 0/0 in slices without an allowed entry, or NaN that came in.");
    if (findings.nNegative > 0)
        say(weightsAre(findings.nNegative) + " negative: no softmax gives that.");
    if (findings.nAboveOne > 0)
        say(weightsAre(findings.nAboveOne) +
            " above 1, as when dropout scales what it keeps or something overflows.");
    return findings;
}

std::string sumsText(const AxisSums& sums)
{
    std::string text = std::isnan(sums.largestDeviation)
                           ? "no sum is defined"
                           : "sums " + shortest(static_cast<float>(sums.smallest)) + " … " +
                                 shortest(static_cast<float>(sums.largest));
    const auto say = [&](Index n, const char* what) {
        if (n > 0)
            text += ", " + std::to_string(n) + " of " + std::to_string(sums.nSums) + what;
    };
    say(sums.nUndefined, " undefined");
    say(sums.nZero, " empty");
    return text;
}

} // namespace keyaxis
