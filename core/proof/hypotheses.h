#pragma once

#include "core/attention/attention.h"
#include "core/proof/replay.h"

#include <vector>

namespace keyaxis {

/// Every hypothesis about `inputs`, the plainest first: the file's own settings, then what differs
/// from them least.
std::vector<Hypothesis> hypothesesFor(const Inputs& inputs, const ScoreSettings& settings);

/// Weights and output under a hypothesis.
///
/// @errors  as `attend`.
Result<Attention> attendUnder(const Hypothesis& hypothesis, const Inputs& inputs,
                              const std::stop_token& stop);

/// Single numbers under many hypotheses, from scores that are computed once. *thread-safe*
class SampledHypotheses {
public:
    /// Views: `inputs` and `scores`, [B, H, Tq, Tk], must outlive it.
    SampledHypotheses(const Inputs& inputs, const Tensor& scores, SlopeRule slopes);

    /// The weight of (b, h, i, j), in float64.
    double weight(const Hypothesis& hypothesis, Index b, Index h, Index i, Index j) const;

    /// The output of (b, h, i), [dv].
    Eigen::VectorXd output(const Hypothesis& hypothesis, Index b, Index h, Index i) const;

private:
    bool isHidden(const Hypothesis& hypothesis, Index b, Index h, Index i, Index j) const;
    /// -inf where hidden, so far as the hypothesis hides before the softmax.
    double logit(const Hypothesis& hypothesis, Index b, Index h, Index i, Index j) const;

    const Inputs& m_inputs;
    const Tensor& m_scores;
    Sizes m_sizes;
    std::vector<float> m_slopes;
};

} // namespace keyaxis
