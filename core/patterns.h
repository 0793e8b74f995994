#pragma once

#include "core/inputs.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace keyaxis {

/// Fills for all tensors at the present sizes. Values in, values out.
///
/// Random: normal numbers that a seed gives on every machine. OneHot: q, k and v of token t are the
/// unit vector t (modulo the width). Uniform: q and k are 0, so every logit is equal.
/// PreviousToken: query i points at key i - 1, the first at itself (where dk = 1 only if there are
/// few keys: one feature cannot single out a key in the middle).
enum class Pattern { Random, OneHot, Uniform, PreviousToken };

Inputs filled(const Inputs& inputs, Pattern pattern, std::uint64_t seed);

/// V all ones: the output is the row sum.
Inputs withOnesAsValues(const Inputs& inputs);

/// V the identity, dv = Tk: the output is the row of weights.
Inputs withIdentityAsValues(const Inputs& inputs);

/// The tokens of a sentence: words and punctuation marks.
std::vector<std::string> wordsOf(std::string_view sentence);

/// The words of `sentence` become the tokens of queries and keys in every example; equal words have
/// equal embeddings, and so equal keys and values but for their head. Empty for no words.
Inputs ofSentence(const Inputs& inputs, std::string_view sentence, std::uint64_t seed);

/// `inputs` at other sizes: what was there keeps its place, new numbers are 0, new tokens nameless.
///
/// @param sizes  B, H, G, Tq, Tk, dk >= 1, H a multiple of G; dv = 0 leaves V out.
Inputs resized(const Inputs& inputs, const Sizes& sizes);

} // namespace keyaxis
