#pragma once

#include "ui/present/question.h"
#include "ui/present/step_state.h"

#include <QStringList>

namespace keyaxis {

/// One step of a lesson: what is said, and a live document. *immutable*
struct Step {
    QString title;
    QString body;   ///< Markdown
    QString hidden; ///< Markdown, shown once the step is revealed
    QString notes;  ///< for the speaker
    std::optional<Question> question;
    StepState state;
    std::optional<StepState> before; ///< what stands there until the question is answered
    int line = 0;                    ///< of the file

    /// Whether something waits to be revealed.
    bool hasSecret() const
    {
        return question || before || !hidden.isEmpty() || !state.blanks.empty();
    }
    /// What is shown: before the reveal no map under a question, so that it is a prediction, unless
    /// the step has a state for it, the question wants the map, or the map has blanks to fill in.
    StepState shownState(bool isRevealed) const;
};

/// A lesson: Markdown whose steps are separated by lines `---`. *immutable*
struct Lesson {
    QString title;
    QString summary;
    QString language = QStringLiteral("en"); ///< of what stands around it: "step 1 of 12"
    std::vector<Step> steps;

    int nSteps() const { return static_cast<int>(steps.size()); }
};

/// Reads a lesson. Everything that it claims is computed and compared; no code of it is run.
///
///     # Title of the lesson
///     One paragraph: what it is about.
///     ---
///     ## Title of a step
///     Markdown, with {row_sum 0} filled in and {weight 2 1 = 2/7} checked (ui/present/quantity.h).
///
///     ```toml
///     settings (ui/present/step_state.h); a step without them keeps those before it
///     ```
///     ```question
///     choices (ui/present/question.h)
///     ```
///     Reveal: from here to the end or to `Note:`, what is hidden until then
///     Note: for the speaker
///
/// @param fileName  for messages.
/// @errors BadInput naming file, line and what was expected.
Result<Lesson> parseLesson(const QString& text, const QString& fileName);

/// A lesson in a file, UTF-8.
///
/// @errors BadInput also where the file cannot be read, or is larger than a lesson can be (1 MiB).
Result<Lesson> readLesson(const QString& path);

/// The title of a lesson without reading the rest; empty where it has none.
QString lessonTitle(const QString& path);

/// The languages of lessons that ship, "en" first.
QStringList lessonLanguages();

/// The one of them that suits somebody who reads `preferred`, best first: "de" for "de-AT".
QString lessonLanguage(const QStringList& preferred);

/// The lessons that ship, by path, in their order; in English where there is no translation.
QStringList shippedLessons(const QString& language = QStringLiteral("en"));

/// Where a lesson is: a file, or one that ships by its number or name ("1", "along-which-axis").
QString lessonPath(const QString& name, const QString& language = QStringLiteral("en"));

} // namespace keyaxis
