// Measures what Keyaxis must reach, as ratios to other work done in the same run: ./dev bench.

#include "core/parallel.h"
#include "tests/bench/core_work.h"
#include "tests/bench/map_work.h"
#include "tests/bench/paint_work.h"
#include "tests/bench/window_work.h"
#include "ui/widgets/theme_style.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QTemporaryDir>
#include <cstdio>
#include <cstdlib>

using namespace keyaxis;
using namespace keyaxis::bench;

namespace {

/// What the ratios are stated for; more would be another machine.
constexpr int kThreads = 2;

void sayWhatIsMissing(const Report& report, const Peer& peer)
{
    QStringList packages;
    for (const char* module : {"numpy", "torch", "matplotlib"})
        if (!peer.has(QLatin1String(module)))
            packages += QStringLiteral("python3-") + QLatin1String(module);
    // Debian's PyTorch takes whatever BLAS is there; the reference one is ten times slower.
    if (!peer.has(QStringLiteral("fast_blas")))
        packages += QStringLiteral("libopenblas0-pthread");
    if (!packages.isEmpty())
        report.say(QStringLiteral("Some peers are missing or not at their best. To install them: "
                                  "apt-get install --no-install-recommends %1")
                       .arg(packages.join(' ')));
}

/// Two threads on a machine that is doing something else wait for each other, not for memory.
void sayWhetherTheMachineIsBusy(const Report& report)
{
    double load = 0;
    if (getloadavg(&load, 1) == 1 && load > 0.5)
        report.say(QStringLiteral("The machine is busy (load %1): the ratios below are not to be "
                                  "trusted.")
                       .arg(load, 0, 'f', 1));
}

} // namespace

int main(int argc, char** argv)
{
    // No display and no settings of the user: the same picture everywhere.
    const QTemporaryDir settings;
    qputenv("QT_QPA_PLATFORM", "offscreen");
    for (const char* name : {"XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_RUNTIME_DIR"})
        qputenv(name, settings.path().toLocal8Bit());
    QApplication application(argc, argv);
    QCommandLineParser parser;
    parser.setApplicationDescription(
        QStringLiteral("Measures Keyaxis, as ratios to other work in the same run."));
    parser.addHelpOption();
    const QCommandLineOption withPeers(
        QStringLiteral("with-peers"),
        QStringLiteral("Also beside PyTorch, NumPy and Matplotlib, where they are installed."));
    const QCommandLineOption json(QStringLiteral("json"),
                                  QStringLiteral("Write the ratios to FILE."),
                                  QStringLiteral("FILE"));
    const QCommandLineOption only(
        QStringLiteral("only"),
        QStringLiteral(
            "Measure only what begins with WORK: softmax, attention, temperature, window, "
            "paint, editing, picture."),
        QStringLiteral("WORK"));
    QCommandLineOption firstPicture(QStringLiteral("first-picture"), {}, QStringLiteral("WHICH"));
    firstPicture.setFlags(QCommandLineOption::HiddenFromHelp);
    QCommandLineOption largeMap(QStringLiteral("large-map"));
    largeMap.setFlags(QCommandLineOption::HiddenFromHelp);
    parser.addOptions({withPeers, json, only, firstPicture, largeMap});
    parser.process(application);
    if (parser.isSet(largeMap))
        return pictureLargeMap(kThreads);
    if (parser.isSet(firstPicture))
        return showFirstPicture(parser.value(firstPicture));

    prepareApplication(application);
    setThreadCount(kThreads);
    Report report;
    sayWhetherTheMachineIsBusy(report);
    std::optional<Peer> peer;
    if (parser.isSet(withPeers)) {
        peer.emplace(kThreads, mapsSize());
        sayWhatIsMissing(report, *peer);
    } else {
        report.say(QStringLiteral("Without --with-peers: beside copies and an empty window only."));
    }

    Peer* const others = peer ? &*peer : nullptr;
    const auto isWanted = [chosen = parser.value(only)](const char* work) {
        return QLatin1String(work).startsWith(chosen);
    };
    if (isWanted("softmax"))
        measureSoftmax(report, others);
    if (others && isWanted("attention"))
        measureAttention(report, *others);
    if (isWanted("temperature"))
        measureTemperature(report, others);
    if (isWanted("window"))
        measureFirstPicture(report, others && others->has(QStringLiteral("matplotlib")), kThreads);
    if (isWanted("paint"))
        measurePainting(report);
    if (isWanted("editing"))
        measureGrowth(report);
    if (isWanted("picture"))
        measureLargeMap(report);
    report.conclude();

    if (parser.isSet(json) && !report.writeJson(parser.value(json))) {
        std::fprintf(stderr, "keyaxis_bench: %s could not be written\n",
                     qPrintable(parser.value(json)));
        return 4;
    }
    return 0;
}
