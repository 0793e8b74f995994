#pragma once

#include "core/result.h"
#include "core/settings.h"
#include "core/tensor.h"

#include <stop_token>

namespace keyaxis {

struct SoftmaxOptions {
    float temperature = 1.0F; ///< τ >= 0; 0 is the arg-max limit, ties share
    EmptySlice empty = EmptySlice::Nan;
};

/// Normalises every slice of `logits` along `axis` by the softmax of logits / τ.
///
/// @param logits  [B, H, Tq, Tk], not yet divided by τ; -inf marks a masked entry, NaN is allowed.
/// @param axis    the axis that each slice runs along.
/// @param stop    polled once per block.
/// @return        weights, [B, H, Tq, Tk], in [0, 1]; each non-empty finite slice sums to 1 within
///                8 u, u = 2^-24, whatever its length. A masked weight is exactly +0 wherever its
///                slice has an allowed entry. A NaN or +inf among the allowed entries makes the
///                allowed entries of its slice NaN.
/// @errors        Cancelled on stop.
/// @cost          O(B H Tq Tk) time, about one copy of the tensor on every axis.
///                Same bits for any thread count, and for a slice alone or among others.
/// @source        mathematics.md, "Stages"; the shift by the slice's largest logit as in Blanchard,
///                Higham, Higham, Accurately computing the log-sum-exp and softmax functions
///                (2021).
Result<Tensor> softmax(const Tensor& logits, Axis axis, SoftmaxOptions options,
                       std::stop_token stop = {});

/// The same into `weights`, which has the shape of `logits` and may be reused from call to call.
/// False on stop; `weights` is then unspecified.
bool softmaxInto(const Tensor& logits, Axis axis, SoftmaxOptions options, Tensor& weights,
                 std::stop_token stop = {});

} // namespace keyaxis
