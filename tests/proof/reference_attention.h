#pragma once

#include "core/attention/alibi.h"
#include "tests/core/sample_values.h"

#include <array>
#include <cmath>

namespace keyaxis::testing {

/// Attention in float64 by the plainest loops; q, k and v may be moved a little.
class Reference {
public:
    Reference(const Inputs& inputs, const ScoreSettings& settings)
        : q(values(*inputs.q)),
          k(values(*inputs.k)),
          v(values(*inputs.v)),
          m_inputs(inputs),
          m_settings(settings),
          m_sizes(sizesOf(inputs))
    {
    }

    std::vector<double> q; ///< [B, H, Tq, dk]
    std::vector<double> k; ///< [B, G, Tk, dk]
    std::vector<double> v; ///< [B, G, Tk, dv]

    static std::size_t at(const Shape& s, Index b, Index h, Index row, Index col)
    {
        return static_cast<std::size_t>(((b * s.heads + h) * s.rows + row) * s.cols + col);
    }

    Eigen::VectorXd output(Index b, Index h, Index i) const
    {
        const Sizes& s = m_sizes;
        Eigen::VectorXd result = Eigen::VectorXd::Zero(s.dv);
        for (Index j = 0; j < s.Tk; ++j)
            for (Index d = 0; d < s.dv; ++d)
                result[d] += weight(b, h, i, j) * v[at(m_inputs.v->shape(), b, s.groupOf(h), j, d)];
        return result;
    }

private:
    static std::vector<double> values(const Tensor& t) { return {t.data(), t.data() + t.size()}; }

    static double broadcast(const Tensor& t, Index b, Index h, Index i, Index j)
    {
        const Shape& s = t.shape();
        return double{t.at(s.batch == 1 ? 0 : b, s.heads == 1 ? 0 : h, s.rows == 1 ? 0 : i,
                           s.cols == 1 ? 0 : j)};
    }

    double power(Index b, Index h, Index i, Index j) const
    {
        const Sizes& s = m_sizes;
        const Index position = i + (m_settings.align == Align::End ? s.Tk - s.Tq : 0);
        if ((m_settings.causal && j > position) ||
            (m_inputs.mask && broadcast(*m_inputs.mask, b, h, i, j) == 0.0))
            return 0.0;
        double z = 0.0;
        for (Index d = 0; d < s.dk; ++d)
            z += q[at(m_inputs.q->shape(), b, h, i, d)] *
                 k[at(m_inputs.k->shape(), b, s.groupOf(h), j, d)];
        z *= m_settings.scale.value_or(1.0 / std::sqrt(double(s.dk)));
        if (m_inputs.bias)
            z += broadcast(*m_inputs.bias, b, h, i, j);
        if (m_settings.alibi)
            z -= double{alibiSlopes(s.H, m_settings.slopes)[static_cast<std::size_t>(h)]} *
                 std::abs(double(position - j));
        return std::exp(z / double{m_settings.temperature});
    }

    double weight(Index b, Index h, Index i, Index j) const
    {
        const double own = power(b, h, i, j);
        if (own == 0.0)
            return 0.0;
        const Sizes& s = m_sizes;
        double sum = 0.0;
        switch (m_settings.axis) {
        case Axis::Key:
            for (Index n = 0; n < s.Tk; ++n)
                sum += power(b, h, i, n);
            break;
        case Axis::Query:
            for (Index n = 0; n < s.Tq; ++n)
                sum += power(b, h, n, j);
            break;
        case Axis::Batch:
            for (Index n = 0; n < s.B; ++n)
                sum += power(n, h, i, j);
            break;
        case Axis::Head:
            for (Index n = 0; n < s.H; ++n)
                sum += power(b, n, i, j);
        }
        return own / sum;
    }

    Inputs m_inputs;
    ScoreSettings m_settings;
    Sizes m_sizes;
};

/// Squared norm of the derivative of output (b, h, i) by `numbers`, which lie in `reference`.
inline double squaredByDifferences(Reference& reference, std::vector<double>& numbers,
                                   const std::vector<std::size_t>& moved, Index b, Index h, Index i)
{
    constexpr double kStep = 1e-4;
    double squares = 0.0;
    for (const std::size_t n : moved) {
        const double before = numbers[n];
        numbers[n] = before + kStep;
        const Eigen::VectorXd up = reference.output(b, h, i);
        numbers[n] = before - kStep;
        const Eigen::VectorXd down = reference.output(b, h, i);
        numbers[n] = before;
        squares += ((up - down) / (2 * kStep)).squaredNorm();
    }
    return squares;
}

/// Places of the vectors (b, every head in `heads`, row) of a tensor.
inline std::vector<std::size_t> places(const Shape& shape, Index b, const std::vector<Index>& heads,
                                       Index row)
{
    std::vector<std::size_t> result;
    for (const Index h : heads)
        for (Index d = 0; d < shape.cols; ++d)
            result.push_back(Reference::at(shape, b, h, row, d));
    return result;
}

inline std::vector<Index> all(Index n)
{
    std::vector<Index> indices;
    for (Index k = 0; k < n; ++k)
        indices.push_back(k);
    return indices;
}

struct Case {
    Inputs inputs;
    ScoreSettings settings;
};

/// A document of which every feature is on in some of the kinds.
inline Case caseOf(Axis axis, int kind)
{
    const Sizes sizes = kind == 3 ? Sizes{2, 2, 2, 3, 5, 2, 3} : Sizes{3, 4, 2, 4, 4, 3, 2};
    Case result{randomInputs(sizes, static_cast<std::uint64_t>(kind + 1), 1.0F), {}};
    ScoreSettings& s = result.settings;
    s.axis = axis;
    if (kind == 1) {
        s.causal = true;
        s.alibi = true;
        s.temperature = 0.5F;
        s.empty = EmptySlice::Zero;
    }
    if (kind == 2) {
        Tensor mask = Tensor::filled(sizes.weights(), 1.0F);
        mask.at(0, 0, 1, 2) = 0.0F;
        mask.at(1, 3, 0, 1) = 0.0F;
        mask.at(1, 1, 2, 1) = 0.0F;
        result.inputs.mask = share(std::move(mask));
        result.inputs.bias = share(randomTensor({1, 4, 4, 4}, 9, 1.0F));
        s.scale = -0.8;
    }
    if (kind == 3) {
        s.causal = true;
        s.align = Align::End;
        s.temperature = 2.0F;
        s.empty = EmptySlice::Zero;
    }
    return result;
}

} // namespace keyaxis::testing
