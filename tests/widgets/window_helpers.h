#pragma once

#include "ui/widgets/centre_view.h"
#include "ui/widgets/heatmap_view.h"
#include "ui/widgets/main_window.h"

#include <QRegularExpression>
#include <QTest>
#include <QWindow>

namespace keyaxis::testing {

/// A warning of Qt fails a test; what the offscreen platform says about itself is not one of ours.
inline void failOnWarnings()
{
    QTest::failOnWarning(QRegularExpression(QStringLiteral("^(?!This plugin does not support )")));
}

/// Waits until the window has computed and shown what was asked for, and laid it out.
inline bool settle(const MainWindow& window)
{
    const bool isSettled = QTest::qWaitFor([&] { return window.isSettled(); }, 20000);
    for (int n = 0; n < 3; ++n) // one layout asks for another
        QCoreApplication::processEvents();
    return isSettled;
}

/// A window on the default sample, shown and settled.
struct ShownWindow {
    MainWindow window;

    explicit ShownWindow(QSize size = {1280, 800})
    {
        window.resize(size);
        window.show();
        window.activateWindow();
        isReady = QTest::qWaitForWindowActive(&window) && settle(window);
    }
    bool isReady = false;
};

inline const Matrix& weights(MainWindow& window, Axis axis)
{
    return window.document().results()->axes[static_cast<std::size_t>(axis)]->weights;
}

/// The middle of a cell of map n on the screen.
inline QPoint cellCentre(MainWindow& window, std::size_t n, Cell cell)
{
    const HeatmapLayout& heatmap = window.centre().maps().layoutOfFigure().maps[n].heatmap;
    return heatmap.cell(cell.row, cell.col).center().toPoint();
}

/// Where a point of a widget is in its window. Events go through the window: the offscreen
/// platform's cursor cannot leave its small screen.
inline QPoint inWindow(QWidget& widget, QPoint point)
{
    return widget.mapTo(widget.window(), point);
}

/// Moves the pointer there; twice, since the first move may only enter the widget.
inline void hover(QWidget& widget, QPoint point)
{
    QWindow* window = widget.window()->windowHandle();
    QTest::mouseMove(window, inWindow(widget, point + QPoint(1, 0)));
    QTest::mouseMove(window, inWindow(widget, point));
}

} // namespace keyaxis::testing
