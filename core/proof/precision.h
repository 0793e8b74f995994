#pragma once

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

} // namespace keyaxis
