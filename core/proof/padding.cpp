#include "core/proof/padding.h"

#include "core/attention/masked.h"

#include <algorithm>
#include <cassert>

namespace keyaxis {

namespace {

/// Whether `tensor`, a mask (hidden = 0) or a bias (hidden = -inf), hides key j of (b, h) from all.
bool hidesKey(const SharedTensor& tensor, float hidden, Index b, Index h, Index j)
{
    if (!tensor)
        return false;
    const Shape& shape = tensor->shape();
    const MatrixView cells = tensor->slice(shape.batch == 1 ? 0 : b, shape.heads == 1 ? 0 : h);
    const Index col = shape.cols == 1 ? 0 : j;
    for (Index i = shape.rows; i-- > 0;) // a causal mask hides least from the last query
        if (cells(i, col) != hidden)
            return false;
    return true;
}

} // namespace

std::vector<bool> paddedRows(const Inputs& inputs, Index b, Index h)
{
    if (!isSelfAttention(inputs) || (!inputs.mask && !inputs.bias))
        return {};
    std::vector<bool> padded;
    for (Index t = 0; t < sizesOf(inputs).Tk; ++t)
        padded.push_back(hidesKey(inputs.mask, 0.0F, b, h, t) ||
                         hidesKey(inputs.bias, kMasked, b, h, t));
    const bool isAny = std::ranges::find(padded, true) != padded.end();
    return isAny ? padded : std::vector<bool>();
}

std::vector<bool> paddedRows(const Inputs& inputs)
{
    const Sizes sizes = sizesOf(inputs);
    std::vector<bool> all;
    bool isAny = false;
    for (Index b = 0; b < sizes.B; ++b)
        for (Index h = 0; h < sizes.H; ++h) {
            std::vector<bool> padded = paddedRows(inputs, b, h);
            isAny = isAny || !padded.empty();
            padded.resize(static_cast<std::size_t>(sizes.Tq));
            all.insert(all.end(), padded.begin(), padded.end());
        }
    return isAny ? all : std::vector<bool>();
}

Certificate withoutRows(const Certificate& certificate, const std::vector<bool>& leftOut)
{
    assert(leftOut.size() == certificate.rows.size());
    std::vector<RowCertificate> rows;
    for (std::size_t n = 0; n < leftOut.size(); ++n)
        if (!leftOut[n])
            rows.push_back(certificate.rows[n]);
    Certificate result = certificateOf(std::move(rows));
    result.hasCauses = certificate.hasCauses;
    result.isMasked = certificate.isMasked;
    result.isEvenInRows = certificate.isEvenInRows;
    result.evenWeight = certificate.evenWeight;
    for (const RowCertificate& row : result.rows) {
        result.nEmptyRows += row.nEmpty > 0 ? 1 : 0;
        result.nEmptyCells += row.nEmpty;
    }
    return result;
}

Verdict verdictWithoutRows(const Certificate& certificate, const std::vector<bool>& leftOut,
                           const Inputs& inputs, const ScoreSettings& settings)
{
    if (leftOut.empty())
        return verdictOf(certificate, inputs, settings);
    Verdict verdict = verdictOf(withoutRows(certificate, leftOut), inputs, settings);
    verdict.pill +=
        ", " + std::to_string(std::ranges::count(leftOut, true)) + " of padding left out";
    return verdict;
}

} // namespace keyaxis
