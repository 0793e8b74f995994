#pragma once

#include "ui/paint/compositions.h"
#include "ui/widgets/one_slice.h"

namespace keyaxis {

/// The looked-at slice of `shown`, for the compositions of figures. Valid while `shown` is.
SliceSource sourceOf(const ShownResults& shown, const MapColors& colors);

/// Whether the small maps that `view` shows, or what it asks about them, are still to come.
bool lacksMaps(const Results& results, const ViewSettings& view);

/// What `view` shows of `shown`.
///
/// @param kept  the kept state; null: there is none.
Figure figureOf(const ShownResults& shown, const ViewSettings& view, const MapColors& colors,
                const Results* kept);

/// What is outlined while nothing is pointed at; see `tellingCell`.
Cell restingCell(const ShownResults& shown);

} // namespace keyaxis
