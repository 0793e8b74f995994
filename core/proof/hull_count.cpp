#include "core/proof/hull_count.h"

#include "core/parallel.h"
#include "core/proof/hull.h"

#include <algorithm>
#include <cassert>

namespace keyaxis {

namespace {

using Place = HullDistance::Place;

std::string outputs(Index n)
{
    return std::to_string(n) + (n == 1 ? " output" : " outputs");
}

std::string lie(Index n)
{
    return n == 1 ? " lies" : " lie";
}

/// What was found, and what was not looked at.
std::string sentenceOf(const HullCount& c)
{
    if (c.nRows == 0)
        return "There are no outputs.";
    if (c.nUndefined == c.nRows)
        return c.nRows == 1 ? "The output is undefined, or has no hull."
                            : "All " + outputs(c.nRows) + " are undefined, or have no hull.";
    const Index nKnown = c.nRows - c.nLeft;
    std::string text;
    if (c.nInside == nKnown && c.nLeft == 0)
        text = c.nRows == 1 ? "The output lies" : "All " + outputs(c.nRows) + " lie";
    else
        text = std::to_string(c.nInside) + " of " + outputs(nKnown) +
               (c.nLeft > 0 ? " looked at" : "") + lie(c.nInside);
    text +=
        " in the hull of the value rows " + std::string(c.nRows == 1 ? "it" : "they") + " may use";
    if (c.nOutside > 0)
        text += ", " + std::to_string(c.nOutside) + lie(c.nOutside) + " outside";
    if (c.nUndefined > 0)
        text += ", " + std::to_string(c.nUndefined) + (c.nUndefined == 1 ? " is" : " are") +
                " undefined or " + (c.nUndefined == 1 ? "has" : "have") + " no hull";
    text += ".";
    if (c.nLucky == 1)
        text += " The weights of one are not a distribution, though this output happens to lie in "
                "the hull.";
    else if (c.nLucky > 1)
        text += " The weights of " + std::to_string(c.nLucky) +
                " are not a distribution, though these outputs happen to lie in the hull.";
    if (c.nLeft > 0)
        text += " Of " + std::to_string(c.nSearched + c.nLeft) + " rows without valid weights, " +
                std::to_string(c.nSearched) + " were searched, evenly spread.";
    return text;
}

/// Counts rows of which `placeOf(row)` tells where the output lies, where that needs a search.
template <typename IsFinite, typename PlaceOf>
Result<HullCount> count(const Certificate& certificate, Index maxSearches,
                        const std::stop_token& stop, IsFinite isFinite, PlaceOf placeOf)
{
    HullCount result;
    result.nRows = certificate.nRows();
    std::vector<Index> open;
    for (Index row = 0; row < result.nRows; ++row) {
        if (!isFinite(row))
            ++result.nUndefined;
        else if (certificate.rows[static_cast<std::size_t>(row)].isValid())
            ++result.nInside;
        else
            open.push_back(row);
    }
    const auto nOpen = static_cast<Index>(open.size());
    const Index nSearches = std::clamp<Index>(maxSearches, 0, nOpen);
    std::vector<Place> places(static_cast<std::size_t>(nSearches));
    const bool finished = forEachBlock(nSearches, stop, [&](Index n) {
        const Index row = open[static_cast<std::size_t>(n * nOpen / nSearches)];
        places[static_cast<std::size_t>(n)] = placeOf(row);
    });
    if (!finished)
        return fail(Errc::Cancelled, "The computation was replaced by a newer one.");

    result.nSearched = nSearches;
    result.nLeft = nOpen - nSearches;
    result.nLucky = std::ranges::count(places, Place::Inside);
    result.nInside += result.nLucky;
    result.nOutside = std::ranges::count(places, Place::Outside);
    result.nUndefined += std::ranges::count(places, Place::Undefined);
    result.sentence = sentenceOf(result);
    return result;
}

Place placeOfRow(const MatrixView& output, const MatrixView& logits, const MatrixView& values,
                 Index i)
{
    return distanceToHull(output.row(i).cast<double>(), values, allowedKeys(logits, i)).place;
}

} // namespace

Result<HullCount> hullCount(const SliceStages& slice, const MatrixView& values,
                            const Certificate& certificate, Index maxSearches, std::stop_token stop)
{
    assert(slice.output.rows() == certificate.nRows());
    return count(
        certificate, maxSearches, stop, [&](Index i) { return slice.output.row(i).allFinite(); },
        [&](Index i) {
            return placeOfRow(viewOf(slice.output), viewOf(slice.before->logits), values, i);
        });
}

Result<HullCount> hullCount(const Inputs& inputs, const Attention& attention,
                            const Certificate& certificate, Index maxSearches, std::stop_token stop)
{
    const Sizes sizes = sizesOf(inputs);
    assert(certificate.nRows() == sizes.B * sizes.H * sizes.Tq);
    struct Row {
        Index b, h, i;
    };
    const auto at = [&](Index row) {
        return Row{row / (sizes.H * sizes.Tq), row / sizes.Tq % sizes.H, row % sizes.Tq};
    };
    return count(
        certificate, maxSearches, stop,
        [&](Index row) {
            const auto [b, h, i] = at(row);
            return attention.output.slice(b, h).row(i).allFinite();
        },
        [&](Index row) {
            const auto [b, h, i] = at(row);
            return placeOfRow(attention.output.slice(b, h), attention.logits.slice(b, h),
                              inputs.v->slice(b, sizes.groupOf(h)), i);
        });
}

} // namespace keyaxis
