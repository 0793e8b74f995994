#include "core/proof/certificate.h"

#include <cmath>
#include <limits>

namespace keyaxis {

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

RowCertificate certifyRow(const float* weights, Index n)
{
    RowCertificate row;
    row.smallest = n > 0 ? weights[0] : 0.0F;
    for (Index j = 0; j < n; ++j) {
        const float w = weights[j];
        row.sum += static_cast<double>(w);
        row.smallest = w < row.smallest ? w : row.smallest;
        row.nNonFinite += std::isfinite(w) ? 0 : 1;
    }
    if (!row.isDefined())
        row.smallest = std::numeric_limits<float>::quiet_NaN();
    return row;
}

void add(Certificate& certificate, const RowCertificate& row)
{
    certificate.rows.push_back(row);
    certificate.nValid += row.isValid() ? 1 : 0;
    if (!row.isDefined()) {
        ++certificate.nUndefined;
        return;
    }
    const bool isFirst = std::isnan(certificate.smallestSum);
    certificate.smallestSum = isFirst ? row.sum : std::min(certificate.smallestSum, row.sum);
    certificate.largestSum = isFirst ? row.sum : std::max(certificate.largestSum, row.sum);
}

Certificate certifyRows(const float* weights, Index nRows, Index nColumns)
{
    Certificate certificate;
    certificate.smallestSum = certificate.largestSum = kNan;
    certificate.rows.reserve(static_cast<std::size_t>(nRows));
    for (Index i = 0; i < nRows; ++i)
        add(certificate, certifyRow(weights + i * nColumns, nColumns));
    return certificate;
}

} // namespace

bool RowCertificate::isValid() const
{
    return isDefined() && smallest >= 0.0F && std::abs(sum - 1.0) <= kRowSumTolerance;
}

Certificate certify(const MatrixView& weights)
{
    return certifyRows(weights.data(), weights.rows(), weights.cols());
}

Certificate certify(const Tensor& weights)
{
    const Shape& shape = weights.shape();
    return certifyRows(weights.data(), shape.slices() * shape.rows, shape.cols);
}

std::vector<double> columnSums(const MatrixView& weights)
{
    std::vector<double> sums(static_cast<std::size_t>(weights.cols()), 0.0);
    for (Index i = 0; i < weights.rows(); ++i)
        for (Index j = 0; j < weights.cols(); ++j)
            sums[static_cast<std::size_t>(j)] += static_cast<double>(weights(i, j));
    return sums;
}

} // namespace keyaxis
