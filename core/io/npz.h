#pragma once

#include "core/io/file_bytes.h"
#include "core/io/raw_tensor.h"

namespace keyaxis {

/// Whether `bytes` begin as a zip archive does.
bool looksLikeZip(BytesView bytes);

/// Reads the arrays of a .npz archive: stored or deflated, zip64, with or without the suffix .npy.
/// `session.json` becomes the file's `session`; other members that are no arrays get a note; arrays
/// of a type that is not read are `skipped`.
///
/// @param label       what messages call the file.
/// @param opaqueType  what elements are that NumPy has no type for ('V2'); none: `skipped`.
/// @errors BadInput naming the member: structure, CRC, encryption, sizes. A damaged array refuses
/// the
///         whole file. No size is believed: a member grows by what deflate can do at the most, its
///         array's header is compared with it before the array is allocated, and all arrays
///         together stay below `kLargestFile`.
Result<TensorFile> readNpz(BytesView bytes, const std::string& label,
                           std::optional<ElementType> opaqueType = {});

/// `file` as a .npz archive (stored, fixed dates): the same bytes from run to run. Metadata become
/// text arrays without an axis, named like their keys; `session` becomes `session.json`.
///
/// @errors BadValue where two members would have the same name.
Result<Bytes> writeNpz(const TensorFile& file);

} // namespace keyaxis
