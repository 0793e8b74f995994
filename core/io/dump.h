#pragma once

#include "core/io/attention_file.h"

#include <optional>
#include <string>

namespace keyaxis {

/// The weights or the output that somebody computed and kept beside q, k and v.
struct Dump {
    std::string name; ///< of the tensor
    bool isOutput = false;
    Tensor values; ///< [B, H, Tq, Tk], or [B, H, Tq, dv]
};

/// What `file` holds of this, read in the layout of `attention`: weights rather than an output.
///
/// @param name  of the tensor; empty: `weights`, `attn_weights`, `attention_weights`, `attention`
/// or
///              `attn`, else `output`, `attn_output` or `out`, in any case of letters.
/// @return      nothing where there is no such tensor, or its shape does not belong to q, k and v.
std::optional<Dump> dumpIn(const TensorFile& file, const AttentionFile& attention,
                           const std::string& name = {});

} // namespace keyaxis
