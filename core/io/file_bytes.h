#pragma once

#include "core/result.h"

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace keyaxis {

using Bytes = std::vector<std::byte>;
using BytesView = std::span<const std::byte>;

/// Files above this size are refused before anything is allocated.
inline constexpr std::size_t kLargestFile = std::size_t{8} << 30;

/// All bytes of a regular file or a pipe.
///
/// @errors BadInput naming the path and the reason: missing, a folder, a device, not readable,
///         larger than `kLargestFile`.
Result<Bytes> readBytes(const std::filesystem::path& path);

/// Whether `path` is written directly: a pipe, a socket, a device, or one of this program's own
/// streams (/dev/stdout, /dev/fd/3), wherever that leads.
bool isStream(const std::filesystem::path& path);

/// Replaces a regular file as a whole: written beside it, flushed to the disk, then renamed over
/// it, so the old file is intact until the new one is complete. A symbolic link keeps pointing to
/// its target, permissions are kept. A stream is written directly.
///
/// @errors BadOutput naming the path and the system's reason, also where the bytes are refused only
///         when flushed or closed, or by a reader that is gone; no temporary file stays behind.
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
