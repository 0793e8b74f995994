#pragma once

#include "core/io/raw_tensor.h"

#include <string>
#include <string_view>

namespace keyaxis {

/// Whether `text` begins as JSON or as the print of an array: "[", "{", "tensor(", "array(".
bool looksBracketed(std::string_view text);

/// Reads nested lists: JSON (lists, or an object of them; NaN and Infinity as Python writes them)
/// and the prints of NumPy ("[[ 1.  2.]\n [ 3. -4.]]", "array([…], dtype=float32)") and PyTorch
/// ("tensor([…], device='cuda:0')").
///
/// Numbers become float64, lists of true and false bool, lists of strings Text. In an object a
/// string alone is metadata, and the names of an object within it are joined with a dot.
///
/// @param label  what messages call the file.
/// @return       a list alone is a tensor without a name.
/// @errors BadInput naming line and column, both from 1: unequal or unequally deep lists, a value
///         that is no number, a print that is abbreviated by "...", a key that is there twice.
Result<TensorFile> readBrackets(std::string_view text, const std::string& label);

} // namespace keyaxis
