#pragma once

#include "core/inputs.h"
#include "core/io/layout.h"
#include "core/io/raw_tensor.h"
#include "core/io/tensor_file.h"
#include "core/settings.h"

#include <optional>

namespace keyaxis {

/// How the two or three axes of a mask are to be read: [Tq, Tk], a padding mask [B, Tk],
/// [H, Tq, Tk], or [B, Tq, Tk].
enum class MaskAxes { QueryKey, BatchKey, HeadQueryKey, BatchQueryKey };

/// The user's choices between readings; what is left open is settled by metadata, or is Ambiguous.
struct ReadingChoices {
    FileChoices file; ///< for `readTensorFile`, before there are any tensors
    std::optional<Layout> layout;
    std::optional<MaskAxes> maskAxes;
    std::optional<int> maskKeeps; ///< the value of a mask that keeps a key: 1 or 0
    std::string group;            ///< which of several layers: "layers.3", or "3"; see `layersIn`
    /// The names of the tensors, in any case. Where they are left as here, other common spellings
    /// are found as well.
    std::string q = "q", k = "k", v = "v", mask = "mask", bias = "bias";
    /// What stands in place of q and k, even where they are there; empty: told by the file where
    /// they are not, see `GivenTensor`.
    std::string scores, weights;
};

/// A file read as attention: what it holds and the settings it brings along.
struct AttentionFile {
    Inputs inputs;
    ScoreSettings settings;                  ///< the file's own; defaults where it is silent
    Layout layout = Layout::BHTD;            ///< the reading that was used
    std::map<std::string, std::string> view; ///< of a session: what was looked at
    std::string source{};                    ///< of a session: the file it was made of
    std::vector<std::string> notes; ///< what the user should know: narrowing, skipped tensors
};

/// Reads q, k, v, or scores or weights in place of q and k (and mask, bias, token names, causal,
/// alibi, scale) out of `file`. A session's own settings and token names go before metadata.
///
/// @param name  what the document is called; for messages too.
/// @errors      BadInput naming what is missing or does not fit (both sizes).
///              Ambiguous naming both readings with their sizes and the option that decides.
Result<AttentionFile> readAttention(const TensorFile& file, const std::string& name,
                                    const ReadingChoices& choices = {});

/// A float32 tensor as a file holds it, all four axes.
RawTensor rawTensor(std::string name, const Tensor& tensor);

} // namespace keyaxis
