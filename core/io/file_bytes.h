#pragma once

#include "core/result.h"

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace keyaxis {

using Bytes = std::vector<std::byte>;
using BytesView = std::span<const std::byte>;

/// All bytes of a regular file, a pipe or a device.
///
/// @errors BadInput naming the path and the system's reason (missing, a folder, not readable).
Result<Bytes> readBytes(const std::filesystem::path& path);

/// Replaces a regular file as a whole: written beside it, flushed to the disk, then renamed over it,
/// so the old file is intact until the new one is complete. A symbolic link keeps pointing to its
/// target. Anything else (a pipe, /dev/stdout) is written directly.
///
/// @errors BadOutput naming the path and the system's reason; no temporary file stays behind.
Result<void> writeBytes(const std::filesystem::path& path, BytesView bytes);

inline BytesView bytesOf(std::string_view text)
{
    return std::as_bytes(std::span(text.data(), text.size()));
}

inline std::string_view textOf(BytesView bytes)
{
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

} // namespace keyaxis
