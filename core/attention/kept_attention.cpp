#include "core/attention/attention.h"
#include "core/attention/products.h"
#include "core/attention/softmax.h"
#include "core/parallel.h"

#include <algorithm>
#include <cstring>
#include <optional>

namespace keyaxis {

namespace {

/// One (batch, head) up to the division by τ.
struct KeptSlice {
    Matrix scores;
    Matrix scaled;
    Matrix biased;
    Matrix logits;            ///< masked, before τ
    std::int64_t version = 0; ///< never the same for two contents; 0: nothing here
    bool hasScores = false;
};

/// One (batch, head) under one axis, and everything it depends on.
struct KeptResult {
    Index b = -1;
    Index h = -1;
    SoftmaxOptions options;
    std::vector<std::int64_t> versions; ///< of the slices in its denominators
    std::int64_t valuesVersion = 0;
    std::shared_ptr<const SliceStages> stages;

    bool holdsWeights(Index batch, Index head, const SoftmaxOptions& wanted,
                      const std::vector<std::int64_t>& present) const
    {
        return stages && b == batch && h == head && versions == present &&
               options.temperature == wanted.temperature && options.empty == wanted.empty;
    }
};

/// The slices that share the looked-at slice's denominators, side by side, and room for their
/// weights: a new temperature copies nothing and touches no new page of memory.
struct KeptGroup {
    std::vector<std::int64_t> versions; ///< of the slices in `logits`
    Tensor logits;                      ///< before τ
    Tensor weights;
};

/// Whether slice (b, h) of two tensors of one shape has the same bits.
bool sameSlice(const Tensor& a, const Tensor& b, Index batch, Index head)
{
    const auto nBytes = static_cast<std::size_t>(a.shape().sliceSize()) * sizeof(float);
    return std::memcmp(a.data() + a.offset(batch, head), b.data() + b.offset(batch, head),
                       nBytes) == 0;
}

/// `values` over `divisor`, by all threads: one after the other, the copies of a slice took a third
/// of the time of a new temperature.
template <typename Values>
Matrix copyOf(const Values& values, float divisor = 1.0F)
{
    constexpr Index kRows = 64;
    Matrix copy(values.rows(), values.cols());
    forEachBlock(nBlocksOf(values.rows(), kRows), {}, [&](Index block) {
        const Index begin = block * kRows;
        const Index nRows = std::min(kRows, values.rows() - begin);
        if (divisor == 1.0F)
            copy.middleRows(begin, nRows) = values.middleRows(begin, nRows);
        else
            copy.middleRows(begin, nRows) = values.middleRows(begin, nRows) / divisor;
    });
    return copy;
}

/// Whether logits before τ are the same function of the scores.
bool sameRule(const ScoreSettings& a, const ScoreSettings& b)
{
    return a.causal == b.causal && a.align == b.align && a.alibi == b.alibi &&
           a.slopes == b.slopes && a.scale == b.scale;
}

} // namespace

struct KeptAttention::Store {
    Inputs inputs;
    ScoreSettings settings;
    Sizes sizes;
    std::vector<KeptSlice> slices;               ///< by b * H + h
    std::vector<std::optional<PackedKeys>> keys; ///< by b * G + g
    std::vector<std::int64_t> valuesVersions;    ///< by b * G + g
    std::array<KeptResult, 4> results;           ///< by Axis
    std::array<KeptGroup, 4> groups;             ///< by Axis
    std::shared_ptr<const ScoreStages> before; ///< of the slice of `beforeVersion`, at `beforeTau`
    std::int64_t beforeVersion = 0;
    float beforeTau = 1.0F;
    std::int64_t lastVersion = 0;
    Work work;

    void adopt(const Inputs& newInputs, const ScoreSettings& newSettings);
    bool fill(Index b, Index h, const std::stop_token& stop);
    const PackedKeys& packed(Index b, Index g);
    std::optional<Matrix> weightsOf(Axis axis, Index b, Index h,
                                    const std::vector<std::int64_t>& versions,
                                    const SoftmaxOptions& options, const std::stop_token& stop);
    std::shared_ptr<const ScoreStages> stagesBefore(const KeptSlice& slice, float temperature);
    Matrix outputOf(const Matrix& weights, const Matrix& logits, Index b, Index h);

    KeptSlice& sliceAt(Index b, Index h)
    {
        return slices[static_cast<std::size_t>(b * sizes.H + h)];
    }
    std::size_t groupIndex(Index b, Index h) const
    {
        return static_cast<std::size_t>(b * sizes.G + sizes.groupOf(h));
    }
};

/// Drops exactly what no longer holds for new inputs and settings.
void KeptAttention::Store::adopt(const Inputs& newInputs, const ScoreSettings& newSettings)
{
    const Sizes newSizes = sizesOf(newInputs);
    const bool startsElsewhere = !inputs.scores != !newInputs.scores ||
                                 !inputs.weights != !newInputs.weights || inputs.isEmpty();
    if (startsElsewhere || newSizes != sizes) {
        sizes = newSizes;
        slices.assign(static_cast<std::size_t>(sizes.B * sizes.H), {});
        keys.assign(static_cast<std::size_t>(sizes.B * sizes.G), std::nullopt);
        valuesVersions.assign(keys.size(), ++lastVersion);
        inputs = newInputs;
        settings = newSettings;
        return;
    }
    for (Index b = 0; b < sizes.B; ++b) {
        for (Index g = 0; g < sizes.G; ++g) {
            const auto group = static_cast<std::size_t>(b * sizes.G + g);
            const auto isSame = [&](SharedTensor Inputs::*tensor, Index head) {
                const SharedTensor& was = inputs.*tensor;
                const SharedTensor& is = newInputs.*tensor;
                return was == is || (was && is && sameSlice(*was, *is, b, head));
            };
            const bool sameK = isSame(&Inputs::k, g);
            const bool sameV = isSame(&Inputs::v, g);
            if (!sameK || !sameV)
                keys[group].reset();
            if (!sameV)
                valuesVersions[group] = ++lastVersion;
            for (Index h = g * sizes.headsPerGroup(); h < (g + 1) * sizes.headsPerGroup(); ++h)
                if (!sameK || !isSame(&Inputs::q, h) || !isSame(&Inputs::scores, h) ||
                    !isSame(&Inputs::weights, h))
                    sliceAt(b, h) = {};
        }
    }
    if (!sameRule(settings, newSettings) || inputs.mask != newInputs.mask ||
        inputs.bias != newInputs.bias)
        for (KeptSlice& slice : slices)
            slice.version = 0;
    inputs = newInputs;
    settings = newSettings;
}

const PackedKeys& KeptAttention::Store::packed(Index b, Index g)
{
    auto& entry = keys[static_cast<std::size_t>(b * sizes.G + g)];
    if (!entry)
        entry = packKeys(inputs, b, g);
    return *entry;
}

/// Brings slice (b, h) up to date; false on stop.
bool KeptAttention::Store::fill(Index b, Index h, const std::stop_token& stop)
{
    KeptSlice& slice = sliceAt(b, h);
    if (slice.version != 0)
        return true;
    if (inputs.weights) {
        slice.logits.setZero(sizes.Tq, sizes.Tk);
        slice.version = ++lastVersion;
        return true;
    }
    for (Matrix* matrix : {&slice.scores, &slice.scaled, &slice.biased, &slice.logits})
        matrix->resize(sizes.Tq, sizes.Tk);

    const ScoreRule rule(inputs, settings, b, h);
    const PackedKeys& packedKeys = packed(b, sizes.groupOf(h));
    const Index nKeyTiles = nBlocksOf(sizes.Tk, kTile);
    PerThread queries(Matrix(kTile, sizes.dk));
    const bool done = forEachBlock(nBlocksOf(sizes.Tq, kTile), stop, [&](Index queryTile) {
        const Index i = queryTile * kTile;
        const Index nRows = std::min(kTile, sizes.Tq - i);
        if (!slice.hasScores)
            takeQueries(inputs, b, h, queryTile, queries.mine());
        Tile tile;
        for (Index keyTile = 0; keyTile < nKeyTiles; ++keyTile) {
            const Index j = keyTile * kTile;
            const Index nCols = std::min(kTile, sizes.Tk - j);
            const auto keep = [&](Matrix& matrix) {
                matrix.block(i, j, nRows, nCols) = tile.topLeftCorner(nRows, nCols);
            };
            if (slice.hasScores) {
                tile.setZero();
                tile.topLeftCorner(nRows, nCols) = slice.scores.block(i, j, nRows, nCols);
            } else {
                takeScores(inputs, b, h, queryTile, queries.mine(), keyTile, packedKeys, tile);
                keep(slice.scores);
            }
            rule.scale(tile);
            keep(slice.scaled);
            rule.addBias(tile, i, j);
            keep(slice.biased);
            rule.mask(tile, i, j);
            keep(slice.logits);
        }
    });
    if (!done)
        return false;
    work.products += slice.hasScores ? 0 : 1;
    slice.hasScores = true;
    slice.version = ++lastVersion;
    return true;
}

std::shared_ptr<const ScoreStages> KeptAttention::Store::stagesBefore(const KeptSlice& slice,
                                                                      float temperature)
{
    if (!before || beforeVersion != slice.version || beforeTau != temperature) {
        const float divisor = temperature == 0.0F ? 1.0F : temperature;
        ScoreStages stages{copyOf(slice.scores), copyOf(slice.scaled), copyOf(slice.biased),
                           copyOf(slice.biased, divisor),
                           copyOf(slice.logits, divisor)}; // -inf stays
        before = std::make_shared<const ScoreStages>(std::move(stages));
        beforeVersion = slice.version;
        beforeTau = temperature;
    }
    return before;
}

/// Weights of (b, h) along `axis`: the slices that share its denominators go through the softmax
/// together. Nothing on stop.
std::optional<Matrix> KeptAttention::Store::weightsOf(Axis axis, Index b, Index h,
                                                      const std::vector<std::int64_t>& versions,
                                                      const SoftmaxOptions& options,
                                                      const std::stop_token& stop)
{
    const Index nBatch = axis == Axis::Batch ? sizes.B : 1;
    const Index nHeads = axis == Axis::Head ? sizes.H : 1;
    const Shape shape{nBatch, nHeads, sizes.Tq, sizes.Tk};
    KeptGroup& group = groups[static_cast<std::size_t>(axis)];
    if (group.logits.shape() != shape) {
        group.logits = Tensor(shape);
        group.weights = Tensor(shape);
    }
    if (group.versions != versions) {
        for (Index batch = 0; batch < nBatch; ++batch)
            for (Index head = 0; head < nHeads; ++head)
                group.logits.slice(batch, head) =
                    sliceAt(nBatch > 1 ? batch : b, nHeads > 1 ? head : h).logits;
        group.versions = versions;
    }
    if (!softmaxInto(group.logits, axis, options, group.weights, stop))
        return std::nullopt;
    work.softmaxes += nBatch * nHeads;
    return copyOf(group.weights.slice(nBatch > 1 ? b : 0, nHeads > 1 ? h : 0));
}

Matrix KeptAttention::Store::outputOf(const Matrix& weights, const Matrix& logits, Index b, Index h)
{
    const PackedKeys& packedKeys = packed(b, sizes.groupOf(h));
    const Index width = packedKeys.keys.rows();
    struct Scratch {
        Matrix weights, logits, output;
    };
    PerThread scratches(Scratch{Matrix(kTile, width), Matrix(kTile, width),
                                Matrix(kTile, packedKeys.values.cols())});
    Matrix output(sizes.Tq, sizes.dv);
    forEachBlock(nBlocksOf(sizes.Tq, kTile), {}, [&](Index tile) {
        Scratch& scratch = scratches.mine();
        padRows(viewOf(weights), tile, scratch.weights);
        padRows(viewOf(logits), tile, scratch.logits);
        weightedSum(scratch.weights, scratch.logits, packedKeys, width / kTile, scratch.output);
        const Index nRows = std::min(kTile, sizes.Tq - tile * kTile);
        output.middleRows(tile * kTile, nRows) = scratch.output.topLeftCorner(nRows, sizes.dv);
    });
    ++work.outputs;
    return output;
}

KeptAttention::KeptAttention() : m_store(std::make_unique<Store>()) {}
KeptAttention::~KeptAttention() = default;
KeptAttention::KeptAttention(KeptAttention&&) noexcept = default;
KeptAttention& KeptAttention::operator=(KeptAttention&&) noexcept = default;

KeptAttention::Work KeptAttention::work() const
{
    return m_store->work;
}

Result<std::shared_ptr<const SliceStages>> KeptAttention::slice(const Inputs& inputs,
                                                                const ScoreSettings& settings,
                                                                Index b, Index h,
                                                                std::stop_token stop)
{
    if (const auto valid = checked(settings); !valid)
        return tl::unexpected(valid.error());
    Store& store = *m_store;
    store.adopt(inputs, settings);

    std::vector<std::int64_t> versions;
    const auto stopped = [] {
        return fail(Errc::Cancelled, "The computation was replaced by a newer one.");
    };
    for (Index batch = 0; batch < store.sizes.B; ++batch)
        for (Index head = 0; head < store.sizes.H; ++head) {
            const bool isOwn = batch == b && head == h;
            if (!isOwn && !(settings.axis == Axis::Batch && head == h) &&
                !(settings.axis == Axis::Head && batch == b))
                continue;
            if (!store.fill(batch, head, stop))
                return stopped();
            versions.push_back(store.sliceAt(batch, head).version);
        }

    KeptResult& kept = store.results[static_cast<std::size_t>(settings.axis)];
    const SoftmaxOptions options{settings.temperature, settings.empty};
    const KeptSlice& own = store.sliceAt(b, h);
    const std::int64_t valuesVersion = store.valuesVersions[store.groupIndex(b, h)];
    const bool holdsWeights = kept.holdsWeights(b, h, options, versions);
    if (holdsWeights && kept.valuesVersion == valuesVersion)
        return kept.stages;

    SliceStages stages;
    stages.before = store.stagesBefore(own, settings.temperature);
    if (holdsWeights) {
        stages.weights = kept.stages->weights;
    } else if (inputs.weights) {
        stages.weights = inputs.weights->slice(b, h);
    } else {
        auto weights = store.weightsOf(settings.axis, b, h, versions, options, stop);
        if (!weights)
            return stopped();
        stages.weights = std::move(*weights);
    }
    if (inputs.v)
        stages.output = store.outputOf(stages.weights, own.logits, b, h);
    kept = {b,
            h,
            options,
            std::move(versions),
            valuesVersion,
            std::make_shared<const SliceStages>(std::move(stages))};
    return kept.stages;
}

} // namespace keyaxis
