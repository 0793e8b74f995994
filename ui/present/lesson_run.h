#pragma once

#include "ui/present/lesson.h"

#include <memory>

namespace keyaxis {

/// Where a class is in a lesson: the step, what has been revealed, what was chosen. Knows no
/// window.
class LessonRun {
public:
    /// What happened in one step.
    struct Progress {
        bool isRevealed = false;
        std::optional<char> chosen; ///< a letter of the question; locked once revealed
        std::vector<int> tally;     ///< hands for each choice; empty: not counted
    };

    explicit LessonRun(std::shared_ptr<const Lesson> lesson, int step = 0);

    const Lesson& lesson() const { return *m_lesson; }
    const Step& step() const { return m_lesson->steps[static_cast<std::size_t>(m_index)]; }
    const Step* nextStep() const; ///< null at the end
    int index() const { return m_index; }
    const Progress& progress() const { return m_progress[static_cast<std::size_t>(m_index)]; }
    bool isRevealed() const { return progress().isRevealed || !step().hasSecret(); }
    /// What the map shows now.
    StepState shownState() const { return step().shownState(isRevealed()); }

    bool forward();       ///< reveals, else goes on; false at the end
    bool back();          ///< hides again, else goes back; false at the beginning
    bool goTo(int index); ///< clamped; false where nothing changed
    bool choose(char letter);
    bool reveal();
    void setTally(std::vector<int> hands); ///< one for each choice; otherwise ignored
    void reset();                          ///< forgets what happened in this step

private:
    Progress& present() { return m_progress[static_cast<std::size_t>(m_index)]; }

    std::shared_ptr<const Lesson> m_lesson;
    std::vector<Progress> m_progress;
    int m_index = 0;
};

/// "12 5 3", "12, 5, 3": one number for each of `nChoices`; none for anything else.
std::optional<std::vector<int>> tallyOf(const QString& text, std::size_t nChoices);

} // namespace keyaxis
