#pragma once

#include <QList>
#include <QString>
#include <optional>

namespace keyaxis {

/// How letters answer to a command's name.
struct CommandMatch {
    int score = 0;       ///< larger is better
    QList<qsizetype> at; ///< which letters of the name are those, in order

    bool operator==(const CommandMatch&) const = default;
};

/// The best way in which the letters of `letters` occur in `name` in their order; none: they do
/// not. Whole words before parts, parts before scattered letters; of those the ones that begin
/// words or stand together. Spaces between scattered letters and capitals do not count.
///
/// @cost  proportional to both lengths; a name of 60 letters takes microseconds.
std::optional<CommandMatch> matchOf(const QString& name, const QString& letters);

} // namespace keyaxis
