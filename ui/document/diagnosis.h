#pragma once

#include "core/io/dump.h"
#include "core/io/raw_tensor.h"

#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace keyaxis {

/// What somebody's weights, or output, tell: one sentence, and its evidence line by line. UTF-8.
struct Diagnosis {
    std::string tensor;   ///< its name in the file
    std::string sentence; ///< "softmax ran over the heads …"
    std::vector<std::string> evidence;
    std::vector<std::string> code; ///< lines that would be right; empty where nothing is wrong
};

/// Of weights or an output beside q, k and v: which hypothesis explains them, with the largest
/// difference, the first cell that differs and the line of code that would be right.
///
/// @param attention  what was read of the same file.
/// @return           nothing where the file holds neither, they do not belong together, or on stop.
/// @cost             as `replay`.
std::optional<Diagnosis> diagnosisBeside(const AttentionFile& attention, const TensorFile& file,
                                         std::stop_token stop = {});

/// Of a lone tensor of weights: along which axes it was normalised.
///
/// @return  nothing where no tensor of `file` is called weights, unless it holds a lone one of one
/// to
///          four axes whose numbers lie between 0 and 1.
std::optional<Diagnosis> diagnosisOfWeights(const TensorFile& file);

} // namespace keyaxis
