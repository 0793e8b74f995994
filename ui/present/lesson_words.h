#pragma once

#include <QString>

namespace keyaxis {

/// What stands around a lesson's own words, in its language.
struct LessonWords {
    QString name;     ///< of the language, in itself
    QString place;    ///< "step %1 of %2"
    QString revealed; ///< behind the place
    QString keys;     ///< at the foot of the screen
};

/// @param language  as in `lessonLanguages`; English for any other.
LessonWords lessonWords(const QString& language);

} // namespace keyaxis
