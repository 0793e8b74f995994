#pragma once

#include "app/command_line.h"
#include "core/io/attention_file.h"
#include "ui/document/layers.h"

namespace keyaxis {

/// What `options` name, read and checked: the tensors of one or several files, and the settings of
/// the first file with those of the command line over them.
///
/// A file with a single tensor may stand for any of q, k, v, mask, bias, scores and weights,
/// whatever its name.
///
/// @errors BadInput, Ambiguous as `readAttention`; BadInput where a name is neither a tensor nor a
///         file; BadValue where a setting is out of its domain.
Result<AttentionFile> readAttention(const AttentionOptions& options);

/// The layers of the file that `options` name, and the one that they choose, or the first.
struct LayeredFile {
    AttentionFile shown;
    Layers layers;
};

/// @errors as `readAttention`; BadInput where there is one layer at most.
Result<LayeredFile> readLayers(const AttentionOptions& options);

/// Nothing, if the output can be computed from `attention`.
///
/// @errors BadInput where there is no V.
Result<void> requireValues(const AttentionFile& attention, const AttentionOptions& options);

/// Nothing, if scores and logits can be computed from `attention`.
///
/// @errors BadInput where its weights were loaded.
Result<void> requireScores(const AttentionFile& attention, const AttentionOptions& options);

} // namespace keyaxis
