#include "core/proof/hypotheses.h"

#include "core/attention/alibi.h"
#include "core/attention/scores.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace keyaxis {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

float broadcast(const Tensor& tensor, Index b, Index h, Index i, Index j)
{
    const Shape& s = tensor.shape();
    return tensor.at(s.batch == 1 ? 0 : b, s.heads == 1 ? 0 : h, s.rows == 1 ? 0 : i,
                     s.cols == 1 ? 0 : j);
}

struct Causal {
    bool isOn;
    Align align;
};

/// The file's own rule first.
std::vector<Causal> causalRules(const ScoreSettings& settings, const Sizes& sizes)
{
    std::vector<Causal> rules{{settings.causal, settings.align}};
    const auto add = [&](Causal rule) {
        if (rule.isOn && sizes.Tq == sizes.Tk && rule.align == Align::End)
            return; // the same as at the start
        if (std::ranges::none_of(rules, [&](const Causal& known) {
                return known.isOn == rule.isOn && (!rule.isOn || known.align == rule.align);
            }))
            rules.push_back(rule);
    };
    add({false, settings.align});
    add({true, Align::Start});
    add({true, Align::End});
    return rules;
}

std::vector<std::optional<double>> scales(const ScoreSettings& settings, const Sizes& sizes)
{
    std::vector<std::optional<double>> all{settings.scale};
    const auto width = static_cast<double>(sizes.dk);
    const auto value = [&](const std::optional<double>& scale) {
        return scale.value_or(1.0 / std::sqrt(width));
    };
    const std::array<std::optional<double>, 3> others{
        std::nullopt, 1.0, 1.0 / std::sqrt(static_cast<double>(sizes.H) * width)};
    for (const std::optional<double>& scale : others)
        if (std::ranges::none_of(all, [&](const auto& s) { return value(s) == value(scale); }))
            all.push_back(scale);
    return all;
}

struct Alibi {
    bool isOn;
    bool isFlipped;
};

std::vector<Alibi> alibis(const ScoreSettings& settings)
{
    if (settings.alibi)
        return {{true, false}, {true, true}, {false, false}};
    return {{false, false}, {true, false}, {true, true}};
}

/// How many things differ from what should have been: the plainer one is the one with fewer.
int distance(const Hypothesis& h, const Hypothesis& right)
{
    const ScoreSettings& a = h.settings;
    const ScoreSettings& b = right.settings;
    const bool sameRule = a.causal == b.causal && (!a.causal || a.align == b.align);
    return int{a.axis != b.axis} + int{!sameRule} + int{a.scale != b.scale} +
           int{a.alibi != b.alibi || h.isAlibiFlipped} + int{h.masksAfter} +
           int{h.usesMask != right.usesMask} + int{h.usesBias != right.usesBias};
}

/// Weights that are masked after the softmax, and the output of what is left.
void maskAfter(Attention& attention, const Inputs& masks, const ScoreSettings& settings,
               const SharedTensor& values)
{
    const Sizes sizes = sizesOf(masks);
    const Index offset = offsetOf(settings, sizes);
    for (Index b = 0; b < sizes.B; ++b)
        for (Index h = 0; h < sizes.H; ++h) {
            auto weights = attention.weights.slice(b, h);
            for (Index i = 0; i < sizes.Tq; ++i)
                for (Index j = 0; j < sizes.Tk; ++j)
                    if ((settings.causal && j > i + offset) ||
                        (masks.mask && broadcast(*masks.mask, b, h, i, j) == 0.0F))
                        weights(i, j) = 0.0F;
            if (values)
                attention.output.slice(b, h).noalias() =
                    weights * values->slice(b, sizes.groupOf(h));
        }
}

} // namespace

std::vector<Hypothesis> hypothesesFor(const Inputs& inputs, const ScoreSettings& settings)
{
    const Sizes sizes = sizesOf(inputs);
    const Hypothesis right{settings, false, false, inputs.mask != nullptr, inputs.bias != nullptr};
    std::vector<Hypothesis> all;
    const auto addWith = [&](Hypothesis h) {
        for (const bool usesMask : {true, false})
            for (const bool usesBias : {true, false})
                for (const bool masksAfter : {false, true}) {
                    if ((usesMask && !inputs.mask) || (usesBias && !inputs.bias) ||
                        (masksAfter && !usesMask && !h.settings.causal))
                        continue;
                    h.usesMask = usesMask;
                    h.usesBias = usesBias;
                    h.masksAfter = masksAfter;
                    all.push_back(h);
                }
    };
    for (const Axis axis : {Axis::Key, Axis::Query, Axis::Head, Axis::Batch})
        for (const Causal& causal : causalRules(settings, sizes))
            for (const std::optional<double>& scale : scales(settings, sizes))
                for (const Alibi& alibi : alibis(settings)) {
                    Hypothesis h = right;
                    h.settings.axis = axis;
                    h.settings.causal = causal.isOn;
                    h.settings.align = causal.align;
                    h.settings.scale = scale;
                    h.settings.alibi = alibi.isOn;
                    h.isAlibiFlipped = alibi.isFlipped;
                    addWith(h);
                }
    std::ranges::stable_sort(all, {}, [&](const Hypothesis& h) { return distance(h, right); });
    return all;
}

Result<Attention> attendUnder(const Hypothesis& hypothesis, const Inputs& inputs,
                              const std::stop_token& stop)
{
    const Sizes sizes = sizesOf(inputs);
    Inputs used = inputs;
    ScoreSettings settings = hypothesis.settings;
    if (!hypothesis.usesMask)
        used.mask = nullptr;
    if (!hypothesis.usesBias)
        used.bias = nullptr;
    const Inputs masks = used;
    if (hypothesis.isAlibiFlipped) {
        Tensor bias(sizes.weights());
        const std::vector<float> slopes = alibiSlopes(sizes.H, settings.slopes);
        const Index offset = offsetOf(settings, sizes);
        for (Index b = 0; b < sizes.B; ++b)
            for (Index h = 0; h < sizes.H; ++h)
                for (Index i = 0; i < sizes.Tq; ++i)
                    for (Index j = 0; j < sizes.Tk; ++j)
                        bias.at(b, h, i, j) =
                            (used.bias ? broadcast(*used.bias, b, h, i, j) : 0.0F) +
                            slopes[static_cast<std::size_t>(h)] *
                                static_cast<float>(std::abs(i + offset - j));
        used.bias = share(std::move(bias));
        settings.alibi = false;
    }
    if (!hypothesis.masksAfter)
        return attend(used, settings, {}, stop);
    used.mask = nullptr;
    settings.causal = false;
    auto attention = attend(used, settings, {}, stop);
    if (attention)
        maskAfter(*attention, masks, hypothesis.settings, inputs.v);
    return attention;
}

SampledHypotheses::SampledHypotheses(const Inputs& inputs, const Tensor& scores, SlopeRule slopes)
    : m_inputs(inputs),
      m_scores(scores),
      m_sizes(sizesOf(inputs)),
      m_slopes(alibiSlopes(m_sizes.H, slopes))
{
}

bool SampledHypotheses::isHidden(const Hypothesis& hypothesis, Index b, Index h, Index i,
                                 Index j) const
{
    const ScoreSettings& settings = hypothesis.settings;
    return (settings.causal && j > i + offsetOf(settings, m_sizes)) ||
           (hypothesis.usesMask && broadcast(*m_inputs.mask, b, h, i, j) == 0.0F);
}

double SampledHypotheses::logit(const Hypothesis& hypothesis, Index b, Index h, Index i,
                                Index j) const
{
    const ScoreSettings& settings = hypothesis.settings;
    if (!hypothesis.masksAfter && isHidden(hypothesis, b, h, i, j))
        return -kInfinity;
    double z = double{m_scores.at(b, h, i, j)} * double{scaleOf(settings, m_sizes.dk)};
    if (hypothesis.usesBias)
        z += double{broadcast(*m_inputs.bias, b, h, i, j)};
    if (settings.alibi) {
        const double penalty = double{m_slopes[static_cast<std::size_t>(h)]} *
                               std::abs(static_cast<double>(i + offsetOf(settings, m_sizes) - j));
        z += hypothesis.isAlibiFlipped ? penalty : -penalty;
    }
    return z;
}

double SampledHypotheses::weight(const Hypothesis& hypothesis, Index b, Index h, Index i,
                                 Index j) const
{
    const ScoreSettings& settings = hypothesis.settings;
    if (hypothesis.masksAfter && isHidden(hypothesis, b, h, i, j))
        return 0.0;
    const auto member = [&](Index n) {
        switch (settings.axis) {
        case Axis::Key:
            return logit(hypothesis, b, h, i, n);
        case Axis::Query:
            return logit(hypothesis, b, h, n, j);
        case Axis::Batch:
            return logit(hypothesis, n, h, i, j);
        case Axis::Head:
            break;
        }
        return logit(hypothesis, b, n, i, j);
    };
    const std::array lengths{m_sizes.Tq, m_sizes.Tk, m_sizes.B, m_sizes.H}; // by Axis
    const Index n = lengths[static_cast<std::size_t>(settings.axis)];
    double largest = -kInfinity;
    for (Index k = 0; k < n; ++k)
        largest = std::max(largest, member(k));
    if (largest == -kInfinity)
        return settings.empty == EmptySlice::Nan ? std::nan("") : 0.0;
    const double own = logit(hypothesis, b, h, i, j);
    if (settings.temperature == 0.0F) {
        double nTied = 0.0;
        for (Index k = 0; k < n; ++k)
            nTied += member(k) == largest ? 1.0 : 0.0;
        return own == largest ? 1.0 / nTied : 0.0;
    }
    const auto power = [&](double z) {
        return std::exp((z - largest) / double{settings.temperature});
    };
    double sum = 0.0;
    for (Index k = 0; k < n; ++k)
        sum += power(member(k));
    return power(own) / sum;
}

Eigen::VectorXd SampledHypotheses::output(const Hypothesis& hypothesis, Index b, Index h,
                                          Index i) const
{
    Eigen::VectorXd sum = Eigen::VectorXd::Zero(m_sizes.dv);
    const auto values = m_inputs.v->slice(b, m_sizes.groupOf(h));
    for (Index j = 0; j < m_sizes.Tk; ++j)
        if (const double w = weight(hypothesis, b, h, i, j); w != 0.0)
            sum += w * values.row(j).cast<double>().transpose();
    return sum;
}

} // namespace keyaxis
