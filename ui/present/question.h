#pragma once

#include "ui/present/step_state.h"

namespace keyaxis {

/// One answer to choose.
struct Choice {
    char letter = 'A';
    QString text;
    QString why; ///< shown with the answer: what this choice would mean
    bool isRight = false;
};

/// A question whose right answer the core computes.
struct Question {
    QString ask;                 ///< empty: the title of the step asks
    std::vector<Choice> choices; ///< two to six, exactly one of them right
    bool showsMap = false;       ///< the class looks at the map to answer; otherwise it predicts

    const Choice& right() const;
};

/// Reads a question block, TOML:
///
///   ask = "What does the row of sat sum to?"
///   shows_map = true                        # the map stays in sight
///   value = "row_sum 2 axis=query"          # the choices are numbers ...
///   [[choice]]
///   text = "0.43"
///   number = 0.43
///
///   [[choice]]                              # ... or each has a condition
///   text = "Key axis"
///   why = "each query spreads 1 over the keys"
///   right_if = "valid_rows axis=key == queries"
///
/// @errors BadInput naming file and line; so where not exactly one choice is right.
Result<Question> readQuestion(const QString& toml, const LessonPlace& fence,
                              const StepState& state);

} // namespace keyaxis
