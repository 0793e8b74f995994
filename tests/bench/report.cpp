#include "tests/bench/report.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSaveFile>
#include <algorithm>
#include <cstdio>

namespace keyaxis::bench {

namespace {

void print(const QString& line)
{
    std::fputs(qPrintable(line + '\n'), stdout);
    std::fflush(stdout);
}

} // namespace

QString Reach::text() const
{
    return QStringLiteral("%1 %2").arg(QLatin1String(isAtMost ? "<=" : ">=")).arg(limit);
}

void Report::add(Ratio ratio)
{
    if (m_ratios.empty())
        print(QStringLiteral("%1 %2 %3 %4      %5")
                  .arg("work", -54)
                  .arg("against", -42)
                  .arg("ratio", 8)
                  .arg("reach", -8)
                  .arg("ours : theirs"));
    print(QStringLiteral("%1 %2 %3 %4 %5 %6")
              .arg(ratio.work, -54)
              .arg(ratio.against, -42)
              .arg(QString::number(ratio.ratio, 'f', 2), 8)
              .arg(ratio.reach.text(), -8)
              .arg(QLatin1String(ratio.reach.holds(ratio.ratio) ? "yes " : "NO  "))
              .arg(ratio.figures));
    m_ratios.push_back(std::move(ratio));
}

void Report::say(const QString& sentence) const
{
    print(sentence);
}

void Report::conclude() const
{
    const auto nHolding = std::count_if(m_ratios.begin(), m_ratios.end(), [](const Ratio& one) {
        return one.reach.holds(one.ratio);
    });
    print(QStringLiteral("%1 of %2 within reach").arg(nHolding).arg(m_ratios.size()));
}

bool Report::writeJson(const QString& path) const
{
    QJsonArray ratios;
    for (const Ratio& one : m_ratios)
        ratios.append(QJsonObject{{"work", one.work},
                                  {"against", one.against},
                                  {"ratio", one.ratio},
                                  {"reach", one.reach.text()}});
    QSaveFile file(path);
    return file.open(QIODevice::WriteOnly) &&
           file.write(QJsonDocument(QJsonObject{{"ratios", ratios}}).toJson()) > 0 && file.commit();
}

QString millisecondsText(double ours, double theirs)
{
    return QStringLiteral("%1 ms : %2 ms").arg(ours * 1e3, 0, 'f', 2).arg(theirs * 1e3, 0, 'f', 2);
}

} // namespace keyaxis::bench
