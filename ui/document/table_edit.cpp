#include "ui/document/table_edit.h"

#include <algorithm>

namespace keyaxis {

namespace {

struct Room {
    Index nRows = 0, nCols = 0;       ///< of the table
    Index moreRows = 0, moreCols = 0; ///< that a block needs
};

Room roomFor(const Inputs& inputs, InputTensor which, const Place& from, const Matrix& block)
{
    const Shape& shape = tensorOf(inputs, which)->shape();
    return {shape.rows, shape.cols, std::max<Index>(0, from.row + block.rows() - shape.rows),
            std::max<Index>(0, from.col + block.cols() - shape.cols)};
}

} // namespace

TokenSide tokensOf(const Inputs& inputs, InputTensor which)
{
    return isSelfAttention(inputs) ? TokenSide::Both
           : hasQueryRows(which)   ? TokenSide::Query
                                   : TokenSide::Key;
}

TokenSide columnTokensOf(const Inputs& inputs)
{
    return isSelfAttention(inputs) ? TokenSide::Both : TokenSide::Key;
}

Inputs withRows(const Inputs& inputs, InputTensor which, const Order& order)
{
    return withTokens(inputs, tokensOf(inputs, which), order);
}

Inputs withColumns(const Inputs& inputs, InputTensor which, const Order& order)
{
    if (which == InputTensor::Mask || which == InputTensor::Given)
        return withTokens(inputs, columnTokensOf(inputs), order);
    return withFeatures(inputs, which == InputTensor::V ? Features::Values : Features::Keys, order);
}

Sizes sizesWithBlock(const Inputs& inputs, InputTensor which, const Place& from,
                     const Matrix& block)
{
    const Room room = roomFor(inputs, which, from, block);
    const TokenSide side = tokensOf(inputs, which);
    Sizes sizes = sizesOf(inputs);
    sizes.Tq += side != TokenSide::Key ? room.moreRows : 0;
    sizes.Tk += side != TokenSide::Query ? room.moreRows : 0;
    (which == InputTensor::V ? sizes.dv : sizes.dk) += room.moreCols;
    return sizes;
}

Inputs withBlock(const Inputs& inputs, InputTensor which, const Place& from, const Matrix& block)
{
    const Room room = roomFor(inputs, which, from, block);
    Inputs result = inputs;
    if (room.moreRows > 0)
        result = withRows(result, which, inserting(room.nRows, room.nRows, room.moreRows));
    if (room.moreCols > 0)
        result = withColumns(result, which, inserting(room.nCols, room.nCols, room.moreCols));
    Tensor tensor = *tensorOf(result, which);
    tensor.slice(from.b, from.h).block(from.row, from.col, block.rows(), block.cols()) = block;
    tensorOf(result, which) = share(std::move(tensor));
    return result;
}

} // namespace keyaxis
