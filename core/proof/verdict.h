#pragma once

#include "core/inputs.h"
#include "core/proof/certificate.h"

namespace keyaxis {

/// A certificate in words; UTF-8, English. The window and the figures say nothing else about it.
struct Verdict {
    bool valid = false;
    bool hasRows = true;  ///< false: there is nothing to judge, so nothing is wrong
    std::string pill;     ///< "6 of 6 rows sum to 1" or "5 undefined, 1 sums to 3.31": hides no row
    std::string headline; ///< "Every output is a weighted average"
    std::string sentence; ///< one or two plain sentences, true for this very input
};

/// The verdict on `certificate` of weights computed with `settings` from tensors of `sizes`.
Verdict verdictOf(const Certificate& certificate, const ScoreSettings& settings,
                  const Sizes& sizes);

/// The same of a document: given weights are judged as a loaded tensor, which no softmax of ours
/// has made, whatever `settings` say.
Verdict verdictOf(const Certificate& certificate, const Inputs& inputs,
                  const ScoreSettings& settings);

/// A row sum in two decimals, or in as many as show that it is not 1: "0.99", but "1.0002".
std::string sumText(const RowCertificate& row);

/// What a slice along `axis` does, in a few words: "each query spreads 1 over the keys".
std::string axisGloss(Axis axis);

/// The same for narrow places: "each query spreads 1".
std::string shortAxisGloss(Axis axis);

} // namespace keyaxis
