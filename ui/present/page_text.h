#pragma once

#include "ui/paint/theme.h"

#include <QPainter>
#include <QString>

namespace keyaxis {

/// Nothing on a page is set smaller than this.
inline constexpr int kSmallestPagePx = 16;

inline constexpr double kLineHeight = 1.35; ///< of Markdown, in heights of its type

/// Height of Markdown set in `px` in a column of `width`; 0 for no text. Formulas are Unicode, code
/// is set in a typewriter face. Pictures and links of the network are not fetched.
double markdownHeight(const QString& markdown, int px, QFont::Weight weight, double width);

/// How wide it becomes at the least: more than `width` where a line of code cannot be broken.
double markdownWidth(const QString& markdown, int px, QFont::Weight weight, double width);

/// Draws the same at the top of `box`; text stays text in a PDF.
void drawMarkdown(QPainter& painter, const QRectF& box, const QString& markdown, int px,
                  QFont::Weight weight, const QColor& color);

} // namespace keyaxis
