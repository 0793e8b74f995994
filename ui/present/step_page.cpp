#include "ui/present/step_page.h"

#include "ui/present/lesson_words.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace keyaxis {

namespace {

/// Margins of a page that is at least `kFullWidth` wide; a narrower one has smaller ones.
constexpr double kFullWidth = 1600;
constexpr double kMargin = 72;
constexpr double kTop = 64;
constexpr double kFoot = 95; ///< from the bottom of the page up to the picture
constexpr double kDots = 58; ///< from the bottom of the page up to the dots
constexpr double kDotsLine = 36;
constexpr double kBetween = 40; ///< the text and the picture
constexpr double kTextShare = 0.385;
constexpr double kTextShareOfFour = 0.3; ///< beside four maps, which need more room
constexpr double kWidestText = 1080;     ///< of a page without a picture
constexpr double kCardPad = 18;
constexpr double kPlaneShare = 0.4; ///< of the picture, for a value plane beside the map or below
constexpr double kPlanePad = 12;    ///< of its card, in its own units
constexpr double kBetweenCards = 12;
constexpr double kWideScreen = 1.5; ///< from this ratio on the value plane stands beside the map
constexpr double kAnswerPad = 1.25; ///< above and below an answer together, in its type size
constexpr double kBeforeWhy = 4;
constexpr double kLetter = 30; ///< the column of A, B, C, D
constexpr int kFigurePx = 11;  ///< a figure's smallest type
constexpr double kFigureScale = static_cast<double>(kSmallestPagePx) / kFigurePx;

/// Type sizes to try, the largest first.
struct TypeSizes {
    int title;
    int body;
};
constexpr std::array kSizes{TypeSizes{44, 23},
                            TypeSizes{40, 21},
                            TypeSizes{36, 20},
                            TypeSizes{32, 19},
                            TypeSizes{28, 18},
                            TypeSizes{26, 17},
                            TypeSizes{24, kSmallestPagePx}};

int whyPx(int bodyPx)
{
    return std::max(kSmallestPagePx, bodyPx * 3 / 4);
}

/// An answer as it stands on the page, as Markdown. A revealed one has a mark as well as a colour:
/// a hand-out may be printed in black. It stands with the last word.
QString wordsOf(const StepPage& page, const StepPage::Answer& answer)
{
    if (page.isRevealed && answer.choice.isRight)
        return answer.choice.text + QStringLiteral("\u00a0✓");
    if (page.isRevealed && answer.isChosen)
        return answer.choice.text + QStringLiteral("\u00a0✗");
    return answer.choice.text;
}

QFont::Weight weightOf(const StepPage& page, const StepPage::Answer& answer)
{
    return page.isRevealed && answer.choice.isRight ? QFont::DemiBold : QFont::Medium;
}

/// Text as Markdown that shows it literally.
QString literal(const QString& text)
{
    QString escaped;
    for (const QChar c : text) {
        if (QStringLiteral("\\`*_{}[]()#+-.!|<>~").contains(c))
            escaped += '\\';
        escaped += c;
    }
    return escaped;
}

/// Puts the parts of the text column below one another; whether they fit is for the caller.
class Column {
public:
    Column(const StepPage& page, StepPageLayout& layout, const QRectF& box)
        : m_page(page), m_layout(layout), m_box(box), m_y(box.top())
    {
    }

    /// Whether everything fits in these sizes.
    bool place(TypeSizes sizes)
    {
        m_y = m_box.top();
        m_layout.titlePx = sizes.title;
        m_layout.bodyPx = sizes.body;
        m_layout.answers.clear();
        m_isTooWide = false;
        m_layout.kicker = take(kSmallestPagePx * 1.5, 8);
        m_layout.title = text(literal(m_page.title), sizes.title, QFont::Bold, sizes.body * 0.6);
        m_layout.body = text(m_page.body, sizes.body, QFont::Normal, sizes.body * 0.7);
        m_layout.ask = text(literal(m_page.ask), sizes.body, QFont::DemiBold, sizes.body * 0.5);
        for (const StepPage::Answer& answer : m_page.answers)
            m_layout.answers.push_back(take(answerHeight(answer, sizes.body), 12));
        m_y += m_page.answers.empty() ? 0 : sizes.body * 0.3;
        m_layout.hidden = text(m_page.hidden, sizes.body, QFont::Normal, 0);
        return m_y <= m_box.bottom() && !m_isTooWide;
    }

private:
    QRectF take(double height, double space)
    {
        const QRectF taken(m_box.left(), m_y, m_box.width(), height);
        m_y += height > 0 ? height + space : 0;
        return taken;
    }

    QRectF text(const QString& markdown, int px, QFont::Weight weight, double space)
    {
        m_isTooWide |= markdownWidth(markdown, px, weight, m_box.width()) > m_box.width() + 0.5;
        return take(markdownHeight(markdown, px, weight, m_box.width()), space);
    }

    double answerHeight(const StepPage::Answer& answer, int bodyPx) const
    {
        const double width = m_box.width() - 2 * kCardPad - kLetter;
        const double why = m_page.isRevealed ? markdownHeight(answer.choice.why, whyPx(bodyPx),
                                                              QFont::Normal, width)
                                             : 0;
        return markdownHeight(wordsOf(m_page, answer), bodyPx, weightOf(m_page, answer), width) +
               (why > 0 ? why + kBeforeWhy : 0) + kAnswerPad * bodyPx;
    }

    const StepPage& m_page;
    StepPageLayout& m_layout;
    QRectF m_box;
    double m_y;
    bool m_isTooWide = false;
};

/// The middle of an answer's text as an eye sees it, from its top: between the top of the capitals
/// and the line on which the last words stand.
double answerMiddle(const StepPage& page, const StepPage::Answer& answer, int bodyPx, double width)
{
    double height = markdownHeight(wordsOf(page, answer), bodyPx, weightOf(page, answer), width);
    int lastPx = bodyPx;
    if (page.isRevealed && !answer.choice.why.isEmpty()) {
        lastPx = whyPx(bodyPx);
        height += kBeforeWhy + markdownHeight(answer.choice.why, lastPx, QFont::Normal, width);
    }
    const QFontMetricsF first(uiFont(bodyPx, QFont::Medium));
    const QFontMetricsF last(uiFont(lastPx));
    const double top = first.ascent() - first.capHeight();
    const double bottom = height - last.height() * kLineHeight + last.ascent();
    return (top + bottom) / 2;
}

void paintAnswer(QPainter& painter, const StepPage& page, const StepPage::Answer& answer,
                 const QRectF& card, int bodyPx, const Theme& theme)
{
    const bool isRight = page.isRevealed && answer.choice.isRight;
    const bool isWrong = page.isRevealed && answer.isChosen && !answer.choice.isRight;
    const QColor accent = isRight ? theme.valid : isWrong ? theme.invalid : theme.ink;
    const bool isMarked = isRight || isWrong || answer.isChosen;
    painter.setPen(QPen(isMarked ? accent : theme.hairline, isMarked ? 2 : 1));
    painter.setBrush(isRight || isWrong ? theme.tint(accent) : theme.panel);
    painter.drawRoundedRect(card.adjusted(0.5, 0.5, -0.5, -0.5), 10, 10);

    QRectF line(card.left() + kCardPad, 0, card.width() - 2 * kCardPad, bodyPx * 1.5);
    line.moveTop(card.center().y() - answerMiddle(page, answer, bodyPx, line.width() - kLetter));
    drawLabel(painter, line, Qt::AlignLeft | Qt::AlignTop,
              QString(QLatin1Char(answer.choice.letter)), uiFont(bodyPx, QFont::Bold), accent);
    if (answer.nHands >= 0)
        drawLabel(painter, line, Qt::AlignRight | Qt::AlignTop, QString::number(answer.nHands),
                  uiFont(bodyPx, QFont::DemiBold), theme.muted);
    line.setLeft(line.left() + kLetter);
    const QString words = wordsOf(page, answer);
    const QFont::Weight weight = weightOf(page, answer);
    const double height = markdownHeight(words, bodyPx, weight, line.width());
    drawMarkdown(painter, line, words, bodyPx, weight, isRight || isWrong ? accent : theme.ink);
    line.translate(0, height + kBeforeWhy);
    if (page.isRevealed)
        drawMarkdown(painter, line, answer.choice.why, whyPx(bodyPx), QFont::Normal, theme.muted);
}

/// A dot for each step, the present one long.
void paintDots(QPainter& painter, const StepPage& page, const QRectF& foot, const Theme& theme)
{
    double x = foot.left();
    painter.setPen(Qt::NoPen);
    for (int n = 0; n < page.nSteps; ++n) {
        const bool isHere = n == page.stepIndex;
        const double width = isHere ? 24 : 9;
        painter.setBrush(isHere ? theme.ink : mixed(theme.muted, theme.paper, 0.35));
        painter.drawRoundedRect(QRectF(x, foot.center().y() - 4.5, width, 9), 4.5, 4.5);
        x += width + 13;
    }
}

/// A cell to be filled in by hand.
void paintBlank(QPainter& painter, const QRectF& cell, const Theme& theme)
{
    painter.setPen(QPen(theme.muted, 1.5, Qt::DashLine));
    painter.setBrush(theme.panel);
    painter.drawRect(cell.adjusted(0.5, 0.5, -0.5, -0.5));
}

/// The picture in the language of `words`.
void speak(StepPicture& picture, const Words& words)
{
    for (MapFigure& map : picture.figure.maps) {
        map.words = words;
        map.title = words(map.title);
        map.gloss = words(map.gloss);
        map.shortGloss = words(map.shortGloss);
        map.verdict.pill = words.numbered(QString::fromStdString(map.verdict.pill)).toStdString();
    }
    picture.plane.words = words;
    picture.plane.sentence = words.numbered(picture.plane.sentence);
    picture.plane.note = words.numbered(picture.plane.note);
}

/// The map and the value plane share the picture.
void layoutPictures(const StepPage& page, StepPageLayout& layout, bool isBeside)
{
    if (!page.plane.isEmpty()) {
        layout.plane = layout.picture;
        if (isBeside) {
            layout.plane.setLeft(layout.picture.right() - kPlaneShare * layout.picture.width());
            layout.picture.setRight(layout.plane.left() - kBetweenCards);
        } else {
            layout.plane.setTop(layout.picture.bottom() - kPlaneShare * layout.picture.height());
            layout.picture.setBottom(layout.plane.top() - kBetweenCards);
        }
        const QSizeF room = layout.plane.size() / kFigureScale;
        layout.planeParts = layoutValuePlane(
            page.plane, {room.width() - 2 * kPlanePad, room.height() - 2 * kPlanePad});
    }
    layout.figureScale = kFigureScale;
    layout.figure = layoutFigure(page.figure, layout.picture.size() / kFigureScale);
}

/// The value plane on a card like the map's.
void paintPlane(QPainter& painter, const StepPage& page, const StepPageLayout& layout,
                const Theme& theme)
{
    if (page.plane.isEmpty())
        return;
    painter.setPen(QPen(theme.hairline, 1));
    painter.setBrush(theme.panel);
    painter.drawRoundedRect(layout.plane.adjusted(0.5, 0.5, -0.5, -0.5), 14, 14);
    painter.save();
    painter.translate(layout.plane.topLeft());
    painter.scale(layout.figureScale, layout.figureScale);
    painter.translate(kPlanePad, kPlanePad);
    paintValuePlane(painter, page.plane, layout.planeParts, theme);
    painter.restore();
}

} // namespace

std::optional<char> StepPageLayout::answerAt(QPointF point) const
{
    for (std::size_t n = 0; n < answers.size(); ++n)
        if (answers[n].contains(point))
            return static_cast<char>('A' + n);
    return std::nullopt;
}

FigureHit StepPageLayout::hitTest(QPointF point) const
{
    return figure.hitTest((point - picture.topLeft()) / figureScale);
}

QRectF StepPageLayout::cellRect(Cell cell) const
{
    if (figure.maps.empty())
        return {};
    const QRectF inFigure = figure.maps.front().heatmap.cell(cell.row, cell.col);
    return {picture.topLeft() + inFigure.topLeft() * figureScale, inFigure.size() * figureScale};
}

QPointF StepPageLayout::planePoint(const PlanePoint& point) const
{
    return plane.topLeft() + (planeParts.at(point) + QPointF(kPlanePad, kPlanePad)) * figureScale;
}

StepPage makeStepPage(const Lesson& lesson, int stepIndex, bool isRevealed, StepPicture picture)
{
    const Step& step = lesson.steps[static_cast<std::size_t>(stepIndex)];
    StepPage page;
    const LessonWords words = lessonWords(lesson.language);
    page.kicker =
        lesson.title + QStringLiteral(" · ") + words.place.arg(stepIndex + 1).arg(lesson.nSteps());
    if (step.hasSecret() && isRevealed)
        page.kicker += QStringLiteral(" · ") + words.revealed;
    speak(picture, words.words);
    page.title = step.title;
    page.body = step.body;
    page.isRevealed = isRevealed;
    if (isRevealed)
        page.hidden = step.hidden;
    else
        page.blanks = step.state.blanks;
    if (!page.blanks.empty())
        for (MapFigure& map : picture.figure.maps) { // sums would give away what is to be filled in
            map.certificate = {};
            map.columnSums.clear();
        }
    if (step.question) {
        page.ask = step.question->ask;
        for (const Choice& choice : step.question->choices)
            page.answers.push_back({choice});
    }
    picture.figure.settingsLine.clear(); // a class reads one thing at a time
    picture.figure.smallestPx = kFigurePx;
    picture.figure.prefersCells = true;
    page.figure = std::move(picture.figure);
    if (page.blanks.empty()) // the lines of the plane are the weights
        page.plane = std::move(picture.plane);
    page.stepIndex = stepIndex;
    page.nSteps = lesson.nSteps();
    return page;
}

StepPageLayout layoutStepPage(const StepPage& page, QSizeF size)
{
    StepPageLayout layout;
    layout.size = size;
    const double part = std::clamp(size.width() / kFullWidth, 0.5, 1.0);
    const double margin = kMargin * part;
    const double dots = std::max(kDots * part, kDotsLine);
    const double bottom = size.height() - dots - (kFoot - kDots) * part;
    QRectF column(margin, kTop * part, size.width() - 2 * margin, bottom - kTop * part);
    const bool hasPlaneBeside =
        !page.plane.isEmpty() && size.width() >= kWideScreen * size.height();
    if (page.figure.maps.empty()) {
        column.setWidth(std::min(column.width(), kWidestText));
    } else {
        const bool isOne = page.figure.maps.size() == 1 && !hasPlaneBeside;
        column.setWidth(column.width() * (isOne ? kTextShare : kTextShareOfFour));
        layout.picture = QRectF(QPointF(column.right() + kBetween * part, column.top()),
                                QPointF(size.width() - margin, bottom));
        layoutPictures(page, layout, hasPlaneBeside);
    }
    Column parts(page, layout, column);
    layout.fits = std::any_of(kSizes.begin(), kSizes.end(),
                              [&](TypeSizes sizes) { return parts.place(sizes); });
    layout.foot = QRectF(margin, size.height() - dots, size.width() - 2 * margin, kDotsLine);
    return layout;
}

void paintStepPage(QPainter& painter, const StepPage& page, const StepPageLayout& layout,
                   const Theme& theme)
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    drawLabel(painter, layout.kicker, Qt::AlignLeft | Qt::AlignTop, page.kicker,
              uiFont(kSmallestPagePx), theme.muted);
    drawMarkdown(painter, layout.title, literal(page.title), layout.titlePx, QFont::Bold,
                 theme.ink);
    drawMarkdown(painter, layout.body, page.body, layout.bodyPx, QFont::Normal, theme.ink);
    drawMarkdown(painter, layout.ask, literal(page.ask), layout.bodyPx, QFont::DemiBold, theme.ink);
    for (std::size_t n = 0; n < page.answers.size(); ++n)
        paintAnswer(painter, page, page.answers[n], layout.answers[n], layout.bodyPx, theme);
    drawMarkdown(painter, layout.hidden, page.hidden, layout.bodyPx, QFont::Normal, theme.ink);
    if (!page.figure.maps.empty()) {
        painter.save();
        painter.translate(layout.picture.topLeft());
        painter.scale(layout.figureScale, layout.figureScale);
        paintFigure(painter, page.figure, layout.figure, theme);
        painter.restore();
        for (const Cell& cell : page.blanks)
            paintBlank(painter, layout.cellRect(cell), theme);
        paintPlane(painter, page, layout, theme);
    }
    paintDots(painter, page, layout.foot, theme);
    drawLabel(painter, layout.foot, Qt::AlignRight | Qt::AlignVCenter, page.keys,
              uiFont(kSmallestPagePx), theme.muted);
    painter.restore();
}

} // namespace keyaxis
