#pragma once

#include "core/inputs.h"

namespace keyaxis {

/// 512 MiB in one tensor: more is not what tables are for, and a system that promises memory it
/// does not have ends the program.
inline constexpr double kMostNumbers = 0x1p27;

/// Numbers of the largest tensor: Q, K, V or the weights. A double, since the product may overflow.
double largestTensor(const Sizes& sizes);

/// The G that goes with an edit of H or G: H must be its multiple. Plain heads stay plain, a step
/// goes to the next divisor; 0 where there is none.
Index fittingGroups(const Sizes& before, const Sizes& after);

} // namespace keyaxis
