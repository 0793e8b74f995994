#include "core/attention/attention.h"

#include "core/attention/products.h"
#include "core/attention/scores.h"
#include "core/attention/slice_softmax.h"
#include "core/attention/softmax.h"
#include "core/parallel.h"

#include <limits>
#include <utility>

namespace keyaxis {

namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

tl::unexpected<Error> cancelled()
{
    return fail(Errc::Cancelled, "The computation was replaced by a newer one.");
}

/// Where the tile of queries `block` of the whole tensor lies.
struct TileOfQueries {
    Index b;
    Index h;
    Index tile;
    Index first; ///< its first query
    Index nRows; ///< of which exist
};

TileOfQueries tileOfQueries(const Sizes& sizes, Index block)
{
    const Index nTiles = nBlocksOf(sizes.Tq, kTile);
    const Index slice = block / nTiles;
    const Index tile = block % nTiles;
    return {slice / sizes.H, slice % sizes.H, tile, tile * kTile,
            std::min(kTile, sizes.Tq - tile * kTile)};
}

/// What one thread needs for a tile of queries against all keys.
struct Scratch {
    Matrix queries; ///< [kTile, dk]
    Matrix logits;  ///< [kTile, Tk rounded up], before τ
    Matrix weights; ///< the same
    Matrix output;  ///< [kTile, dv rounded up]
    std::vector<float> softmax;
};

Scratch scratchFor(const Sizes& sizes)
{
    const Index width = nBlocksOf(sizes.Tk, kTile) * kTile;
    Scratch scratch;
    scratch.queries.resize(kTile, sizes.dk);
    scratch.logits.resize(kTile, width);
    scratch.weights.resize(kTile, width);
    scratch.output.resize(kTile, nBlocksOf(sizes.dv, 16) * 16);
    scratch.softmax.resize(static_cast<std::size_t>(width + 32));
    return scratch;
}

/// Copies the rows that exist of a tile buffer to slice (b, h) of `to`.
void keep(const Matrix& rows, const TileOfQueries& at, Index nCols, Tensor& to)
{
    auto slice = to.slice(at.b, at.h);
    slice.block(at.first, 0, at.nRows, nCols) = rows.topLeftCorner(at.nRows, nCols);
}

class Attending {
public:
    Attending(const Inputs& inputs, const ScoreSettings& settings, Keep keep)
        : m_inputs(inputs),
          m_settings(settings),
          m_keep(keep),
          m_sizes(sizesOf(inputs)),
          m_keys(packAllKeys(inputs))
    {
        m_keep.output = keep.output && inputs.v;
    }

    Result<Attention> run(const std::stop_token& stop)
    {
        if (m_inputs.weights)
            return runGiven(stop);
        m_result.weights = Tensor(m_sizes.weights());
        if (m_keep.scores)
            m_result.scores = Tensor(m_sizes.weights());
        if (m_keep.output)
            m_result.output = Tensor(m_sizes.output());
        const bool isFused = m_settings.axis == Axis::Key;
        if (m_keep.logits || !isFused)
            m_result.logits = Tensor(m_sizes.weights());

        if (!(isFused ? runFused(stop) : runInSteps(stop)))
            return cancelled();
        if (m_keep.logits)
            temper(m_result.logits);
        else
            m_result.logits = Tensor();
        return std::move(m_result);
    }

private:
    /// Logits before τ of a tile of queries against its first `nTiles` tiles of keys.
    void fillLogits(const TileOfQueries& at, Index nTiles, Scratch& scratch)
    {
        const ScoreRule rule(m_inputs, m_settings, at.b, at.h);
        const PackedKeys& keys = keysOf(at);
        takeQueries(m_inputs, at.b, at.h, at.tile, scratch.queries);
        Tile tile;
        for (Index t = 0; t < nTiles; ++t) {
            const Index j = t * kTile;
            takeScores(m_inputs, at.b, at.h, at.tile, scratch.queries, t, keys, tile);
            if (m_keep.scores) {
                const Index nCols = std::min(kTile, m_sizes.Tk - j);
                m_result.scores.slice(at.b, at.h).block(at.first, j, at.nRows, nCols) =
                    tile.topLeftCorner(at.nRows, nCols);
            }
            rule.scale(tile);
            rule.addBias(tile, at.first, j);
            rule.mask(tile, at.first, j);
            scratch.logits.middleCols(j, kTile) = tile;
        }
    }

    /// The key axis: a tile of queries goes from scores to output while it is in the cache, and the
    /// tiles that the causal mask hides are never touched.
    bool runFused(const std::stop_token& stop)
    {
        const SliceSoftmax softmax({m_settings.temperature, m_settings.empty}, false);
        PerThread scratches(scratchFor(m_sizes));
        return forEachBlock(nTilesOfQueries(), stop, [&](Index block) {
            const TileOfQueries at = tileOfQueries(m_sizes, block);
            Scratch& scratch = scratches.mine();
            const ScoreRule rule(m_inputs, m_settings, at.b, at.h);
            const Index nVisible = rule.nVisibleKeys(at.first + at.nRows);
            const Index nTiles =
                nBlocksOf(m_keep.scores || m_keep.logits ? m_sizes.Tk : nVisible, kTile);
            const Index nKeys = std::min(m_sizes.Tk, nTiles * kTile);
            fillLogits(at, nTiles, scratch);
            if (m_keep.logits)
                keep(scratch.logits, at, m_sizes.Tk, m_result.logits);

            scratch.weights.leftCols(nTiles * kTile).setZero();
            for (Index r = 0; r < at.nRows; ++r) {
                const bool isEmpty = softmax.row(&scratch.logits(r, 0), &scratch.weights(r, 0),
                                                 nKeys, scratch.softmax);
                auto row = m_result.weights.slice(at.b, at.h).row(at.first + r);
                row.head(nKeys) = scratch.weights.row(r).head(nKeys);
                row.tail(m_sizes.Tk - nKeys)
                    .setConstant(isEmpty && m_settings.empty == EmptySlice::Nan ? kNan : 0.0F);
                // A row of NaN must reach the output although its tiles are skipped.
                if (isEmpty && nTiles == 0 && m_keep.output)
                    m_result.output.slice(at.b, at.h)
                        .row(at.first + r)
                        .setConstant(m_settings.empty == EmptySlice::Nan ? kNan : 0.0F);
            }
            if (m_keep.output && nTiles > 0) {
                weightedSum(scratch.weights, scratch.logits, keysOf(at), nTiles, scratch.output);
                keep(scratch.output, at, m_sizes.dv, m_result.output);
            }
        });
    }

    /// The other axes need all logits of a slice before its first weight.
    bool runInSteps(const std::stop_token& stop)
    {
        const Index nTiles = nBlocksOf(m_sizes.Tk, kTile);
        PerThread scratches(scratchFor(m_sizes));
        const bool filled = forEachBlock(nTilesOfQueries(), stop, [&](Index block) {
            const TileOfQueries at = tileOfQueries(m_sizes, block);
            fillLogits(at, nTiles, scratches.mine());
            keep(scratches.mine().logits, at, m_sizes.Tk, m_result.logits);
        });
        if (!filled ||
            !softmaxInto(m_result.logits, m_settings.axis,
                         {m_settings.temperature, m_settings.empty}, m_result.weights, stop))
            return false;
        return !m_keep.output || multiplyValues(stop);
    }

    /// Weights that are there already.
    Result<Attention> runGiven(const std::stop_token& stop)
    {
        m_result.weights = *m_inputs.weights;
        if (m_keep.logits || m_keep.output)
            m_result.logits = Tensor::zeros(m_sizes.weights());
        if (m_keep.output) {
            m_result.output = Tensor(m_sizes.output());
            if (!multiplyValues(stop))
                return cancelled();
        }
        if (!m_keep.logits)
            m_result.logits = Tensor();
        return std::move(m_result);
    }

    bool multiplyValues(const std::stop_token& stop)
    {
        const Index nTiles = nBlocksOf(m_sizes.Tk, kTile);
        PerThread scratches(scratchFor(m_sizes));
        return forEachBlock(nTilesOfQueries(), stop, [&](Index block) {
            const TileOfQueries at = tileOfQueries(m_sizes, block);
            Scratch& scratch = scratches.mine();
            padRows(std::as_const(m_result.weights).slice(at.b, at.h), at.tile, scratch.weights);
            padRows(std::as_const(m_result.logits).slice(at.b, at.h), at.tile, scratch.logits);
            weightedSum(scratch.weights, scratch.logits, keysOf(at), nTiles, scratch.output);
            keep(scratch.output, at, m_sizes.dv, m_result.output);
        });
    }

    /// Logits as mathematics.md defines them: divided by τ, at τ = 0 left as they are.
    void temper(Tensor& logits) const
    {
        const float temperature = m_settings.temperature;
        if (temperature == 0.0F || temperature == 1.0F)
            return;
        forEachBlock(logits.shape().slices(), {}, [&](Index slice) {
            logits.slice(slice / m_sizes.H, slice % m_sizes.H) /= temperature;
        });
    }

    Index nTilesOfQueries() const { return m_sizes.B * m_sizes.H * nBlocksOf(m_sizes.Tq, kTile); }
    const PackedKeys& keysOf(const TileOfQueries& at) const
    {
        return m_keys[static_cast<std::size_t>(at.b * m_sizes.G + m_sizes.groupOf(at.h))];
    }

    const Inputs& m_inputs;
    ScoreSettings m_settings;
    Keep m_keep;
    Sizes m_sizes;
    std::vector<PackedKeys> m_keys; ///< by b * G + g
    Attention m_result;
};

} // namespace

Result<Attention> attend(const Inputs& inputs, const ScoreSettings& settings, Keep keep,
                         std::stop_token stop)
{
    if (const auto valid = checked(settings); !valid)
        return tl::unexpected(valid.error());
    return Attending(inputs, settings, keep).run(stop);
}

const Matrix& SliceStages::of(Stage stage) const
{
    switch (stage) {
    case Stage::Scores:
        return before->scores;
    case Stage::Scaled:
        return before->scaled;
    case Stage::Biased:
        return before->biased;
    case Stage::Tempered:
        return before->tempered;
    case Stage::Logits:
        return before->logits;
    case Stage::Weights:
        return weights;
    case Stage::Output:
        break;
    }
    return output;
}

Result<SliceStages> attendSlice(const Inputs& inputs, const ScoreSettings& settings, Index b,
                                Index h, std::stop_token stop)
{
    return KeptAttention()
        .slice(inputs, settings, b, h, std::move(stop))
        .map([](const std::shared_ptr<const SliceStages>& stages) { return *stages; });
}

} // namespace keyaxis
