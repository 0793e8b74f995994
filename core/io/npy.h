#pragma once

#include "core/io/file_bytes.h"
#include "core/io/raw_tensor.h"

namespace keyaxis {

/// Whether `bytes` begin as a .npy file does.
bool looksLikeNpy(BytesView bytes);

/// Reads one array in NumPy's .npy format, versions 1 to 3, either byte order, either storage order.
///
/// @param label  what messages call it: a file, or a member of a file.
/// @param notes  sentences for the user are appended (bytes after the data).
/// @errors BadInput: header, shape, type or size, with the numbers. Nothing larger than `bytes` is
///         allocated. Object arrays are refused and never unpickled.
/// @source NumPy Enhancement Proposal 1, A Simple File Format for NumPy Arrays.
Result<RawTensor> readNpy(BytesView bytes, const std::string& label,
                          std::vector<std::string>& notes);

/// `tensor` as a version 1.0 .npy file, C order, aligned to 64 bytes. bfloat16 and float8, which
/// NumPy does not have, are written as float32: every value is kept.
Bytes writeNpy(const RawTensor& tensor);

} // namespace keyaxis
