#pragma once

#include "ui/paint/theme.h"

#include <QMenu>
#include <QPointer>

namespace keyaxis {

class Document;
class PresenterWindow;
struct Lesson;

/// The menu of lessons, and the presenter that shows one over the window. *GUI thread*
class LessonMenu : public QMenu {
    Q_OBJECT

public:
    explicit LessonMenu(QWidget* window);

    QAction* present; ///< F5: the lesson and step that was left, or the first lesson
    QAction* quiz;    ///< questions about the window's document
    QAction* open;    ///< a lesson in a file
    QAction* save;    ///< the window's document as a step of a lesson
    QAction* webPage; ///< the window's document as a page for students; not in this menu

    /// What quizzes ask about and steps are saved from; must outlive this.
    void setDocument(const Document& document) { m_document = &document; }
    /// Shows the lesson of a file from `step` on.
    bool start(const QString& path, int step = 0);
    bool startQuiz(quint64 seed);
    bool saveStep(const QString& path, const QString& title);
    bool saveWebPage(const QString& path);
    /// The language of lessons that ship; one that there is not is English.
    void setLanguage(const QString& language);
    const QString& language() const { return m_language; }
    void setTheme(const Theme& theme) { m_theme = theme; } ///< of the next lesson
    void setMotion(bool moves) { m_moves = moves; }        ///< of the next lesson
    PresenterWindow* presenter() const;                    ///< null: no lesson is shown

Q_SIGNALS:
    void refused(const QString& sentence);
    void done(const QString& sentence); ///< a file was written

private:
    void show(Lesson lesson, int step);
    void nameLessons();
    void askForLesson();
    void askForStep();
    void askForWebPage();

    QWidget* m_window;
    const Document* m_document = nullptr;
    Theme m_theme = Theme::light();
    bool m_moves = false; ///< whether pictures turn into each other
    QString m_language = QStringLiteral("en");
    QList<QAction*> m_lessons;   ///< those that ship, in their order
    QList<QAction*> m_languages; ///< by the order of `lessonLanguages`
    QString m_path;              ///< of the newest lesson
    int m_step = 0;
    QPointer<PresenterWindow> m_presenter;
};

} // namespace keyaxis
