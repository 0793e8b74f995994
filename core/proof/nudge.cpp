#include "core/proof/nudge.h"

#include "core/proof/influence_words.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <limits>

namespace keyaxis {

namespace {

constexpr float kMasked = -std::numeric_limits<float>::infinity();

/// Numbers in [-1, 1) that are the same on every machine.
///
/// @source  Steele, Lea, Flood, Fast splittable pseudorandom number generators (2014).
class Numbers {
public:
    explicit Numbers(std::uint64_t seed) : m_state(seed) {}
    float next()
    {
        m_state += 0x9e3779b97f4a7c15ULL;
        std::uint64_t mixed = m_state;
        mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9ULL;
        mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebULL;
        mixed ^= mixed >> 31;
        return static_cast<float>(mixed >> 40) / 8388608.0F - 1.0F;
    }

private:
    std::uint64_t m_state;
};

/// Adds numbers to the rows [first, first + nRows) of the given heads of example b.
void move(SharedTensor& tensor, Index b, Index firstHead, Index nHeads, Index first, Index nRows,
          float amount, Numbers& numbers)
{
    if (!tensor)
        return;
    Tensor changed = *tensor;
    for (Index h = firstHead; h < firstHead + nHeads; ++h)
        for (Index row = first; row < first + nRows; ++row)
            for (Index d = 0; d < changed.shape().cols; ++d)
                changed.at(b, h, row, d) += amount * numbers.next();
    tensor = share(std::move(changed));
}

/// `tensor` with a row more: the last one, moved by numbers.
SharedTensor withRowAppended(const SharedTensor& tensor, Numbers& numbers)
{
    if (!tensor)
        return nullptr;
    Shape shape = tensor->shape();
    const Index last = shape.rows - 1;
    ++shape.rows;
    Tensor longer(shape);
    for (Index b = 0; b < shape.batch; ++b)
        for (Index h = 0; h < shape.heads; ++h) {
            auto to = longer.slice(b, h);
            to.topRows(shape.rows - 1) = tensor->slice(b, h);
            for (Index d = 0; d < shape.cols; ++d)
                to(shape.rows - 1, d) = (last < 0 ? 0.0F : to(last, d)) + 0.75F * numbers.next();
        }
    return share(std::move(longer));
}

/// Whether every key after a query is hidden in (b, h) of a mask or bias, the last query being the
/// last token; false where there is no such cell.
bool hidesLater(const Tensor& tensor, float hidden, Index b, Index h)
{
    const Shape& shape = tensor.shape();
    const Index offset = shape.cols - shape.rows;
    bool isAny = false;
    for (Index i = 0; shape.rows > 1 && i < shape.rows; ++i)
        for (Index j = std::max<Index>(0, i + offset + 1); j < shape.cols; ++j) {
            if (tensor.at(b, h, i, j) != hidden)
                return false;
            isAny = true;
        }
    return isAny;
}

bool hidesLater(const SharedTensor& tensor, float hidden)
{
    bool all = tensor != nullptr;
    for (Index b = 0; all && b < tensor->shape().batch; ++b)
        for (Index h = 0; all && h < tensor->shape().heads; ++h)
            all = hidesLater(*tensor, hidden, b, h);
    return all;
}

/// A mask (hidden = 0) or bias (hidden = -inf) for a token more.
SharedTensor withCellsAppended(const SharedTensor& tensor, float hidden)
{
    if (!tensor)
        return nullptr;
    const Shape old = tensor->shape();
    if (old.rows == 0) // of a document without queries: the first one may use every key
        return nullptr;
    Shape shape = old;
    shape.rows += old.rows > 1 ? 1 : 0;
    shape.cols += old.cols > 1 ? 1 : 0;
    const auto open = [&](float value) {
        return hidden == 0.0F ? 1.0F : std::isfinite(value) ? value : 0.0F;
    };
    Tensor larger(shape);
    for (Index b = 0; b < shape.batch; ++b)
        for (Index h = 0; h < shape.heads; ++h) {
            const bool isHidden = hidesLater(*tensor, hidden, b, h);
            for (Index i = 0; i < shape.rows; ++i)
                for (Index j = 0; j < shape.cols; ++j) {
                    const float near =
                        tensor->at(b, h, std::min(i, old.rows - 1), std::min(j, old.cols - 1));
                    const bool isNewKey = j >= old.cols;
                    const bool isEarlier = i < old.rows && shape.rows > old.rows;
                    larger.at(b, h, i, j) = !isNewKey               ? near
                                            : isHidden && isEarlier ? hidden
                                                                    : open(near);
                }
        }
    return share(std::move(larger));
}

TokenNames withNameAppended(TokenNames names)
{
    for (std::vector<std::string>& tokens : names)
        if (!tokens.empty())
            tokens.emplace_back("new");
    return names;
}

void compareRow(const float* before, const float* after, Index n, OutputChanges& changes)
{
    bool hasChanged = false;
    for (Index d = 0; d < n; ++d) {
        const bool areNan = std::isnan(before[d]) && std::isnan(after[d]);
        if (areNan ||
            std::bit_cast<std::uint32_t>(before[d]) == std::bit_cast<std::uint32_t>(after[d]))
            continue;
        hasChanged = true;
        const double difference = std::abs(double{before[d]} - double{after[d]});
        if (!std::isnan(changes.largest) && !(difference <= changes.largest))
            changes.largest = difference;
    }
    ++changes.nRows;
    changes.nChanged += hasChanged ? 1 : 0;
    changes.hasChanged.push_back(hasChanged);
}

void compareSlice(const MatrixView& before, const MatrixView& after, OutputChanges& changes)
{
    assert(before.rows() <= after.rows() && before.cols() == after.cols());
    for (Index i = 0; i < before.rows(); ++i)
        compareRow(before.row(i).data(), after.row(i).data(), before.cols(), changes);
}

} // namespace

Inputs nudged(const Inputs& inputs, const Nudge& nudge)
{
    const Sizes sizes = sizesOf(inputs);
    Inputs result = inputs;
    Numbers numbers(nudge.seed);
    const auto moveQueries = [&](Index b, Index firstHead, Index nHeads, Index first, Index n) {
        move(result.scores ? result.scores : result.q, b, firstHead, nHeads, first, n, nudge.amount,
             numbers);
    };
    const auto moveKey = [&] {
        move(result.k, nudge.b, 0, sizes.G, nudge.at, 1, nudge.amount, numbers);
        move(result.v, nudge.b, 0, sizes.G, nudge.at, 1, nudge.amount, numbers);
    };
    switch (nudge.what) {
    case Nudged::QueryVector:
        moveQueries(nudge.b, nudge.h, 1, nudge.at, 1);
        break;
    case Nudged::Example:
        moveQueries(nudge.at, nudge.h, 1, 0, sizes.Tq);
        break;
    case Nudged::Head:
        moveQueries(nudge.b, nudge.at, 1, 0, sizes.Tq);
        break;
    case Nudged::Token:
        moveQueries(nudge.b, 0, sizes.H, nudge.at, 1);
        moveKey();
        break;
    case Nudged::QueryToken:
        moveQueries(nudge.b, 0, sizes.H, nudge.at, 1);
        break;
    case Nudged::KeyToken:
        moveKey();
        break;
    }
    return result;
}

Inputs withTokenAppended(const Inputs& inputs, std::uint64_t seed)
{
    Numbers numbers(seed);
    Inputs result = inputs;
    result.q = withRowAppended(inputs.q, numbers);
    result.k = withRowAppended(inputs.k, numbers);
    result.v = withRowAppended(inputs.v, numbers);
    result.mask = withCellsAppended(inputs.mask, 0.0F);
    result.bias = withCellsAppended(inputs.bias, kMasked);
    result.queryTokens = withNameAppended(inputs.queryTokens);
    result.keyTokens = withNameAppended(inputs.keyTokens);
    return result;
}

OutputChanges compareOutputs(const MatrixView& before, const MatrixView& after)
{
    OutputChanges changes;
    compareSlice(before, after, changes);
    return changes;
}

OutputChanges compareOutputs(const Tensor& before, const Tensor& after)
{
    OutputChanges changes;
    for (Index b = 0; b < before.shape().batch; ++b)
        for (Index h = 0; h < before.shape().heads; ++h)
            compareSlice(before.slice(b, h), after.slice(b, h), changes);
    return changes;
}

std::string appendSentence(const OutputChanges& changes, const Inputs& inputs,
                           const ScoreSettings& settings)
{
    const std::string count = std::to_string(changes.nChanged) + " of " +
                              std::to_string(changes.nRows) + " earlier " +
                              (changes.nRows == 1 ? "output" : "outputs") + " changed. ";
    const Sizes sizes = sizesOf(inputs);
    if (changes.nChanged == 0) {
        if (settings.axis == Axis::Batch && sizes.B > 1)
            return count + "No later token leaks; other examples do.";
        if (settings.axis == Axis::Head && sizes.H > 1)
            return count + "No later token leaks; other heads do.";
        return count + "No later token is read.";
    }
    if (settings.causal || hidesLater(inputs.mask, 0.0F) || hidesLater(inputs.bias, kMasked))
        return count +
               "The mask is on, yet later queries sit in the denominators: earlier outputs move.";
    return count + laterTokensAreRead(inputs.mask || inputs.bias, settings.axis);
}

} // namespace keyaxis
