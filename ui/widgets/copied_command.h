#pragma once

#include "core/io/attention_file.h"
#include "ui/document/document.h"
#include "ui/paint/color_choice.h"

#include <QString>

namespace keyaxis {

/// `text` as one word of sh.
QString shellWord(const QString& text);

/// The command line that writes the weights of `document` again. What the file itself says, and
/// what is the default, is left out.
///
/// @param reading  how the file was read.
/// @errors BadInput where the numbers are in no file, or differ from the file's: they must be saved
///         first. As `readAttentionFile` where the file is gone.
Result<QString> computeCommand(const Document& document, const ReadingChoices& reading);

/// The same for the figure that is shown.
///
/// @errors also BadValue where the command line cannot draw it.
Result<QString> renderCommand(const Document& document, const ReadingChoices& reading,
                              const MapColors& colors, bool isDark);

} // namespace keyaxis
