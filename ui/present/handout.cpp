#include "ui/present/handout.h"

#include "core/io/file_bytes.h"
#include "ui/present/page_text.h"
#include "ui/present/step_figure.h"
#include "ui/present/step_page.h"

#include <QBuffer>
#include <QPageLayout>
#include <QPdfWriter>
#include <QTextDocument>

namespace keyaxis {

namespace {

constexpr int kDpi = 1200;
constexpr double kPaperWidth = 842; ///< A4, lying, in points
constexpr double kPaperHeight = 595;
constexpr double kPageWidth = 1600; ///< of a step's page: a body of 23 is then 12 points
constexpr double kNotesPart = 0.27; ///< of the page, where there are notes
constexpr int kNotesPx = 22;

/// White: paper is not tinted by the ink of a screen.
Theme paperTheme()
{
    Theme theme = Theme::light();
    theme.paper = Qt::white;
    return theme;
}

/// Draws one step into a page of `size`.
Result<void> paintStep(QPainter& painter, const Lesson& lesson, int index, QSizeF size,
                       const HandoutOptions& options)
{
    const Step& step = lesson.steps[static_cast<std::size_t>(index)];
    const bool isRevealed = options.hasAnswers || !step.hasSecret();
    const StepState shown = step.shownState(isRevealed);
    const auto source = computedSource(shown);
    if (!source)
        return tl::unexpected(source.error());
    const Theme theme = paperTheme();
    StepPage page = makeStepPage(lesson, index, isRevealed, stepPicture(*source, shown));
    page.nSteps = 0; // dots are for a screen
    const bool hasNotes = options.hasNotes && !step.notes.isEmpty();
    QSizeF upper = size;
    upper.setHeight(size.height() * (hasNotes ? 1 - kNotesPart : 1));
    paintStepPage(painter, page, layoutStepPage(page, upper), theme);
    if (hasNotes) {
        const QRectF box(72, upper.height(), size.width() - 144,
                         size.height() - upper.height() - 40);
        painter.setPen(theme.hairline);
        painter.drawLine(box.topLeft(), box.topRight());
        drawMarkdown(painter, box.adjusted(0, 16, 0, 0), step.notes, kNotesPx, QFont::Normal,
                     theme.ink);
    }
    return {};
}

/// Where the steps of a page lie: their columns and rows.
QSize gridOf(int nPerPage)
{
    return nPerPage == 4 ? QSize(2, 2) : QSize(1, nPerPage);
}

Result<void> paintPages(QPdfWriter& writer, const Lesson& lesson, const HandoutOptions& options,
                        std::stop_token stop)
{
    QPainter painter(&writer);
    painter.setRenderHint(QPainter::LosslessImageRendering, true); // a PDF gets JPEG cells without
    const QSize grid = gridOf(options.nPerPage);
    const QRectF paper = writer.pageLayout().fullRectPoints();
    const QSizeF part(paper.width() / grid.width(), paper.height() / grid.height());
    const double scale = part.width() / kPageWidth;
    for (int index = 0; index < lesson.nSteps(); ++index) {
        if (stop.stop_requested())
            return fail(Errc::Cancelled, "The hand-out was cancelled.");
        const int place = index % options.nPerPage;
        if (index > 0 && place == 0)
            writer.newPage();
        painter.save();
        painter.scale(kDpi / 72.0, kDpi / 72.0);
        painter.translate(place % grid.width() * part.width(),
                          place / grid.width() * part.height());
        painter.scale(scale, scale);
        const auto done = paintStep(painter, lesson, index, part / scale, options);
        painter.restore();
        if (!done)
            return done;
    }
    return {};
}

Result<QByteArray> pdf(const Lesson& lesson, const HandoutOptions& options, std::stop_token stop)
{
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    QPdfWriter writer(&buffer);
    writer.setCreator(QStringLiteral("Keyaxis"));
    writer.setTitle(lesson.title);
    writer.setResolution(kDpi);
    // Two steps stand below one another on an upright page; one or four fill a lying one.
    const QSizeF paper = options.nPerPage == 2 ? QSizeF(kPaperHeight, kPaperWidth)
                                               : QSizeF(kPaperWidth, kPaperHeight);
    writer.setPageLayout(QPageLayout(QPageSize(paper, QPageSize::Point, {}, QPageSize::ExactMatch),
                                     QPageLayout::Portrait, QMarginsF()));
    const auto done = paintPages(writer, lesson, options, stop);
    if (!done)
        return tl::unexpected(done.error());
    return bytes;
}

/// Markdown in one line of plain text.
QString plain(const QString& markdown)
{
    QTextDocument document;
    document.setMarkdown(markdown, QTextDocument::MarkdownNoHTML);
    return document.toPlainText().simplified();
}

} // namespace

QString questionsAsText(const Lesson& lesson)
{
    QString text;
    for (const Step& step : lesson.steps) {
        if (!step.question)
            continue;
        QStringList parts{plain(step.title)};
        for (const QString& more : {plain(step.body), step.question->ask})
            if (!more.isEmpty())
                parts += more;
        text += (text.isEmpty() ? "" : "\n") + parts.join(QStringLiteral(" – ")) + '\n';
        for (const Choice& choice : step.question->choices)
            text +=
                QStringLiteral("%1. %2\n").arg(QLatin1Char(choice.letter)).arg(plain(choice.text));
        text += QStringLiteral("ANSWER: %1\n").arg(QLatin1Char(step.question->right().letter));
    }
    return text;
}

Result<void> writeHandout(const Lesson& lesson, const HandoutOptions& options,
                          const std::filesystem::path& path, std::stop_token stop)
{
    if (options.nPerPage != 1 && options.nPerPage != 2 && options.nPerPage != 4)
        return fail(Errc::BadValue, std::to_string(options.nPerPage) +
                                        " steps a page cannot be laid out; 1, 2 and 4 can.");
    const QString ending = QString::fromStdString(path.extension().string()).toLower();
    Result<QByteArray> bytes;
    if (ending == QLatin1String(".pdf"))
        bytes = pdf(lesson, options, stop);
    else if (ending == QLatin1String(".txt"))
        bytes = questionsAsText(lesson).toUtf8();
    else
        return fail(Errc::BadValue, "'" + ending.toStdString() +
                                        "' is not a format of hand-outs; .pdf is, and .txt for the "
                                        "questions alone.");
    if (!bytes)
        return tl::unexpected(bytes.error());
    if (bytes->isEmpty())
        return fail(Errc::BadValue,
                    "The lesson '" + lesson.title.toStdString() + "' has no questions to write.");
    return writeBytes(path, bytesOf(bytes->toStdString()));
}

} // namespace keyaxis
