#include "ui/widgets/lesson_menu.h"

#include "ui/present/lesson.h"
#include "ui/present/lesson_words.h"
#include "ui/present/quiz.h"
#include "ui/present/step_writer.h"
#include "ui/present/web_page.h"
#include "ui/presenter/presenter_window.h"

#include <QActionGroup>
#include <QFileDialog>
#include <QFileInfo>
#include <QInputDialog>
#include <QRandomGenerator>

namespace keyaxis {

namespace {

constexpr int kQuizSteps = 20;

/// The present document, and what is looked at, as a step has it.
StepState stateOf(const Document& document)
{
    const ViewSettings& view = document.view();
    StepState state;
    state.inputs = document.inputs();
    state.settings = document.settings();
    state.batch = view.batch;
    state.head = view.head;
    state.picture = view.mode == ViewSettings::Mode::Compare ? StepState::Picture::Compare
                                                             : StepState::Picture::Map;
    state.stage = state.picture == StepState::Picture::Map ? view.stage : Stage::Weights;
    return state;
}

QString lessonFilter()
{
    return LessonMenu::tr("Lessons (*.md);;All files (*)");
}

} // namespace

LessonMenu::LessonMenu(QWidget* window)
    : QMenu(tr("&Lessons"), window), m_window(window), m_path(shippedLessons().value(0))
{
    setToolTipsVisible(true);
    const auto add = [this](const QString& text, const QString& tip) {
        QAction* action = addAction(text);
        action->setToolTip(tip);
        action->setStatusTip(tip);
        return action;
    };
    present = add(tr("&Present"), tr("Show the lesson where it was left, full screen"));
    present->setShortcut(Qt::Key_F5);
    connect(present, &QAction::triggered, this, [this] { start(m_path, m_step); });
    quiz = add(tr("&Quiz me"), tr("Questions about what the window shows, with computed answers"));
    connect(quiz, &QAction::triggered, this,
            [this] { startQuiz(QRandomGenerator::global()->generate64()); });
    addSeparator();
    for (qsizetype n = 0; n < shippedLessons().size(); ++n) {
        m_lessons += addAction(QString());
        connect(m_lessons.back(), &QAction::triggered, this,
                [this, n] { start(shippedLessons(m_language)[n]); });
    }
    QMenu* languages = addMenu(tr("&Language of the lessons"));
    auto* group = new QActionGroup(this);
    for (const QString& language : lessonLanguages()) {
        m_languages += languages->addAction(lessonWords(language).name);
        m_languages.back()->setCheckable(true);
        m_languages.back()->setStatusTip(
            tr("Lessons in %1, as far as they are translated").arg(m_languages.back()->text()));
        group->addAction(m_languages.back());
        connect(m_languages.back(), &QAction::triggered, this,
                [this, language] { setLanguage(language); });
    }
    nameLessons();
    addSeparator();
    open = add(tr("&Open a lesson…"), tr("Present a lesson of your own, a Markdown file"));
    connect(open, &QAction::triggered, this, &LessonMenu::askForLesson);
    save = add(tr("&Save this state as a step…"),
               tr("Add what the window shows to a lesson, as its last step"));
    connect(save, &QAction::triggered, this, &LessonMenu::askForStep);
    webPage = new QAction(tr("Export a &web page…"), this);
    webPage->setToolTip(tr("One file for any browser, live and without a network"));
    webPage->setStatusTip(webPage->toolTip());
    connect(webPage, &QAction::triggered, this, &LessonMenu::askForWebPage);
}

void LessonMenu::setLanguage(const QString& language)
{
    const qsizetype shown = shippedLessons(m_language).indexOf(m_path);
    m_language = lessonLanguage({language});
    if (shown >= 0) // F5 goes on where it was left, in the new language
        m_path = shippedLessons(m_language)[shown];
    nameLessons();
}

void LessonMenu::nameLessons()
{
    const QStringList paths = shippedLessons(m_language);
    for (qsizetype n = 0; n < m_lessons.size(); ++n) {
        const QString title = lessonTitle(paths[n]);
        m_lessons[n]->setText(title);
        m_lessons[n]->setToolTip(tr("Present the lesson: %1").arg(title));
        m_lessons[n]->setStatusTip(m_lessons[n]->toolTip());
    }
    m_languages[lessonLanguages().indexOf(m_language)]->setChecked(true);
}

bool LessonMenu::start(const QString& path, int step)
{
    auto lesson = readLesson(path);
    if (!lesson) {
        Q_EMIT refused(QString::fromStdString(lesson.error().message));
        return false;
    }
    m_path = path;
    m_step = step;
    show(std::move(*lesson), step);
    connect(m_presenter, &PresenterWindow::left, this, [this](int left) { m_step = left; });
    return true;
}

bool LessonMenu::startQuiz(quint64 seed)
{
    auto lesson = quizAbout(stateOf(*m_document), seed, kQuizSteps);
    if (!lesson) {
        Q_EMIT refused(QString::fromStdString(lesson.error().message));
        return false;
    }
    show(std::move(*lesson), 0);
    // After the last question come others, without end.
    connect(m_presenter, &PresenterWindow::ended, this, [this, seed]() mutable {
        if (auto more = quizAbout(stateOf(*m_document), ++seed, kQuizSteps))
            m_presenter->goOnWith(std::make_shared<const Lesson>(std::move(*more)));
    });
    return true;
}

bool LessonMenu::saveStep(const QString& path, const QString& title)
{
    const auto saved = saveAsStep(path, stateOf(*m_document), title);
    if (saved)
        Q_EMIT done(tr("Added to %1 as its last step: %2").arg(QFileInfo(path).fileName(), title));
    else
        Q_EMIT refused(QString::fromStdString(saved.error().message));
    return saved.has_value();
}

bool LessonMenu::saveWebPage(const QString& path)
{
    const auto saved = writeWebPage(stateOf(*m_document), path.toStdString());
    if (saved)
        Q_EMIT done(tr("Written: %1").arg(QFileInfo(path).fileName()));
    else
        Q_EMIT refused(QString::fromStdString(saved.error().message));
    return saved.has_value();
}

void LessonMenu::show(Lesson lesson, int step)
{
    delete m_presenter;
    m_presenter = new PresenterWindow(std::make_shared<const Lesson>(std::move(lesson)), m_theme,
                                      step, m_window);
    m_presenter->setAttribute(Qt::WA_DeleteOnClose);
    if (!m_moves)
        m_presenter->canvas().setMorphMs(0);
    connect(m_presenter, &PresenterWindow::left, m_window, &QWidget::activateWindow);
    m_presenter->present(m_window->screen());
}

PresenterWindow* LessonMenu::presenter() const
{
    return m_presenter;
}

void LessonMenu::askForLesson()
{
    const QString path =
        QFileDialog::getOpenFileName(m_window, tr("Open a lesson"), {}, lessonFilter());
    if (!path.isEmpty())
        start(path);
}

void LessonMenu::askForWebPage()
{
    QString path = QFileDialog::getSaveFileName(m_window, tr("Export a web page"), {},
                                                tr("Web pages (*.html)"));
    if (path.isEmpty())
        return;
    if (QFileInfo(path).suffix().isEmpty())
        path += QStringLiteral(".html");
    saveWebPage(path);
}

/// A file that is there is added to, so it is not asked whether to replace it.
void LessonMenu::askForStep()
{
    QString path =
        QFileDialog::getSaveFileName(m_window, tr("Save as a step of"), {}, lessonFilter(), nullptr,
                                     QFileDialog::DontConfirmOverwrite);
    if (path.isEmpty())
        return;
    if (QFileInfo(path).suffix().isEmpty())
        path += QStringLiteral(".md");
    const QString name = QString::fromStdString(m_document->inputs().name);
    bool isOk = false;
    const QString title = QInputDialog::getText(m_window, tr("Title of the step"), tr("Title"),
                                                QLineEdit::Normal, name, &isOk);
    if (isOk && !title.trimmed().isEmpty())
        saveStep(path, title.simplified());
}

} // namespace keyaxis
