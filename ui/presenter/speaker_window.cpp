#include "ui/presenter/speaker_window.h"

#include "ui/present/lesson_words.h"

#include <QBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QTextBrowser>
#include <QTime>
#include <QTimer>

namespace keyaxis {

namespace {

constexpr int kSmallPx = 16;
constexpr int kNotesPx = 22;
constexpr int kTitlePx = 28;

QLabel* makeLabel(int px, QFont::Weight weight, QWidget* parent)
{
    auto* label = new QLabel(parent);
    label->setFont(uiFont(px, weight));
    label->setWordWrap(true);
    label->setTextFormat(Qt::PlainText);
    return label;
}

} // namespace

SpeakerWindow::SpeakerWindow(const Words& words, QWidget* parent)
    : QWidget(parent, Qt::Window),
      m_words(words),
      m_place(makeLabel(kSmallPx, QFont::Normal, this)),
      m_title(makeLabel(kTitlePx, QFont::Bold, this)),
      m_answer(makeLabel(kNotesPx, QFont::DemiBold, this)),
      m_notes(new QTextBrowser(this)),
      m_next(makeLabel(kNotesPx, QFont::Normal, this)),
      m_time(makeLabel(kTitlePx, QFont::DemiBold, this)),
      m_tick(new QTimer(this))
{
    setWindowTitle(m_words("Speaker") + QStringLiteral(" – Keyaxis"));
    resize(900, 620);
    setAutoFillBackground(true);
    m_notes->setFont(uiFont(kNotesPx));
    m_notes->setFrameShape(QFrame::NoFrame);
    m_notes->setFocusPolicy(Qt::NoFocus);
    m_notes->setOpenLinks(false);
    m_notes->setAccessibleName(m_words("Notes"));
    m_time->setWordWrap(false);

    auto* top = new QHBoxLayout;
    top->addWidget(m_place, 1);
    top->addWidget(m_time);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(32, 24, 32, 24);
    column->setSpacing(14);
    column->addLayout(top);
    column->addWidget(m_title);
    column->addWidget(m_answer);
    column->addWidget(m_notes, 1);
    column->addWidget(m_next);

    m_elapsed.start();
    connect(m_tick, &QTimer::timeout, this, &SpeakerWindow::showTime);
    m_tick->start(1000);
    showTime();
}

void SpeakerWindow::setTheme(const Theme& theme)
{
    QPalette palette;
    palette.setColor(QPalette::Window, theme.panel);
    palette.setColor(QPalette::Base, theme.panel);
    palette.setColor(QPalette::WindowText, theme.ink);
    palette.setColor(QPalette::Text, theme.ink);
    setPalette(palette);
}

void SpeakerWindow::show(const LessonRun& run, bool isFrozen)
{
    const Step& step = run.step();
    const QString place = lessonWords(run.lesson().language).place;
    m_place->setText(run.lesson().title + QStringLiteral(" · ") +
                     place.arg(run.index() + 1).arg(run.lesson().nSteps()) +
                     (isFrozen ? m_words(" · the class sees a frozen picture") : QString()));
    m_title->setText(step.title);
    m_answer->setVisible(step.question.has_value());
    if (step.question)
        m_answer->setText(m_words("Right: %1 – %2")
                              .arg(QLatin1Char(step.question->right().letter))
                              .arg(step.question->right().text));
    m_notes->setMarkdown(step.notes);
    const Step* next = run.nextStep();
    m_next->setText(!run.isRevealed() ? m_words("Next: the reveal")
                    : next            ? m_words("Next: %1").arg(next->title)
                                      : m_words("This is the last step."));
}

QString SpeakerWindow::notes() const
{
    return m_notes->toPlainText();
}

QString SpeakerWindow::nextTitle() const
{
    return m_next->text();
}

QString SpeakerWindow::answer() const
{
    return m_answer->isHidden() ? QString() : m_answer->text();
}

QString SpeakerWindow::time() const
{
    return m_time->text();
}

void SpeakerWindow::showTime()
{
    const qint64 seconds = m_elapsed.elapsed() / 1000;
    m_time->setText(QStringLiteral("%1 · %2:%3")
                        .arg(QTime::currentTime().toString(QStringLiteral("HH:mm")))
                        .arg(seconds / 60)
                        .arg(seconds % 60, 2, 10, QLatin1Char('0')));
}

void SpeakerWindow::keyPressEvent(QKeyEvent* event)
{
    Q_EMIT keyPressed(event);
}

/// Closed with the presenter, or put away: never the end of a lesson.
void SpeakerWindow::closeEvent(QCloseEvent* event)
{
    hide();
    event->ignore();
}

} // namespace keyaxis
