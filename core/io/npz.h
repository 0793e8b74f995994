#pragma once

#include "core/io/file_bytes.h"
#include "core/io/raw_tensor.h"

namespace keyaxis {

/// Whether `bytes` begin as a zip archive does.
bool looksLikeZip(BytesView bytes);

/// Reads the arrays of a .npz archive: stored or deflated, zip64, with or without the suffix .npy.
/// Members that are no arrays, or arrays of a type that is not read, are passed over with a note.
///
/// @param label  what messages call the file.
/// @errors BadInput naming the member: structure, CRC, encryption, sizes. A damaged member refuses
///         the whole file; no member's size is believed before it is compared with its header.
Result<TensorFile> readNpz(BytesView bytes, const std::string& label);

/// `file` as a .npz archive (stored, fixed dates): the same bytes from run to run. Metadata becomes
/// text arrays of one element named like its key.
Result<Bytes> writeNpz(const TensorFile& file);

} // namespace keyaxis
