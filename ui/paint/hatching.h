#pragma once

#include <QColor>
#include <QRectF>

class QPainter;

namespace keyaxis {

/// Thin rising lines across `box`, `step` apart: what is undefined or invalid.
///
/// The lines end at the box by their own coordinates, since Qt's SVG writer drops every clip.
void paintHatching(QPainter& painter, const QRectF& box, const QColor& color, double step);

} // namespace keyaxis
