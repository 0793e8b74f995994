#pragma once

#include "core/io/file_bytes.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace keyaxis {

/// The texts of a NumPy array in UTF-8, without their padding.
///
/// @param itemSize  bytes of one text; a multiple of 4 where `isWide`.
/// @param isWide    little-endian UTF-32 ('U'); otherwise bytes ('S'), which are taken as UTF-8
///                  where they are valid, or else as Latin-1.
std::vector<std::string> textItems(BytesView bytes, std::size_t itemSize, bool isWide);

/// The text of a whole file in UTF-8, without its byte order mark: UTF-8, or UTF-16 that its mark
/// tells (spreadsheets save it). None where bytes are 0, as in no text.
std::optional<std::string> plainText(BytesView bytes);

/// `items` as NumPy stores text: UTF-32, each padded to the longest.
struct WideItems {
    std::size_t nCharacters = 1; ///< of each item
    Bytes bytes;
};
WideItems wideItems(const std::vector<std::string>& items);

} // namespace keyaxis
