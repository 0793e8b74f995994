#pragma once

#include "core/attention/scores.h"
#include "core/inputs.h"
#include "core/settings.h"

#include <stop_token>
#include <vector>

namespace keyaxis {

/// A part of a map of weights that holds whole slices of the softmax.
struct WeightBand {
    Index firstRow = 0;
    Index firstCol = 0;
    Matrix weights; ///< [queries, keys] of the band
    Matrix logits;  ///< the same, not divided by τ; -inf = masked
};

/// The weights of one (batch, head), a band at a time: for a map that is too large for the memory.
/// A band is kTile queries with all keys, or on the query axis all queries with kTile keys. Same
/// bits as every other path. A view: the inputs must outlive it.
class WeightBands {
public:
    /// @param inputs    as `validated` returned them, with q and k.
    /// @param settings  in their domain.
    WeightBands(const Inputs& inputs, const ScoreSettings& settings, Index b, Index h);

    Index nBands() const;

    /// Fills `band` with band n. Returns false on stop; `band` is then of no use.
    ///
    /// @cost  O(kTile · tokens · dk) time, on the batch and the head axis as often as they are
    /// long;
    ///        memory of kTile · tokens floats, twice.
    bool compute(Index n, WeightBand& band, std::stop_token stop = {}) const;

private:
    bool alongKeys(Index tile, WeightBand& band, const std::stop_token& stop) const;
    bool alongQueries(Index tile, WeightBand& band, const std::stop_token& stop) const;
    bool acrossSlices(Index tile, WeightBand& band, const std::stop_token& stop) const;
    void fillTile(Index slice, const Matrix& queries, Index queryTile, Index keyTile,
                  Tile& tile) const;

    /// A (batch, head) whose logits are needed: the one that is looked at, and on the batch and the
    /// head axis those that share its denominators.
    struct Member {
        Index b;
        Index h;
        std::size_t keys; ///< index in m_keys
    };

    const Inputs& m_inputs;
    ScoreSettings m_settings;
    Sizes m_sizes;
    std::vector<Member> m_members;
    std::vector<PackedKeys> m_keys;
    Index m_own = 0; ///< which member is looked at
};

} // namespace keyaxis
