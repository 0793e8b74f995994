#pragma once

#include "core/result.h"

#include <QString>

namespace keyaxis {

/// A line of a lesson, as an editor counts it.
struct LessonPlace {
    QString file;
    int line = 0;

    LessonPlace atLine(int other) const { return {file, other}; }
};

/// `return failAt(place, "expected a title …");`: "axis.md, line 12: expected a title …".
inline tl::unexpected<Error> failAt(const LessonPlace& place, const QString& sentence)
{
    return fail(Errc::BadInput, QStringLiteral("%1, line %2: %3")
                                    .arg(place.file)
                                    .arg(place.line)
                                    .arg(sentence)
                                    .toStdString());
}

} // namespace keyaxis
