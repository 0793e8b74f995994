#include "tests/bench/window_work.h"

#include "tests/bench/peer.h"
#include "tests/core/sample_values.h"
#include "ui/widgets/centre_view.h"
#include "ui/widgets/heatmap_view.h"
#include "ui/widgets/main_window.h"

#include <QApplication>
#include <QDeadlineTimer>
#include <QTemporaryDir>
#include <cstdio>

namespace keyaxis::bench {

namespace {

/// Notices when a widget is painted.
class PaintWatch : public QObject {
public:
    explicit PaintWatch(QWidget& widget) { widget.installEventFilter(this); }
    bool isPainted = false;

protected:
    bool eventFilter(QObject*, QEvent* event) override
    {
        isPainted = isPainted || event->type() == QEvent::Paint;
        return false;
    }
};

/// Lets events run until `isDone`; false after ten seconds.
template <typename Condition>
bool waitUntil(Condition isDone)
{
    QDeadlineTimer deadline(10'000);
    while (!isDone() && !deadline.hasExpired())
        QApplication::processEvents(QEventLoop::WaitForMoreEvents);
    return isDone();
}

/// A repetition that starts a process and waits for its first line of output.
Repetition untilFirstLine(const QString& program, const QStringList& arguments,
                          const QProcessEnvironment& environment)
{
    return [=] {
        QProcess process;
        process.setProcessEnvironment(environment);
        process.setProcessChannelMode(QProcess::ForwardedErrorChannel);
        bool hasLine = false;
        const double seconds = secondsOf([&] {
            process.start(program, arguments, QIODevice::ReadOnly);
            while (!process.canReadLine() && process.waitForReadyRead(60'000)) {
            }
            hasLine = process.canReadLine();
        });
        process.waitForFinished();
        return hasLine ? seconds : -1;
    };
}

} // namespace

QSize mapsSize()
{
    return {1000, 800};
}

void measureTemperature(Report& report, Peer* peer)
{
    MainWindow window;
    Document& document = window.document();
    ScoreSettings settings;
    settings.causal = true;
    document.load(keyaxis::testing::randomInputs({2, 8, 8, 512, 512, 64, 64}, 1), settings, {}, 0,
                  1);
    window.show();
    HeatmapView& maps = window.centre().maps();
    // The window's first layout decides how large the maps are; then they are as Matplotlib's.
    window.resize(window.size() + mapsSize() - maps.size());
    waitUntil([&] { return window.isSettled(); });

    const auto moveTemperature = [&] {
        settings.temperature = settings.temperature > 1.5F ? 1.0F : settings.temperature + 0.01F;
        PaintWatch watch(maps);
        const double seconds = secondsOf([&] {
            document.setSettings(settings);
            waitUntil([&] {
                const auto results = document.results();
                const bool isNew = results && results->settings == settings;
                watch.isPainted = watch.isPainted && isNew; // an older picture does not count
                return watch.isPainted;
            });
        });
        waitUntil([&] { return window.isSettled(); });
        QApplication::processEvents(); // what settled is painted before the hand moves on
        return seconds;
    };
    std::vector<Repetition> sides{moveTemperature};
    if (peer)
        for (const char* how : {"maps plain", "maps tuned"})
            sides.push_back(peer->repetition(QLatin1String(how)));
    const std::vector<double> seconds = interleavedMedians(sides, 15);

    const QString work = QStringLiteral("temperature moved, four maps painted, [2, 8, 512, 64]");
    constexpr double kFrame = 1.0 / 60;
    report.add({work, QStringLiteral("one frame at 60 Hz"), seconds[0] / kFrame, atMost(1),
                millisecondsText(seconds[0], kFrame)});
    if (!peer || seconds[1] <= 0)
        return;
    report.add({work, QStringLiteral("NumPy and Matplotlib, same four redrawn"),
                seconds[1] / seconds[0], atLeast(50), millisecondsText(seconds[0], seconds[1])});
    // No reach is stated for it, but who doubts the line above should know.
    report.say(QStringLiteral("  a tuned script, which keeps its artists and computes only what is "
                              "looked at: ratio %1, %2")
                   .arg(seconds[2] / seconds[0], 0, 'f', 2)
                   .arg(millisecondsText(seconds[0], seconds[2])));
}

void measureFirstPicture(Report& report, bool withPeers, int nThreads)
{
    const QProcessEnvironment own = QProcessEnvironment::systemEnvironment();
    const auto child = [&](const char* which) {
        return untilFirstLine(QApplication::applicationFilePath(),
                              {QStringLiteral("--first-picture"), QLatin1String(which)}, own);
    };
    std::vector<Repetition> sides{child("keyaxis"), child("empty")};
    const QTemporaryDir folder;
    if (withPeers)
        sides.push_back(untilFirstLine(
            python(),
            {QStringLiteral("-c"),
             QStringLiteral("import sys\nimport matplotlib.pyplot as plt\n"
                            "plt.imshow([[0, 1], [2, 3]])\nplt.savefig(sys.argv[1])\n"
                            "print('saved', flush=True)"),
             folder.filePath(QStringLiteral("picture.png"))},
            peerEnvironment(nThreads)));
    const std::vector<double> seconds = interleavedMedians(sides, 11);

    const QString work = QStringLiteral("window open, first picture");
    report.add({work, QStringLiteral("an empty Qt window"), seconds[0] / seconds[1], atMost(8),
                millisecondsText(seconds[0], seconds[1])});
    if (withPeers && seconds[2] > 0)
        report.add({work, QStringLiteral("import matplotlib.pyplot, one imshow saved"),
                    seconds[2] / seconds[0], atLeast(5), millisecondsText(seconds[0], seconds[2])});
}

int showFirstPicture(const QString& which)
{
    const auto announce = [](bool isPainted) {
        if (isPainted)
            std::puts("painted");
        std::fflush(stdout);
        return isPainted ? 0 : 1;
    };
    if (which == QLatin1String("empty")) {
        QWidget window;
        window.resize(1600, 1000);
        PaintWatch watch(window);
        window.show();
        return announce(waitUntil([&] { return watch.isPainted; }));
    }
    prepareApplication(*qApp);
    MainWindow window;
    PaintWatch watch(window.centre().maps());
    window.show();
    return announce(waitUntil([&] {
        watch.isPainted = watch.isPainted && window.document().results();
        return watch.isPainted;
    }));
}

} // namespace keyaxis::bench
