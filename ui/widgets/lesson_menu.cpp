#include "ui/widgets/lesson_menu.h"

#include "ui/presenter/presenter_window.h"

#include <QFileDialog>

namespace keyaxis {

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
    addSeparator();
    for (const QString& path : shippedLessons()) {
        const QString title = lessonTitle(path);
        connect(add(title, tr("Present the lesson: %1").arg(title)), &QAction::triggered, this,
                [this, path] { start(path); });
    }
    addSeparator();
    open = add(tr("&Open a lesson…"), tr("Present a lesson of your own, a Markdown file"));
    connect(open, &QAction::triggered, this, &LessonMenu::askForLesson);
}

bool LessonMenu::start(const QString& path, int step)
{
    auto lesson = readLesson(path);
    if (!lesson) {
        Q_EMIT refused(QString::fromStdString(lesson.error().message));
        return false;
    }
    delete m_presenter;
    m_path = path;
    m_step = step;
    m_presenter = new PresenterWindow(std::make_shared<const Lesson>(std::move(*lesson)), m_theme,
                                      step, m_window);
    m_presenter->setAttribute(Qt::WA_DeleteOnClose);
    connect(m_presenter, &PresenterWindow::left, this, [this](int left) {
        m_step = left;
        m_window->activateWindow();
    });
    m_presenter->present(m_window->screen());
    return true;
}

PresenterWindow* LessonMenu::presenter() const
{
    return m_presenter;
}

void LessonMenu::askForLesson()
{
    const QString path = QFileDialog::getOpenFileName(m_window, tr("Open a lesson"), {},
                                                      tr("Lessons (*.md);;All files (*)"));
    if (!path.isEmpty())
        start(path);
}

} // namespace keyaxis
