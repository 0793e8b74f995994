#pragma once

#include "core/attention/attention.h"
#include "core/proof/map_digest.h"
#include "core/result.h"

#include <span>
#include <stop_token>
#include <vector>

namespace keyaxis {

/// How spread out the rows of a map of weights are: the mean over the defined rows of
/// -Σ_j p log2 p, in bits, with p the weights of the row divided by their sum. 0: each query uses
/// one key; log2 Tk: all keys alike.
///
/// @param weights  [Tq, Tk], ≥ 0; rows with NaN, a negative weight or the sum 0 do not count.
/// @return         NaN where no row counts.
/// @cost           O(cells).
double meanEntropy(const MatrixView& weights);

/// The mean over the heads of weights [B, H, Tq, Tk], and its logits: masked (-inf) where every
/// head is, 0 elsewhere. A NaN of one head is a NaN of the mean.
///
/// @param logits  of the same shape, -inf = masked.
/// @return        weights and logits [B, 1, Tq, Tk].
Attention meanOverHeads(const Tensor& weights, const Tensor& logits);

/// Heads of one example in the order of their entropies, the most pointed first; those without an
/// entropy (NaN) last. Equal ones stay in their order.
std::vector<Index> headsByEntropy(std::span<const double> entropies);

/// What is asked about the heads as a whole. *immutable*
struct HeadFacts {
    std::vector<double> entropies; ///< `meanEntropy` of every (b, h), by b * H + h
    Attention mean;                ///< over the heads, [B, 1, Tq, Tk]
    std::vector<MapFacts> ofMean;  ///< of its maps, by b

    /// Of the heads of example b.
    std::span<const double> entropiesOf(Index b) const;
};

/// Of weights and logits [B, H, Tq, Tk].
///
/// @errors  Cancelled on stop.
/// @cost    O(cells), on all threads; memory twice that of one head of each example.
Result<HeadFacts> headFactsOf(const Attention& all, const std::stop_token& stop = {});

} // namespace keyaxis
