#pragma once

#include "core/attention/softmax.h"

#include <vector>

namespace keyaxis {

/// The softmax of single slices, the one place where logits become weights. Every path goes through
/// it: a whole tensor, one (batch, head), a row of a tile. *thread-safe*
class SliceSoftmax {
public:
    /// @param streaming  results are written past the cache: they are larger than it.
    SliceSoftmax(SoftmaxOptions options, bool streaming)
        : m_options(options), m_streaming(streaming)
    {
    }

    /// A slice of `n` neighbouring entries. `scratch` is kept from call to call; n + 32 floats
    /// suffice. Returns whether the slice is empty.
    bool row(const float* logits, float* weights, Index n, std::vector<float>& scratch) const;

    /// `width` slices of `length` entries side by side; entry n of slice i is at n * stride + i.
    void strip(const float* logits, float* weights, Index length, Index stride, Index width,
               std::vector<float>& scratch) const;

    /// Scratch for `strip`, made before a parallel region.
    static std::vector<float> stripScratch(Index length);

private:
    template <bool Streaming, typename Exponential>
    bool rowBy(const float* logits, float* weights, Index n, std::vector<float>& scratch,
               Exponential exponential) const;
    template <typename Exponential>
    Index shortStrip(const float* logits, float* weights, Index length, Index stride, Index width,
                     Exponential exponential) const;
    template <Index Length, typename Exponential>
    Index shortStripOf(const float* logits, float* weights, Index stride, Index nVectors,
                       Exponential exponential) const;
    template <Index Groups, typename Exponential>
    void groupsBy(const float* logits, float* weights, Index length, Index stride, Index width,
                  std::vector<float>& scratch, Exponential exponential) const;

    SoftmaxOptions m_options;
    bool m_streaming;
};

} // namespace keyaxis
