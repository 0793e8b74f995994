#pragma once

#include "core/result.h"

namespace keyaxis {

inline constexpr int kExitCancelled = 130; ///< what a shell reports after Ctrl-C

/// The exit code that tells a script what to do about an error.
constexpr int exitCode(Errc code)
{
    switch (code) {
    case Errc::BadValue:
    case Errc::Ambiguous:
        return 2;
    case Errc::BadInput:
        return 3;
    case Errc::BadOutput:
        return 4;
    case Errc::Cancelled:
        break;
    }
    return kExitCancelled;
}

} // namespace keyaxis
