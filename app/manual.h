#pragma once

#include <QString>

namespace keyaxis {

/// The manual page keyaxis(1) in roff, made of the table that --help and the parser are made of, so
/// that the three cannot disagree.
QString manualPage();

} // namespace keyaxis
