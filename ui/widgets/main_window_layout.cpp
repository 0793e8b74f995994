// How the main window is put together: docks, bars, and how wide they are.
#include "ui/widgets/banner.h"
#include "ui/widgets/centre_view.h"
#include "ui/widgets/inputs_panel.h"
#include "ui/widgets/main_window.h"
#include "ui/widgets/status_strip.h"
#include "ui/widgets/top_bar.h"
#include "ui/widgets/why_panel.h"
#include "ui/widgets/window_actions.h"

#include <QBoxLayout>
#include <QDockWidget>
#include <QMenuBar>
#include <QScrollArea>
#include <QStatusBar>
#include <algorithm>

namespace keyaxis {

namespace {

/// A dock without a title bar: its content says what it is.
QDockWidget* makeDock(const QString& title, const QString& name, QWidget* content, QWidget* parent)
{
    auto* scroll = new QScrollArea;
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->setWidget(content);
    auto* dock = new QDockWidget(title, parent);
    dock->setObjectName(name);
    dock->setTitleBarWidget(new QWidget(dock));
    dock->setFeatures(QDockWidget::DockWidgetClosable);
    dock->setWidget(scroll);
    dock->toggleViewAction()->setToolTip(QObject::tr("Show or hide the panel %1").arg(title));
    dock->toggleViewAction()->setStatusTip(dock->toggleViewAction()->toolTip());
    return dock;
}

} // namespace

void MainWindow::arrange()
{
    resize(1600, 1000);
    setMinimumSize(1100, 680);
    setDockOptions(QMainWindow::AnimatedDocks);

    auto* top = new QWidget(this);
    auto* rows = new QVBoxLayout(top);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->setSpacing(0);
    auto* menus = new QMenuBar(top);
    menus->setNativeMenuBar(false);
    for (QWidget* row : {static_cast<QWidget*>(menus), static_cast<QWidget*>(m_topBar),
                         static_cast<QWidget*>(m_banner)})
        rows->addWidget(row);
    setMenuWidget(top);
    setCentralWidget(m_centre);
    statusBar()->setSizeGripEnabled(false);
    statusBar()->setContentsMargins(0, 0, 0, 0);
    statusBar()->addWidget(m_status, 1);

    QDockWidget* inputs = makeDock(tr("Inputs"), QStringLiteral("inputs"), m_inputs, this);
    QDockWidget* why = makeDock(tr("Why this axis"), QStringLiteral("why"), m_why, this);
    inputs->setMinimumWidth(250);
    why->setMinimumWidth(240);
    addDockWidget(Qt::LeftDockWidgetArea, inputs);
    addDockWidget(Qt::RightDockWidgetArea, why);
    m_actions->fill(*menus, {inputs->toggleViewAction(), why->toggleViewAction()});
    m_actions->addCentreKeys(*m_centre);
    m_centre->addModeActions(m_actions->modes());
    m_centre->addKeepAction(m_actions->keepState);
}

/// A wide window gives its docks more, a narrow one keeps the maps readable.
void MainWindow::resizeEvent(QResizeEvent* event)
{
    QMainWindow::resizeEvent(event);
    if (m_hasOwnLayout)
        return;
    const int spare = std::max(0, width() - 1280);
    resizeDocks(findChildren<QDockWidget*>(Qt::FindDirectChildrenOnly),
                {252 + spare / 7, 244 + spare * 2 / 5}, Qt::Horizontal);
}

} // namespace keyaxis
