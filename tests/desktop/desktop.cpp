#include "tests/desktop/desktop.h"

#include "tests/desktop/monitors.h"

#include <QDir>
#include <QFile>
#include <QPoint>
#include <QStandardPaths>
#include <QtEndian>

namespace keyaxis::testing {

namespace {

QString accessibilityLauncher()
{
    return QStandardPaths::findExecutable(
        QStringLiteral("at-spi-bus-launcher"),
        {QStringLiteral("/usr/libexec"), QStringLiteral("/usr/lib/at-spi2-core")});
}

QString pair(QPoint at)
{
    return QStringLiteral("%1 %2").arg(at.x()).arg(at.y());
}

/// The first line that a program says, once it is ready.
QString firstLine(QProcess& process)
{
    while (!process.canReadLine() && process.waitForReadyRead(10000)) {
    }
    return QString::fromUtf8(process.readLine()).trimmed();
}

} // namespace

QString Desktop::missing()
{
    for (const char* program : {"Xvfb", "openbox", "xdotool", "dbus-daemon"})
        if (QStandardPaths::findExecutable(QLatin1String(program)).isEmpty())
            return QLatin1String(program);
    return accessibilityLauncher().isEmpty() ? QStringLiteral("at-spi2-core") : QString();
}

bool Desktop::start(QProcess& process, const QString& program, const QStringList& arguments)
{
    process.setProcessEnvironment(m_environment);
    process.setProcessChannelMode(QProcess::SeparateChannels);
    process.start(program, arguments);
    return process.waitForStarted();
}

Desktop::Desktop(const std::vector<QRect>& monitors)
    : m_environment(QProcessEnvironment::systemEnvironment())
{
    const QString folder = m_folder.path();
    for (const char* place :
         {"HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_RUNTIME_DIR"})
        m_environment.insert(QLatin1String(place), folder);
    m_environment.remove(QStringLiteral("WAYLAND_DISPLAY"));
    m_environment.insert(QStringLiteral("QT_QPA_PLATFORM"), QStringLiteral("xcb"));
    m_environment.insert(QStringLiteral("QT_LINUX_ACCESSIBILITY_ALWAYS_ON"), QStringLiteral("1"));

    QRect whole;
    for (const QRect& monitor : monitors)
        whole |= monitor;
    const QString screen = QStringLiteral("%1x%2x24").arg(whole.width()).arg(whole.height());
    if (!start(m_display, QStringLiteral("Xvfb"),
               {"-displayfd", "1", "-screen", "0", screen, "-nolisten", "tcp", "-noreset", "-fbdir",
                folder}))
        return;
    const QString display = QLatin1Char(':') + firstLine(m_display);
    m_environment.insert(QStringLiteral("DISPLAY"), display);
    if (monitors.size() > 1) // before the window manager looks
        m_hasMonitors = cutIntoMonitors(display, monitors);
    if (!start(m_bus, QStringLiteral("dbus-daemon"), {"--session", "--nofork", "--print-address"}))
        return;
    m_sessionBus = firstLine(m_bus);
    m_environment.insert(QStringLiteral("DBUS_SESSION_BUS_ADDRESS"), m_sessionBus);
    m_isRunning = start(m_accessibility, accessibilityLauncher(), {"--launch-immediately"}) &&
                  start(m_manager, QStringLiteral("openbox"), {});
}

Desktop::~Desktop()
{
    for (QProcess* process : {&m_manager, &m_accessibility, &m_bus, &m_display}) {
        process->terminate();
        if (!process->waitForFinished(5000))
            process->kill();
        process->waitForFinished(5000);
    }
}

void Desktop::tool(const QStringList& arguments) const
{
    QProcess process;
    process.setProcessEnvironment(m_environment);
    process.start(QStringLiteral("xdotool"), arguments);
    process.waitForFinished(20000);
}

void Desktop::moveTo(QPoint at) const
{
    tool(QStringList{"mousemove"} + pair(at).split(QLatin1Char(' ')));
}

void Desktop::click(QPoint at) const
{
    moveTo(at);
    tool({"click", "1"});
}

void Desktop::doubleClick(QPoint at) const
{
    moveTo(at);
    tool({"click", "--repeat", "2", "--delay", "60", "1"});
}

void Desktop::drag(QPoint from, QPoint to) const
{
    moveTo(from);
    tool({"mousedown", "1"});
    constexpr int kSteps = 6;
    for (int n = 1; n <= kSteps; ++n)
        moveTo(from + (to - from) * n / kSteps);
    tool({"mouseup", "1"});
}

void Desktop::wheelUp(QPoint at, int notches) const
{
    moveTo(at);
    tool({"click", "--repeat", QString::number(notches), "--delay", "30", "4"});
}

void Desktop::type(const QString& text) const
{
    tool({"type", "--delay", "15", text});
}

void Desktop::press(const QString& keys) const
{
    tool({"key", keys});
}

/// The display's memory, which it keeps in a file in the format of xwd.
QImage Desktop::screen() const
{
    QFile file(m_folder.filePath(QStringLiteral("Xvfb_screen0")));
    if (!file.open(QIODevice::ReadOnly))
        return {};
    const QByteArray dump = file.readAll();
    const auto field = [&](int n) {
        return static_cast<int>(qFromBigEndian<quint32>(dump.constData() + 4 * n));
    };
    constexpr int kHeaderSize = 0;
    constexpr int kWidth = 4;
    constexpr int kHeight = 5;
    constexpr int kBytesALine = 12;
    constexpr int kColors = 19;
    constexpr int kBytesAColor = 12;
    const int first = field(kHeaderSize) + field(kColors) * kBytesAColor;
    const QImage image(reinterpret_cast<const uchar*>(dump.constData()) + first, field(kWidth),
                       field(kHeight), field(kBytesALine), QImage::Format_RGB32);
    return image.copy();
}

} // namespace keyaxis::testing
