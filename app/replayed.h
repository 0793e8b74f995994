#pragma once

#include "app/command_line.h"
#include "core/io/dump.h"
#include "core/proof/replay.h"

#include <nlohmann/json_fwd.hpp>

namespace keyaxis {

/// Weights or an output, explained from the q, k and v beside them.
struct ReplayedDump {
    Dump dump;
    Sizes sizes;
    Replay replay;
};

/// The replay of the tensor that `command` means, weights before an output.
///
/// @return  nothing where `content` has no q and k, or nothing that belongs to them.
/// @errors  as `readAttention`.
Result<std::optional<ReplayedDump>> replayed(const TensorFile& content, const std::string& file,
                                             const CheckCommand& command);

/// Whether a hypothesis that fits is what `command` expects.
bool isAsExpected(const ReplayedDump& replayed, const CheckCommand& command);

/// The field "replay" of `check --json`: hypotheses, best first.
nlohmann::ordered_json jsonOf(const ReplayedDump& replayed);

/// The same in words, one line each: the diagnosis, the first cell that differs, the code that
/// would be right.
std::vector<std::string> wordsOf(const ReplayedDump& replayed);

} // namespace keyaxis
