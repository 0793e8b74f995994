#include "core/attention/products.h"

#include "core/attention/masked.h"

#include <limits>

namespace keyaxis {

std::vector<PackedKeys> packAllKeys(const Inputs& inputs)
{
    const Sizes sizes = sizesOf(inputs);
    std::vector<PackedKeys> packed;
    packed.reserve(static_cast<std::size_t>(sizes.B * sizes.G));
    for (Index b = 0; b < sizes.B; ++b)
        for (Index g = 0; g < sizes.G; ++g)
            packed.push_back(packKeys(inputs, b, g));
    return packed;
}

void weightedSum(const Matrix& weights, const Matrix& logits, const PackedKeys& keys, Index nTiles,
                 Matrix& output)
{
    output.setZero();
    Tile tile; // a copy, so that every product has the same strides and alignment
    for (Index t = 0; t < nTiles; ++t) {
        tile = weights.middleCols(t * kTile, kTile);
        output.noalias() += tile * keys.values.middleRows(t * kTile, kTile);
    }
    // NaN and infinite values, which the product has seen as 0, reach only the rows that may use
    // their key: 0 · NaN is NaN there as well.
    for (const PackedKeys::Odd& odd : keys.oddValues) {
        if (odd.key >= nTiles * kTile)
            break; // they are in order
        for (Index r = 0; r < kTile; ++r)
            if (logits(r, odd.key) != kMasked)
                output(r, odd.column) += weights(r, odd.key) * odd.value;
    }
}

} // namespace keyaxis
