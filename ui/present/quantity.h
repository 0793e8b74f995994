#pragma once

#include "ui/present/step_state.h"

#include <QString>

namespace keyaxis {

/// A number that a lesson speaks of, as `name indices… setting=value…`, computed by the core from
/// the step's own document:
///
///   weight 0 1          row_sum 2 axis=query          largest_change alibi=on axis=batch
///
/// Indices count from 0. Settings: axis, causal, align, alibi, tau, scale, empty, batch, head.
///
/// | of a cell      | score, scaled, biased, tempered, logit, weight, output: query key |
/// | of a query     | row_sum, top_key, top_weight: query; part_sum: query from to      |
/// | of a key       | column_sum: key                                                   |
/// | of the map     | smallest_sum, largest_sum, largest_weight,                        |
/// |                | valid_rows, undefined_rows, empty_cells, masked_cells             |
/// | of the output  | undefined_outputs                                                 |
/// | of the sizes   | queries, keys, heads, examples, width; slope: head                |
/// | of a change    | largest_change: of a weight when the settings change;             |
/// |                | moved_by_last_token, moved_by_head: head, moved_by_example:       |
/// |                | example: how many (earlier) outputs of this head move             |
///
/// @errors BadInput naming the place and what was expected.
Result<double> evaluateQuantity(const QString& text, const StepState& state,
                                const LessonPlace& place);

/// Whether a condition holds: a comparison of two quantities or numbers by ==, !=, <, <=, > or >=,
/// or several of them joined by "and". Equal means within 1e-5, relative above 1.
Result<bool> evaluateCondition(const QString& text, const StepState& state,
                               const LessonPlace& place);

/// Whether `value` is what `written` says: within half a unit of its last digit; a whole number or
/// a fraction within 1e-5, relative above 1; NaN is NaN. None where `written` is no number.
std::optional<bool> agrees(double value, const QString& written);

/// Fills in the claims of a text: `{row_sum 0}` becomes a number in two decimals (a count stays
/// whole), `{row_sum 0 : 4}` in four, and `{weight 2 1 = 2/7}` becomes "2/7" if that is so.
/// A brace that is meant is written `\{`.
///
/// @param place  of the text's first line.
/// @errors BadInput naming the line, what the text claims and what the core computes.
Result<QString> filledIn(const QString& text, const StepState& state, const LessonPlace& place);

} // namespace keyaxis
