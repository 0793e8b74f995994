#include "ui/present/page_text.h"

#include <QAbstractTextDocumentLayout>
#include <QTextBlock>
#include <QTextDocument>
#include <QTextFragment>
#include <algorithm>

namespace keyaxis {

namespace {

constexpr double kTitleLineHeight = 1.12; ///< of large, bold type

/// A document that fetches nothing.
class PageDocument : public QTextDocument {
public:
    PageDocument(const QString& markdown, int px, QFont::Weight weight, double width)
    {
        setDocumentMargin(0);
        setDefaultFont(uiFont(px, weight));
        setMarkdown(markdown, QTextDocument::MarkdownNoHTML);
        setTextWidth(width);
        setSpacing(px, weight == QFont::Bold ? kTitleLineHeight : kLineHeight);
        setCodeFont(px);
    }

protected:
    QVariant loadResource(int, const QUrl&) override { return {}; }

private:
    void setSpacing(int px, double lineHeight)
    {
        for (QTextBlock block = begin(); block.isValid(); block = block.next()) {
            QTextCursor cursor(block);
            QTextBlockFormat format = block.blockFormat();
            format.setLineHeight(lineHeight * 100, QTextBlockFormat::ProportionalHeight);
            const bool isItem = block.textList() != nullptr;
            format.setTopMargin(block == begin() ? 0 : isItem ? px * 0.15 : px * 0.45);
            format.setBottomMargin(0);
            cursor.setBlockFormat(format);
        }
    }

    /// Markdown's own choice is the desktop's typewriter face in the size of the desktop.
    void setCodeFont(int px)
    {
        std::vector<std::pair<int, int>> spans;
        for (QTextBlock block = begin(); block.isValid(); block = block.next())
            for (auto part = block.begin(); !part.atEnd(); ++part)
                if (part.fragment().charFormat().fontFixedPitch())
                    spans.emplace_back(part.fragment().position(), part.fragment().length());
        for (const auto& [at, length] : spans) {
            QTextCursor cursor(this);
            cursor.setPosition(at);
            cursor.setPosition(at + length, QTextCursor::KeepAnchor);
            QTextCharFormat format;
            format.setFont(codeFont(std::max(px * 9 / 10, std::min(px, kSmallestPagePx))));
            cursor.setCharFormat(format);
        }
    }
};

} // namespace

double markdownHeight(const QString& markdown, int px, QFont::Weight weight, double width)
{
    return markdown.isEmpty() ? 0 : PageDocument(markdown, px, weight, width).size().height();
}

double markdownWidth(const QString& markdown, int px, QFont::Weight weight, double width)
{
    return markdown.isEmpty() ? 0 : PageDocument(markdown, px, weight, width).idealWidth();
}

void drawMarkdown(QPainter& painter, const QRectF& box, const QString& markdown, int px,
                  QFont::Weight weight, const QColor& color)
{
    if (markdown.isEmpty())
        return;
    PageDocument document(markdown, px, weight, box.width());
    QAbstractTextDocumentLayout::PaintContext context;
    context.palette.setColor(QPalette::Text, color);
    painter.save();
    painter.translate(box.topLeft());
    document.documentLayout()->draw(&painter, context);
    painter.restore();
}

} // namespace keyaxis
