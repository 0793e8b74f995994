#pragma once

#include "core/io/attention_file.h"

#include <QString>
#include <optional>

class QSettings;

namespace keyaxis {

/// The names that a choice of readings holds for: that of the file, any number like any other.
QString namePattern(const QString& path);

/// Keeps how `path` was read, for files of the same pattern; choices that leave everything open are
/// forgotten instead. The group is none of it: it is a part of one file.
void rememberReading(QSettings& settings, const QString& path, const ReadingChoices& choices);

/// What was remembered for the pattern of `path`.
std::optional<ReadingChoices> rememberedReading(const QSettings& settings, const QString& path);

} // namespace keyaxis
