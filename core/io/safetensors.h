#pragma once

#include "core/io/file_bytes.h"
#include "core/io/raw_tensor.h"

namespace keyaxis {

/// Whether `bytes` begin as a .safetensors file does: a length within the format's limit, then `{`.
bool looksLikeSafetensors(BytesView bytes);

/// Reads a .safetensors file. Every rule of the format holds or the file is refused: no holes, no
/// overlaps, no tail, no duplicate key, sizes that agree with the shapes. Tensors of the format's
/// types that are not read (complex, float4, …) are `skipped`.
///
/// @param label  what messages call the file.
/// @errors BadInput naming the tensor and the numbers; also for a type that the format has not.
/// @source huggingface/safetensors, README "Format" and the reference implementation's checks.
Result<TensorFile> readSafetensors(BytesView bytes, const std::string& label);

/// `file` as .safetensors: wider types first, then by name, so the same bytes from run to run.
/// Texts become metadata: those without an axis as they are, others as lists in JSON, and token
/// names under `keyaxis.query_tokens` and `keyaxis.key_tokens`.
///
/// @errors BadValue where two tensors or two metadata would have the same name.
Result<Bytes> writeSafetensors(const TensorFile& file);

} // namespace keyaxis
