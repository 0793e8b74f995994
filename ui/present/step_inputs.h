#pragma once

#include "ui/present/step_state.h"
#include "ui/present/toml_reader.h"

namespace keyaxis {

/// The settings that inputs are made of.
const QStringList& inputKeys();

/// Replaces the inputs of `state` by those of `block`, and then its settings by their defaults (a
/// sample's by its own); leaves it alone where the block names none.
///
///   sample = "tiny_lm_layer2"
///   sentence = "the cat sat", sizes = {examples = 2, heads = 2, width = 4}, seed = 7
///   pattern = "random" | "one_hot" | "uniform" | "previous_token", with sizes, queries and keys
///   q, k, v = [[…]]
///   logits = [[…]]: the scores themselves; v is the identity unless given, scale is 1
///   mask, bias = [[…]]
///   tokens, or query_tokens and key_tokens = ["the", "cat"], or one such list for each example
///
/// @errors BadInput naming file, line and what was expected.
Result<void> readInputs(const TomlBlock& block, StepState& state);

} // namespace keyaxis
