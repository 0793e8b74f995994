#pragma once

#include "ui/paint/compositions.h"
#include "ui/widgets/one_slice.h"

namespace keyaxis {

/// The looked-at slice of `shown`, for the compositions of figures. Valid while `shown` is.
SliceSource sourceOf(const ShownResults& shown, const MapColors& colors);

/// Whether the small maps that `view` shows, or what it asks about them, are still to come.
bool lacksMaps(const Results& results, const ViewSettings& view);

/// The weights of `source` less those of `view.reference` or of `kept`; a message where there is
/// nothing to take them from.
///
/// @param source  with the slices under its own axis and under the reference.
Figure differenceOf(const SliceSource& source, const ViewSettings& view, const Results* kept);

/// The weights of every layer; a message while they are being computed.
Figure layersOf(const Results& results, const ViewSettings& view, const MapColors& colors);

/// What `view` shows of `shown`.
///
/// @param kept  the kept state; null: there is none.
Figure figureOf(const ShownResults& shown, const ViewSettings& view, const MapColors& colors,
                const Results* kept);

/// What is outlined while nothing is pointed at; see `tellingCell`.
Cell restingCell(const ShownResults& shown);

} // namespace keyaxis
