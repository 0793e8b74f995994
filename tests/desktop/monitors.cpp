#include "tests/desktop/monitors.h"

#include <QLibrary>

namespace keyaxis::testing {

namespace {

/// XRRMonitorInfo of Xrandr.h 1.5.
struct MonitorInfo {
    unsigned long name = 0;
    int isPrimary = 0;
    int isAutomatic = 0;
    int nOutputs = 0;
    int x = 0, y = 0, width = 0, height = 0;
    int widthMm = 0, heightMm = 0;
    unsigned long* outputs = nullptr;
};

/// A function of a library, by its name and type.
template <typename Function>
Function* function(QLibrary& library, const char* name)
{
    return reinterpret_cast<Function*>(library.resolve(name));
}

} // namespace

bool cutIntoMonitors(const QString& display, const std::vector<QRect>& monitors)
{
    QLibrary x11(QStringLiteral("X11"), 6);
    QLibrary xrandr(QStringLiteral("Xrandr"), 2);
    const auto open = function<void*(const char*)>(x11, "XOpenDisplay");
    const auto close = function<int(void*)>(x11, "XCloseDisplay");
    const auto rootOf = function<unsigned long(void*)>(x11, "XDefaultRootWindow");
    const auto atom = function<unsigned long(void*, const char*, int)>(x11, "XInternAtom");
    const auto release = function<int(void*)>(x11, "XFree");
    const auto get =
        function<MonitorInfo*(void*, unsigned long, int, int*)>(xrandr, "XRRGetMonitors");
    const auto set = function<void(void*, unsigned long, MonitorInfo*)>(xrandr, "XRRSetMonitor");
    if (!open || !close || !rootOf || !atom || !release || !get || !set)
        return false;
    void* connection = open(display.toLatin1().constData());
    if (!connection)
        return false;
    const unsigned long root = rootOf(connection);
    int n = 0;
    MonitorInfo* whole = get(connection, root, 1, &n);
    if (whole && n > 0 && whole->nOutputs > 0) {
        unsigned long output = whole->outputs[0];
        for (std::size_t k = 0; k < monitors.size(); ++k) {
            const QByteArray name = "monitor-" + QByteArray::number(static_cast<int>(k));
            MonitorInfo info;
            info.name = atom(connection, name.constData(), 0);
            info.isPrimary = k == 0 ? 1 : 0;
            // The output that shows the whole screen becomes the first monitor's.
            info.nOutputs = k == 0 ? 1 : 0;
            info.outputs = &output;
            info.x = monitors[k].x();
            info.y = monitors[k].y();
            info.width = monitors[k].width();
            info.height = monitors[k].height();
            info.widthMm = info.width / 4;
            info.heightMm = info.height / 4;
            set(connection, root, &info);
        }
    }
    release(whole);
    release(get(connection, root, 1, &n)); // answered once all before it has been done
    close(connection);
    return n == static_cast<int>(monitors.size());
}

} // namespace keyaxis::testing
