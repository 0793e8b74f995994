#pragma once

#include "core/inputs.h"
#include "core/io/raw_tensor.h"
#include "core/settings.h"

#include <optional>

namespace keyaxis {

/// How the axes of a tensor file are to be read; MATH.md, "Inputs".
enum class Layout { BHTD, BTHD, HTD, BTD };

std::optional<Layout> layoutNamed(std::string_view name); ///< "bhtd", any case
std::string_view layoutName(Layout layout);

/// The user's choices between readings; what is left open is settled by metadata, or is Ambiguous.
struct ReadingChoices {
    std::optional<Layout> layout;
    enum class MaskAxes { QueryKey, BatchKey };
    std::optional<MaskAxes> maskAxes; ///< of a two-axis mask
    std::string q = "q", k = "k", v = "v"; ///< names of the tensors, any case
    std::string mask = "mask", bias = "bias";
};

/// A file read as attention: what it holds and the settings it brings along.
struct AttentionFile {
    Inputs inputs;
    ScoreSettings settings;         ///< the file's own; defaults where it is silent
    Layout layout = Layout::BHTD;   ///< the reading that was used
    std::vector<std::string> notes; ///< what the user should know: narrowing, skipped tensors
};

/// Reads q, k, v (and mask, bias, token names, causal, alibi, scale) out of `file`.
///
/// @param name  what the document is called; for messages too.
/// @errors      BadInput naming what is missing or does not fit (both sizes).
///              Ambiguous naming both readings with their sizes and the flag that decides.
Result<AttentionFile> readAttention(const TensorFile& file, const std::string& name,
                                    const ReadingChoices& choices = {});

/// A float32 tensor as a file holds it.
RawTensor rawTensor(std::string name, const Tensor& tensor);

/// `raw` as float32 of rank 4 under `layout`; `narrowed` becomes true where a value changed.
Result<Tensor> toTensor(const RawTensor& raw, Layout layout, bool& narrowed);

} // namespace keyaxis
