#pragma once

#include "core/io/delimited_text.h"
#include "core/io/raw_tensor.h"

#include <filesystem>

namespace keyaxis {

/// What only the user can know about a file; what is open is told by the file itself.
struct FileChoices {
    std::optional<ElementType> opaqueType; ///< of a .npy array whose bytes have no type ('V2')
    TableChoices table;

    bool operator==(const FileChoices&) const = default;
};

/// Reads any file of tensors, recognised by its content and not by its name: .npz, .npy,
/// .safetensors, JSON, tables and prints of arrays, and figures that carry a session.
///
/// @errors BadInput: one sentence with the file, the tensor and the numbers. Sizes are compared
/// with
///         the file before anything is allocated; nothing is ever unpickled.
///         Ambiguous where `opaqueType` decides.
Result<TensorFile> readTensorFile(const std::filesystem::path& path,
                                  const FileChoices& choices = {});

/// The endings that `writeTensorFile` knows, in words: ".npz, .npy or .csv".
std::string writableEndings();

/// Whether `writeTensorFile` knows the format of `path`: by its ending, or a stream without one.
bool isWritable(const std::filesystem::path& path);

/// Whether that format has room for metadata; those with one tensor have none.
bool holdsMetadata(const std::filesystem::path& path);

/// Whether that format has room for `session.json`: archives have.
bool holdsSession(const std::filesystem::path& path);

/// Writes `file` in the format of `path`'s ending, atomically. The same bytes from run to run. A
/// stream without an ending gets .npz.
///
/// @errors BadValue where the format cannot hold it (several tensors in .npy or .csv);
///         BadOutput where the file cannot be written. The old file is then intact.
Result<void> writeTensorFile(const std::filesystem::path& path, const TensorFile& file);

} // namespace keyaxis
