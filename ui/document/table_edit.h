#pragma once

#include "core/token_edit.h"
#include "ui/document/commands.h"

namespace keyaxis {

/// The tokens that the rows of a tensor's table are.
TokenSide tokensOf(const Inputs& inputs, InputTensor which);

/// The tokens that the columns of a mask, scores or weights are; those of others are features.
TokenSide columnTokensOf(const Inputs& inputs);

/// `inputs` with the rows of `which` in another order, and all that belongs to these tokens.
Inputs withRows(const Inputs& inputs, InputTensor which, const Order& order);

/// `inputs` with the columns of `which` in another order, and all that belongs to these features.
Inputs withColumns(const Inputs& inputs, InputTensor which, const Order& order);

/// A place in a tensor.
struct Place {
    Index b = 0, h = 0, row = 0, col = 0;
};

/// The sizes of `inputs` where `block` is put at `from`, beyond the edges of `which` too.
Sizes sizesWithBlock(const Inputs& inputs, InputTensor which, const Place& from,
                     const Matrix& block);

/// `inputs` with `block` put at `from`: tokens and features are added where it goes beyond.
Inputs withBlock(const Inputs& inputs, InputTensor which, const Place& from, const Matrix& block);

} // namespace keyaxis
