#include "core/attention/softmax.h"

#include "core/attention/lanes.h"
#include "core/attention/slice_softmax.h"
#include "core/parallel.h"

#include <cassert>
#include <vector>

namespace keyaxis {

namespace {

/// A block is what one thread does between two looks at the stop token: about 0.2 ms of work.
constexpr Index kBlockSize = 1 << 17;

/// No strip of interleaved slices is narrower, in floats.
constexpr Index kNarrowest = 128;

/// Results above this size leave the cache anyway, so they are written past it.
constexpr Index kStreamingSize = 1 << 21;

/// How a tensor falls into slices along an axis: `nOuter` groups of `inner` interleaved slices of
/// `length` entries, entry n of slice i at ((outer * length) + n) * inner + i.
struct Slicing {
    Index nOuter;
    Index length;
    Index inner;
};

Slicing slicingOf(const Shape& shape, Axis axis)
{
    switch (axis) {
    case Axis::Key:
        return {shape.slices() * shape.rows, shape.cols, 1};
    case Axis::Query:
        return {shape.slices(), shape.rows, shape.cols};
    case Axis::Head:
        return {shape.batch, shape.heads, shape.sliceSize()};
    case Axis::Batch:
        break;
    }
    return {1, shape.batch, shape.heads * shape.sliceSize()};
}

bool alongRows(const float* logits, float* weights, Index nRows, Index length,
               const SliceSoftmax& softmax, const std::stop_token& stop)
{
    const Index rowsPerBlock = std::max<Index>(1, kBlockSize / std::max<Index>(1, length));
    PerThread scratch(std::vector<float>(static_cast<std::size_t>(length + 32)));
    return forEachBlock(nBlocksOf(nRows, rowsPerBlock), stop, [&](Index block) {
        const Index end = std::min(nRows, (block + 1) * rowsPerBlock);
        for (Index row = block * rowsPerBlock; row < end; ++row)
            softmax.row(logits + row * length, weights + row * length, length, scratch.mine());
        lanes::finishStores();
    });
}

bool acrossStrips(const float* logits, float* weights, const Slicing& slicing,
                  const SliceSoftmax& softmax, const std::stop_token& stop)
{
    const Index width = std::max(kNarrowest, kBlockSize / std::max<Index>(1, slicing.length) /
                                                 kNarrowest * kNarrowest);
    const Index stripsPerGroup = nBlocksOf(slicing.inner, width);
    PerThread scratch(SliceSoftmax::stripScratch(slicing.length));
    return forEachBlock(slicing.nOuter * stripsPerGroup, stop, [&](Index block) {
        const Index at = block % stripsPerGroup * width;
        const Index from = block / stripsPerGroup * slicing.length * slicing.inner + at;
        softmax.strip(logits + from, weights + from, slicing.length, slicing.inner,
                      std::min(width, slicing.inner - at), scratch.mine());
        lanes::finishStores();
    });
}

} // namespace

bool softmaxInto(const Tensor& logits, Axis axis, SoftmaxOptions options, Tensor& weights,
                 std::stop_token stop)
{
    assert(weights.shape() == logits.shape());
    const Slicing slicing = slicingOf(logits.shape(), axis);
    const SliceSoftmax softmax(options, logits.size() >= kStreamingSize);
    // By the axis, not by `inner == 1`: a slice is summed in the same order in every shape.
    if (axis == Axis::Key)
        return alongRows(logits.data(), weights.data(), slicing.nOuter, slicing.length, softmax,
                         stop);
    return acrossStrips(logits.data(), weights.data(), slicing, softmax, stop);
}

Result<Tensor> softmax(const Tensor& logits, Axis axis, SoftmaxOptions options,
                       std::stop_token stop)
{
    Tensor weights(logits.shape());
    if (!softmaxInto(logits, axis, options, weights, stop))
        return fail(Errc::Cancelled, "The computation was replaced by a newer one.");
    return weights;
}

} // namespace keyaxis
