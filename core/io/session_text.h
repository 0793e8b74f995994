#pragma once

#include "core/inputs.h"
#include "core/result.h"
#include "core/settings.h"

#include <map>
#include <string>

namespace keyaxis {

/// The member of a session file, an archive of arrays, that says what the arrays do not.
inline constexpr const char* kSessionMember = "session.json";

/// The version that is written; older ones are read as well.
inline constexpr int kSessionVersion = 1;

/// What a session keeps beside its tensors.
struct SessionState {
    ScoreSettings settings;
    std::map<std::string, std::string> view; ///< what is looked at, in the window's own words
    TokenNames queryTokens, keyTokens;
    std::string layer{};  ///< which of the layers of that file; empty: it has no others
    std::string source{}; ///< the file that the tensors came from; empty: none

    bool operator==(const SessionState&) const = default;
};

/// `state` as the text of `session.json`: JSON, the same bytes from run to run.
std::string sessionText(const SessionState& state);

/// Reads the text of `session.json`. What it does not say is left as in `defaults`; what is not
/// known is passed over.
///
/// @param label  what messages call the file.
/// @errors BadInput naming the field: no JSON, no version, a newer version, a value of another kind
///         or out of its domain.
Result<SessionState> parseSession(const std::string& text, const std::string& label,
                                  SessionState defaults = {});

} // namespace keyaxis
