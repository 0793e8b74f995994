#include "ui/widgets/fitted_number.h"

#include <QFontMetricsF>
#include <QRegularExpression>
#include <cmath>

namespace keyaxis {

QString powerText(double value, int nDigits)
{
    static const QRegularExpression zeros(QStringLiteral("\\.?0+e"));
    static const QRegularExpression filling(QStringLiteral("e\\+?(-?)0*"));
    return QString::number(value, 'e', nDigits - 1)
        .replace(zeros, QStringLiteral("e"))
        .replace(filling, QStringLiteral("e\\1"));
}

QString fittedNumber(const QString& wanted, double value, const QFont& font, double width)
{
    const QFontMetricsF metrics(font);
    QString text = wanted;
    for (int nDigits = 3; nDigits > 0 && metrics.horizontalAdvance(text) > width; --nDigits)
        if (std::isfinite(value))
            text = powerText(value, nDigits);
    return text;
}

} // namespace keyaxis
