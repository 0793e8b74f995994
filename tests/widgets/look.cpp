#include "ui/widgets/centre_view.h"
#include "ui/widgets/export_dialog.h"
#include "ui/widgets/heatmap_view.h"
#include "ui/widgets/main_window.h"
#include "ui/widgets/window_actions.h"

#include <QApplication>
#include <QDir>
#include <QElapsedTimer>
#include <QPixmap>
#include <iostream>

using namespace keyaxis;

namespace {

/// Lets the window compute and show what was asked for.
bool settle(const MainWindow& window)
{
    QElapsedTimer clock;
    clock.start();
    while (!window.isSettled() && clock.elapsed() < 10000)
        QApplication::processEvents(QEventLoop::AllEvents, 20);
    QApplication::processEvents();
    return window.isSettled();
}

bool take(MainWindow& window, const QDir& folder, const QString& name)
{
    if (!settle(window)) {
        std::cerr << "look: the results did not arrive\n";
        return false;
    }
    const QString path = folder.filePath(name + QStringLiteral(".png"));
    if (!window.grab().save(path, "PNG")) {
        std::cerr << "look: " << path.toStdString() << " could not be written\n";
        return false;
    }
    std::cout << path.toStdString() << '\n';
    return true;
}

/// The dialog over the window.
bool takeExport(MainWindow& window, const QDir& folder, const QString& name)
{
    window.actions().exportFigure->trigger();
    auto* dialog = window.findChild<ExportDialog*>();
    dialog->setPage(ExportDialog::Page::SingleColumn);
    QApplication::processEvents();
    const QString path = folder.filePath(name + QStringLiteral(".png"));
    const bool isSaved = dialog->grab().save(path, "PNG");
    dialog->close();
    QApplication::processEvents();
    return isSaved;
}

/// The comparison, and one large map of a wrong axis, in both looks.
bool takeAll(const QSize& size, const QDir& folder)
{
    for (const ThemeChoice theme : {ThemeChoice::Light, ThemeChoice::Dark}) {
        MainWindow window;
        window.resize(size);
        window.setThemeChoice(theme);
        window.show();
        const QString suffix =
            QStringLiteral("-%1-%2x%3")
                .arg(theme == ThemeChoice::Dark ? QStringLiteral("dark") : QStringLiteral("light"))
                .arg(size.width())
                .arg(size.height());
        if (!take(window, folder, QStringLiteral("compare") + suffix))
            return false;
        window.actions().heads->trigger();
        if (!take(window, folder, QStringLiteral("heads") + suffix))
            return false;
        window.actions().difference->trigger();
        if (!take(window, folder, QStringLiteral("difference") + suffix))
            return false;
        window.actions().axes[static_cast<std::size_t>(Axis::Query)]->trigger();
        window.actions().single->trigger();
        if (!take(window, folder, QStringLiteral("single-query") + suffix))
            return false;
        if (!takeExport(window, folder, QStringLiteral("export") + suffix))
            return false;
        for (int n = 0; n < 4; ++n)
            window.centre().maps().zoom(1.25);
        if (!take(window, folder, QStringLiteral("zoomed-query") + suffix))
            return false;
    }
    return true;
}

} // namespace

/// Renders the standard pictures of the window without a display: `keyaxis_look FOLDER`.
int main(int argc, char** argv)
{
    qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication application(argc, argv);
    prepareApplication(application);
    const QDir folder(argc > 1 ? QString::fromLocal8Bit(argv[1]) : QStringLiteral("build/look"));
    folder.mkpath(QStringLiteral("."));
    for (const QSize size : {QSize(1600, 1000), QSize(1280, 800)})
        if (!takeAll(size, folder))
            return 1;
    return 0;
}
