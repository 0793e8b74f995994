#pragma once

#include "core/io/file_bytes.h"

#include <optional>
#include <string>

namespace keyaxis {

/// What pictures are written as.
enum class FigureFormat { Png, Svg, Pdf };

/// Told by how `bytes` begin; nothing where they are no such picture.
std::optional<FigureFormat> figureFormat(BytesView bytes);

/// Name of the session as an attachment of a PDF.
inline constexpr const char* kAttachedSession = "session.keyaxis";

/// The bytes of NAME.keyaxis that a figure carries: in text chunks of a PNG, in the <metadata> of
/// an SVG, as an attachment of a PDF.
///
/// @param figure  of a known `figureFormat`.
/// @param label   what messages call the file.
/// @errors        BadInput where there is none, or it is damaged.
/// @cost          O(bytes); an attachment grows by what deflate can do at the most.
Result<Bytes> sessionInFigure(BytesView figure, const std::string& label);

/// A PNG or an SVG with `session` inside; it looks the same.
Bytes figureWithSession(BytesView figure, BytesView session);

} // namespace keyaxis
