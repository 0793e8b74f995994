#pragma once

#include "core/io/raw_tensor.h"

#include <optional>
#include <string>
#include <string_view>

namespace keyaxis {

/// Whether `text` is a table of numbers: one of its first two lines has a number in each cell but
/// the first.
bool looksDelimited(std::string_view text, const TableChoices& choices = {});

/// Reads a table of numbers, whatever the locale: [rows, columns], float64; or the long form that
/// `writeCsv` gives more than two axes. A table of true and false is bool.
///
/// Passed over: a byte order mark, blank lines, lines that begin with #, a first row of labels and
/// a first column of labels. A note says which separator and decimal sign were used, and what was
/// passed over.
///
/// @param label  what messages call the file.
/// @return       one tensor without a name, and the notes.
/// @errors BadInput naming row (a line of the file) and column, both from 1: a cell that is empty
///         or is no number, a row of another length, a quote that does not end.
Result<TensorFile> readDelimited(std::string_view text, const std::string& label,
                                 const TableChoices& choices = {});

/// `tensor` as comma-separated text. Up to two axes: the table itself. More: long form, one line an
/// element with its indices in front (a header line names the columns b, h, i, j for four axes,
/// axis0 … otherwise). Numbers as `elementText` has them; texts are quoted.
std::string writeCsv(const RawTensor& tensor);

} // namespace keyaxis
