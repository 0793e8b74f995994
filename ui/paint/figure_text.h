#pragma once

#include "ui/paint/figure.h"

namespace keyaxis {

/// The numbers of a map as a table for a spreadsheet: names of the keys in the first line, of a
/// query before each row, tabs between; the shortest text that reads back, "nan", "-inf".
QString tableOf(const MapFigure& map);

/// What stands below the figure in a paper: what is shown, what the rows sum to, the settings.
QString captionOf(const Figure& figure);

} // namespace keyaxis
