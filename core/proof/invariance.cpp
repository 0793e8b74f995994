#include "core/proof/invariance.h"

#include "core/attention/alibi.h"
#include "core/attention/scores.h"
#include "core/proof/nan_story.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace keyaxis {

namespace {

constexpr float kMasked = -std::numeric_limits<float>::infinity();

/// The bias of every cell of a document.
class Bias {
public:
    Bias(const Inputs& inputs, const ScoreSettings& settings)
        : m_inputs(inputs),
          m_settings(settings),
          m_sizes(sizesOf(inputs)),
          m_slopes(alibiSlopes(m_sizes.H, settings.slopes)),
          m_offset(offsetOf(settings, m_sizes))
    {
    }

    const Sizes& sizes() const { return m_sizes; }

    bool isAllowed(const WeightCell& at) const
    {
        return hiddenBy(m_inputs, m_settings, at, kMasked) == HiddenBy::Score;
    }

    double at(const WeightCell& at) const
    {
        double bias = 0.0;
        if (m_inputs.bias) {
            const Shape& s = m_inputs.bias->shape();
            bias = double{m_inputs.bias->at(s.batch == 1 ? 0 : at.b, s.heads == 1 ? 0 : at.h,
                                            s.rows == 1 ? 0 : at.i, s.cols == 1 ? 0 : at.j)};
        }
        if (m_settings.alibi)
            bias -= double{m_slopes[static_cast<std::size_t>(at.h)]} *
                    std::abs(static_cast<double>(at.i + m_offset - at.j));
        return bias;
    }

private:
    const Inputs& m_inputs;
    const ScoreSettings& m_settings;
    Sizes m_sizes;
    std::vector<float> m_slopes;
    Index m_offset;
};

/// How an axis runs through the cells: its coordinate and its length.
struct Along {
    Index WeightCell::*coordinate;
    Index length;
};

Along along(Axis axis, const Sizes& sizes)
{
    switch (axis) {
    case Axis::Key:
        return {&WeightCell::j, sizes.Tk};
    case Axis::Query:
        return {&WeightCell::i, sizes.Tq};
    case Axis::Batch:
        return {&WeightCell::b, sizes.B};
    case Axis::Head:
        break;
    }
    return {&WeightCell::h, sizes.H};
}

/// One cell of each slice that runs through (b, h).
std::vector<WeightCell> slicesThrough(Axis axis, const Sizes& sizes, Index b, Index h)
{
    std::vector<WeightCell> slices;
    if (sizes.Tq == 0)
        return slices;
    const Index nRows = axis == Axis::Query ? 1 : sizes.Tq;
    const Index nColumns = axis == Axis::Key ? 1 : sizes.Tk;
    for (Index i = 0; i < nRows; ++i)
        for (Index j = 0; j < nColumns; ++j)
            slices.push_back({b, h, i, j});
    return slices;
}

/// The place along the axis that is allowed in the most slices, the first such.
Index commonPlace(const Bias& bias, const std::vector<WeightCell>& slices, const Along& axis)
{
    std::vector<Index> counts(static_cast<std::size_t>(axis.length), 0);
    for (WeightCell cell : slices)
        for (Index n = 0; n < axis.length; ++n) {
            cell.*axis.coordinate = n;
            counts[static_cast<std::size_t>(n)] += bias.isAllowed(cell) ? 1 : 0;
        }
    return std::ranges::max_element(counts) - counts.begin();
}

/// The place from which a slice is measured: `common`, or its first allowed one; -1 for none.
Index placeIn(const Bias& bias, WeightCell slice, const Along& axis, Index common)
{
    slice.*axis.coordinate = common;
    if (bias.isAllowed(slice))
        return common;
    for (Index n = 0; n < axis.length; ++n) {
        slice.*axis.coordinate = n;
        if (bias.isAllowed(slice))
            return n;
    }
    return -1;
}

/// Whether the allowed cells of `m` agree along each line of places, given by `placeOf(i, j)`.
template <typename PlaceOf>
bool agrees(const Matrix& m, Index nPlaces, float tolerance, PlaceOf placeOf)
{
    std::vector<float> seen(static_cast<std::size_t>(nPlaces), kMasked);
    for (Index i = 0; i < m.rows(); ++i)
        for (Index j = 0; j < m.cols(); ++j) {
            float& first = seen[static_cast<std::size_t>(placeOf(i, j))];
            if (m(i, j) == kMasked)
                continue;
            if (first == kMasked)
                first = m(i, j);
            if (!(std::abs(m(i, j) - first) <= tolerance))
                return false;
        }
    return true;
}

std::string sentenceOf(const BiasParts& parts, const ScoreSettings& settings, bool isAlibiAlone)
{
    if (!parts.hasBias)
        return "There is no bias: nothing to cancel.";
    switch (settings.axis) {
    case Axis::Key:
        if (parts.cancelsAll)
            return "The whole bias cancels: it is one constant for each query.";
        if (!parts.dependsOnPlace)
            return "Each query loses a constant of its own; what differs between its keys "
                   "survives.";
        return isAlibiAlone && settings.causal
                   ? "Under the causal mask ALiBi's -m(i - j) leaves +m·j: what survives depends "
                     "on "
                     "the key alone."
                   : "Each query loses a constant of its own: what survives depends on the key "
                     "alone.";
    case Axis::Query:
        if (parts.cancelsAll)
            return "The whole bias cancels: it is one constant for each key.";
        return parts.dependsOnPlace
                   ? "Each key loses a constant of its own: what survives depends on the query "
                     "alone."
                   : "Each key loses a constant of its own; what differs between its queries "
                     "survives.";
    case Axis::Batch:
        return parts.cancelsAll ? "The whole bias cancels: it is the same in every example."
                                : "What is the same in every example cancels; only what differs "
                                  "between them survives.";
    case Axis::Head:
        break;
    }
    return parts.cancelsAll ? "The whole bias cancels: it is the same in every head."
                            : "What is the same in every head cancels; only what differs between "
                              "them survives.";
}

} // namespace

BiasParts biasParts(const Inputs& inputs, const ScoreSettings& settings, Index b, Index h)
{
    const Bias bias(inputs, settings);
    const Sizes& sizes = bias.sizes();
    const Along axis = along(settings.axis, sizes);
    const bool runsInside = settings.axis == Axis::Key || settings.axis == Axis::Query;
    const std::vector<WeightCell> slices = slicesThrough(settings.axis, sizes, b, h);

    BiasParts parts;
    parts.hasBias = settings.alibi || inputs.bias;
    parts.cancelled = Matrix::Constant(sizes.Tq, sizes.Tk, kMasked);
    parts.surviving = parts.cancelled;
    double largest = 0.0;
    const Index common = slices.empty() ? 0 : commonPlace(bias, slices, axis);
    for (const WeightCell& slice : slices) {
        const Index place = placeIn(bias, slice, axis, common);
        if (place < 0)
            continue;
        WeightCell cell = slice;
        cell.*axis.coordinate = place;
        const double constant = bias.at(cell);
        // On the batch and head axes one cell of the slice is looked at.
        const Index first = runsInside ? 0 : slice.*axis.coordinate;
        for (Index n = first; n < (runsInside ? axis.length : first + 1); ++n) {
            cell.*axis.coordinate = n;
            if (!bias.isAllowed(cell))
                continue;
            const double value = bias.at(cell);
            largest = std::max(largest, std::abs(value));
            parts.cancelled(cell.i, cell.j) = static_cast<float>(constant);
            parts.surviving(cell.i, cell.j) = static_cast<float>(value - constant);
        }
    }

    const auto tolerance = static_cast<float>(1e-6 * largest);
    parts.dependsOnPlace =
        runsInside && agrees(parts.surviving, axis.length, tolerance,
                             [&](Index i, Index j) { return settings.axis == Axis::Key ? j : i; });
    parts.cancelsAll =
        (parts.surviving.array() == kMasked || parts.surviving.array().abs() <= tolerance).all();
    parts.sentence = sentenceOf(parts, settings, settings.alibi && !inputs.bias);
    return parts;
}

} // namespace keyaxis
