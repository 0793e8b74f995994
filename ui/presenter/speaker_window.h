#pragma once

#include "ui/paint/theme.h"
#include "ui/paint/words.h"
#include "ui/present/lesson_run.h"

#include <QElapsedTimer>
#include <QWidget>

class QLabel;
class QTextBrowser;
class QTimer;

namespace keyaxis {

/// What the speaker sees and the class does not: notes, the right answer, the next step, the clock
/// and the time since the beginning. Its keys are the presenter's. *GUI thread*
class SpeakerWindow : public QWidget {
    Q_OBJECT

public:
    explicit SpeakerWindow(const Words& words, QWidget* parent = nullptr);

    void setTheme(const Theme& theme);
    void show(const LessonRun& run, bool isFrozen);
    QString notes() const;
    QString nextTitle() const;
    QString answer() const;
    QString time() const;

Q_SIGNALS:
    void keyPressed(QKeyEvent* event);

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void closeEvent(QCloseEvent* event) override;

private:
    void showTime();

    Words m_words; ///< of the lesson's language
    QLabel* m_place;
    QLabel* m_title;
    QLabel* m_answer;
    QTextBrowser* m_notes;
    QLabel* m_next;
    QLabel* m_time;
    QTimer* m_tick;
    QElapsedTimer m_elapsed;
};

} // namespace keyaxis
