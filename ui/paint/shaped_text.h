#pragma once

#include <QFont>
#include <QPointF>
#include <QString>

class QPainter;

namespace keyaxis {

/// Width of a line of `text`, in points. Shaped once and kept: the labels of four maps are most of
/// what a frame of them costs.
double textWidth(const QString& text, const QFont& font);

/// Draws a line of `text` from `baseline` on, in the painter's pen. On pixels it is the kept
/// glyphs, to the same pixels as `QPainter::drawText`; elsewhere text stays text.
void drawText(QPainter& painter, QPointF baseline, const QString& text, const QFont& font);

} // namespace keyaxis
