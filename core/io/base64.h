#pragma once

#include "core/io/file_bytes.h"

#include <optional>
#include <string>

namespace keyaxis {

/// RFC 4648, with padding, on one line.
std::string toBase64(BytesView bytes);

/// Nothing where `text` is no such text; blanks and line ends are passed over.
std::optional<Bytes> fromBase64(std::string_view text);

} // namespace keyaxis
