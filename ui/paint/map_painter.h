#pragma once

#include "ui/paint/figure.h"

namespace keyaxis {

/// Lays one map of `figure` out in its card.
MapLayout layoutMap(const MapFigure& map, const QRectF& card, const Figure& figure);

/// Draws one map: card, header with its verdict pill, cells, sums, colour bar, outlined slice.
void paintMap(QPainter& painter, const MapFigure& map, const MapLayout& layout, bool hasCard,
              const Theme& theme);

/// "B  Key axis"; "B Key" or "B" where that is wider than `width`.
QString headerTitle(const MapFigure& map, const QFont& font, double width);

/// The verdict in a rounded tint with its mark. Returns its width at this height; draws nothing
/// where `painter` is null.
double paintPill(QPainter* painter, const QRectF& right, const Verdict& verdict, int px,
                 const Theme& theme);

} // namespace keyaxis
