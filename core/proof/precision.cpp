#include "core/proof/precision.h"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>

namespace keyaxis {

namespace {

template <typename Real>
bool holdsAll(const std::vector<double>& values)
{
    return std::ranges::all_of(values, [](double value) {
        const auto narrow = static_cast<Real>(static_cast<float>(value));
        return !std::isfinite(value) || static_cast<double>(static_cast<float>(narrow)) == value;
    });
}

} // namespace

Precision narrowestPrecision(const std::vector<double>& values)
{
    // About the sum of a thousand weights, each with half a unit in the last place of its type.
    if (holdsAll<Eigen::bfloat16>(values))
        return {"bfloat16", 2e-2};
    if (holdsAll<Eigen::half>(values))
        return {"float16", 2e-3};
    if (holdsAll<float>(values))
        return {"float32", 1e-5};
    return {"float64", 1e-9};
}

} // namespace keyaxis
