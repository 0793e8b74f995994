#include "ui/presenter/presenter_window.h"

#include "ui/document/commands.h"
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
/// τ stays in the range of the window's slider.
constexpr float kColdest = 0.05F;
constexpr float kHottest = 20.0F;

QString helpText()
{
    QString rows;
    for (const KeyHelp& help : presenterKeyHelp())
        rows += QStringLiteral("<tr><td style='padding-right:28px'><b>%1</b></td><td>%2</td></tr>")
                    .arg(help.keys.toHtmlEscaped(), help.text.toHtmlEscaped());
    return QStringLiteral("<table cellspacing='6'>%1</table>").arg(rows);
}

} // namespace

PresenterWindow::PresenterWindow(std::shared_ptr<const Lesson> lesson, const Theme& theme, int step,
                                 QWidget* parent)
    : QWidget(parent, Qt::Window),
      m_run(std::move(lesson), step),
      m_recompute(m_document),
      m_canvas(new PageCanvas(this)),
      m_numbers(new NumbersPanel(this)),
      m_tally(new QLineEdit(this)),
      m_help(new QLabel(helpText(), this)),
      m_speaker(new SpeakerWindow(this))
{
    arrange(theme);
    connect(m_canvas, &PageCanvas::answerClicked, this, [this](char letter) {
        act({PresenterAction::Answer, letter});
    });
    connect(m_canvas, &PageCanvas::cellHovered, this, &PresenterWindow::hover);
    connect(m_canvas, &PageCanvas::cellClicked, this, [this](Cell cell) {
        m_look.highlight = cell;
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
    m_canvas->setTheme(theme);
    m_numbers->setTheme(theme);
    m_speaker->setTheme(theme);
    for (QWidget* overlay : {static_cast<QWidget*>(m_help), static_cast<QWidget*>(m_tally)})
        overlay->setFont(uiFont(kOverlayPx));
    m_help->setAutoFillBackground(true);
    m_help->setFrameShape(QFrame::StyledPanel);
    m_help->setMargin(20);
    m_help->setAccessibleName(tr("Keys"));
    m_tally->setAccessibleName(tr("Hands for each answer"));
    for (QWidget* overlay : {static_cast<QWidget*>(m_help), static_cast<QWidget*>(m_tally),
                             static_cast<QWidget*>(m_numbers)})
        overlay->hide();
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
    const QSize numbers(std::min(620, inner.width()), std::min(380, inner.height()));
    m_numbers->setGeometry(QRect(inner.bottomLeft() - QPoint(0, numbers.height()), numbers));
}

void PresenterWindow::closeEvent(QCloseEvent* event)
{
    m_speaker->hide();
    Q_EMIT left(m_run.index());
    QWidget::closeEvent(event);
}

void PresenterWindow::keyPressEvent(QKeyEvent* event)
{
    onKey(event);
}

/// Return takes the hands and goes no further: it would turn the page.
bool PresenterWindow::eventFilter(QObject* watched, QEvent* event)
{
    if (watched != m_tally || event->type() != QEvent::KeyPress)
        return QWidget::eventFilter(watched, event);
    const int key = static_cast<QKeyEvent*>(event)->key();
    if (key != Qt::Key_Return && key != Qt::Key_Enter)
        return false;
    takeTally();
    return true;
}

void PresenterWindow::onKey(QKeyEvent* event)
{
    const auto& question = m_run.step().question;
    const auto key = presenterKey(*event, question ? question->choices.size() : 0);
    if (!key)
        return;
    // While the screen is black only what brings the picture back has a meaning.
    if (m_canvas->isBlank())
        m_canvas->setBlank(false);
    else
        act(*key);
}

void PresenterWindow::act(const PresenterKey& key)
{
    using Action = PresenterAction;
    switch (key.action) {
    case Action::Next:
        m_morphs = !m_run.isRevealed();
        if (m_run.forward())
            showStep();
        break;
    case Action::Back:
        if (m_run.back())
            showStep();
        break;
    case Action::First:
        if (m_run.goTo(0))
            showStep();
        break;
    case Action::Last:
        if (m_run.goTo(m_run.lesson().nSteps() - 1))
            showStep();
        break;
    case Action::Answer:
        if (m_run.choose(key.letter))
            showProgress();
        break;
    case Action::Reset:
        m_run.reset();
        m_canvas->wipe();
        showStep();
        break;
    case Action::Leave:
        stepOut();
        break;
    case Action::Tally:
        openTally();
        break;
    default:
        actOnPage(key);
    }
}

void PresenterWindow::actOnPage(const PresenterKey& key)
{
    using Action = PresenterAction;
    switch (key.action) {
    case Action::Blank:
        m_canvas->setBlank(true);
        break;
    case Action::Freeze:
        m_canvas->setFrozen(!m_canvas->isFrozen());
        showProgress();
        break;
    case Action::Zoom:
        m_canvas->toggleZoom();
        break;
    case Action::Spotlight:
        m_canvas->setTool(PageCanvas::Tool::Spotlight);
        break;
    case Action::Pointer:
        m_canvas->setTool(PageCanvas::Tool::Pointer);
        break;
    case Action::Pen:
        m_canvas->setTool(PageCanvas::Tool::Pen);
        break;
    case Action::Wipe:
        m_canvas->wipe();
        break;
    case Action::Notes:
        toggleSpeaker();
        break;
    case Action::Help:
        m_help->setVisible(m_help->isHidden());
        m_help->raise();
        break;
    default:
        actOnNumbers(key);
    }
}

/// A prediction is not helped along: while the map is hidden, its numbers stay as they are.
void PresenterWindow::actOnNumbers(const PresenterKey& key)
{
    if (m_look.picture == StepState::Picture::None)
        return;
    ScoreSettings after = m_document.settings();
    switch (key.action) {
    case PresenterAction::Axis:
        after.axis = key.axis;
        return editSettings(after, SettingsField::Axis, tr("Softmax over another axis"));
    case PresenterAction::Mask:
        after.causal = !after.causal;
        return editSettings(after, SettingsField::Causal, tr("Causal mask"));
    case PresenterAction::Alibi:
        after.alibi = !after.alibi;
        return editSettings(after, SettingsField::Alibi, tr("ALiBi"));
    case PresenterAction::Hotter:
        after.temperature = std::min(kHottest, std::max(kColdest, after.temperature * 2));
        return editSettings(after, SettingsField::Temperature, tr("Attention temperature"));
    case PresenterAction::Colder:
        after.temperature = std::max(kColdest, std::min(kHottest, after.temperature / 2));
        return editSettings(after, SettingsField::Temperature, tr("Attention temperature"));
    case PresenterAction::Undo:
        return m_document.undoStack().undo();
    case PresenterAction::Redo:
        return m_document.undoStack().redo();
    case PresenterAction::Edit:
        return toggleNumbers();
    default:
        return;
    }
}

void PresenterWindow::editSettings(const ScoreSettings& after, SettingsField field,
                                   const QString& text)
{
    if (after == m_document.settings())
        return;
    m_morphs = field == SettingsField::Axis;
    m_document.undoStack().push(new EditSettings(m_document, after, field, text));
}

/// Esc goes out by one level: an overlay, a tool, and in the end the lesson.
void PresenterWindow::stepOut()
{
    if (closeOverlay())
        return;
    if (m_canvas->isZoomed())
        m_canvas->toggleZoom();
    else if (m_canvas->tool() != PageCanvas::Tool::None)
        m_canvas->setTool(PageCanvas::Tool::None);
    else
        close();
}

bool PresenterWindow::closeOverlay()
{
    bool wasOpen = false;
    for (QWidget* overlay : {static_cast<QWidget*>(m_help), static_cast<QWidget*>(m_tally),
                             static_cast<QWidget*>(m_numbers)}) {
        wasOpen = wasOpen || overlay->isVisible();
        overlay->hide();
    }
    setFocus();
    return wasOpen;
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

void PresenterWindow::showPage(bool morphs)
{
    const auto results = m_document.results();
    Figure figure;
    if (m_look.picture != StepState::Picture::None && results) {
        const SliceSource source{results->inputs,
                                 results->settings,
                                 results->batch,
                                 results->head,
                                 results->axes,
                                 &results->certificates,
                                 {}};
        figure = stepFigure(source, m_look);
    }
    m_isComing = false;
    StepPage page =
        makeStepPage(m_run.lesson(), m_run.index(), m_run.isRevealed(), std::move(figure));
    page.keys =
        tr("→ next · ← back · A–D answer · 1–4 axis · M mask · . blank · ? keys · Esc leave");
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
    m_canvas->setPage(std::move(page));
}

void PresenterWindow::openTally()
{
    const auto& question = m_run.step().question;
    if (!question)
        return;
    QStringList letters;
    for (const Choice& choice : question->choices)
        letters += QString(QLatin1Char(choice.letter));
    m_tally->setPlaceholderText(tr("Hands for %1, for example 12 5 3").arg(letters.join(", ")));
    m_tally->clear();
    m_tally->show();
    m_tally->raise();
    m_tally->setFocus();
}

void PresenterWindow::takeTally()
{
    auto hands = tallyOf(m_tally->text(), m_run.step().question->choices.size());
    if (!hands) {
        m_tally->clear();
        m_tally->setPlaceholderText(
            tr("One number for each of %1 answers").arg(m_run.step().question->choices.size()));
        return;
    }
    m_run.setTally(std::move(*hands));
    closeOverlay();
    showProgress();
}

void PresenterWindow::toggleNumbers()
{
    if (closeOverlay())
        return;
    m_numbers->show(m_document);
    m_numbers->QWidget::show();
    m_numbers->raise();
    m_numbers->setFocus();
}

void PresenterWindow::toggleSpeaker()
{
    m_speaker->setVisible(m_speaker->isHidden());
    if (m_speaker->isVisible() && m_speaker->screen() == screen())
        m_speaker->raise();
}

} // namespace keyaxis
