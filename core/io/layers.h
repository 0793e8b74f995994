#pragma once

#include "core/io/attention_file.h"

#include <string>
#include <vector>

namespace keyaxis {

/// Axes of a stack of layers: [L, B, H, T, d] of q, k and v, [L, B, H, Tq, Tk] of scores or
/// weights.
inline constexpr std::size_t kStackRank = 5;

/// Whether the q of `file`, or what stands in its place, is a stack.
bool isStack(const TensorFile& file, const ReadingChoices& choices = {});

/// The layers of `file`, each of which `ReadingChoices::group` may name: what their tensors' names
/// have in common ("layers.3"), in natural order, or the numbers of a stack from 0. Empty where
/// there is one attention at most.
std::vector<std::string> layersIn(const TensorFile& file, const ReadingChoices& choices = {});

/// Layer n of a stack.
RawTensor layerOf(const RawTensor& stack, Index n);

/// The tensors of one layer of `file`, called as in a file of their own: q, k, v, mask, bias,
/// scores, weights. Everything of a file that has no layers, where `layer` is empty.
///
/// @errors without file and full stop: as `whichLayer` and `withFoundNames`.
Result<TensorFile> onlyLayer(TensorFile file, const std::string& layer);

/// Why a stack was not read: which layer is meant was not said (`wanted` is empty) or it has none
/// of that number; without file and full stop.
Error whichLayer(const std::vector<std::string>& layers, const std::string& wanted);

} // namespace keyaxis
