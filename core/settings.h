#pragma once

#include "core/axis.h"
#include "core/result.h"
#include "core/tensor.h"

#include <optional>
#include <string>

namespace keyaxis {

/// Where the causal diagonal and ALiBi's distances begin when Tq differs from Tk: the position of
/// query i is i (Start, as PyTorch's is_causal) or i + Tk - Tq (End, as key/value caches).
enum class Align { Start, End };

/// Slopes of ALiBi: the authors' rule, or the plain geometric series for any head count.
enum class SlopeRule { Authors, Geometric };

/// What a slice without an allowed entry becomes: NaN as torch.softmax, or 0 as fused kernels.
enum class EmptySlice { Nan, Zero };

/// Everything that decides the numbers, given the inputs. A change recomputes.
struct ScoreSettings {
    Axis axis = Axis::Key;
    bool causal = false;
    Align align = Align::Start;
    bool alibi = false;
    SlopeRule slopes = SlopeRule::Authors;
    float temperature = 1.0F;      ///< finite, > 0; 0 is the arg-max limit
    std::optional<double> scale{}; ///< what QKᵀ is multiplied by; none: 1/√dk. 1 is "off"
    EmptySlice empty = EmptySlice::Nan;

    bool operator==(const ScoreSettings&) const = default;
};

/// Nothing, if the numbers of `settings` are in their domain.
///
/// @errors BadValue naming the number and its domain.
Result<void> checked(const ScoreSettings& settings);

/// The stages of attention in their order; mathematics.md, "Stages".
enum class Stage { Scores, Scaled, Biased, Tempered, Logits, Weights, Output };

/// "softmax over keys · causal (start) · τ = 1 · scale 1/√16 · empty NaN", UTF-8.
///
/// @param keyWidth  dk, for the scale's name.
/// @param hasMask,hasBias  whether the inputs bring their own; named when they do.
std::string settingsLine(const ScoreSettings& settings, Index keyWidth, bool hasMask, bool hasBias);

/// The same without the axis, for what is shown under all of them: "causal (start) · τ = 1 · …".
std::string sharedSettingsLine(const ScoreSettings& settings, Index keyWidth, bool hasMask,
                               bool hasBias);

/// A float in the fewest digits that read back as the same float, always with a dot: "0.1", "-inf".
std::string shortest(float value);
std::string shortest(double value);

} // namespace keyaxis
