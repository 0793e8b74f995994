#pragma once

#include "core/io/session_file.h"
#include "ui/document/document.h"

#include <filesystem>

namespace keyaxis {

/// What a session keeps of the view, in words; and back. What is not known is left as in `view`.
std::map<std::string, std::string> viewWords(const ViewSettings& view);
ViewSettings viewFrom(const std::map<std::string, std::string>& words, ViewSettings view = {});

/// The document as a session keeps it; results are derived and not kept.
Session sessionOf(const Document& document);

/// Writes the document to NAME.keyaxis; it is then unmodified and lives there. Where that fails it
/// stays modified, and the old file is intact.
///
/// @errors BadOutput as `writeSession`.
Result<void> saveDocument(Document& document, const std::filesystem::path& path);

} // namespace keyaxis
