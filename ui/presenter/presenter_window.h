#pragma once

#include "ui/document/document.h"
#include "ui/document/recompute.h"
#include "ui/paint/words.h"
#include "ui/present/lesson_run.h"
#include "ui/presenter/page_canvas.h"

#include <QWidget>

class QLabel;
class QLineEdit;
class QScreen;

namespace keyaxis {

class NumbersPanel;
class SpeakerWindow;
struct PresenterKey;
enum class SettingsField;

/// A lesson in front of a class: a page that fills the screen, live numbers under it, keys for
/// everything. It has its own document: the window's stays as it was. *GUI thread*
class PresenterWindow : public QWidget {
    Q_OBJECT

public:
    PresenterWindow(std::shared_ptr<const Lesson> lesson, const Theme& theme, int step = 0,
                    QWidget* parent = nullptr);
    ~PresenterWindow() override;

    /// Fills the screen that the speaker does not look at, if there are two; then the speaker's has
    /// the notes.
    void present(QScreen* speakers);
    /// From the first step of another lesson on, in the same place.
    void goOnWith(std::shared_ptr<const Lesson> lesson);
    /// Puts every window on the screens that are left.
    void onScreenRemoved(QScreen* gone);

    const LessonRun& run() const { return m_run; }
    Document& document() { return m_document; }
    PageCanvas& canvas() { return *m_canvas; }
    SpeakerWindow& speaker() { return *m_speaker; }
    NumbersPanel& numbers() { return *m_numbers; }
    QLineEdit& tally() { return *m_tally; }
    QLabel& help() { return *m_help; }
    /// Whether everything is computed and shown.
    bool isSettled() const;

Q_SIGNALS:
    void left(int step); ///< the lesson was put away in this step
    void ended();        ///< somebody wants to go on after the last step

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void closeEvent(QCloseEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void arrange(const Theme& theme);
    void onKey(QKeyEvent* event);
    void act(const PresenterKey& key);
    void actOnPage(const PresenterKey& key);
    void actOnNumbers(const PresenterKey& key);
    void stepOut();
    bool closeOverlay();
    void showStep();
    void onResults();
    void showPage(bool morphs);
    StepPicture pictureOf(const StepState& look) const;
    void showProgress();
    void editSettings(const ScoreSettings& after, SettingsField field, const QString& text);
    void hover(std::optional<Cell> cell);
    void openTally();
    void takeTally();
    void toggleNumbers();
    void toggleSpeaker();

    LessonRun m_run;
    Words m_words;    ///< of the lesson's language
    StepState m_look; ///< what is drawn of the numbers
    Document m_document;
    Recompute m_recompute;
    std::shared_ptr<const Results> m_shown;
    bool m_isComing = false; ///< the step is not shown yet: its numbers are being computed
    bool m_morphs = false;   ///< what comes is the reveal of what is shown

    PageCanvas* m_canvas;
    NumbersPanel* m_numbers;
    QLineEdit* m_tally;
    QLabel* m_help;
    SpeakerWindow* m_speaker;
};

} // namespace keyaxis
