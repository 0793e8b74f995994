#pragma once

#include "core/tensor.h"

#include <string_view>
#include <vector>

namespace keyaxis {

/// A floating-point type and how far a sum of such weights may be from 1.
struct Precision {
    std::string_view type; ///< "float32"
    double tolerance = 0;
};

/// The narrowest of bfloat16, float16, float32 and float64 that holds every finite value exactly: a
/// tensor keeps the errors of the type it was computed in, whatever it is stored in.
Precision narrowestPrecision(const std::vector<double>& values);

/// The same of numbers that were read into float32.
Precision narrowestPrecision(const Tensor& values);

/// How far a sum of `nTerms` numbers that were printed in decimal may be from 1: each is off by
/// half a unit in its last place, and was computed in float32 or float64.
///
/// @param nDecimals     the most places after the decimal sign.
/// @param nSignificant  the most significant digits.
Precision printedPrecision(int nDecimals, int nSignificant, Index nTerms);

} // namespace keyaxis
