#pragma once

#include "ui/document/document.h"
#include "ui/paint/heatmap_layout.h"

#include <map>
#include <memory>
#include <utility>
#include <vector>

namespace keyaxis {

/// Results together with the names on their maps, made once for all views. *immutable*
struct ShownResults {
    std::shared_ptr<const Results> results; ///< never null
    Labels queries;                         ///< by row of the maps
    Labels keys;                            ///< by column

    explicit ShownResults(std::shared_ptr<const Results> from);
    const SliceStages& stages(Axis axis) const
    {
        return *results->axes[static_cast<std::size_t>(axis)];
    }
    const Certificate& certificate(Axis axis) const
    {
        return results->certificates[static_cast<std::size_t>(axis)];
    }
    bool contains(Cell cell) const;
    /// Of a stage's numbers under `axis`; the weights' came with the results, the others' are
    /// worked out when they are first asked for.
    std::shared_ptr<const MapDigest> digest(Axis axis, Stage stage) const;

private:
    mutable std::map<std::pair<Axis, Stage>, std::shared_ptr<const MapDigest>> m_digests;
};

/// What shares the denominator of one weight. *immutable*
struct OneSlice {
    Axis axis = Axis::Key;
    Cell cell;
    Index at = 0;               ///< which member is `cell`
    std::vector<float> logits;  ///< by member; -inf = masked
    std::vector<float> weights; ///< by member
    float temperature = 1.0F;
    bool isGiven = false; ///< the weights were loaded: the logits, all 0, say nothing

    Index nAllowed() const;
    bool isAllowed(Index member) const;
};

/// The slice along `axis` through `cell` of the looked-at (batch, head).
OneSlice sliceThrough(const ShownResults& shown, Axis axis, Cell cell);

/// What member n of `slice` is called: a token, "example 2", "head 3".
Label memberName(const ShownResults& shown, const OneSlice& slice, Index member);

/// What a slice is called. The tokens are data and stay as they are, whatever the head's letters.
struct SliceTitle {
    Label tokens; ///< "sat", "sat → cat"
    QString rest; ///< "over its keys", "over the heads"

    QString plain() const { return tokens.plain() + QStringLiteral(" ") + rest; }
};
SliceTitle sliceTitle(const ShownResults& shown, const OneSlice& slice);

/// How the weight of the slice's cell came about, with its numbers:
/// "w = e^-1.75 / (e^-0.48 + e^-1.75 + e^-0.50) = 0.124"; masked, undefined and arg-max in words.
///
/// @param nTerms  how many terms of the denominator are written out; at least 2. The rest is "…".
Label substitutedFormula(const OneSlice& slice, int nTerms);

/// A number for people: two decimals, or short scientific where they would say nothing.
QString shortNumber(double value);
/// A weight: three decimals, or scientific where they would hide that it is not 0.
QString weightNumber(double value);

} // namespace keyaxis
