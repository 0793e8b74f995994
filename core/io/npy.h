#pragma once

#include "core/io/npy_header.h"

namespace keyaxis {

/// Reads one array in NumPy's .npy format: versions 1 to 3, either byte order, either storage
/// order.
///
/// @param label       what messages call it: a file, or a member of a file.
/// @param notes       sentences for the user are appended (bytes after the data).
/// @param opaqueType  what elements are that NumPy has no type for ('V2').
/// @errors BadInput: header, shape, type or size, with the numbers. Nothing larger than `bytes` is
///         allocated for numbers. Object arrays are refused and never unpickled.
///         Ambiguous where `opaqueType` decides.
Result<RawTensor> readNpy(BytesView bytes, const std::string& label,
                          std::vector<std::string>& notes,
                          std::optional<ElementType> opaqueType = {});

/// The array of `header` from its data alone.
///
/// @param header  one with a type.
/// @param data    exactly `header.nDataBytes()`.
RawTensor npyTensor(const NpyHeader& header, Bytes data);

/// `tensor` as a version 1.0 .npy file, C order. bfloat16 and float8, which NumPy does not have,
/// are written as float32: every value is kept.
Bytes writeNpy(const RawTensor& tensor);

} // namespace keyaxis
