#pragma once

#include <QString>

class QFont;

namespace keyaxis {

/// `wanted` where `width` has room for it, else `value` as a power of ten with as many of three
/// digits as fit: "3.37e8", "3.4e8", "3e8". The last one is given back also where it does not fit.
/// What is not finite stays as it is wanted.
QString fittedNumber(const QString& wanted, double value, const QFont& font, double width);

/// "3.4e8", not "3.4e+08".
QString powerText(double value, int nDigits);

} // namespace keyaxis
