#include "core/proof/outer_sums.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace keyaxis {

FiniteRows::FiniteRows(const MatrixView& from) : rows(from.cast<double>())
{
    for (Index j = 0; j < rows.rows(); ++j)
        if (!rows.row(j).allFinite()) {
            rows.row(j).setZero();
            odd.push_back(j);
        }
}

OuterSums::OuterSums(const FiniteRows& v, const FiniteRows& k, Index nSumsAhead) : m_v(&v), m_k(&k)
{
    m_bounds = v.rows.rowwise().norm().cwiseProduct(k.rows.rowwise().norm());
    const auto nKeys = static_cast<double>(k.rows.rows());
    const auto keyWidth = static_cast<double>(k.rows.cols());
    const auto valueWidth = static_cast<double>(v.rows.cols());
    const auto nSums = static_cast<double>(nSumsAhead);
    // ‖Σ a_j v_j k_jᵀ‖² = Σ_jl a_j a_l (v_j · v_l)(k_j · k_l)
    if (nKeys * (keyWidth + valueWidth + nSums) < nSums * keyWidth * valueWidth)
        m_gram = (v.rows * v.rows.transpose()).cwiseProduct(k.rows * k.rows.transpose());
}

OuterSums::OuterSums(const FiniteRows& v) : m_v(&v), m_k(nullptr), m_bounds(v.rows.rowwise().norm())
{
}

double OuterSums::cost(Index nKeys, Index keyWidth, Index valueWidth)
{
    return static_cast<double>(nKeys) * static_cast<double>(std::min(nKeys, keyWidth * valueWidth));
}

Eigen::VectorXd OuterSums::norms(const RowsOfDoubles& coefficients) const
{
    const bool isDirect = m_gram.size() == 0;
    Eigen::VectorXd result(coefficients.rows());
    if (!m_k) { // nothing cancels
        for (Index r = 0; r < coefficients.rows(); ++r)
            result[r] = coefficients.row(r).transpose().cwiseProduct(m_bounds).norm();
    } else if (isDirect) {
        for (Index r = 0; r < coefficients.rows(); ++r)
            result[r] =
                (m_v->rows.transpose() * coefficients.row(r).transpose().asDiagonal() * m_k->rows)
                    .norm();
    } else {
        const RowsOfDoubles products = coefficients * m_gram;
        for (Index r = 0; r < coefficients.rows(); ++r) {
            const double squared = products.row(r).dot(coefficients.row(r));
            result[r] = std::isnan(squared) ? squared : std::sqrt(std::max(0.0, squared));
        }
    }
    // The root of a sum that cancels keeps half of the digits.
    const double rounding = isDirect ? 1e-14 : 1e-7;
    const Eigen::VectorXd bounds = coefficients.cwiseAbs() * m_bounds;
    for (Index r = 0; m_k && r < result.size(); ++r)
        if (result[r] <= rounding * bounds[r])
            result[r] = 0.0;
    for (const FiniteRows* side : {m_v, m_k})
        for (const Index j : side ? side->odd : std::vector<Index>())
            for (Index r = 0; r < result.size(); ++r)
                if (coefficients(r, j) != 0.0)
                    result[r] = std::numeric_limits<double>::quiet_NaN();
    return result;
}

} // namespace keyaxis
