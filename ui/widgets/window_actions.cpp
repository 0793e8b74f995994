#include "ui/widgets/window_actions.h"

#include "ui/document/samples.h"
#include "ui/widgets/color_menu.h"
#include "ui/widgets/command_palette.h"
#include "ui/widgets/lesson_menu.h"
#include "ui/widgets/look_menu.h"
#include "ui/widgets/table_actions.h"

#include <QActionGroup>
#include <QCoreApplication>
#include <QMenu>
#include <QMenuBar>
#include <QShortcut>
#include <QUndoStack>
#include <QWidget>

namespace keyaxis {

QAction* WindowActions::make(const QString& text, const QString& tip, const QKeySequence& shortcut)
{
    auto* action = new QAction(text, this);
    action->setStatusTip(tip);
    action->setShortcut(shortcut);
    action->setToolTip(shortcut.isEmpty() ? tip
                                          : tip + QStringLiteral("  (%1)").arg(
                                                      shortcut.toString(QKeySequence::NativeText)));
    return action;
}

QActionGroup* WindowActions::exclusive(const QList<QAction*>& actions)
{
    auto* group = new QActionGroup(this);
    for (QAction* action : actions) {
        action->setCheckable(true);
        group->addAction(action);
    }
    return group;
}

WindowActions::WindowActions(QUndoStack& undoStack, QObject* parent) : QObject(parent)
{
    open = make(tr("&Open…"), tr("Open a file of tensors: .npz, .npy, .safetensors"),
                QKeySequence::Open);
    save = make(tr("&Save"), tr("Keep the document as NAME.keyaxis"), QKeySequence::Save);
    saveAs = make(tr("Save &as…"), tr("Keep the document in another file"),
                  QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_S));
    reload = make(tr("&Reload"), tr("Read the file again"), QKeySequence(Qt::CTRL | Qt::Key_R));
    readAgain =
        make(tr("Read a&gain as…"), tr("Choose how the file is read: axes, mask, decimals"));
    follow = make(tr("&Follow the file"), tr("Read the file again whenever it changes on disk"));
    follow->setCheckable(true);
    recentMenu = new QMenu(tr("Open re&cent"), qobject_cast<QWidget*>(parent));
    exportFigure = make(tr("&Export…"), tr("Save the figure as PNG, SVG or PDF"),
                        QKeySequence(Qt::CTRL | Qt::Key_E));
    exportSequence = make(tr("Export a se&quence…"),
                          tr("Save a sweep of τ or a turn of the axis, as a GIF or as pictures"));
    quit = make(tr("&Quit"), tr("Close Keyaxis"), QKeySequence(Qt::CTRL | Qt::Key_Q));

    copyCode = {make(tr("As &NumPy"), tr("Copy a NumPy program that gives the shown weights")),
                make(tr("As &PyTorch"), tr("Copy a PyTorch program that gives the shown weights")),
                make(tr("As &JAX"), tr("Copy a JAX program that gives the shown weights"))};
    copyCompute = make(tr("The &computation"),
                       tr("Copy a keyaxis command line that writes the shown weights"));
    copyRender =
        make(tr("The &figure"), tr("Copy a keyaxis command line that draws the shown figure"));
    undo = undoStack.createUndoAction(this, tr("&Undo"));
    undo->setShortcut(QKeySequence::Undo);
    undo->setStatusTip(tr("Take the last edit back"));
    redo = undoStack.createRedoAction(this, tr("&Redo"));
    redo->setShortcut(QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Z));
    redo->setStatusTip(tr("Do the edit again that was taken back"));

    for (const Axis axis : kAllAxes) {
        const AxisNames& axisNames = names(axis);
        const int n = static_cast<int>(axis);
        axes[static_cast<std::size_t>(axis)] =
            make(QString::fromLatin1(axisNames.title.data()),
                 tr("Softmax over the %1: dim=%2")
                     .arg(QString::fromLatin1(axisNames.members.data()))
                     .arg(axisNames.torchDim),
                 QKeySequence(Qt::CTRL | static_cast<Qt::Key>(Qt::Key_1 + n)));
    }
    exclusive({axes.begin(), axes.end()});
    causal = make(tr("&Causal mask"), tr("A query uses only keys up to its own position"),
                  QKeySequence(Qt::CTRL | Qt::Key_M));
    causal->setCheckable(true);
    alibi = make(tr("&ALiBi"), tr("Add −slope × distance to the scaled scores"),
                 QKeySequence(Qt::CTRL | Qt::Key_L));
    alibi->setCheckable(true);
    resetTemperature = make(tr("&Temperature 1"), tr("Set the attention temperature τ back to 1"),
                            QKeySequence(Qt::CTRL | Qt::Key_0));

    compare = make(tr("Compare"), tr("The four axes side by side"), QKeySequence(Qt::Key_F6));
    single = make(tr("Single"), tr("One large map of the chosen axis and stage"),
                  QKeySequence(Qt::Key_F7));
    heads = make(tr("All heads"), tr("Every example and head as a small map"),
                 QKeySequence(Qt::Key_F8));
    difference =
        make(tr("Difference"), tr("These weights, less those of another axis or of a kept state"),
             QKeySequence(Qt::Key_F9));
    layers = make(tr("All layers"), tr("This example and head in every layer of the file"),
                  QKeySequence(Qt::SHIFT | Qt::Key_F8));
    layers->setVisible(false);
    exclusive({compare, single, heads, difference, layers});
    keepState = make(tr("&Keep this state"), tr("Hold these weights, to see what will differ"),
                     QKeySequence(Qt::CTRL | Qt::Key_K));
    nextHead = make(tr("Next head"), tr("Look at the next head"),
                    QKeySequence(Qt::CTRL | Qt::Key_PageDown));
    previousHead = make(tr("Previous head"), tr("Look at the head before"),
                        QKeySequence(Qt::CTRL | Qt::Key_PageUp));
    nextBatch = make(tr("Next example"), tr("Look at the next example of the batch"),
                     QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_PageDown));
    previousBatch = make(tr("Previous example"), tr("Look at the example before"),
                         QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_PageUp));
    themes = {make(tr("&System"), tr("Light or dark as the desktop is")),
              make(tr("&Light"), tr("Dark text on light paper")),
              make(tr("&Dark"), tr("Light text on dark paper")),
              make(tr("&High contrast"), tr("Black and white, and borders that stand out"))};
    exclusive({themes.begin(), themes.end()});

    colors = new ColorMenu(qobject_cast<QWidget*>(parent));
    look = new LookMenu(qobject_cast<QWidget*>(parent));
    zoomIn = make(tr("Zoom &in"), tr("Larger cells, at the outlined one. The wheel zooms too"),
                  QKeySequence(Qt::CTRL | Qt::Key_Plus));
    zoomOut = make(tr("Zoom &out"), tr("Smaller cells"), QKeySequence(Qt::CTRL | Qt::Key_Minus));
    zoomFit = make(tr("Show &everything"), tr("The whole map, as after a double click"),
                   QKeySequence(Qt::CTRL | Qt::Key_9));

    reduceMotion =
        make(tr("&Reduce motion"), tr("Maps change at once instead of turning into each other"));
    reduceMotion->setCheckable(true);
    reduceMotion->setChecked(true);
    resetLayout = make(tr("Rese&t the layout"), tr("Both panels at their sides, as at first"));
    palette = make(tr("&Find a command…"), tr("Every command by its name"),
                   QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_P));
    help = make(tr("The &mathematics"), tr("What is computed, formula by formula"),
                QKeySequence::HelpContents);
    about = make(tr("&About Keyaxis"), tr("Version and licence"));
    for (const Sample& sample : keyaxis::samples())
        samples.push_back(make(QCoreApplication::translate("Samples", sample.title),
                               QCoreApplication::translate("Samples", sample.tip)));
    details = new AttentionMenu(this);
    lessons = new LessonMenu(qobject_cast<QWidget*>(parent));
    samplesMenu = new QMenu(tr("&Samples"), qobject_cast<QWidget*>(parent));
    samplesMenu->setToolTipsVisible(true);
    for (QAction* sample : samples)
        samplesMenu->addAction(sample);
}

void WindowActions::fill(QMenuBar& bar, TableActions& table, const QList<QAction*>& docks)
{
    QMenu* file = bar.addMenu(tr("&File"));
    file->addAction(open);
    file->addMenu(recentMenu);
    file->addMenu(samplesMenu);
    file->addActions({reload, readAgain, follow});
    file->addSeparator();
    file->addActions({save, saveAs});
    file->addSeparator();
    file->addActions({exportFigure, exportSequence, lessons->webPage});
    file->addSeparator();
    file->addAction(quit);

    QMenu* edit = bar.addMenu(tr("&Edit"));
    edit->addActions({undo, redo});
    edit->addSeparator();
    table.fillMenu(*edit);
    edit->addSeparator();
    QMenu* code = edit->addMenu(tr("&Copy as code"));
    code->addActions({copyCode.begin(), copyCode.end()});
    edit->addMenu(tr("Copy as co&mmand"))->addActions({copyCompute, copyRender});

    QMenu* attention = bar.addMenu(tr("&Attention"));
    attention->addActions({axes.begin(), axes.end()});
    attention->addSeparator();
    attention->addActions({causal, alibi, resetTemperature});
    attention->addSeparator();
    details->fill(*attention);

    QMenu* view = bar.addMenu(tr("&View"));
    view->addActions({compare, single, heads, layers, difference});
    view->addAction(keepState);
    view->addSeparator();
    view->addActions({previousHead, nextHead, previousBatch, nextBatch});
    view->addSeparator();
    view->addActions({zoomIn, zoomOut, zoomFit});
    view->addMenu(colors);
    view->addMenu(look);
    QMenu* theme = view->addMenu(tr("&Theme"));
    theme->addActions({themes.begin(), themes.end()});
    view->addAction(reduceMotion);
    view->addSeparator();
    view->addActions(docks);
    view->addAction(resetLayout);

    bar.addMenu(lessons);

    QMenu* helpMenu = bar.addMenu(tr("&Help"));
    helpMenu->addActions({palette, help, about});
}

void WindowActions::addCentreKeys(QWidget& centre)
{
    const auto add = [&centre](Qt::Key key, QAction* action) {
        auto* shortcut = new QShortcut(key, &centre);
        shortcut->setContext(Qt::WidgetWithChildrenShortcut);
        connect(shortcut, &QShortcut::activated, action, &QAction::trigger);
    };
    for (const Axis axis : kAllAxes)
        add(static_cast<Qt::Key>(Qt::Key_1 + static_cast<int>(axis)),
            axes[static_cast<std::size_t>(axis)]);
    add(Qt::Key_M, causal);
    add(Qt::Key_L, alibi);
}

void WindowActions::show(const ScoreSettings& settings, const ViewSettings& view,
                         const Sizes& sizes)
{
    axes[static_cast<std::size_t>(settings.axis)]->setChecked(true);
    causal->setChecked(settings.causal);
    alibi->setChecked(settings.alibi);
    details->show(settings);
    setUsable(*resetTemperature, settings.temperature != 1.0F, tr("τ is 1 already."));
    modes()[static_cast<std::size_t>(view.mode)]->setChecked(true);
    look->show(view, sizes);
    setUsable(*nextHead, view.head + 1 < sizes.H, tr("This is the last head."));
    setUsable(*previousHead, view.head > 0, tr("This is the first head."));
    setUsable(*nextBatch, view.batch + 1 < sizes.B, tr("This is the last example of the batch."));
    setUsable(*previousBatch, view.batch > 0, tr("This is the first example of the batch."));
}

} // namespace keyaxis
