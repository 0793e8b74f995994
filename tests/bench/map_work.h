#pragma once

#include "tests/bench/report.h"

namespace keyaxis::bench {

/// The picture of a causal map of 131,072 × 131,072 weights: its memory, and how soon there is a
/// first one. The work is done by another process, whose memory is its own.
void measureLargeMap(Report& report);

/// What that process does: prints seconds to the first picture, seconds in all, the share of the
/// map that the first one is made of, and the most memory it held in KiB.
int pictureLargeMap(int nThreads);

} // namespace keyaxis::bench
