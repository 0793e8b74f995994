#pragma once

#include "core/io/file_bytes.h"
#include "core/io/raw_tensor.h"

namespace keyaxis {

/// Whether `bytes` begin as a .safetensors file does: a length, then `{`.
bool looksLikeSafetensors(BytesView bytes);

/// Reads a .safetensors file. Every rule of the format holds or the file is refused: no holes, no
/// overlaps, no tail, no duplicate key, sizes that agree with the shapes.
///
/// @param label  what messages call the file.
/// @errors BadInput naming the tensor and the numbers.
/// @source huggingface/safetensors, README "Format" and the reference implementation's checks.
Result<TensorFile> readSafetensors(BytesView bytes, const std::string& label);

/// `file` as .safetensors: wider types first, then by name, so the same bytes from run to run.
/// Text tensors become metadata: JSON inside a string.
Bytes writeSafetensors(const TensorFile& file);

} // namespace keyaxis
