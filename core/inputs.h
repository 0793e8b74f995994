#pragma once

#include "core/result.h"
#include "core/tensor.h"

#include <string>
#include <vector>

namespace keyaxis {

/// Token names per batch item; empty where the file has none. `[b][t]`, UTF-8.
using TokenNames = std::vector<std::vector<std::string>>;

/// What attention is computed from. A value whose tensors are shared: editing one number copies one
/// tensor, and a running job keeps what it was given.
struct Inputs {
    SharedTensor q;    ///< [B, H, Tq, dk]
    SharedTensor k;    ///< [B, G, Tk, dk], H a multiple of G
    SharedTensor v;    ///< [B, G, Tk, dv]; null: no output can be computed
    SharedTensor mask; ///< each axis 1 or full of [B, H, Tq, Tk], 1 = may attend; null: none
    SharedTensor bias; ///< likewise, added to the scaled scores, -inf masks; null: none
    /// In place of q and k, [B, H, Tq, Tk]; at most one of the two. Attention starts from scores;
    /// weights stay as they are, and there is nothing before them.
    SharedTensor scores{};
    SharedTensor weights{};
    TokenNames queryTokens;
    TokenNames keyTokens;
    std::string name;    ///< what the document is called: a file's base name or a sentence
    std::string layer{}; ///< which of the layers of its file: "layers.3"; empty: it has no others

    bool operator==(const Inputs&) const = default; ///< by identity of the tensors
    bool isEmpty() const { return !q && !scores && !weights; }
    /// The tensor that stands in place of q and k; null where they are there.
    const SharedTensor& given() const { return weights ? weights : scores; }
};

/// The sizes of mathematics.md; dk is 0 where there are no q and k.
struct Sizes {
    Index B = 0, H = 0, G = 0, Tq = 0, Tk = 0, dk = 0, dv = 0;

    bool operator==(const Sizes&) const = default;
    Index headsPerGroup() const { return H / G; }
    Index groupOf(Index h) const { return h / headsPerGroup(); }
    Shape weights() const { return {B, H, Tq, Tk}; }
    Shape output() const { return {B, H, Tq, dv}; }
};

/// Sizes of valid inputs; dv is 0 without V. Where scores or weights are given, G is that of V.
Sizes sizesOf(const Inputs& inputs);

/// `inputs`, checked: shapes fit, H is a multiple of G, mask and bias broadcast, at least one batch
/// item, head, key and feature (Tq may be 0: then there is nothing to draw).
///
/// @errors BadInput naming both sizes that do not fit.
Result<Inputs> validated(Inputs inputs);

/// Whether queries and keys are one sequence, so that a token has a query, a key and a value.
bool isSelfAttention(const Inputs& inputs);

/// Name of token t of batch item b, or "q3" / "k3" (`fallback` is the letter) where there is none.
std::string tokenName(const TokenNames& names, Index b, Index t, char fallback);

} // namespace keyaxis
