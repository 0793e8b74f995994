#pragma once

#include "core/inputs.h"
#include "core/settings.h"

#include <string>
#include <string_view>

namespace keyaxis {

/// Libraries for which `codeText` writes a program.
enum class CodeLibrary { NumPy, PyTorch, Jax };

/// A short Python program that computes the weights (and the output, where there is V) of `inputs`
/// under `settings`, the axis of the softmax written out.
///
/// It reads q, k (or scores, or weights), v, mask and bias from the .npz file `file`, as this
/// program saves them, and leaves `weights`, [B, H, Tq, Tk], and `output`. NaN, empty slices, ties
/// at τ = 0 and small τ come out as here; the numbers agree up to float32.
///
/// @source  mathematics.md, "Stages".
std::string codeText(CodeLibrary library, const Inputs& inputs, const ScoreSettings& settings,
                     std::string_view file);

} // namespace keyaxis
