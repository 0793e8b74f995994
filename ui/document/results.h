#pragma once

#include "core/attention/attention.h"
#include "core/proof/certificate.h"
#include "core/proof/detective.h"
#include "core/proof/head_statistics.h"
#include "core/proof/hull_count.h"
#include "core/proof/influence.h"
#include "core/proof/map_digest.h"
#include "core/proof/normaliser.h"
#include "core/proof/nudge.h"
#include "ui/document/layer_maps.h"

#include <array>
#include <memory>
#include <optional>

namespace keyaxis {

/// What moves when one thing is nudged, of one (batch, head).
struct Movements {
    MovedToken moved = MovedToken::Whole; ///< Key: queries and keys are different sequences
    Influence tokens;                     ///< empty where scores are given: no token is behind them
    Influence queries;
    Influence examples;
    Influence heads;
};

/// What a token more at the end would change of the earlier outputs of one (batch, head).
struct AppendedToken {
    OutputChanges changes;
    std::string sentence;
};

/// One (batch, head) under another normaliser than the plain softmax.
struct NormalisedMap {
    Normaliser normaliser;
    NormalisedSlice slice;
};

/// What was computed from one state of the document, in steps: the looked-at slice is shown while
/// the rest is still being worked out. Derived: never undone, never saved. *immutable*
struct Results {
    Inputs inputs;          ///< what it was computed from
    ScoreSettings settings; ///< its `axis` is the document's; `axes` holds all four
    Index batch = 0;
    Index head = 0;
    std::array<std::shared_ptr<const SliceStages>, 4> axes;  ///< by Axis: the looked-at slice
    std::array<Certificate, 4> certificates;                 ///< of that slice, by Axis
    std::array<std::shared_ptr<const MapDigest>, 4> digests; ///< of its weights, by Axis
    double milliseconds = 0;                                 ///< what the looked-at slice took

    /// Of the looked-at slice's stages under `settings.axis`, by Stage; null until all rows are
    /// known.
    std::array<std::shared_ptr<const MapDigest>, 7> stageDigests;
    std::optional<Certificate> allRows; ///< every (b, h) under `settings.axis`
    /// Weights and logits of every (b, h); null unless they were asked for.
    std::shared_ptr<const Attention> everyMap;
    std::shared_ptr<const std::vector<MapFacts>> everyMapFacts; ///< of it, by b * H + h
    std::shared_ptr<const HeadFacts> headFacts; ///< of it; null unless they were asked for
    /// The looked-at (b, h) of every layer of the file under `settings`; null unless asked for.
    std::shared_ptr<const LayerMaps> everyLayer;
    std::optional<Findings> findings; ///< of given weights: their sums along every axis
    std::optional<HullCount> hulls;   ///< of all outputs; none without V
    /// Of the looked-at slice; null without V, and of given weights.
    std::shared_ptr<const Movements> moves;
    std::optional<AppendedToken> appended; ///< of self-attention with q, k and v
    /// Null of given weights, at τ = 0, whose limits are no weights, and where the maps are very
    /// many.
    std::shared_ptr<const std::vector<NormalisedMap>> normalised;
    bool isComplete = false; ///< nothing of this is still to come
};

/// The slice (b, h) under all four axes.
///
/// @errors  as `attend`.
Result<Results> lookAt(KeptAttention& kept, const Inputs& inputs, const ScoreSettings& settings,
                       Index b, Index h, const std::stop_token& stop);

/// What of all rows is kept for the small maps of every head.
struct KeptMaps {
    bool maps = false;  ///< as `everyMap`, with their facts
    bool heads = false; ///< and the facts of the heads as a whole, their entropies and their mean
    bool operator==(const KeptMaps&) const = default;
};

/// `results` with the certificate of every row and the places of the outputs.
///
/// @errors  as `attend`; Cancelled on stop.
/// @cost    whole attention; about a second of searches for hulls at the most.
Result<Results> withAllRows(Results results, const KeptMaps& keeps, const std::stop_token& stop);

/// `results` with the maps of all `layers`.
///
/// @errors  as `attend` and `Layers::inputs`; Cancelled on stop.
/// @cost    reads each layer and computes its slices that share the looked-at one's denominators.
Result<Results> withAllLayers(Results results, const Layers& layers, const std::stop_token& stop);

/// `results` with what moves when one thing is nudged or a token is appended, and with the other
/// normalisers.
///
/// @errors  as `attend`; Cancelled on stop.
/// @cost    that of `coupling` and `tokenInfluence`, which sample what would take too long.
Result<Results> withProofs(Results results, const std::stop_token& stop);

} // namespace keyaxis
