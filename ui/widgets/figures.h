#pragma once

#include "ui/paint/figure.h"
#include "ui/widgets/one_slice.h"

namespace keyaxis {

/// The four axes side by side, the document's axis framed.
Figure compareFigure(const ShownResults& shown);

/// One large map of the document's axis at `stage`.
Figure singleFigure(const ShownResults& shown, Stage stage);

/// What `view` shows of `shown`.
Figure figureOf(const ShownResults& shown, const ViewSettings& view);

/// A cell that makes a telling slice while nothing is pointed at: the largest logit of a middle
/// row.
Cell restingCell(const ShownResults& shown);

} // namespace keyaxis
