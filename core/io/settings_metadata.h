#pragma once

#include "core/io/file_metadata.h"
#include "core/io/session_text.h"

#include <map>
#include <string>
#include <vector>

namespace keyaxis {

/// The score settings that a file says in its metadata: axis, causal, align, alibi, slopes,
/// temperature, scale (or softmax_scale) and empty; defaults where it is silent.
///
/// @param dk     width of q and k: their usual scale, written out, is no setting of its own.
/// @param notes  gets a clause for each value that is not understood and was passed over.
/// @errors       BadValue where a number is out of its domain.
Result<ScoreSettings> readSettings(const FileMetadata& metadata, Index dk,
                                   std::vector<std::string>& notes);

/// What a session says beside its tensors as metadata, `keyaxis.NAME`, which `readSettings` and
/// `FileMetadata::tokens` read back; the view and the source are left out. Lists are JSON.
std::map<std::string, std::string> settingsMetadata(const SessionState& state);

} // namespace keyaxis
