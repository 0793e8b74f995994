#include "ui/paint/theme.h"

#include <QFontDatabase>
#include <QHash>
#include <cmath>

namespace keyaxis {

namespace {

/// Relative luminance of an sRGB colour.
double luminance(const QColor& color)
{
    const auto linear = [](double c) {
        return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
    };
    return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF()) +
           0.0722 * linear(color.blueF());
}

} // namespace

Theme Theme::light()
{
    Theme theme;
    theme.paper = QColor(0xF6, 0xF6, 0xF3);
    theme.panel = QColor(0xFF, 0xFF, 0xFF);
    theme.hairline = QColor(0xE2, 0xE3, 0xDF);
    theme.ink = QColor(0x1C, 0x21, 0x27);
    theme.muted = QColor(0x64, 0x6B, 0x75); // #69707A, darkened to 4.5 : 1 on the paper and tints
    theme.query = QColor(0x7A, 0x52, 0xC7);
    theme.key = QColor(0x0B, 0x6B, 0xCB);
    theme.batch = QColor(0xB8, 0x46, 0x7F);
    theme.head = QColor(0x86, 0x6A, 0x00);
    theme.valid = QColor(0x00, 0x7A, 0x57);   // #00805B, darkened for text on its own tint
    theme.invalid = QColor(0xB8, 0x40, 0x09); // #C2450A, likewise
    theme.onAccent = Qt::white;
    return theme;
}

Theme Theme::dark()
{
    Theme theme;
    theme.paper = QColor(0x15, 0x18, 0x1C);
    theme.panel = QColor(0x1D, 0x21, 0x26);
    theme.hairline = QColor(0x2E, 0x34, 0x3B);
    theme.ink = QColor(0xE8, 0xEA, 0xED);
    theme.muted = QColor(0x9A, 0xA2, 0xAD);
    theme.query = QColor(0xB9, 0xA2, 0xF5);
    theme.key = QColor(0x74, 0xB8, 0xFF);
    theme.batch = QColor(0xF0, 0x93, 0xC1);
    theme.head = QColor(0xDD, 0xBC, 0x54);
    theme.valid = QColor(0x3C, 0xC7, 0x9B);
    theme.invalid = QColor(0xF5, 0x8A, 0x4B);
    theme.onAccent = QColor(0x15, 0x18, 0x1C);
    theme.isDark = true;
    return theme;
}

Theme Theme::highContrastLight()
{
    Theme theme;
    theme.paper = Qt::white;
    theme.panel = Qt::white;
    theme.hairline = QColor(0x59, 0x59, 0x59);
    theme.ink = Qt::black;
    theme.muted = QColor(0x33, 0x33, 0x33);
    theme.query = QColor(0x4F, 0x24, 0x9E);
    theme.key = QColor(0x00, 0x41, 0x8C);
    theme.batch = QColor(0x85, 0x12, 0x4E);
    theme.head = QColor(0x57, 0x43, 0x00);
    theme.valid = QColor(0x00, 0x52, 0x3A);
    theme.invalid = QColor(0x8A, 0x28, 0x00);
    theme.onAccent = Qt::white;
    return theme;
}

Theme Theme::highContrastDark()
{
    Theme theme;
    theme.paper = Qt::black;
    theme.panel = Qt::black;
    theme.hairline = QColor(0xB0, 0xB0, 0xB0);
    theme.ink = Qt::white;
    theme.muted = QColor(0xD8, 0xD8, 0xD8);
    theme.query = QColor(0xD2, 0xC3, 0xFF);
    theme.key = QColor(0x9C, 0xCF, 0xFF);
    theme.batch = QColor(0xFF, 0xB3, 0xDA);
    theme.head = QColor(0xFF, 0xDD, 0x70);
    theme.valid = QColor(0x5C, 0xF0, 0xBF);
    theme.invalid = QColor(0xFF, 0xA8, 0x73);
    theme.onAccent = Qt::black;
    theme.isDark = true;
    return theme;
}

QColor Theme::axisColor(Axis axis) const
{
    switch (axis) {
    case Axis::Query:
        return query;
    case Axis::Key:
        return key;
    case Axis::Batch:
        return batch;
    case Axis::Head:
        break;
    }
    return head;
}

QColor Theme::tint(const QColor& accent) const
{
    return mixed(accent, panel, isDark ? 0.13 : 0.09);
}

QColor mixed(const QColor& a, const QColor& b, double part)
{
    const auto mix = [part](int x, int y) {
        return static_cast<int>(std::lround(part * x + (1 - part) * y));
    };
    return {mix(a.red(), b.red()), mix(a.green(), b.green()), mix(a.blue(), b.blue())};
}

double contrast(const QColor& a, const QColor& b)
{
    const double la = luminance(a);
    const double lb = luminance(b);
    return (std::max(la, lb) + 0.05) / (std::min(la, lb) + 0.05);
}

QColor textOn(const QColor& background)
{
    return contrast(Qt::white, background) >= contrast(Qt::black, background) ? Qt::white
                                                                              : Qt::black;
}

void registerFonts()
{
    for (const char* weight : {"Regular", "Medium", "SemiBold", "Bold"})
        QFontDatabase::addApplicationFont(
            QStringLiteral(":/fonts/KeyaxisSans-%1.otf").arg(QLatin1String(weight)));
}

QFont uiFont(int pixelSize, QFont::Weight weight)
{
    // Each new font looks for its face again when it is measured or drawn with; a copy does not.
    // Never deleted: faces cannot outlive the application, and statics do.
    thread_local auto* fonts = new QHash<std::pair<int, int>, QFont>;
    QFont& font = (*fonts)[{pixelSize, weight}];
    if (font.pixelSize() != std::max(1, pixelSize)) {
        font.setFamilies({QStringLiteral("Keyaxis Sans"), QStringLiteral("Noto Sans"),
                          QStringLiteral("DejaVu Sans")});
        font.setPixelSize(std::max(1, pixelSize));
        font.setWeight(weight);
    }
    return font;
}

QFont codeFont(int pixelSize)
{
    QFont font;
    font.setFamilies({QStringLiteral("DejaVu Sans Mono"), QStringLiteral("Noto Sans Mono"),
                      QStringLiteral("monospace")});
    font.setStyleHint(QFont::Monospace);
    font.setPixelSize(std::max(1, pixelSize));
    return font;
}

} // namespace keyaxis
