#include "core/io/tensor_file.h"
#include "tests/core/sample_values.h"
#include "ui/widgets/centre_view.h"
#include "ui/widgets/command_palette.h"
#include "ui/widgets/export_dialog.h"
#include "ui/widgets/heatmap_view.h"
#include "ui/widgets/import_dialog.h"
#include "ui/widgets/inputs_panel.h"
#include "ui/widgets/layer_row.h"
#include "ui/widgets/layer_tree.h"
#include "ui/widgets/main_window.h"
#include "ui/widgets/stage_strip.h"
#include "ui/widgets/tensor_table.h"
#include "ui/widgets/window_actions.h"

#include <QApplication>
#include <QDir>
#include <QDockWidget>
#include <QElapsedTimer>
#include <QFile>
#include <QFileInfo>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QPixmap>
#include <QProcess>
#include <QTemporaryDir>
#include <QToolButton>
#include <cstdio>
#include <iostream>

using namespace keyaxis;

namespace {

/// A size of the window in points, and how many pixels a point has.
struct Screen {
    QSize size;
    double scale = 1;

    QString name() const
    {
        const QString points = QStringLiteral("%1x%2").arg(size.width()).arg(size.height());
        return scale == 1 ? points : points + QStringLiteral("@%1x").arg(scale);
    }
};

const QList<Screen> kScreens{{{1024, 700}},     {{1280, 800}},       {{1600, 1000}},
                             {{2560, 1440}, 2}, {{1280, 800}, 1.25}, {{1280, 800}, 1.5}};

struct Look {
    ThemeChoice theme;
    const char* name;
};
constexpr Look kLooks[] = {{ThemeChoice::Light, "light"},
                           {ThemeChoice::Dark, "dark"},
                           {ThemeChoice::HighContrast, "contrast"}};

/// Lets the window compute and show what was asked for.
bool settle(const MainWindow& window)
{
    QElapsedTimer clock;
    clock.start();
    while (!window.isSettled() && clock.elapsed() < 120000)
        QApplication::processEvents(QEventLoop::AllEvents, 20);
    for (int n = 0; n < 3; ++n) // one layout asks for another
        QApplication::processEvents();
    return window.isSettled();
}

/// Takes pictures of one window, one view after the other.
class Camera {
public:
    Camera(MainWindow& window, const QDir& folder, QString suffix)
        : m_window(window), m_folder(folder), m_suffix(std::move(suffix))
    {
    }

    bool take(const char* view)
    {
        if (!settle(m_window)) {
            std::cerr << "look: the results did not arrive\n";
            return false;
        }
        return save(m_window, view);
    }

    bool save(QWidget& shown, const char* view)
    {
        const QString path =
            m_folder.filePath(QLatin1String(view) + m_suffix + QStringLiteral(".png"));
        if (!shown.grab().save(path, "PNG")) {
            std::cerr << "look: " << path.toStdString() << " could not be written\n";
            return false;
        }
        std::cout << path.toStdString() << '\n';
        return true;
    }

private:
    MainWindow& m_window;
    QDir m_folder;
    QString m_suffix;
};

bool takeDialogs(MainWindow& window, Camera& camera)
{
    window.actions().exportFigure->trigger();
    auto* dialog = window.findChild<ExportDialog*>();
    dialog->setPage(ExportDialog::Page::SingleColumn);
    QApplication::processEvents();
    bool isSaved = camera.save(*dialog, "export");
    dialog->close();
    window.actions().palette->trigger();
    auto* palette = window.findChild<CommandPalette*>();
    palette->findChild<QLineEdit*>()->setText(QStringLiteral("ax"));
    QApplication::processEvents();
    isSaved = isSaved && camera.save(*palette, "palette");
    palette->close();
    QMenu* menu = window.findChild<QMenuBar*>()->actions()[2]->menu(); // Attention: with checks
    menu->popup(window.mapToGlobal(QPoint(100, 40)));
    QApplication::processEvents();
    isSaved = isSaved && camera.save(*menu, "menu");
    menu->close();
    QApplication::processEvents();
    return isSaved;
}

/// The mask as a table and as the map that it is painted on.
bool takeMask(MainWindow& window, Camera& camera)
{
    window.findChild<QDockWidget*>(QStringLiteral("inputs"))->raise();
    for (QToolButton* button : window.inputsPanel().findChildren<QToolButton*>())
        if (button->text() == QLatin1String("Mask"))
            button->click();
    QAbstractItemModel& cells = *window.inputsPanel().table().model();
    for (const auto& [row, col] : {std::pair{2, 0}, std::pair{3, 0}, std::pair{4, 2}})
        cells.setData(cells.index(row, col), QStringLiteral("0"), Qt::EditRole);
    const bool isSaved = camera.take("mask");
    for (int n = 0; n < 3; ++n)
        window.document().undoStack().undo();
    for (QToolButton* button : window.inputsPanel().findChildren<QToolButton*>())
        if (button->text() == QLatin1String("Q"))
            button->click();
    window.findChild<QDockWidget*>(QStringLiteral("why"))->raise();
    return isSaved;
}

/// Every view in one look.
bool takeAll(const Screen& screen, const Look& look, const QDir& folder)
{
    MainWindow window;
    window.resize(screen.size);
    window.setThemeChoice(look.theme);
    window.show();
    WindowActions& actions = window.actions();
    Camera camera(window, folder,
                  QStringLiteral("-%1-%2").arg(QLatin1String(look.name), screen.name()));
    if (!camera.take("compare"))
        return false;
    actions.heads->trigger();
    if (!camera.take("heads"))
        return false;
    actions.difference->trigger();
    if (!camera.take("difference"))
        return false;
    Q_EMIT window.centre().strip().stageChosen(Stage::Logits);
    if (!camera.take("single-logits") || !takeMask(window, camera))
        return false;
    Q_EMIT window.centre().strip().stageChosen(Stage::Weights);
    actions.axes[static_cast<std::size_t>(Axis::Query)]->trigger();
    if (!camera.take("single-query") || !takeDialogs(window, camera))
        return false;
    for (int n = 0; n < 4; ++n)
        window.centre().maps().zoom(1.25);
    return camera.take("zoomed-query");
}

/// A file of many layers: its tree in the dock and on the import page. A table on the latter.
bool takeOpening(const Screen& screen, const Look& look, const QDir& folder)
{
    const QTemporaryDir files;
    TensorFile layers;
    for (int layer = 0; layer < 12; ++layer)
        for (const char* part : {"self_attn.q", "self_attn.k", "cross_attn.q", "cross_attn.k"})
            layers.tensors.push_back(
                rawTensor("model.decoder.layers." + std::to_string(layer) + "." + part,
                          testing::randomTensor({2, 4, 10, 8}, std::uint64_t(layer))));
    const QString path = files.filePath(QStringLiteral("activations.safetensors"));
    const QString table = files.filePath(QStringLiteral("scores.csv"));
    QFile text(table);
    if (!writeTensorFile(path.toStdString(), layers) || !text.open(QIODevice::WriteOnly))
        return false;
    text.write("0,5;1,25;-3\n0,001;2;1,5E2\n");
    text.close();

    MainWindow window;
    window.resize(screen.size);
    window.setThemeChoice(look.theme);
    window.show();
    Camera camera(window, folder,
                  QStringLiteral("-%1-%2").arg(QLatin1String(look.name), screen.name()));
    if (!window.open(path) || !camera.take("layers"))
        return false;
    auto* row = window.findChild<LayerRow*>();
    row->name()->click();
    QApplication::processEvents();
    bool isSaved = camera.save(*row->tree()->window(), "layer-tree");
    row->tree()->window()->hide();
    for (const auto& [file, name] : {std::pair{path, "import-layers"}, {table, "import-table"}}) {
        ImportDialog dialog(file, {}, themeOf(look.theme), &window);
        dialog.resize(1000, 560);
        dialog.show();
        QApplication::processEvents();
        isSaved = isSaved && camera.save(dialog, name);
    }
    return isSaved;
}

/// Documents of unusual sizes.
bool takeSizes(const Screen& screen, const Look& look, const QDir& folder)
{
    const std::pair<const char*, Sizes> documents[] = {{"empty", {1, 2, 2, 0, 6, 4, 4}},
                                                       {"one-token", {1, 1, 1, 1, 1, 4, 2}},
                                                       {"many", {1, 2, 2, 2048, 2048, 32, 32}}};
    MainWindow window;
    window.resize(screen.size);
    window.setThemeChoice(look.theme);
    window.show();
    for (const auto& [name, sizes] : documents) {
        ScoreSettings settings;
        settings.causal = true;
        window.document().load(keyaxis::testing::randomInputs(sizes, 1), settings, {}, 0, 0);
        for (const auto& [mode, view] : {std::pair{window.actions().compare, "compare"},
                                         std::pair{window.actions().single, "single"},
                                         std::pair{window.actions().heads, "heads"}}) {
            Camera camera(window, folder,
                          QStringLiteral("-%1-%2-%3")
                              .arg(QLatin1String(name), QLatin1String(look.name), screen.name()));
            mode->trigger();
            if (!camera.take(view))
                return false;
        }
    }
    return true;
}

/// Files of the user's, in every view that shows a whole head.
bool takeFiles(const QStringList& paths, const Screen& screen, const Look& look, const QDir& folder)
{
    MainWindow window;
    window.resize(screen.size);
    window.setThemeChoice(look.theme);
    window.show();
    for (const QString& path : paths) {
        if (!window.open(path)) {
            std::cerr << "look: " << path.toStdString() << " was refused\n";
            return false;
        }
        Camera camera(
            window, folder,
            QStringLiteral("-%1-%2-%3")
                .arg(QFileInfo(path).baseName(), QLatin1String(look.name), screen.name()));
        for (const auto& [mode, view] : {std::pair{window.actions().compare, "compare"},
                                         std::pair{window.actions().single, "single"},
                                         std::pair{window.actions().heads, "heads"}}) {
            mode->trigger();
            if (!camera.take(view))
                return false;
        }
    }
    return true;
}

/// Qt takes its scale from the environment, and once: so each screen is a process of its own.
int lookAt(const Screen& screen, const QString& folder)
{
    QProcess process;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("QT_SCALE_FACTOR"), QString::number(screen.scale));
    process.setProcessEnvironment(environment);
    process.setProcessChannelMode(QProcess::ForwardedChannels);
    process.start(QCoreApplication::applicationFilePath(),
                  {folder, QString::number(screen.size.width()),
                   QString::number(screen.size.height()), QString::number(screen.scale)});
    return process.waitForFinished(-1) && process.exitStatus() == QProcess::NormalExit
               ? process.exitCode()
               : 1;
}

} // namespace

/// Renders the standard pictures of the window without a display:
/// `keyaxis_look FOLDER [WIDTH HEIGHT SCALE [FILE…]]`; without a size, on every standard screen;
/// with files, of those instead.
int main(int argc, char** argv)
{
    qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication application(argc, argv);
    const QStringList arguments = QApplication::arguments();
    const QString folder = arguments.value(1, QStringLiteral("build/look"));
    if (folder.startsWith(QLatin1Char('-'))) { // no folder is called --help
        std::puts("Usage: keyaxis_look FOLDER [WIDTH HEIGHT SCALE [FILE...]]");
        return 2;
    }
    QDir(folder).mkpath(QStringLiteral("."));
    if (arguments.size() < 5) {
        for (const Screen& screen : kScreens)
            if (const int status = lookAt(screen, folder))
                return status;
        return 0;
    }
    prepareApplication(application);
    const Screen screen{{arguments[2].toInt(), arguments[3].toInt()}, arguments[4].toDouble()};
    const QStringList files = arguments.mid(5);
    const QDir into(folder);
    for (const Look& look : kLooks)
        if (files.isEmpty() ? !takeAll(screen, look, into) || !takeOpening(screen, look, into) ||
                                  !takeSizes(screen, look, into)
                            : !takeFiles(files, screen, look, into))
            return 1;
    return 0;
}
