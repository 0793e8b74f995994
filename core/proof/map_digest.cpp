#include "core/proof/map_digest.h"

#include "core/attention/masked.h"
#include "core/parallel.h"

#include <algorithm>
#include <limits>

namespace keyaxis {

namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

/// Rows of blocks that a thread takes at once.
constexpr Index kBand = 32;

/// Maps and levels up to this many cells are read cell by cell.
constexpr Index kSmall = 64 * 64;

/// What some of the cells are; joining it takes no order.
struct Facts {
    int nMasked = 0;
    int nNan = 0;
    int nInfinite = 0;
    float low = kInfinity;
    float high = -kInfinity;
    float positive = kInfinity;

    void join(const Facts& other)
    {
        nMasked += other.nMasked;
        nNan += other.nNan;
        nInfinite += other.nInfinite;
        low = std::min(low, other.low);
        high = std::max(high, other.high);
        positive = std::min(positive, other.positive);
    }
};

/// The extremes of a few rows, column by column.
struct Columns {
    std::vector<float> low;
    std::vector<float> high;
    std::vector<float> nan; ///< 0 or NaN

    explicit Columns(Index n)
        : low(static_cast<std::size_t>(n)),
          high(static_cast<std::size_t>(n)),
          nan(static_cast<std::size_t>(n))
    {
    }
    void clear()
    {
        std::ranges::fill(low, kInfinity);
        std::ranges::fill(high, -kInfinity);
        std::ranges::fill(nan, 0.0F);
    }
};

/// One row into `columns` and `facts`. Whole vectors, no branches: a map is read once, at the speed
/// of memory.
template <typename LogitAt>
void addRow(const float* values, LogitAt logitAt, Columns& columns, Facts& facts)
{
    const std::size_t n = columns.low.size();
    float* low = columns.low.data();
    float* high = columns.high.data();
    float* nan = columns.nan.data();
    int nMasked = 0;
    int nNan = 0;
    int nInfinite = 0;
    float least = kInfinity;
    float most = -kInfinity;
    float positive = kInfinity;
#pragma omp simd reduction(+ : nMasked, nNan, nInfinite) reduction(min : least, positive)          \
    reduction(max : most)
    for (std::size_t j = 0; j < n; ++j) {
        const float value = values[j];
        const bool isNan = value != value;
        const bool isOut = logitAt(j) == kMasked || value == kMasked;
        const float down = isNan || isOut ? kInfinity : value;
        const float up = isNan || isOut ? -kInfinity : value;
        low[j] = down < low[j] ? down : low[j];
        high[j] = up > high[j] ? up : high[j];
        nan[j] = isNan ? value : nan[j];
        nMasked += isOut ? 1 : 0;
        nNan += isNan ? 1 : 0;
        nInfinite += value == kInfinity ? 1 : 0;
        const float finite = up == kInfinity ? -kInfinity : up;
        least = down < least ? down : least;
        most = finite > most ? finite : most;
        const float above = down > 0.0F ? down : kInfinity;
        positive = above < positive ? above : positive;
    }
    facts.join({nMasked, nNan, nInfinite, least, most, positive});
}

/// Pairs of columns become blocks of row `y` of a level.
void closeRow(const Columns& columns, MapDigest::Level& level, Index y)
{
    const auto nCells = static_cast<Index>(columns.low.size());
    const float* low = columns.low.data();
    const float* high = columns.high.data();
    const float* nan = columns.nan.data();
    for (Index x = 0; x < level.low.cols(); ++x) {
        const Index a = 2 * x;
        const Index b = std::min(a + 1, nCells - 1);
        const bool isNan = nan[a] != nan[a] || nan[b] != nan[b];
        level.low(y, x) = isNan ? kNan : std::min(low[a], low[b]);
        level.high(y, x) = isNan ? kNan : std::max(high[a], high[b]);
    }
}

MapDigest::Level levelOf(Index edge, Index nRows, Index nCols)
{
    return {edge, Matrix(nBlocksOf(nRows, 2), nBlocksOf(nCols, 2)),
            Matrix(nBlocksOf(nRows, 2), nBlocksOf(nCols, 2))};
}

/// The facts of all cells and, in the same pass, the finest level.
Facts firstLevel(const MatrixView& values, const MatrixView& logits, MapDigest::Level& level)
{
    const Index nBands = nBlocksOf(level.low.rows(), kBand);
    std::vector<Facts> facts(static_cast<std::size_t>(nBands));
    PerThread<Columns> scratch{Columns(values.cols())};
    const bool hasMask = logits.size() == values.size();
    forEachBlock(nBands, {}, [&](Index band) {
        Columns& columns = scratch.mine();
        Facts own;
        const Index end = std::min(level.low.rows(), (band + 1) * kBand);
        for (Index y = band * kBand; y < end; ++y) {
            columns.clear();
            for (Index i = 2 * y; i < std::min(values.rows(), 2 * y + 2); ++i) {
                const float* row = values.data() + i * values.cols();
                const float* mask = hasMask ? logits.data() + i * values.cols() : nullptr;
                if (mask)
                    addRow(
                        row, [mask](std::size_t j) { return mask[j]; }, columns, own);
                else
                    addRow(
                        row, [](std::size_t) { return 0.0F; }, columns, own);
            }
            closeRow(columns, level, y);
        }
        facts[static_cast<std::size_t>(band)] = own;
    });
    Facts all;
    for (const Facts& part : facts)
        all.join(part);
    return all;
}

/// Joins 2 × 2 cells of `fine` in each cell of `coarse`, of rows [begin, end). A loop of whole
/// vectors, apart from an odd column at the end.
template <typename Pick>
void joinRows(const Matrix& fine, Matrix& coarse, Index begin, Index end, Pick pick)
{
    const Index nPairs = fine.cols() / 2;
    for (Index y = begin; y < end; ++y) {
        const float* up = fine.row(2 * y).data();
        const float* down = fine.row(std::min(2 * y + 1, fine.rows() - 1)).data();
        float* to = coarse.row(y).data();
#pragma omp simd
        for (Index x = 0; x < nPairs; ++x)
            to[x] = pick(pick(up[2 * x], up[2 * x + 1]), pick(down[2 * x], down[2 * x + 1]));
        if (nPairs < coarse.cols())
            to[nPairs] = pick(up[2 * nPairs], down[2 * nPairs]);
    }
}

MapDigest::Level coarser(const MapDigest::Level& fine)
{
    MapDigest::Level level = levelOf(fine.edge * 2, fine.low.rows(), fine.low.cols());
    forEachBlock(nBlocksOf(level.low.rows(), kBand), {}, [&](Index band) {
        const Index end = std::min(level.low.rows(), (band + 1) * kBand);
        // A NaN of either stays.
        joinRows(fine.low, level.low, band * kBand, end,
                 [](float a, float b) { return a < b || a != a ? a : b; });
        joinRows(fine.high, level.high, band * kBand, end,
                 [](float a, float b) { return a > b || a != a ? a : b; });
    });
    return level;
}

/// As `columnSums` of a certificate, by strips of columns: each is summed from the top.
std::vector<double> sumsOf(const MatrixView& values)
{
    constexpr Index kStrip = 256;
    std::vector<double> sums(static_cast<std::size_t>(values.cols()), 0.0);
    forEachBlock(nBlocksOf(values.cols(), kStrip), {}, [&](Index strip) {
        const Index end = std::min(values.cols(), (strip + 1) * kStrip);
        for (Index i = 0; i < values.rows(); ++i) {
            const float* row = values.data() + i * values.cols();
            for (Index j = strip * kStrip; j < end; ++j)
                sums[static_cast<std::size_t>(j)] += static_cast<double>(row[j]);
        }
    });
    return sums;
}

} // namespace

const MapDigest::Level* MapDigest::levelFor(double nCells) const
{
    const Level* best = nullptr;
    for (const Level& level : levels)
        if (static_cast<double>(level.edge) <= nCells)
            best = &level;
    return best;
}

MapDigest digestOf(const MatrixView& values, const MatrixView& logits)
{
    MapDigest digest;
    if (values.size() == 0) {
        digest.columnSums.assign(static_cast<std::size_t>(values.cols()), 0.0);
        return digest;
    }
    MapDigest::Level finest = levelOf(2, values.rows(), values.cols());
    const Facts facts = firstLevel(values, logits, finest);
    digest.hasMasked = facts.nMasked > 0;
    digest.hasNan = facts.nNan > 0;
    digest.hasInfinity = facts.nInfinite > 0;
    digest.isEmpty = facts.high == -kInfinity;
    if (!digest.isEmpty) {
        digest.low = facts.low;
        digest.high = facts.high;
        digest.smallestPositive = facts.positive < kInfinity ? facts.positive : 0.0F;
    }
    digest.columnSums = sumsOf(values);
    if (values.size() > kSmall)
        digest.levels.push_back(std::move(finest));
    while (!digest.levels.empty() && digest.levels.back().low.size() > kSmall)
        digest.levels.push_back(coarser(digest.levels.back()));
    return digest;
}

MapDigest digestOf(const SliceStages& stages, Stage stage)
{
    const bool showsMask = stage == Stage::Weights || stage == Stage::Logits;
    return digestOf(viewOf(stages.of(stage)),
                    showsMask ? viewOf(stages.before->logits) : MatrixView(nullptr, 0, 0));
}

MapFacts factsOf(const MatrixView& weights, const MatrixView& logits)
{
    return {certify(weights, logits), std::make_shared<const MapDigest>(digestOf(weights, logits))};
}

std::vector<MapFacts> factsOf(const Attention& attention)
{
    const Shape& shape = attention.weights.shape();
    std::vector<MapFacts> facts;
    for (Index b = 0; b < shape.batch; ++b)
        for (Index h = 0; h < shape.heads; ++h)
            facts.push_back(factsOf(attention.weights.slice(b, h), attention.logits.slice(b, h)));
    return facts;
}

} // namespace keyaxis
