#pragma once

#include "core/settings.h"
#include "core/tensor.h"

#include <limits>
#include <vector>

namespace keyaxis {

/// A row of weights is valid where all are finite and >= 0 and |sum - 1| <= this; mathematics.md.
inline constexpr double kRowSumTolerance = 1e-5;

/// What one row of weights is worth: the certificate of one output row.
struct RowCertificate {
    double sum = 0;       ///< Σ_j w in float64; NaN where an entry is
    float smallest = 0;   ///< the smallest weight; NaN where an entry is not finite
    Index nNonFinite = 0; ///< NaN and infinite weights in the row
    Index nEmpty = 0;     ///< of these, masked cells: 0/0 in a slice that has no allowed entry

    bool isDefined() const { return nNonFinite == 0; }
    bool sumsToOne() const;
    bool isValid() const; ///< defined, no weight below 0, sums to 1
};

/// The certificates of many rows and what they amount to.
struct Certificate {
    std::vector<RowCertificate> rows; ///< in order (b, h, i)
    Index nValid = 0;
    Index nUndefined = 0;
    double smallestSum = 0; ///< over the defined rows; NaN where none is
    double largestSum = 0;
    Index nNegative = 0; ///< defined rows with a weight below 0

    /// What only the logits tell; without them `hasCauses` is false and the rest as it stands here.
    bool hasCauses = false;
    Index nEmptyRows = 0;      ///< undefined rows with a 0/0
    Index nEmptyCells = 0;     ///< masked cells of slices that have no allowed entry
    bool isMasked = false;     ///< some cell is
    bool isEvenInRows = false; ///< the allowed weights of each row are equal
    /// What all allowed weights are where they are equal; NaN otherwise.
    float evenWeight = std::numeric_limits<float>::quiet_NaN();

    Index nRows() const { return static_cast<Index>(rows.size()); }
    bool isValid() const { return nValid == nRows(); }
};

/// Certificates of the rows of one slice, [Tq, Tk].
Certificate certify(const MatrixView& weights);

/// The same with causes: `logits`, [Tq, Tk], are -inf where a key is masked.
Certificate certify(const MatrixView& weights, const MatrixView& logits);

/// Certificates of all rows, [B, H, Tq, Tk].
Certificate certify(const Tensor& weights);
Certificate certify(const Tensor& weights, const Tensor& logits);

/// What rows amount to, without causes.
Certificate certificateOf(std::vector<RowCertificate> rows);

/// Column sums of one slice in float64, [Tk]; NaN where an entry is.
std::vector<double> columnSums(const MatrixView& weights);

} // namespace keyaxis
