#include "ui/present/lesson_words.h"

namespace keyaxis {

LessonWords lessonWords(const QString& language)
{
    if (language == QLatin1String("de"))
        return {QStringLiteral("Deutsch"), QStringLiteral("Schritt %1 von %2"),
                QStringLiteral("aufgelöst"),
                QStringLiteral("→ weiter · ← zurück · A–D Antwort · 1–4 Achse · M Maske · . dunkel "
                               "· ? Tasten · Esc Ende"),
                Words(germanWords())};
    return {QStringLiteral("English"),
            QStringLiteral("step %1 of %2"),
            QStringLiteral("revealed"),
            QStringLiteral("→ next · ← back · A–D answer · 1–4 axis · M mask · . blank · ? keys · "
                           "Esc leave"),
            {}};
}

} // namespace keyaxis
