#include "core/mask_edit.h"

#include <algorithm>

namespace keyaxis {

namespace {

/// The index along an axis that may be broadcast.
Index at(Index index, Index size)
{
    return size == 1 ? 0 : index;
}

/// The mask with an entry for each query and key.
Tensor wholeMask(const Inputs& inputs)
{
    const Sizes sizes = sizesOf(inputs);
    if (!inputs.mask)
        return Tensor::filled({1, 1, sizes.Tq, sizes.Tk}, 1.0F);
    const Shape& from = inputs.mask->shape();
    Tensor whole({from.batch, from.heads, sizes.Tq, sizes.Tk});
    for (Index b = 0; b < from.batch; ++b)
        for (Index h = 0; h < from.heads; ++h)
            for (Index i = 0; i < sizes.Tq; ++i)
                for (Index j = 0; j < sizes.Tk; ++j)
                    whole.at(b, h, i, j) =
                        inputs.mask->at(b, h, at(i, from.rows), at(j, from.cols));
    return whole;
}

} // namespace

Matrix maskOf(const Inputs& inputs, Index b, Index h)
{
    const Tensor whole = wholeMask(inputs);
    return whole.slice(at(b, whole.shape().batch), at(h, whole.shape().heads));
}

Inputs withMaskCells(const Inputs& inputs, Index b, Index h, const std::vector<MaskCell>& cells)
{
    Tensor mask = wholeMask(inputs);
    auto slice = mask.slice(at(b, mask.shape().batch), at(h, mask.shape().heads));
    for (const MaskCell& cell : cells)
        slice(cell.row, cell.col) = cell.mayAttend ? 1.0F : 0.0F;
    Inputs result = inputs;
    const bool hidesNothing =
        std::all_of(mask.data(), mask.data() + mask.size(), [](float v) { return v != 0.0F; });
    result.mask = hidesNothing ? nullptr : share(std::move(mask));
    return result;
}

} // namespace keyaxis
