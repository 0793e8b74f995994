#pragma once

#include "ui/paint/compositions.h"
#include "ui/widgets/one_slice.h"

namespace keyaxis {

/// The looked-at slice of `shown`, for the compositions of figures. Valid while `shown` is.
SliceSource sourceOf(const ShownResults& shown, const MapColors& colors);

/// Whether the small maps that `view` shows, or what it asks about them, are still to come.
bool lacksMaps(const Results& results, const ViewSettings& view);

/// `view` as far as `inputs` have what it shows: given weights are the same whatever axis is looked
/// at, and nothing stands before them. Its stage is Weights unless it is of a single map.
ViewSettings possibleView(ViewSettings view, const Inputs& inputs);

/// The four axes, one map, or the weights of `source` less those of `view.reference` or of `kept`;
/// a message where there is nothing to take them from.
///
/// @param source  with the slices under the axes that are drawn.
/// @param view    as of `possibleView`, and not of heads or layers.
Figure cardsOf(const SliceSource& source, const ViewSettings& view, const Results* kept);

/// The weights of every layer, (batch, head) of `view`; the layer of `inputs` is framed.
Figure layersOf(const std::shared_ptr<const LayerMaps>& maps, const Inputs& inputs,
                const ScoreSettings& settings, const ViewSettings& view, const MapColors& colors);

/// Cuts `figure` down to the tokens of `view`, which it shows under `settings`, and counts its
/// padding in no verdict where that is left out.
void leaveOut(Figure& figure, const Inputs& inputs, const ScoreSettings& settings,
              const ViewSettings& view);

/// What `wanted` shows of `shown`.
///
/// @param kept  the kept state; null: there is none.
Figure figureOf(const ShownResults& shown, const ViewSettings& wanted, const MapColors& colors,
                const Results* kept);

/// What is outlined while nothing is pointed at; see `tellingCell`.
Cell restingCell(const ShownResults& shown);

} // namespace keyaxis
