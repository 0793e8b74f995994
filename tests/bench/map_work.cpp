#include "tests/bench/map_work.h"

#include "core/parallel.h"
#include "core/proof/map_picture.h"
#include "tests/bench/interleaved.h"
#include "tests/core/sample_values.h"

#include <QCoreApplication>
#include <QProcess>
#include <cstdio>
#include <sys/resource.h>

namespace keyaxis::bench {

namespace {

constexpr Index kTokens = 131'072;
constexpr Index kCells = 1024; ///< a side of the picture

} // namespace

int pictureLargeMap(int nThreads)
{
    setThreadCount(nThreads);
    const Inputs inputs = keyaxis::testing::randomInputs({1, 1, 1, kTokens, kTokens, 64, 1}, 1);
    ScoreSettings settings;
    settings.causal = true;
    double first = 0, share = 0;
    const auto begin = std::chrono::steady_clock::now();
    const auto elapsed = [&] {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    };
    const auto onPass = [&](const MapPicture& picture) {
        if (first > 0)
            return;
        first = elapsed();
        share = static_cast<double>(picture.nDone) / static_cast<double>(picture.nBands);
    };
    const auto picture = mapPicture(inputs, settings, 0, 0, kCells, kCells, onPass);
    rusage used{};
    if (!picture || getrusage(RUSAGE_SELF, &used) != 0)
        return 1;
    std::printf("%f %f %f %ld\n", first, elapsed(), share, used.ru_maxrss);
    return 0;
}

void measureLargeMap(Report& report)
{
    const QString work = QStringLiteral("picture of a map of 131,072 × 131,072");
    QProcess process;
    process.start(QCoreApplication::applicationFilePath(), {QStringLiteral("--large-map")});
    process.waitForFinished(-1);
    const QStringList words =
        QString::fromLatin1(process.readAllStandardOutput()).simplified().split(' ');
    if (process.exitCode() != 0 || words.size() != 4) {
        report.say(QStringLiteral("Left out: the %1, whose process failed.").arg(work));
        return;
    }
    const double first = words[0].toDouble(), all = words[1].toDouble();
    const double share = words[2].toDouble(), gib = words[3].toDouble() / (1 << 20);
    report.add({work, QStringLiteral("1 GiB of memory"), gib, atMost(1),
                QStringLiteral("%1 MiB").arg(gib * 1024, 0, 'f', 0)});
    report.add({work + QStringLiteral(", the first"),
                QStringLiteral("one pass over so many of its rows"), first / (all * share),
                atMost(1.5),
                QStringLiteral("%1 s; all of it %2 s").arg(first, 0, 'f', 2).arg(all, 0, 'f', 1)});
}

} // namespace keyaxis::bench
