#pragma once

#include <QSettings>

namespace keyaxis {

/// What Keyaxis keeps for its user from one time to the next.
inline QSettings userSettings()
{
    return QSettings(QStringLiteral("Keyaxis"), QStringLiteral("Keyaxis"));
}

} // namespace keyaxis
