#pragma once

#include "ui/present/step_state.h"

#include <functional>
#include <map>

namespace keyaxis {

/// A quantity taken apart: `weight 0 1 axis=query`.
struct Quantity {
    QString name;
    std::vector<Index> indices;
    StepState state;    ///< with the settings of the quantity
    StepState original; ///< the step's own
    LessonPlace place;
};

/// What an index of a quantity counts.
enum class Counts { Query, Key, KeyEnd, Feature, Head, Example };

/// One word of the language: its indices, and how it is computed.
struct QuantityWord {
    std::vector<Counts> indices;
    std::function<Result<double>(const Quantity&)> compute;
    bool isCount = false; ///< printed as a whole number
};

/// Every word that there is, by its name.
const std::map<QString, QuantityWord>& quantityWords();

/// How many of `what` there are; an index is below that.
Index countOf(Counts what, const Sizes& sizes);

/// Whether two numbers are the same within 1e-5, relative above 1; NaN is the same as NaN.
bool areSame(double a, double b);

} // namespace keyaxis
