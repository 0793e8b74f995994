#pragma once

#include "core/proof/certificate.h"
#include "ui/paint/heatmap_layout.h"
#include "ui/paint/theme.h"

class QPainter;

namespace keyaxis {

/// Row sums as bars with the dashed line at 1, each number in its own column with ✓ or ✗. An
/// invalid bar is hatched, one that is too long has a break mark, an undefined row an empty hatched
/// bar.
void paintRowSums(QPainter& painter, const HeatmapLayout& layout,
                  const std::vector<RowCertificate>& rows, const Theme& theme);

/// The sum of one row once more, in bold, over what is there: also where it was thinned out.
void paintRowSum(QPainter& painter, const HeatmapLayout& layout,
                 const std::vector<RowCertificate>& rows, Index row, const Theme& theme);

/// Column sums as plain numbers below the map.
void paintColumnSums(QPainter& painter, const HeatmapLayout& layout,
                     const std::vector<double>& sums, const Theme& theme);

/// ✓ or ✗, drawn: no font has to know them.
void paintMark(QPainter& painter, const QRectF& box, bool isValid, const QColor& color);

} // namespace keyaxis
