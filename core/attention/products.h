#pragma once

#include "core/attention/scores.h"

namespace keyaxis {

/// Packed keys and values of every (batch, group), by b * G + g.
std::vector<PackedKeys> packAllKeys(const Inputs& inputs);

/// `output` = weights · values over the first `nTiles` tiles of keys, key tile after key tile.
///
/// @param weights,logits  [kTile, >= nTiles * kTile]; a key whose logit is -inf adds nothing, even
///                        where its value is NaN. A NaN weight makes its whole row NaN.
/// @param output          [kTile, dv rounded up], overwritten.
void weightedSum(const Matrix& weights, const Matrix& logits, const PackedKeys& keys, Index nTiles,
                 Matrix& output);

} // namespace keyaxis
