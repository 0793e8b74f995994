#include "core/attention/scores.h"

#include "core/attention/alibi.h"
#include "core/parallel.h"

#include <cmath>
#include <limits>

namespace keyaxis {

namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

Index roundedUp(Index n, Index to)
{
    return nBlocksOf(n, to) * to;
}

} // namespace

PackedKeys packKeys(const MatrixView& k, const MatrixView& v)
{
    const Index nKeys = roundedUp(k.rows(), kTile);
    PackedKeys packed;
    packed.keys = Matrix::Zero(nKeys, k.cols());
    packed.keys.topRows(k.rows()) = k;
    if (v.cols() == 0)
        return packed;

    packed.values = Matrix::Zero(nKeys, roundedUp(v.cols(), 16));
    packed.values.topLeftCorner(v.rows(), v.cols()) = v;
    for (Index j = 0; j < v.rows(); ++j)
        for (Index c = 0; c < v.cols(); ++c)
            if (!std::isfinite(v(j, c))) {
                packed.oddValues.push_back({j, c, v(j, c)});
                packed.values(j, c) = 0.0F;
            }
    return packed;
}

void padRows(const MatrixView& slice, Index tile, Matrix& rows)
{
    const Index first = tile * kTile;
    const Index nRows = std::min(kTile, slice.rows() - first);
    rows.setZero();
    rows.topLeftCorner(nRows, slice.cols()) = slice.middleRows(first, nRows);
}

void multiply(const Matrix& queries, const PackedKeys& keys, Index keyTile, Tile& scores)
{
    scores.noalias() = queries * keys.keys.middleRows(keyTile * kTile, kTile).transpose();
}

PackedKeys packKeys(const Inputs& inputs, Index b, Index g)
{
    const MatrixView v = inputs.v ? inputs.v->slice(b, g) : MatrixView(nullptr, 0, 0);
    return packKeys(inputs.k ? inputs.k->slice(b, g) : MatrixView(nullptr, sizesOf(inputs).Tk, 0),
                    v);
}

void takeQueries(const Inputs& inputs, Index b, Index h, Index queryTile, Matrix& queries)
{
    if (inputs.q)
        padRows(inputs.q->slice(b, h), queryTile, queries);
}

void takeScores(const Inputs& inputs, Index b, Index h, Index queryTile, const Matrix& queries,
                Index keyTile, const PackedKeys& keys, Tile& scores)
{
    if (!inputs.scores) {
        multiply(queries, keys, keyTile, scores);
        return;
    }
    const MatrixView given = inputs.scores->slice(b, h);
    const Index i = queryTile * kTile;
    const Index j = keyTile * kTile;
    const Index nRows = std::min(kTile, given.rows() - i);
    const Index nCols = std::min(kTile, given.cols() - j);
    scores.setZero();
    scores.topLeftCorner(nRows, nCols) = given.block(i, j, nRows, nCols);
}

float scaleOf(const ScoreSettings& settings, Index keyWidth)
{
    const double usual = keyWidth == 0 ? 1.0 : 1.0 / std::sqrt(static_cast<double>(keyWidth));
    return static_cast<float>(settings.scale.value_or(usual));
}

Index offsetOf(const ScoreSettings& settings, const Sizes& sizes)
{
    return settings.align == Align::End ? sizes.Tk - sizes.Tq : 0;
}

ScoreRule::ScoreRule(const Inputs& inputs, const ScoreSettings& settings, Index b, Index h)
    : m_inputs(inputs),
      m_settings(settings),
      m_sizes(sizesOf(inputs)),
      m_b(b),
      m_h(h),
      m_scale(scaleOf(settings, m_sizes.dk)),
      m_slope(settings.alibi ? alibiSlopes(m_sizes.H, settings.slopes)[static_cast<std::size_t>(h)]
                             : 0.0F),
      m_offset(offsetOf(settings, m_sizes))
{
}

ScoreRule::BroadcastRow ScoreRule::rowOf(const SharedTensor& tensor, Index i) const
{
    const Shape& shape = tensor->shape();
    const Index b = shape.batch == 1 ? 0 : m_b;
    const Index h = shape.heads == 1 ? 0 : m_h;
    const Index row = shape.rows == 1 ? 0 : i;
    return {tensor->data() + tensor->offset(b, h) + row * shape.cols, shape.cols == 1 ? 0 : 1};
}

void ScoreRule::scale(Tile& tile) const
{
    if (m_scale != 1.0F)
        tile *= m_scale;
}

void ScoreRule::addBias(Tile& tile, Index i, Index j) const
{
    const Index nRows = std::min(kTile, m_sizes.Tq - i);
    if (m_inputs.bias) {
        const Index nCols = std::min(kTile, m_sizes.Tk - j);
        for (Index r = 0; r < nRows; ++r) {
            const BroadcastRow bias = rowOf(m_inputs.bias, i + r);
            for (Index c = 0; c < nCols; ++c)
                tile(r, c) += bias.data[(j + c) * bias.step];
        }
    }
    if (!m_settings.alibi)
        return;
    for (Index r = 0; r < nRows; ++r) {
        const auto distance = static_cast<float>(m_offset + i + r - j); // exact below 2^24
        for (Index c = 0; c < kTile; ++c)
            tile(r, c) -= m_slope * std::abs(distance - static_cast<float>(c));
    }
}

void ScoreRule::mask(Tile& tile, Index i, Index j) const
{
    const Index nRows = std::min(kTile, m_sizes.Tq - i);
    const Index nCols = std::min(kTile, m_sizes.Tk - j);
    if (m_settings.causal) {
        for (Index r = 0; r < nRows; ++r) {
            const Index nAllowed = std::clamp<Index>(m_offset + i + r - j + 1, 0, kTile);
            tile.row(r).tail(kTile - nAllowed).setConstant(-kInfinity);
        }
    }
    const auto hideWhere = [&](const SharedTensor& tensor, float hidden) {
        for (Index r = 0; tensor && r < nRows; ++r) {
            const BroadcastRow row = rowOf(tensor, i + r);
            for (Index c = 0; c < nCols; ++c)
                if (row.data[(j + c) * row.step] == hidden)
                    tile(r, c) = -kInfinity;
        }
    };
    hideWhere(m_inputs.mask, 0.0F);
    hideWhere(m_inputs.bias, -kInfinity);
    hideWhere(m_inputs.scores, -kInfinity); // whatever the scale has made of it
}

Index ScoreRule::nVisibleKeys(Index endQuery) const
{
    if (!m_settings.causal)
        return m_sizes.Tk;
    return std::clamp<Index>(m_offset + endQuery, 0, m_sizes.Tk);
}

} // namespace keyaxis
