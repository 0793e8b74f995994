#include "core/attention/alibi.h"

#include <bit>
#include <cmath>

namespace keyaxis {

namespace {

/// Slope h of `heads` in the geometric series 2^(-8(h+1)/heads).
float geometricSlope(Index h, Index heads)
{
    return static_cast<float>(
        std::exp2(-8.0 * static_cast<double>(h + 1) / static_cast<double>(heads)));
}

} // namespace

std::vector<float> alibiSlopes(Index heads, SlopeRule rule)
{
    const auto powerBelow = static_cast<Index>(std::bit_floor(static_cast<std::size_t>(heads)));
    const Index nRegular = rule == SlopeRule::Authors ? powerBelow : heads;

    std::vector<float> slopes;
    slopes.reserve(static_cast<std::size_t>(heads));
    for (Index h = 0; h < nRegular; ++h)
        slopes.push_back(geometricSlope(h, nRegular));
    for (Index h = nRegular; h < heads; ++h)
        slopes.push_back(geometricSlope(2 * (h - nRegular), 2 * powerBelow));
    return slopes;
}

} // namespace keyaxis
