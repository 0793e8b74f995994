#include "ui/paint/words.h"

#include <QRegularExpression>
#include <QStringList>

namespace keyaxis {

QString Words::numbered(const QString& english) const
{
    static const QRegularExpression number(
        QStringLiteral("(?<![\\w.])-?(?:\\d+(?:\\.\\d+)?(?:e[-+]?\\d+)?|NaN|inf)(?!\\w)"));
    if (m_own.isEmpty() || m_own.contains(english))
        return (*this)(english);
    QString pattern;
    QStringList numbers;
    qsizetype at = 0;
    for (auto match = number.globalMatch(english); match.hasNext();) {
        const QRegularExpressionMatch found = match.next();
        numbers += found.captured();
        pattern +=
            english.mid(at, found.capturedStart() - at) + QStringLiteral("%%1").arg(numbers.size());
        at = found.capturedEnd();
    }
    pattern += english.mid(at);
    if (const auto sentence = m_own.find(pattern); sentence != m_own.end()) {
        QString said = *sentence;
        for (const QString& text : numbers)
            said = said.arg(text);
        return said;
    }
    QStringList parts = english.split(QStringLiteral(", "));
    if (parts.size() > 1)
        for (QString& part : parts)
            part = numbered(part);
    return parts.join(QStringLiteral(", "));
}

} // namespace keyaxis
