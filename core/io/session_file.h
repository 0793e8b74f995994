#pragma once

#include "core/io/file_bytes.h"
#include "core/io/raw_tensor.h"
#include "core/io/session_text.h"

#include <filesystem>
#include <vector>

namespace keyaxis {

/// A document as NAME.keyaxis keeps it. `readAttention` reads it back.
struct Session {
    Inputs inputs;
    ScoreSettings settings;
    std::map<std::string, std::string> view; ///< what is looked at, in the window's own words
    std::string source;                      ///< the file that the tensors came from
    std::vector<RawTensor> others{};         ///< further tensors: results
};

/// `session` as the tensors of a file: q, k, v, mask, bias, scores or weights, and the others, with
/// `session.json`.
TensorFile sessionTensors(const Session& session);

/// `session` as the bytes of NAME.keyaxis.
///
/// @errors BadValue where two tensors have the same name.
Result<Bytes> sessionBytes(const Session& session);

/// Writes NAME.keyaxis, a .npz archive that numpy.load opens, atomically: the old file is intact
/// until the new one is complete. The same bytes from run to run.
///
/// @errors BadOutput as `writeBytes`; BadValue where two tensors have the same name.
Result<void> writeSession(const std::filesystem::path& path, const Session& session);

} // namespace keyaxis
