// What the keys of the presenter do.
#include "ui/document/commands.h"
#include "ui/presenter/numbers_panel.h"
#include "ui/presenter/presenter_keys.h"
#include "ui/presenter/presenter_window.h"
#include "ui/presenter/speaker_window.h"

#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <algorithm>

namespace keyaxis {

namespace {

/// τ stays in the range of the window's slider.
constexpr float kColdest = 0.05F;
constexpr float kHottest = 20.0F;

constexpr int kBesidePicture = 16;
constexpr int kNarrowestNumbers = 280;

} // namespace

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
        else
            Q_EMIT ended();
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

void PresenterWindow::openTally()
{
    const auto& question = m_run.step().question;
    if (!question)
        return;
    QStringList letters;
    for (const Choice& choice : question->choices)
        letters += QString(QLatin1Char(choice.letter));
    m_tally->setPlaceholderText(
        m_words("Hands for %1, for example 12 5 3").arg(letters.join(", ")));
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
        m_tally->setPlaceholderText(m_words("One number for each of %1 answers")
                                        .arg(m_run.step().question->choices.size()));
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
    // Over the text: the picture is what the numbers change.
    const QPointF picture = m_canvas->toWidget(m_canvas->pageLayout().picture.topLeft());
    const int room = static_cast<int>(picture.x()) - m_numbers->x() - kBesidePicture;
    m_numbers->resize(std::max(kNarrowestNumbers, std::min(m_numbers->maximumWidth(), room)),
                      m_numbers->height());
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
