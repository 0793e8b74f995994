#include "ui/presenter/presenter_window.h"

#include "ui/document/commands.h"
#include "ui/present/lesson_words.h"
#include "ui/present/step_figure.h"
#include "ui/presenter/numbers_panel.h"
#include "ui/presenter/presenter_keys.h"
#include "ui/presenter/speaker_window.h"

#include <QGuiApplication>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QScreen>
#include <algorithm>

namespace keyaxis {

namespace {

constexpr int kOverlayPx = 18;
constexpr int kOverlayMargin = 72;
constexpr int kNumbersWidth = 545; ///< over the text, beside the map

QString helpText(const Words& words)
{
    QString rows;
    for (const KeyHelp& help : presenterKeyHelp(words))
        rows += QStringLiteral("<tr><td style='padding-right:28px'><b>%1</b></td><td>%2</td></tr>")
                    .arg(help.keys.toHtmlEscaped(), help.text.toHtmlEscaped());
    return QStringLiteral("<table cellspacing='6'>%1</table>").arg(rows);
}

/// What lies over a page: a card, in type that is read from a distance. The window's own style
/// sheet sets everything smaller.
QString overlayStyle(const Theme& theme)
{
    return QStringLiteral("#overlay, #overlay QTabBar::tab, #overlay QTableWidget,"
                          " #overlay QHeaderView::section { font-size: %1px; }"
                          "#overlay { background: %2; color: %3; border: 1px solid %4;"
                          " border-radius: 10px; padding: 8px; }")
        .arg(kOverlayPx)
        .arg(theme.panel.name(), theme.ink.name(), theme.hairline.name());
}

} // namespace

PresenterWindow::PresenterWindow(std::shared_ptr<const Lesson> lesson, const Theme& theme, int step,
                                 QWidget* parent)
    : QWidget(parent, Qt::Window),
      m_run(std::move(lesson), step),
      m_words(lessonWords(m_run.lesson().language).words),
      m_recompute(m_document),
      m_canvas(new PageCanvas(this)),
      m_numbers(new NumbersPanel(m_words, this)),
      m_tally(new QLineEdit(this)),
      m_help(new QLabel(helpText(m_words), this)),
      m_speaker(new SpeakerWindow(m_words, this))
{
    arrange(theme);
    connect(m_canvas, &PageCanvas::answerClicked, this, [this](char letter) {
        act({PresenterAction::Answer, letter});
    });
    connect(m_canvas, &PageCanvas::cellHovered, this, &PresenterWindow::hover);
    connect(m_canvas, &PageCanvas::cellClicked, this, [this](Cell cell) {
        m_look.highlight = cell;
        if (m_look.plane)
            m_look.plane = cell.row;
        hover(cell);
    });
    connect(m_numbers, &NumbersPanel::edited, this,
            [this](InputTensor which, const CellEdit& edit) {
                m_document.undoStack().push(
                    new EditCells(m_document, which, {edit}, tr("Edit a number")));
            });
    connect(m_numbers, &NumbersPanel::closed, this, &PresenterWindow::toggleNumbers);
    m_tally->installEventFilter(this);
    connect(m_speaker, &SpeakerWindow::keyPressed, this, &PresenterWindow::onKey);
    connect(&m_document, &Document::changed, this, [this](Changes changes) {
        if (changes.testFlag(Change::Inputs) && m_numbers->isVisible())
            m_numbers->show(m_document);
        if (changes.testFlag(Change::Results))
            onResults();
    });
    connect(qApp, &QGuiApplication::screenRemoved, this, &PresenterWindow::onScreenRemoved);
    showStep();
}

// The document speaks to what is shown: it falls silent before that goes.
PresenterWindow::~PresenterWindow()
{
    m_document.disconnect(this);
    qDeleteAll(findChildren<QWidget*>(Qt::FindDirectChildrenOnly));
}

void PresenterWindow::arrange(const Theme& theme)
{
    setWindowTitle(tr("%1 – Keyaxis").arg(m_run.lesson().title));
    setFocusPolicy(Qt::StrongFocus);
    resize(1600, 1000);
    QPalette palette;
    palette.setColor(QPalette::Window, theme.panel);
    palette.setColor(QPalette::Base, theme.panel);
    palette.setColor(QPalette::WindowText, theme.ink);
    palette.setColor(QPalette::Text, theme.ink);
    palette.setColor(QPalette::PlaceholderText, theme.muted);
    setPalette(palette);
    setStyleSheet(overlayStyle(theme));
    m_canvas->setTheme(theme);
    m_numbers->setTheme(theme);
    m_numbers->setMaximumWidth(kNumbersWidth);
    m_speaker->setTheme(theme);
    for (QWidget* overlay : {static_cast<QWidget*>(m_help), static_cast<QWidget*>(m_tally)})
        overlay->setFont(uiFont(kOverlayPx));
    m_help->setAutoFillBackground(true);
    m_help->setFrameShape(QFrame::StyledPanel);
    m_help->setMargin(20);
    m_help->setAccessibleName(m_words("Keys"));
    m_tally->setAccessibleName(m_words("Hands for each answer"));
    for (QWidget* overlay : {static_cast<QWidget*>(m_help), static_cast<QWidget*>(m_tally),
                             static_cast<QWidget*>(m_numbers)}) {
        overlay->setObjectName(QStringLiteral("overlay"));
        overlay->hide();
    }
}

void PresenterWindow::present(QScreen* speakers)
{
    QScreen* audience = speakers;
    for (QScreen* screen : QGuiApplication::screens())
        if (screen != speakers)
            audience = screen;
    setScreen(audience);
    setGeometry(audience->geometry());
    showFullScreen();
    if (audience != speakers) {
        m_speaker->setScreen(speakers);
        m_speaker->setGeometry(speakers->availableGeometry());
        m_speaker->QWidget::show();
    }
    activateWindow();
    setFocus();
}

void PresenterWindow::goOnWith(std::shared_ptr<const Lesson> lesson)
{
    m_run = LessonRun(std::move(lesson));
    showStep();
}

void PresenterWindow::onScreenRemoved(QScreen* gone)
{
    QScreen* rest = QGuiApplication::primaryScreen();
    if (!rest || rest == gone || !isVisible())
        return;
    m_speaker->hide();
    setScreen(rest);
    setGeometry(rest->geometry());
    activateWindow();
}

bool PresenterWindow::isSettled() const
{
    return !m_isComing && !m_recompute.isBusy();
}

void PresenterWindow::resizeEvent(QResizeEvent*)
{
    m_canvas->setGeometry(rect());
    const QRect inner =
        rect().adjusted(kOverlayMargin, kOverlayMargin, -kOverlayMargin, -kOverlayMargin);
    m_help->adjustSize();
    m_help->move(inner.right() - m_help->width(), inner.bottom() - m_help->height());
    m_tally->setGeometry(inner.left(), inner.bottom() - 44, std::min(560, inner.width()), 44);
    const QSize numbers(std::min(kNumbersWidth, inner.width()), std::min(380, inner.height()));
    m_numbers->setGeometry(QRect(inner.bottomLeft() - QPoint(0, numbers.height()), numbers));
}

void PresenterWindow::closeEvent(QCloseEvent* event)
{
    m_speaker->hide();
    Q_EMIT left(m_run.index());
    QWidget::closeEvent(event);
}

/// Loads the step's own numbers. The page follows once they are computed, text and map together.
void PresenterWindow::showStep()
{
    closeOverlay();
    m_look = m_run.shownState();
    m_speaker->show(m_run, m_canvas->isFrozen());
    m_isComing = m_look.picture != StepState::Picture::None;
    if (m_look.hasInputs())
        m_document.load(m_look.inputs, m_look.settings, {}, m_look.batch, m_look.head);
    if (!m_isComing) {
        m_morphs = false;
        showPage(false);
    }
}

/// Results come several times, each with more said about the same numbers: those are shown once.
void PresenterWindow::onResults()
{
    auto results = m_document.results();
    const bool isKnown = results && m_shown && m_shown->axes == results->axes &&
                         m_shown->settings == results->settings;
    if (!results || (isKnown && !m_isComing))
        return;
    m_shown = std::move(results);
    showPage(std::exchange(m_morphs, false));
}

/// The present numbers, looked at as in `look`.
StepPicture PresenterWindow::pictureOf(const StepState& look) const
{
    const auto results = m_document.results();
    if (look.picture == StepState::Picture::None || !results)
        return {};
    return stepPicture({results->inputs,
                        results->settings,
                        results->batch,
                        results->head,
                        results->axes,
                        &results->certificates,
                        {}},
                       look);
}

void PresenterWindow::showPage(bool morphs)
{
    m_isComing = false;
    StepPage page =
        makeStepPage(m_run.lesson(), m_run.index(), m_run.isRevealed(), pictureOf(m_look));
    page.keys = lessonWords(m_run.lesson().language).keys;
    const LessonRun::Progress& progress = m_run.progress();
    for (std::size_t n = 0; n < page.answers.size(); ++n) {
        page.answers[n].isChosen = progress.chosen == page.answers[n].choice.letter;
        // A count that is seen before the reveal sways those who have not voted.
        if (m_run.isRevealed() && n < progress.tally.size())
            page.answers[n].nHands = progress.tally[n];
    }
    m_canvas->setPage(std::move(page), morphs);
}

void PresenterWindow::showProgress()
{
    m_speaker->show(m_run, m_canvas->isFrozen());
    if (!m_isComing)
        showPage(false);
}

/// The slice under the pointer is outlined; where there is none, the step's own.
void PresenterWindow::hover(std::optional<Cell> cell)
{
    StepPage page = m_canvas->page();
    const std::optional<Cell> shown = cell ? cell : m_look.highlight;
    const auto& maps = page.figure.maps;
    if (maps.empty() || maps.front().highlighted == shown)
        return;
    for (MapFigure& map : page.figure.maps)
        map.highlighted = shown;
    if (!page.plane.isEmpty()) { // of the query that is pointed at
        StepState look = m_look;
        look.plane = cell ? cell->row : m_look.plane;
        page.plane = pictureOf(look).plane;
    }
    m_canvas->setPage(std::move(page));
}

} // namespace keyaxis
