#pragma once

#include "ui/paint/words.h"

namespace keyaxis {

/// What stands around a lesson's own words, in its language: on the page, in its pictures, in the
/// speaker's view and on the hand-out.
struct LessonWords {
    QString name;     ///< of the language, in itself
    QString place;    ///< "step %1 of %2"
    QString revealed; ///< behind the place
    QString keys;     ///< at the foot of the screen
    Words words;      ///< everything else
};

/// @param language  as in `lessonLanguages`; English for any other.
LessonWords lessonWords(const QString& language);

/// German, by English sentence.
const QHash<QString, QString>& germanWords();

} // namespace keyaxis
