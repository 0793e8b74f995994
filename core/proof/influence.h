#pragma once

#include "core/inputs.h"
#include "core/result.h"
#include "core/settings.h"

#include <stop_token>
#include <string>
#include <vector>

namespace keyaxis {

/// Which things are nudged (columns), and whose outputs move (rows).
struct Influence {
    Matrix norms; ///< [rows, columns]: Frobenius norms of the derivative; exactly 0 where nothing
                  ///< can move, NaN where it rests on an undefined weight or, at τ = 0, on a tie
    std::vector<Index> rows;    ///< what the rows stand for: queries, examples or heads
    std::vector<Index> columns; ///< what the columns stand for: these or tokens
    bool isSampled = false;     ///< not all rows, columns or summed queries are there
    std::string sentence;       ///< UTF-8, English; true for this very input
};

/// What is coupled with its like.
enum class Coupled { Queries, Examples, Heads };

/// First question: who sits in my denominators? The derivative of outputs by query vectors, through
/// the softmax alone; where scores are given in place of q and k, by a query's row of them.
///
/// @param inputs  with V.
/// @param what    Queries: each output of (b, h) by each of its query vectors, [Tq, Tq]. Examples:
///                by each other at head h, [B, B]. Heads: by each other in example b, [H, H]; these
///                two are root sums of squares over the queries.
/// @param stop    polled once per row.
/// @errors        BadValue without V and as `attend`; Cancelled on stop.
/// @cost          Queries: one slice, and on the query axis O(Tq² Tk min(Tk, dk dv)), else
///                O(Tq Tk dk dv). Examples, Heads: all weights, and as much for each pair that
///                shares a denominator. Above 5·10⁹ multiplications, or 2048 rows, rows and columns
///                are sampled evenly, and so are the queries that are summed over; each number that
///                is shown is still exact up to the rounding of float32 weights.
/// @source        mathematics.md, "Influence"; on the key axis all keys of a row share a slice, so
///                ∂o/∂q = (scale/τ) Σ_j w_j v_j (k_j - Σ_l w_l k_l)ᵀ.
Result<Influence> coupling(const Inputs& inputs, const ScoreSettings& settings, Coupled what,
                           Index b, Index h, std::stop_token stop = {});

/// What moves when a token moves: only with q and k. A token of an example moves in every head at
/// once.
enum class MovedToken {
    Whole, ///< self-attention: q_t, k_t and v_t together
    Query, ///< cross-attention: q_t
    Key    ///< cross-attention: k_t and v_t
};

/// Second question: what moves when one token moves? The light cone of (b, h): the derivative of
/// each of its outputs by each token of example b.
///
/// @return  [Tq, Tq] for Whole and Query, [Tq, Tk] for Key.
/// @errors  BadValue without V, for Whole unless Tq = Tk, and as `attend`; Cancelled on stop.
/// @cost    as `coupling` of Queries; on the head axis all weights and H times as much.
/// @source  mathematics.md, "Influence".
Result<Influence> tokenInfluence(const Inputs& inputs, const ScoreSettings& settings,
                                 MovedToken moved, Index b, Index h, std::stop_token stop = {});

} // namespace keyaxis
