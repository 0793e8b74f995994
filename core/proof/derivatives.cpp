#include "core/proof/derivatives.h"

#include "core/attention/scores.h"

#include <cmath>
#include <limits>

namespace keyaxis {

Derivatives::Derivatives(const Inputs& inputs, const ScoreSettings& settings)
    : m_inputs(inputs), m_settings(settings), m_sizes(sizesOf(inputs))
{
}

void Derivatives::add(Index b, Index h, const MatrixView& weights)
{
    const Index g = m_sizes.groupOf(h);
    Slice slice{b,
                h,
                weights.cast<double>(),
                m_inputs.q ? FiniteRows(m_inputs.q->slice(b, h)).rows : RowsOfDoubles(),
                m_inputs.k ? rowsOf(m_keys, *m_inputs.k, b, g) : nullptr,
                rowsOf(m_values, *m_inputs.v, b, g)};
    // What float32 leaves of 1 would look like a movement where there is none.
    for (Index i = 0; m_settings.axis == Axis::Key && i < slice.weights.rows(); ++i)
        if (const double sum = slice.weights.row(i).sum(); sum > 0.0)
            slice.weights.row(i) /= sum;
    m_slices.push_back(std::move(slice));
}

double Derivatives::scaled(double norm) const
{
    const double scale = std::abs(double{scaleOf(m_settings, m_sizes.dk)});
    if (norm == 0.0 || scale == 0.0)
        return 0.0;
    if (m_settings.temperature == 0.0F)
        return std::numeric_limits<double>::quiet_NaN();
    return norm * scale / double{m_settings.temperature};
}

double Derivatives::alongKeys(const Slice& s, Index i)
{
    const RowsOfDoubles weights = s.weights.row(i);
    if (!s.keys) { // column l of Σ_j w_j v_j (e_j - w)ᵀ is w_l (v_l - o)
        FiniteRows values = *s.values;
        const Eigen::RowVectorXd output = weights * values.rows;
        values.rows.rowwise() -= output;
        for (Index j = 0; j < weights.cols(); ++j) // a lone key's output is its value row
            if (values.rows.row(j).norm() <= 1e-14 * (output.norm() + s.values->rows.row(j).norm()))
                values.rows.row(j).setZero();
        return OuterSums(values).norms(weights)[0];
    }
    FiniteRows centred = *s.keys;
    const Eigen::RowVectorXd mean = weights * centred.rows;
    centred.rows.rowwise() -= mean;
    return OuterSums(*s.values, centred, 1).norms(weights)[0];
}

RowsOfDoubles Derivatives::coefficients(const Slice& s, Index i, const Slice& other,
                                        const std::vector<Index>& columns)
{
    RowsOfDoubles result(static_cast<Index>(columns.size()), s.weights.cols());
    for (std::size_t c = 0; c < columns.size(); ++c) {
        const auto own = s.weights.row(i).array();
        const auto theirs = other.weights.row(columns[c]).array();
        const auto row = static_cast<Index>(c);
        if (&s == &other && columns[c] == i)
            result.row(row) = own * (1.0 - own);
        else
            result.row(row) = own * theirs;
    }
    return result;
}

const FiniteRows* Derivatives::rowsOf(Kept& kept, const Tensor& from, Index b, Index g) const
{
    const Index place = b * m_sizes.G + g;
    for (const auto& [index, rows] : kept)
        if (index == place)
            return rows.get();
    return kept.emplace_back(place, std::make_unique<const FiniteRows>(from.slice(b, g)))
        .second.get();
}

} // namespace keyaxis
