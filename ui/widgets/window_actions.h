#pragma once

#include "core/axis.h"
#include "ui/document/document.h"
#include "ui/widgets/attention_menu.h"
#include "ui/widgets/theme_style.h"

#include <QAction>
#include <QObject>
#include <array>
#include <vector>

class QActionGroup;
class QMenu;
class QMenuBar;
class QUndoStack;

namespace keyaxis {

class ColorMenu;
class LessonMenu;
class LookMenu;
class TableActions;

/// Every command of the window: its text, its tip, its shortcut, its place in the menus. What it
/// does is connected by whoever makes it.
class WindowActions : public QObject {
    Q_OBJECT

public:
    WindowActions(QUndoStack& undoStack, QObject* parent);

    QAction* open;
    QMenu* recentMenu;
    QAction* save;
    QAction* saveAs;
    QAction* reload;
    QAction* readAgain;
    QAction* follow;
    QAction* exportFigure;
    QAction* exportSequence;
    QAction* quit;
    std::array<QAction*, 3> copyCode; ///< NumPy, PyTorch, JAX
    QAction* copyCompute;
    QAction* copyRender;
    QAction* undo;
    QAction* redo;
    std::array<QAction*, 4> axes; ///< by Axis
    QAction* causal;
    QAction* alibi;
    QAction* resetTemperature;
    QAction* compare;
    QAction* single;
    QAction* heads;
    QAction* difference;
    QAction* layers; ///< seen only where the file has several
    QAction* keepState;
    QAction* nextBatch;
    QAction* previousBatch;
    QAction* nextHead;
    QAction* previousHead;
    std::array<QAction*, 4> themes; ///< by ThemeChoice
    QAction* reduceMotion;
    QAction* resetLayout;
    QAction* palette;
    QAction* help;
    QAction* about;
    std::vector<QAction*> samples; ///< in the order of `samples()`
    QMenu* samplesMenu;
    AttentionMenu* details; ///< the finer settings
    ColorMenu* colors;
    LookMenu* look;
    LessonMenu* lessons;
    QAction* zoomIn;
    QAction* zoomOut;
    QAction* zoomFit;

    /// Fills the menu bar. `table` acts on the numbers of the inputs, `docks` show and hide docks.
    void fill(QMenuBar& bar, TableActions& table, const QList<QAction*>& docks);
    /// While `centre` or a child has the focus: 1–4 axis, M mask, L ALiBi.
    void addCentreKeys(QWidget& centre);
    /// Marks what is on and what can be done.
    void show(const ScoreSettings& settings, const ViewSettings& view, const Sizes& sizes);

    /// By ViewSettings::Mode.
    std::array<QAction*, 5> modes() const { return {compare, single, heads, difference, layers}; }

private:
    QAction* make(const QString& text, const QString& tip, const QKeySequence& shortcut = {});
    QActionGroup* exclusive(const QList<QAction*>& actions);
};

} // namespace keyaxis
