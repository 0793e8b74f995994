#pragma once

#include "ui/paint/theme.h"

#include <QPalette>
#include <QString>

class QApplication;

namespace keyaxis {

/// What the user chose for the looks of the window.
enum class ThemeChoice { System, Light, Dark, HighContrast };

/// Fusion and Keyaxis Sans; once, after the QApplication.
void prepareApplication(QApplication& application);

/// The theme of a choice; `System` asks the desktop's palette, and so does high
/// contrast whether it is light or dark.
Theme themeOf(ThemeChoice choice);

/// A complete palette, so that nothing of the desktop's shines through.
QPalette paletteOf(const Theme& theme);

/// What a palette cannot say: frames, radii, paddings.
QString styleSheetOf(const Theme& theme);

} // namespace keyaxis
