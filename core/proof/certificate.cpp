#include "core/proof/certificate.h"

#include "core/attention/masked.h"
#include "core/parallel.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <limits>
#include <utility>

namespace keyaxis {

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr Index kRowsPerBlock = 128;

/// Sum and smallest entry. Eight sums side by side, added in order: a slider asks for a quarter of
/// a million weights per map and frame, and one sum after the other would wait for each addition.
RowCertificate sumOfRow(const float* weights, Index n)
{
    constexpr Index kLanes = 8;
    std::array<double, kLanes> sums{};
    std::array<float, kLanes> smallest{};
    smallest.fill(std::numeric_limits<float>::infinity());
    Index j = 0;
    for (; j + kLanes <= n; j += kLanes)
        for (std::size_t lane = 0; lane < kLanes; ++lane) {
            const float w = weights[j + static_cast<Index>(lane)];
            sums[lane] += static_cast<double>(w);
            smallest[lane] = w < smallest[lane] ? w : smallest[lane];
        }
    for (; j < n; ++j) {
        sums[0] += static_cast<double>(weights[j]);
        smallest[0] = weights[j] < smallest[0] ? weights[j] : smallest[0];
    }
    RowCertificate row;
    for (const double sum : sums)
        row.sum += sum;
    row.smallest = n > 0 ? *std::min_element(smallest.begin(), smallest.end()) : 0.0F;
    return row;
}

RowCertificate certifyRow(const float* weights, Index n)
{
    RowCertificate row = sumOfRow(weights, n);
    // Finite floats cannot overflow a double, so a finite sum has finite terms only.
    if (std::isfinite(row.sum))
        return row;
    row.nNonFinite =
        n - std::count_if(weights, weights + n, [](float w) { return std::isfinite(w); });
    row.smallest = std::numeric_limits<float>::quiet_NaN();
    return row;
}

void add(Certificate& certificate, const RowCertificate& row)
{
    certificate.nValid += row.isValid() ? 1 : 0;
    if (!row.isDefined()) {
        ++certificate.nUndefined;
        return;
    }
    certificate.nNegative += row.smallest < 0.0F ? 1 : 0;
    const bool isFirst = std::isnan(certificate.smallestSum);
    certificate.smallestSum = isFirst ? row.sum : std::min(certificate.smallestSum, row.sum);
    certificate.largestSum = isFirst ? row.sum : std::max(certificate.largestSum, row.sum);
}

Certificate certifyRows(const float* weights, Index nRows, Index nColumns)
{
    std::vector<RowCertificate> rows(static_cast<std::size_t>(nRows));
    forEachBlock(nBlocksOf(nRows, kRowsPerBlock), {}, [&](Index block) {
        const Index end = std::min(nRows, (block + 1) * kRowsPerBlock);
        for (Index i = block * kRowsPerBlock; i < end; ++i)
            rows[static_cast<std::size_t>(i)] = certifyRow(weights + i * nColumns, nColumns);
    });
    return certificateOf(std::move(rows));
}

/// The allowed weights of a row or of a map: how many cells are masked, how many of these are NaN,
/// and from where to where the others go. No entry: low > high.
struct Allowed {
    int nMasked = 0;
    int nEmpty = 0;
    float low = std::numeric_limits<float>::infinity();
    float high = -std::numeric_limits<float>::infinity();
};

/// Whole vectors: this is read for every map and frame while a slider moves.
Allowed allowedOf(const float* weights, const float* logits, Index n)
{
    Allowed row;
    int nMasked = 0;
    int nEmpty = 0;
    float low = row.low;
    float high = row.high;
#pragma omp simd reduction(+ : nMasked, nEmpty) reduction(min : low) reduction(max : high)
    for (Index j = 0; j < n; ++j) {
        const float weight = weights[j];
        const bool masked = logits[j] == kMasked;
        const float down = masked ? std::numeric_limits<float>::infinity() : weight;
        const float up = masked ? -std::numeric_limits<float>::infinity() : weight;
        low = down < low ? down : low;
        high = up > high ? up : high;
        nMasked += masked ? 1 : 0;
        // The softmax leaves a masked cell at 0 if its slice has any allowed entry.
        nEmpty += masked && weight != weight ? 1 : 0;
    }
    return {nMasked, nEmpty, low, high};
}

Certificate certifyRows(const float* weights, const float* logits, Index nRows, Index nColumns)
{
    Certificate certificate = certifyRows(weights, nRows, nColumns);
    certificate.hasCauses = true;
    certificate.isEvenInRows = certificate.nUndefined == 0;
    std::vector<Allowed> rows(static_cast<std::size_t>(nRows));
    forEachBlock(nBlocksOf(nRows, kRowsPerBlock), {}, [&](Index block) {
        const Index end = std::min(nRows, (block + 1) * kRowsPerBlock);
        for (Index i = block * kRowsPerBlock; i < end; ++i)
            rows[static_cast<std::size_t>(i)] =
                allowedOf(weights + i * nColumns, logits + i * nColumns, nColumns);
    });
    Allowed whole;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const Allowed& own = rows[i];
        certificate.rows[i].nEmpty += own.nEmpty;
        certificate.nEmptyCells += own.nEmpty;
        certificate.nEmptyRows += own.nEmpty > 0 ? 1 : 0;
        certificate.isMasked = certificate.isMasked || own.nMasked > 0;
        certificate.isEvenInRows = certificate.isEvenInRows && own.low == own.high;
        whole.low = std::min(whole.low, own.low);
        whole.high = std::max(whole.high, own.high);
    }
    if (certificate.nUndefined == 0 && whole.low == whole.high)
        certificate.evenWeight = whole.low;
    return certificate;
}

} // namespace

bool RowCertificate::sumsToOne() const
{
    return isDefined() && std::abs(sum - 1.0) <= kRowSumTolerance;
}

bool RowCertificate::isValid() const
{
    return sumsToOne() && smallest >= 0.0F;
}

Certificate certify(const MatrixView& weights)
{
    return certifyRows(weights.data(), weights.rows(), weights.cols());
}

Certificate certify(const MatrixView& weights, const MatrixView& logits)
{
    assert(weights.rows() == logits.rows() && weights.cols() == logits.cols());
    return certifyRows(weights.data(), logits.data(), weights.rows(), weights.cols());
}

Certificate certify(const Tensor& weights)
{
    const Shape& shape = weights.shape();
    return certifyRows(weights.data(), shape.slices() * shape.rows, shape.cols);
}

Certificate certify(const Tensor& weights, const Tensor& logits)
{
    assert(weights.shape() == logits.shape());
    const Shape& shape = weights.shape();
    return certifyRows(weights.data(), logits.data(), shape.slices() * shape.rows, shape.cols);
}

Certificate certificateOf(std::vector<RowCertificate> rows)
{
    Certificate certificate;
    certificate.smallestSum = certificate.largestSum = kNan;
    for (const RowCertificate& row : rows)
        add(certificate, row);
    certificate.rows = std::move(rows);
    return certificate;
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
