#pragma once

#include "core/settings.h"

#include <vector>

namespace keyaxis {

/// ALiBi's slope of each head; the bias is `-slope * |position(i) - j|`.
///
/// @param heads  H >= 1.
/// @return       H slopes. Authors: 2^(-8(h+1)/H) for H a power of two; otherwise the slopes of the
///               largest power of two P below H, then every second slope of 2P. Not monotone then.
///               Geometric: 2^(-8(h+1)/H) for any H.
/// @source       Press, Smith, Lewis, Train Short, Test Long (2022), and the authors' code.
std::vector<float> alibiSlopes(Index heads, SlopeRule rule);

} // namespace keyaxis
