#pragma once

#include "core/attention/attention.h"
#include "core/proof/map_digest.h"
#include "ui/document/layers.h"

#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace keyaxis {

/// Maps of the layers of a file.
struct LayerMaps {
    Attention all;                  ///< weights and logits, [1, N, Tq, Tk]: a layer for a head
    std::vector<MapFacts> facts;    ///< of the N maps
    std::vector<std::size_t> which; ///< N indices into `Layers::names`; those of other sizes lack
    std::vector<std::string> names; ///< of these N
};

/// The slice (b, h) of every layer under `settings`.
///
/// @param shown  one of them, with what was edited: it is taken as it is.
/// @errors  as `attend` and `Layers::inputs`; Cancelled on stop.
/// @cost    reads each layer and computes its slices that share the looked-at one's denominators.
Result<std::shared_ptr<const LayerMaps>> mapsOfLayers(const Layers& layers, const Inputs& shown,
                                                      const ScoreSettings& settings, Index b,
                                                      Index h, const std::stop_token& stop);

} // namespace keyaxis
