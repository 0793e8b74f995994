#pragma once

#include "core/io/attention_file.h"
#include "ui/document/document.h"
#include "ui/paint/color_choice.h"

#include <QString>
#include <QStringList>

namespace keyaxis {

/// `text` as one word of sh.
QString shellWord(const QString& text);

/// The command line that writes the weights of `document` again. What the file itself says, and
/// what is the default, is left out.
///
/// @param files    what it was read of: one file, or several that belong together.
/// @param reading  how they were read.
/// @errors BadInput where the numbers are in no file, or differ from the file's: they must be saved
///         first. As `readAttentionFile` where the file is gone.
Result<QString> computeCommand(const Document& document, const QStringList& files,
                               const ReadingChoices& reading);

/// The same for the figure that is shown.
///
/// @errors also BadValue of a difference from a kept state, which no command line can name.
Result<QString> renderCommand(const Document& document, const QStringList& files,
                              const ReadingChoices& reading, const MapColors& colors, bool isDark);

} // namespace keyaxis
