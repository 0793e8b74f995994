#pragma once

#include "ui/paint/theme.h"

#include <QMenu>
#include <QPointer>

namespace keyaxis {

class PresenterWindow;

/// The menu of lessons, and the presenter that shows one over the window. *GUI thread*
class LessonMenu : public QMenu {
    Q_OBJECT

public:
    explicit LessonMenu(QWidget* window);

    QAction* present; ///< F5: the lesson and step that was left, or the first lesson
    QAction* open;    ///< a lesson in a file

    /// Shows the lesson of a file from `step` on.
    bool start(const QString& path, int step = 0);
    void setTheme(const Theme& theme) { m_theme = theme; } ///< of the next lesson
    PresenterWindow* presenter() const;                    ///< null: no lesson is shown

Q_SIGNALS:
    void refused(const QString& sentence);

private:
    void askForLesson();

    QWidget* m_window;
    Theme m_theme = Theme::light();
    QString m_path; ///< of the newest lesson
    int m_step = 0;
    QPointer<PresenterWindow> m_presenter;
};

} // namespace keyaxis
