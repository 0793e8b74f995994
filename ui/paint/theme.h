#pragma once

#include "core/axis.h"

#include <QColor>
#include <QFont>

namespace keyaxis {

/// The colours of one look. Figures take theirs from here and never from the desktop's palette, so
/// a dark desktop does not change a PDF. *immutable*
struct Theme {
    QColor paper;                   ///< behind the cards; also a masked cell
    QColor panel;                   ///< cards, docks, bars
    QColor hairline;                ///< borders
    QColor ink;                     ///< text
    QColor muted;                   ///< secondary text
    QColor query, key, batch, head; ///< identity of the axes, never intensity
    QColor valid;
    QColor invalid;
    QColor onAccent; ///< text on a filled axis colour
    bool isDark = false;

    static Theme light();
    static Theme dark();
    /// Text at 7 : 1 and more, borders that can be seen by everyone.
    static Theme highContrastLight();
    static Theme highContrastDark();

    QColor axisColor(Axis axis) const;
    QColor verdictColor(bool isValid) const { return isValid ? valid : invalid; }
    /// A pale background of `accent` on the panel: pills, verdict cards.
    QColor tint(const QColor& accent) const;
};

/// Contrast of two opaque colours, 1 to 21.
/// @source Web Content Accessibility Guidelines 2.1, "contrast ratio".
double contrast(const QColor& a, const QColor& b);

/// Black or white, whichever has the higher contrast on `background`; always at least 4.5 : 1.
QColor textOn(const QColor& background);

/// A mixture: `part` of `a`, the rest of `b`.
QColor mixed(const QColor& a, const QColor& b, double part);

/// Makes Keyaxis Sans known; once, after the QGuiApplication.
void registerFonts();

/// Keyaxis Sans, with what else is there for glyphs it lacks. In pixels, which are points on paper.
QFont uiFont(int pixelSize, QFont::Weight weight = QFont::Normal);

/// A typewriter face, for `dim=-1`.
QFont codeFont(int pixelSize);

} // namespace keyaxis
