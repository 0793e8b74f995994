#pragma once

#include <QRect>
#include <QString>
#include <vector>

namespace keyaxis::testing {

/// Cuts the one screen of a virtual display into `monitors`, as `xrandr --setmonitor` does, by
/// the library that it stands on, which is loaded where there is one.
///
/// @return  false where the display or its library does not know monitors.
bool cutIntoMonitors(const QString& display, const std::vector<QRect>& monitors);

} // namespace keyaxis::testing
