#pragma once

#include "core/io/attention_file.h"

#include <string>
#include <string_view>
#include <vector>

namespace keyaxis {

/// The tensors of one attention in a file, by their names there; empty where there is none.
struct AttentionNames {
    std::string group; ///< what their names have in common: "layers.3", empty for plain q, k, v
    std::string q, k, v, mask, bias, scores, weights;

    bool hasQueriesAndKeys() const { return !q.empty() && !k.empty(); }
    /// Whether attention, or what came of it, can be shown.
    bool isComplete() const { return hasQueriesAndKeys() || !scores.empty() || !weights.empty(); }
};

/// Every attention in `file`, by the names that people give, in any case: q, query, queries,
/// q_proj, query_states, hook_q, …, alone or behind the name of a layer (layers.3.q, layer3/query,
/// q_3). Those of scores or weights alone (scores, logits, attn_weights, layers.3.attention) count
/// where no attention has q and k. In natural order: layers.2 before layers.10.
std::vector<AttentionNames> attentionsIn(const TensorFile& file);

/// Whether `name` is that of a Q or a K, alone or of a layer.
bool isQueryOrKey(std::string_view name);

/// Whether `name` is that of a V, a mask or a bias.
bool isBesideQueries(std::string_view name);

/// Whether `name` is that of a projection's weights (q_proj.weight), which make Q out of the
/// tokens' vectors and are no Q themselves.
bool isProjection(std::string_view name);

/// `choices` with the names in `file` where the user has left them open.
///
/// @errors without file and full stop: Ambiguous where there are several attentions and no plain q
///         and k; BadValue where the wanted one is not there.
Result<ReadingChoices> withFoundNames(ReadingChoices choices, const TensorFile& file);

} // namespace keyaxis
