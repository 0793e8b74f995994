#include "core/proof/head_statistics.h"

#include "core/attention/masked.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace keyaxis {

double meanEntropy(const MatrixView& weights)
{
    double total = 0;
    Index nRows = 0;
    for (Index i = 0; i < weights.rows(); ++i) {
        const auto row = weights.row(i);
        const double sum = row.cast<double>().sum();
        if (!row.allFinite() || row.minCoeff() < 0.0F || sum == 0)
            continue;
        double bits = 0;
        for (Index j = 0; j < weights.cols(); ++j)
            if (const double p = static_cast<double>(row(j)) / sum; p > 0)
                bits -= p * std::log2(p);
        total += bits;
        ++nRows;
    }
    return nRows > 0 ? total / static_cast<double>(nRows)
                     : std::numeric_limits<double>::quiet_NaN();
}

Attention meanOverHeads(const Tensor& weights, const Tensor& logits)
{
    const Shape& s = weights.shape();
    Attention mean;
    mean.weights = Tensor::zeros({s.batch, 1, s.rows, s.cols});
    mean.logits = Tensor::filled({s.batch, 1, s.rows, s.cols}, kMasked);
    for (Index b = 0; b < s.batch; ++b) {
        Eigen::MatrixXd sum = Eigen::MatrixXd::Zero(s.rows, s.cols);
        auto isMaskedInAll = mean.logits.slice(b, 0);
        for (Index h = 0; h < s.heads; ++h) {
            sum += weights.slice(b, h).cast<double>();
            const MatrixView own = logits.slice(b, h);
            for (Index n = 0; n < own.size(); ++n)
                if (own.data()[n] != kMasked)
                    isMaskedInAll.data()[n] = 0.0F;
        }
        mean.weights.slice(b, 0) = (sum / static_cast<double>(s.heads)).cast<float>();
    }
    return mean;
}

std::vector<Index> headsByEntropy(const Tensor& weights, Index b)
{
    std::vector<double> entropies;
    for (Index h = 0; h < weights.shape().heads; ++h) {
        const double bits = meanEntropy(weights.slice(b, h));
        entropies.push_back(std::isnan(bits) ? std::numeric_limits<double>::infinity() : bits);
    }
    std::vector<Index> heads(entropies.size());
    std::iota(heads.begin(), heads.end(), Index{0});
    std::ranges::stable_sort(heads, {},
                             [&](Index h) { return entropies[static_cast<std::size_t>(h)]; });
    return heads;
}

} // namespace keyaxis
