#pragma once

#include "core/settings.h"
#include "core/tensor.h"

#include <vector>

namespace keyaxis {

/// A row of weights is valid where all are finite and >= 0 and |sum - 1| <= this; MATH.md.
inline constexpr double kRowSumTolerance = 1e-5;

/// What one row of weights is worth: the certificate of one output row.
struct RowCertificate {
    double sum = 0;       ///< Σ_j w in float64; NaN where an entry is
    float smallest = 0;   ///< the smallest weight; NaN where an entry is
    Index nNonFinite = 0; ///< NaN and infinite weights in the row

    bool isDefined() const { return nNonFinite == 0; }
    bool isValid() const;
};

/// The certificates of many rows and what they amount to.
struct Certificate {
    std::vector<RowCertificate> rows; ///< in order (b, h, i)
    Index nValid = 0;
    Index nUndefined = 0;
    double smallestSum = 0; ///< over the defined rows; NaN where none is
    double largestSum = 0;

    Index nRows() const { return static_cast<Index>(rows.size()); }
    bool isValid() const { return nValid == nRows(); }
};

/// Certificates of the rows of one slice, [Tq, Tk].
Certificate certify(const MatrixView& weights);

/// Certificates of all rows, [B, H, Tq, Tk].
Certificate certify(const Tensor& weights);

/// Column sums of one slice in float64, [Tk]; NaN where an entry is.
std::vector<double> columnSums(const MatrixView& weights);

} // namespace keyaxis
