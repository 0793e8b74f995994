#pragma once

#include "tests/bench/report.h"

namespace keyaxis::bench {

/// Frames of the maps: four of 2,048 tokens beside four of 512 on the same pixels, and a frame of
/// a drag of one of 2,048.
void measurePainting(Report& report);

} // namespace keyaxis::bench
