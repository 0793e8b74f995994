#pragma once

#include "core/inputs.h"
#include "core/proof/outer_sums.h"
#include "core/settings.h"

#include <memory>
#include <utility>
#include <vector>

namespace keyaxis {

/// Derivatives of outputs by what their logits are made of (where scores are given, by these), for
/// some slices (b, h) of a document. A view: inputs and settings must outlive it. *immutable* once
/// it is filled
class Derivatives {
public:
    /// One (b, h) in float64.
    struct Slice {
        Index b;
        Index h;
        RowsOfDoubles
            weights; ///< [Tq, Tk]; on the key axis each row is made to sum to 1 in float64
        RowsOfDoubles queries;    ///< [Tq, dk]; a row that is not finite is 0: its weights are NaN
        const FiniteRows* keys;   ///< [Tk, dk]; null where scores are given: their own derivatives
        const FiniteRows* values; ///< [Tk, dv]
    };

    /// @param inputs  with V.
    Derivatives(const Inputs& inputs, const ScoreSettings& settings);

    /// Adds (b, h) with its weights, [Tq, Tk].
    void add(Index b, Index h, const MatrixView& weights);

    const std::vector<Slice>& slices() const { return m_slices; }
    const Sizes& sizes() const { return m_sizes; }
    Axis axis() const { return m_settings.axis; }

    /// A norm of a derivative by logits as one by the vectors behind them: times scale / τ. At τ =
    /// 0 a weight is a step of its logits, so what moves at all, at a tie, has no rate: NaN.
    double scaled(double norm) const;

    /// Norms of sums of v_j k_jᵀ: value rows of `s`, keys of `other`.
    static OuterSums sums(const Slice& s, const Slice& other, Index nSumsAhead)
    {
        return other.keys ? OuterSums(*s.values, *other.keys, nSumsAhead) : OuterSums(*s.values);
    }

    /// Key axis, where all keys of a row share a slice: ‖∂o_i/∂q_i‖ before `scaled`.
    static double alongKeys(const Slice& s, Index i);

    /// Other axes: coefficients of ∂o_i/∂q_c for the query vectors `columns` of `other`, whose
    /// entries of every key share a slice with those of row i; [columns, Tk], up to their sign.
    static RowsOfDoubles coefficients(const Slice& s, Index i, const Slice& other,
                                      const std::vector<Index>& columns);

private:
    using Kept = std::vector<std::pair<Index, std::unique_ptr<const FiniteRows>>>;

    const FiniteRows* rowsOf(Kept& kept, const Tensor& from, Index b, Index g) const;

    const Inputs& m_inputs;
    const ScoreSettings& m_settings;
    Sizes m_sizes;
    Kept m_keys;   ///< by b * G + g; heads of a group share them
    Kept m_values; ///< the same
    std::vector<Slice> m_slices;
};

} // namespace keyaxis
