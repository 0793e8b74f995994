#pragma once

#include "core/tensor.h"

#include <QString>
#include <optional>
#include <vector>

namespace keyaxis {

/// The numbers that "1-4, 7" names, in its order; empty for an empty text. Nothing where a part is
/// no number or range, or does not lie between 1 and `most`.
std::optional<std::vector<Index>> numbersIn(const QString& text, Index most);

} // namespace keyaxis
