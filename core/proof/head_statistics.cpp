#include "core/proof/head_statistics.h"

#include "core/attention/masked.h"
#include "core/parallel.h"

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
    forEachBlock(s.batch * s.rows, {}, [&](Index n) {
        const Index b = n / s.rows;
        const Index i = n % s.rows;
        Eigen::RowVectorXd sum = Eigen::RowVectorXd::Zero(s.cols);
        auto isMaskedInAll = mean.logits.slice(b, 0).row(i);
        for (Index h = 0; h < s.heads; ++h) {
            sum += weights.slice(b, h).row(i).cast<double>();
            const auto own = logits.slice(b, h).row(i);
            for (Index j = 0; j < s.cols; ++j)
                if (own(j) != kMasked)
                    isMaskedInAll(j) = 0.0F;
        }
        mean.weights.slice(b, 0).row(i) = (sum / static_cast<double>(s.heads)).cast<float>();
    });
    return mean;
}

std::vector<Index> headsByEntropy(std::span<const double> entropies)
{
    const auto rank = [&](Index h) {
        const double bits = entropies[static_cast<std::size_t>(h)];
        return std::isnan(bits) ? std::numeric_limits<double>::infinity() : bits;
    };
    std::vector<Index> heads(entropies.size());
    std::iota(heads.begin(), heads.end(), Index{0});
    std::ranges::stable_sort(heads, {}, rank);
    return heads;
}

std::span<const double> HeadFacts::entropiesOf(Index b) const
{
    const auto nHeads = entropies.size() / static_cast<std::size_t>(mean.weights.shape().batch);
    return {entropies.data() + static_cast<std::size_t>(b) * nHeads, nHeads};
}

Result<HeadFacts> headFactsOf(const Attention& all, const std::stop_token& stop)
{
    const Shape& s = all.weights.shape();
    HeadFacts facts;
    facts.entropies.resize(static_cast<std::size_t>(s.batch * s.heads));
    const bool isDone = forEachBlock(s.batch * s.heads, stop, [&](Index n) {
        facts.entropies[static_cast<std::size_t>(n)] =
            meanEntropy(all.weights.slice(n / s.heads, n % s.heads));
    });
    if (isDone && !stop.stop_requested()) {
        facts.mean = meanOverHeads(all.weights, all.logits);
        facts.ofMean = factsOf(facts.mean);
    }
    if (stop.stop_requested())
        return fail(Errc::Cancelled, "The statistics of the heads were cancelled.");
    return facts;
}

} // namespace keyaxis
