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

Precision narrowestPrecision(const Tensor& values)
{
    return narrowestPrecision(std::vector<double>(values.data(), values.data() + values.size()));
}

Precision printedPrecision(int nDecimals, int nSignificant, Index nTerms)
{
    constexpr int kFloat32Digits = 9;  // more are printed of float64 alone
    constexpr double kCoarsest = 2e-2; // as of bfloat16: beyond it any sum would do
    const double least = nSignificant > kFloat32Digits ? 1e-9 : 1e-5;
    const double rounding = 0.5 * std::pow(10.0, -nDecimals) * static_cast<double>(nTerms);
    return {"its printed digits", std::clamp(rounding, least, kCoarsest)};
}

} // namespace keyaxis
