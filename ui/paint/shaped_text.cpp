#include "ui/paint/shaped_text.h"

#include <QCache>
#include <QGlyphRun>
#include <QPaintEngine>
#include <QPainter>
#include <QTextLayout>
#include <QTextOption>
#include <optional>
#include <utility>

namespace keyaxis {

namespace {

constexpr qsizetype kMostTexts = 8192; ///< the names of some documents and the numbers beside them

struct ShapedText {
    double width = 0;
    std::optional<QList<QGlyphRun>> glyphs; ///< from the baseline on; none until it is drawn
};

ShapedText& shaped(const QString& text, const QFont& font)
{
    using Texts = QCache<std::pair<QString, QFont>, ShapedText>;
    // Never deleted: glyphs cannot outlive the application, and statics do.
    thread_local auto* texts = new Texts(kMostTexts);
    const std::pair key(text, font);
    if (ShapedText* kept = texts->object(key))
        return *kept;
    auto* fresh = new ShapedText{QFontMetricsF(font).horizontalAdvance(text), std::nullopt};
    texts->insert(key, fresh);
    return *fresh;
}

QList<QGlyphRun> glyphsOf(const QString& text, const QFont& font)
{
    QTextLayout layout(text, font);
    QTextOption option(Qt::AlignLeft | Qt::AlignAbsolute); // right-to-left text from the left too
    option.setWrapMode(QTextOption::NoWrap);
    layout.setTextOption(option);
    layout.beginLayout();
    QTextLine line = layout.createLine();
    line.setLineWidth(1e6); // a line is laid out, and has an ascent, once it has a width
    line.setPosition({0, -line.ascent()});
    layout.endLayout();
    return layout.glyphRuns();
}

} // namespace

double textWidth(const QString& text, const QFont& font)
{
    return shaped(text, font).width;
}

void drawText(QPainter& painter, QPointF baseline, const QString& text, const QFont& font)
{
    // Kept glyphs draw the line below a text where the one drawn before them had it (Qt 6.4).
    if (painter.paintEngine()->type() != QPaintEngine::Raster || font.underline()) {
        painter.setFont(font);
        painter.drawText(baseline, text);
        return;
    }
    ShapedText& kept = shaped(text, font);
    if (!kept.glyphs)
        kept.glyphs = glyphsOf(text, font);
    for (const QGlyphRun& run : *kept.glyphs)
        painter.drawGlyphRun(baseline, run);
}

} // namespace keyaxis
