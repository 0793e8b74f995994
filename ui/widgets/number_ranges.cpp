#include "ui/widgets/number_ranges.h"

#include <QRegularExpression>
#include <QStringList>

namespace keyaxis {

std::optional<std::vector<Index>> numbersIn(const QString& text, Index most)
{
    static const QRegularExpression part(
        QStringLiteral("^\\s*(\\d{1,9})\\s*(?:[-–]\\s*(\\d{1,9})\\s*)?$"));
    std::vector<Index> numbers;
    if (text.trimmed().isEmpty())
        return numbers;
    for (const QString& item : text.split(QLatin1Char(','))) {
        const QRegularExpressionMatch match = part.match(item);
        const Index first = match.captured(1).toLongLong();
        const Index last =
            match.captured(2).isEmpty() ? first : Index{match.captured(2).toLongLong()};
        if (!match.hasMatch() || first < 1 || last < first || last > most)
            return std::nullopt;
        for (Index n = first; n <= last; ++n)
            numbers.push_back(n);
    }
    return numbers;
}

} // namespace keyaxis
