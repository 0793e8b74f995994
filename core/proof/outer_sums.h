#pragma once

#include "core/tensor.h"

#include <vector>

namespace keyaxis {

using RowsOfDoubles = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// Keys or values of one (batch, group) in float64. A row that is not finite is 0 and listed.
struct FiniteRows {
    RowsOfDoubles rows;
    std::vector<Index> odd;

    explicit FiniteRows(const MatrixView& from);
};

/// Frobenius norms of Σ_j a_j v_j k_jᵀ for many rows of coefficients a. Views: keys and values must
/// outlive it. *thread-safe*
class OuterSums {
public:
    /// @param v           [Tk, dv]
    /// @param k           [Tk, dk]
    /// @param nSumsAhead  how many sums will be asked for: decides which way is cheaper.
    OuterSums(const FiniteRows& v, const FiniteRows& k, Index nSumsAhead);

    /// Of orthonormal keys: Σ_j a_j v_j e_jᵀ.
    explicit OuterSums(const FiniteRows& v);

    /// @param coefficients  [n, Tk]
    /// @return              [n]; 0 where the sum is nothing but rounding, NaN where a coefficient
    ///                      is, or where one that is not 0 meets a row that is not finite.
    Eigen::VectorXd norms(const RowsOfDoubles& coefficients) const;

    /// Multiplications for one norm, the cheaper way when there are many.
    static double cost(Index nKeys, Index keyWidth, Index valueWidth);

private:
    const FiniteRows* m_v;
    const FiniteRows* m_k; ///< null: orthonormal
    RowsOfDoubles m_gram; ///< [Tk, Tk]: (v_j · v_l)(k_j · k_l); empty where sums are made directly
    Eigen::VectorXd m_bounds; ///< [Tk]: ‖v_j‖ ‖k_j‖
};

} // namespace keyaxis
