#pragma once

#include "core/result.h"
#include "core/tensor.h"

class QMimeData;

namespace keyaxis {

/// `block` for the clipboard: tabs and line ends as spreadsheets take them, and an HTML table.
QMimeData* newMimeData(const Matrix& block);

/// The block of numbers that a spreadsheet, a program's print or an editor has put on the
/// clipboard: either decimal sign, any line end, one trailing line end or none; labels in the first
/// row and column are passed over.
///
/// @return  at least one row and column.
/// @errors  BadInput naming row and column of what is no number in float32.
Result<Matrix> readBlock(const QMimeData& data);

} // namespace keyaxis
