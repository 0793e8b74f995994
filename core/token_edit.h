#pragma once

#include "core/inputs.h"

#include <string>
#include <vector>

namespace keyaxis {

/// Which tokens an edit is about. In self-attention a token is a query, a key and a value: Both.
enum class TokenSide { Both, Query, Key };

/// Which features: those of queries and keys, or those of values.
enum class Features { Keys, Values };

/// What stands where after an edit: entry n is the place that it had before, or `kNew`, or new with
/// the numbers of what stood at `copyOf` that place.
using Order = std::vector<Index>;
inline constexpr Index kNew = -1;
constexpr Index copyOf(Index place)
{
    return -2 - place;
}

Order inserting(Index n, Index at, Index count);           ///< `count` new ones before `at`, of n
Order duplicating(Index n, Index first, Index count);      ///< copies behind [first, …), of n
Order removing(Index n, Index first, Index count);         ///< without [first, first + count), of n
Order moving(Index n, Index first, Index count, Index to); ///< [first, …) begins at `to`, of n

/// `inputs` with the tokens of `side` in another order, in every example and head: q, k, v, the
/// mask, the bias and the names alike. Numbers of new tokens are 0, or copies. A new token may use
/// what the one before it may, and be used where the one after it is: a causal mask stays causal.
///
/// @param order  of Tq, of Tk, or of both where they are the same; keys are not all removed.
Inputs withTokens(const Inputs& inputs, TokenSide side, const Order& order);

/// `inputs` with features in another order; numbers of new ones are 0, or copies.
///
/// @param order  of dk or of dv, not empty.
Inputs withFeatures(const Inputs& inputs, Features features, const Order& order);

/// `inputs` with token t of example b called `name`, on each side of `side`.
Inputs withTokenNamed(const Inputs& inputs, TokenSide side, Index b, Index t,
                      const std::string& name);

} // namespace keyaxis
