#pragma once

#include "core/attention/attention.h"

#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace keyaxis {

/// A cell of the weights of a document.
struct WeightCell {
    Index b = 0, h = 0, i = 0, j = 0;
    bool operator==(const WeightCell&) const = default;
};

/// An output row of a document.
struct OutputRow {
    Index b = 0, h = 0, i = 0;
    bool operator==(const OutputRow&) const = default;
};

/// What hides a cell, the first that does.
enum class HiddenBy { Nothing, Causal, Mask, Bias, Score }; ///< Score: -inf from q · k or ALiBi

/// What makes a logit NaN or +inf, the first that does.
enum class OddSource { Query, Key, Score, Bias, Overflow }; ///< Score: a given one

/// How a NaN came about: back from a weight or an output to its origin, and on to what it spoils.
struct NanStory {
    enum class Cause {
        EmptySlice, ///< no cell of the slice is allowed: 0/0
        OddLogit,   ///< an allowed logit of the slice is NaN or +inf
        OddValue,   ///< weights are finite; an allowed value row is not, or the sum overflows
    };
    struct Hidden {
        WeightCell cell;
        HiddenBy by = HiddenBy::Nothing;
    };
    struct Odd {
        WeightCell cell;
        OddSource source = OddSource::Query;
    };

    Cause cause = Cause::EmptySlice;
    WeightCell cell; ///< where the story begins: the undefined weight, or the first one of the
                     ///< output's row; for OddValue the first value row that is not finite
    std::vector<Hidden> hidden;     ///< EmptySlice: every cell of the slice, and what hides it
    std::vector<Odd> odd;           ///< OddLogit: the cells of the slice that are NaN or +inf
    std::vector<OutputRow> spoiled; ///< the outputs that this slice, or value row, makes undefined

    /// What the row (b, h, i) is under the policy zero; the same as now where no slice is empty.
    double zeroRowSum = 0;
    Eigen::VectorXf zeroOutput; ///< [dv]; empty without V

    std::string sentence;     ///< the story; UTF-8, English
    std::string nanSentence;  ///< what the policy nan gives, and who does so; empty unless a slice
                              ///< is empty
    std::string zeroSentence; ///< the same of the policy zero
};

/// What hides cell (b, h, i, j), given its logit.
HiddenBy hiddenBy(const Inputs& inputs, const ScoreSettings& settings, const WeightCell& cell,
                  float logit);

/// The story of the undefined weight `cell`.
///
/// @param slice  all stages of (b, h) under `settings`.
/// @return       nothing where the weight is finite, or given: then the file alone knows.
/// @errors       Cancelled on stop.
/// @cost         the slice under the policy zero, and a tile for each example or head of a slice
///               along these.
/// @source       mathematics.md, "Stages", "Empty slice".
Result<std::optional<NanStory>> storyOfWeight(const Inputs& inputs, const ScoreSettings& settings,
                                              const SliceStages& slice, const WeightCell& cell,
                                              std::stop_token stop = {});

/// The story of the undefined output `row`: that of its first undefined weight, or of its values.
Result<std::optional<NanStory>> storyOfOutput(const Inputs& inputs, const ScoreSettings& settings,
                                              const SliceStages& slice, const OutputRow& row,
                                              std::stop_token stop = {});

} // namespace keyaxis
