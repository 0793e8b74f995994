#pragma once

#include "core/result.h"
#include "core/tensor.h"

#include <string>
#include <vector>

namespace keyaxis {

/// The header of a table with one row an element of a tensor of `nAxes` axes: b, h, i, j for four,
/// axis0 … otherwise, then value.
std::vector<std::string> longFormHeader(std::size_t nAxes);

/// Whether `cells` are such a header.
bool isLongForm(const std::vector<std::string>& cells);

/// Puts the values of such a table, whose rows stand in any order, into the order of memory.
///
/// @param values    rows of indices and a value; afterwards the values alone.
/// @param nColumns  of each row, at least 2.
/// @param lines     of each row, for messages.
/// @return          the shape: one more than the largest index of each axis.
/// @errors BadInput, without file and full stop: an index that is no whole number from 0, an
///         element that is there twice or not at all. Nothing larger than `values` is allocated.
Result<std::vector<Index>> arrangeLongForm(std::vector<double>& values, std::size_t nColumns,
                                           const std::vector<std::size_t>& lines);

} // namespace keyaxis
