#pragma once

#include "core/tensor.h"

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace keyaxis {

/// A set of the axes batch, head, query, key of a weight tensor [B, H, Tq, Tk].
class AxisSet {
public:
    enum Member { Batch, Head, Query, Key };

    constexpr AxisSet() = default;
    constexpr explicit AxisSet(unsigned bits) : m_bits(bits) {}
    constexpr bool has(Member axis) const { return (m_bits >> axis & 1U) != 0; }
    constexpr unsigned bits() const { return m_bits; } ///< 1 batch, 2 head, 4 query, 8 key
    constexpr bool operator==(const AxisSet&) const = default;
    std::string name() const; ///< "key", "head+key"

private:
    unsigned m_bits = 0;
};

/// The 15 sets that are not empty: single axes first, key, query, head, batch.
const std::array<AxisSet, 15>& allAxisSets();

/// What the sums of a tensor along a set of axes say.
struct AxisSums {
    AxisSet axes;
    double largestDeviation = 0; ///< of a sum from 1, over the sums that are finite and not 0
    Index nSums = 0;
    Index nZero = 0; ///< sums of slices whose entries are all 0: fully masked under policy zero
    Index nUndefined = 0; ///< sums that are NaN or infinite
    double smallest = 0;  ///< sum
    double largest = 0;
    bool holds = false; ///< every sum that is defined and not empty is 1 within the tolerance
};

/// Whether the zeros of a tensor are a causal triangle.
enum class Triangle { None, Start, End, Flipped };

/// Sums of a weight tensor along every set of axes, and what else is conspicuous.
struct Findings {
    double tolerance = 0;
    std::vector<AxisSums> sums; ///< in the order of `allAxisSets`
    Triangle triangle = Triangle::None;
    double smallest = 0; ///< over the finite entries; NaN where there are none
    double largest = 0;
    Index nNan = 0;
    Index nNegative = 0;
    Index nAboveOne = 0;                ///< by more than the tolerance
    std::vector<std::string> sentences; ///< in plain words, the most important first

    const AxisSums& along(AxisSet axes) const;
    bool holdsAlong(AxisSet axes) const { return along(axes).holds; }
};

/// "sums 0.15 … 2.36, 1 of 9 undefined, 2 of 9 empty"; UTF-8.
std::string sumsText(const AxisSums& sums);

/// Finds out along which axes a tensor was normalised.
///
/// @param weights    [B, H, Tq, Tk] in float64, as the file has them; a missing axis has length 1.
/// @param shape      its sizes.
/// @param tolerance  largest deviation from 1 that counts as 1; that of the narrowest type.
/// @param dims       the axes that the file has, in its order, letters of "bhqk": they decide what
///                   PyTorch's softmax does without `dim` (dimension 0 of one and three, else 1).
/// @cost             O(15 · size) time, one pass of partial sums per set.
Findings investigate(const std::vector<double>& weights, const Shape& shape, double tolerance,
                     std::string_view dims = "bhqk");

} // namespace keyaxis
