#pragma once

#include "tests/bench/peer.h"
#include "tests/bench/report.h"

namespace keyaxis::bench {

/// The softmax over each axis beside a copy of the same bytes and, given `peer`, PyTorch's.
void measureSoftmax(Report& report, Peer* peer);

/// Whole causal attention beside PyTorch's five eager calls.
void measureAttention(Report& report, Peer& peer);

/// How the cost of editing one number grows with the tokens, and with examples and heads.
void measureGrowth(Report& report);

} // namespace keyaxis::bench
