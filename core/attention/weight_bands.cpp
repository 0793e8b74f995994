#include "core/attention/weight_bands.h"

#include "core/attention/slice_softmax.h"
#include "core/parallel.h"

#include <algorithm>
#include <limits>

namespace keyaxis {

namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

/// Columns of a band of the query axis that one thread takes.
constexpr Index kStripWidth = 16;

/// The part of `tile` that lies inside a matrix, copied to it at (i, j).
void place(const Tile& tile, Matrix& to, Index i, Index j)
{
    const Index nRows = std::min(kTile, to.rows() - i);
    const Index nCols = std::min(kTile, to.cols() - j);
    to.block(i, j, nRows, nCols) = tile.topLeftCorner(nRows, nCols);
}

} // namespace

WeightBands::WeightBands(const Inputs& inputs, const ScoreSettings& settings, Index b, Index h)
    : m_inputs(inputs), m_settings(settings), m_sizes(sizesOf(inputs))
{
    const auto add = [&](Index batch, Index head) {
        const Index group = m_sizes.groupOf(head);
        const bool isPacked = !m_members.empty() && m_members.back().b == batch &&
                              m_sizes.groupOf(m_members.back().h) == group;
        if (!isPacked)
            m_keys.push_back(packKeys(inputs.k->slice(batch, group), MatrixView(nullptr, 0, 0)));
        m_members.push_back({batch, head, m_keys.size() - 1});
    };
    if (settings.axis == Axis::Batch) {
        for (Index batch = 0; batch < m_sizes.B; ++batch)
            add(batch, h);
        m_own = b;
    } else if (settings.axis == Axis::Head) {
        for (Index head = 0; head < m_sizes.H; ++head)
            add(b, head);
        m_own = h;
    } else {
        add(b, h);
    }
}

Index WeightBands::nBands() const
{
    return nBlocksOf(m_settings.axis == Axis::Query ? m_sizes.Tk : m_sizes.Tq, kTile);
}

bool WeightBands::compute(Index n, WeightBand& band, std::stop_token stop) const
{
    const Index first = n * kTile;
    const bool isTall = m_settings.axis == Axis::Query;
    band.firstRow = isTall ? 0 : first;
    band.firstCol = isTall ? first : 0;
    const Index nRows = isTall ? m_sizes.Tq : std::min(kTile, m_sizes.Tq - first);
    const Index nCols = isTall ? std::min(kTile, m_sizes.Tk - first) : m_sizes.Tk;
    band.logits.resize(nRows, nCols);
    band.weights.resize(nRows, nCols);
    switch (m_settings.axis) {
    case Axis::Key:
        return alongKeys(n, band, stop);
    case Axis::Query:
        return alongQueries(n, band, stop);
    case Axis::Batch:
    case Axis::Head:
        break;
    }
    return acrossSlices(n, band, stop);
}

/// Logits of one tile of member `slice`.
void WeightBands::fillTile(Index slice, const Matrix& queries, Index queryTile, Index keyTile,
                           Tile& tile) const
{
    const Member& member = m_members[static_cast<std::size_t>(slice)];
    multiply(queries, m_keys[member.keys], keyTile, tile);
    const ScoreRule rule(m_inputs, m_settings, member.b, member.h);
    rule.scale(tile);
    rule.addBias(tile, queryTile * kTile, keyTile * kTile);
    rule.mask(tile, queryTile * kTile, keyTile * kTile);
}

bool WeightBands::alongKeys(Index tile, WeightBand& band, const std::stop_token& stop) const
{
    const Member& member = m_members.front();
    Matrix queries(kTile, m_sizes.dk);
    padRows(m_inputs.q->slice(member.b, member.h), tile, queries);
    // What the causal rule hides from all of these queries is not computed.
    const ScoreRule rule(m_inputs, m_settings, member.b, member.h);
    const Index nTiles = nBlocksOf(rule.nVisibleKeys(band.firstRow + band.logits.rows()), kTile);
    const Index nKeys = std::min(m_sizes.Tk, nTiles * kTile);
    band.logits.rightCols(m_sizes.Tk - nKeys).setConstant(-kInfinity);
    const bool isFilled = forEachBlock(nTiles, stop, [&](Index keyTile) {
        Tile logits;
        fillTile(0, queries, tile, keyTile, logits);
        place(logits, band.logits, 0, keyTile * kTile);
    });
    const SliceSoftmax softmax({m_settings.temperature, m_settings.empty}, false);
    PerThread scratch(std::vector<float>(static_cast<std::size_t>(m_sizes.Tk + 32)));
    return isFilled && forEachBlock(band.logits.rows(), stop, [&](Index r) {
               const bool isEmpty =
                   softmax.row(&band.logits(r, 0), &band.weights(r, 0), nKeys, scratch.mine());
               band.weights.row(r)
                   .tail(m_sizes.Tk - nKeys)
                   .setConstant(isEmpty && m_settings.empty == EmptySlice::Nan ? kNan : 0.0F);
           });
}

bool WeightBands::alongQueries(Index tile, WeightBand& band, const std::stop_token& stop) const
{
    const Member& member = m_members.front();
    PerThread queries(Matrix(kTile, m_sizes.dk));
    const bool isFilled = forEachBlock(nBlocksOf(m_sizes.Tq, kTile), stop, [&](Index queryTile) {
        padRows(m_inputs.q->slice(member.b, member.h), queryTile, queries.mine());
        Tile logits;
        fillTile(0, queries.mine(), queryTile, tile, logits);
        place(logits, band.logits, queryTile * kTile, 0);
    });
    const SliceSoftmax softmax({m_settings.temperature, m_settings.empty}, false);
    PerThread scratch(SliceSoftmax::stripScratch(m_sizes.Tq));
    const Index nCols = band.logits.cols();
    return isFilled && forEachBlock(nBlocksOf(nCols, kStripWidth), stop, [&](Index strip) {
               const Index at = strip * kStripWidth;
               softmax.strip(band.logits.data() + at, band.weights.data() + at, m_sizes.Tq, nCols,
                             std::min(kStripWidth, nCols - at), scratch.mine());
           });
}

bool WeightBands::acrossSlices(Index tile, WeightBand& band, const std::stop_token& stop) const
{
    const auto nMembers = static_cast<Index>(m_members.size());
    std::vector<Matrix> queries(m_members.size(), Matrix(kTile, m_sizes.dk));
    for (std::size_t n = 0; n < m_members.size(); ++n)
        padRows(m_inputs.q->slice(m_members[n].b, m_members[n].h), tile, queries[n]);

    // A row is the tile of one member; a slice of the softmax is a column.
    struct Scratch {
        Tile tile;
        Matrix logits;
        Matrix weights;
        std::vector<float> softmax;
    };
    constexpr Index kCells = kTile * kTile;
    PerThread scratches(Scratch{{},
                                Matrix(nMembers, kCells),
                                Matrix(nMembers, kCells),
                                SliceSoftmax::stripScratch(nMembers)});
    const SliceSoftmax softmax({m_settings.temperature, m_settings.empty}, false);
    return forEachBlock(nBlocksOf(m_sizes.Tk, kTile), stop, [&](Index keyTile) {
        Scratch& scratch = scratches.mine();
        for (Index n = 0; n < nMembers; ++n) {
            fillTile(n, queries[static_cast<std::size_t>(n)], tile, keyTile, scratch.tile);
            scratch.logits.row(n) = scratch.tile.reshaped<Eigen::RowMajor>().transpose();
        }
        softmax.strip(scratch.logits.data(), scratch.weights.data(), nMembers, kCells, kCells,
                      scratch.softmax);
        const auto own = [this](const Matrix& tiles) {
            return Eigen::Map<const Tile>(tiles.row(m_own).data());
        };
        place(own(scratch.logits), band.logits, 0, keyTile * kTile);
        place(own(scratch.weights), band.weights, 0, keyTile * kTile);
    });
}

} // namespace keyaxis
