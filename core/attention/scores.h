#pragma once

#include "core/inputs.h"
#include "core/settings.h"

#include <vector>

namespace keyaxis {

/// Products are computed in whole tiles of one fixed grid of kTile queries by kTile keys, the last
/// ones filled up with zeros: so a number has the same bits whether one row, one slice or
/// everything is computed, and however many tokens follow it.
inline constexpr Index kTile = 64;
using Tile = Eigen::Matrix<float, kTile, kTile, Eigen::RowMajor>;

/// Keys and values of one (batch, group), in whole tiles.
struct PackedKeys {
    Matrix keys;   ///< [Tk rounded up, dk]
    Matrix values; ///< [Tk rounded up, dv rounded up]; NaN and infinities are 0 here
    struct Odd {
        Index key;
        Index column;
        float value;
    };
    std::vector<Odd> oddValues; ///< those NaN and infinities, in order
};

/// Packs k [Tk, dk] and v [Tk, dv] of one (batch, group); `v` may have no rows.
PackedKeys packKeys(const MatrixView& k, const MatrixView& v);

/// The same of a document; without q and k there are keys of width 0.
PackedKeys packKeys(const Inputs& inputs, Index b, Index g);

/// Rows [kTile * tile, …) of `slice`, filled up with zeros to the size of `rows`, whole tiles.
void padRows(const MatrixView& slice, Index tile, Matrix& rows);

/// The queries of one tile of (b, h), [kTile, dk]; nothing where scores are given.
void takeQueries(const Inputs& inputs, Index b, Index h, Index queryTile, Matrix& queries);

/// Raw scores of one tile of (b, h): queries · keysᵀ, both [kTile, dk], or the given ones.
void takeScores(const Inputs& inputs, Index b, Index h, Index queryTile, const Matrix& queries,
                Index keyTile, const PackedKeys& keys, Tile& scores);

/// Raw scores of one tile: queries · keysᵀ; both [kTile, dk].
void multiply(const Matrix& queries, const PackedKeys& keys, Index keyTile, Tile& scores);

/// What happens to the scores of one (batch, head) before the division by τ and the softmax.
/// Each step works on a tile whose first cell is (i, j); steps that are off return at once. A view:
/// the inputs must outlive it. *thread-safe*
class ScoreRule {
public:
    ScoreRule(const Inputs& inputs, const ScoreSettings& settings, Index b, Index h);

    void scale(Tile& tile) const;
    void addBias(Tile& tile, Index i, Index j) const; ///< the loaded bias, then ALiBi
    void mask(Tile& tile, Index i, Index j) const;    ///< -inf replaces, never adds

    /// How many of the first keys may be seen by some query below `endQuery` as far as the causal
    /// rule goes; everything to the right is masked for all of them.
    Index nVisibleKeys(Index endQuery) const;

private:
    /// Row i of an optional broadcast tensor: entry j at data[j * step].
    struct BroadcastRow {
        const float* data = nullptr;
        Index step = 0;
    };
    BroadcastRow rowOf(const SharedTensor& tensor, Index i) const;

    const Inputs& m_inputs;
    ScoreSettings m_settings;
    Sizes m_sizes;
    Index m_b;
    Index m_h;
    float m_scale;
    float m_slope;  ///< 0 without ALiBi
    Index m_offset; ///< position of query 0
};

/// The factor of QKᵀ under `settings`; 1 is the default of given scores, whose width is 0.
float scaleOf(const ScoreSettings& settings, Index keyWidth);

/// Position of query 0 on the keys' axis.
Index offsetOf(const ScoreSettings& settings, const Sizes& sizes);

} // namespace keyaxis
