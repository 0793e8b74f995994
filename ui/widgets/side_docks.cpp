#include "ui/widgets/side_docks.h"

#include <QAction>
#include <QEvent>
#include <QMainWindow>
#include <QPainter>
#include <QScrollArea>
#include <QScrollBar>
#include <QSettings>
#include <QTabBar>
#include <algorithm>
#include <utility>

namespace keyaxis {

namespace {

/// Raised when the set of docks changes: an older arrangement is then forgotten.
constexpr int kVersion = 2;
const QLatin1String kKey("docks");

constexpr int kNarrowestInputs = 250;
constexpr int kNarrowestWhy = 220;
constexpr int kComfortable = 1280; ///< a wider window gives its docks more
constexpr int kTabbed = 1160;      ///< a narrower one leaves its right side to the maps
constexpr int kTabbedWidth = 262;

/// What a dock is dragged by: three dots, darker under the pointer. It leaves the mouse to the
/// dock.
class Grip : public QWidget {
public:
    explicit Grip(QWidget* parent) : QWidget(parent)
    {
        setFixedHeight(10);
        setAttribute(Qt::WA_Hover);
        setCursor(Qt::OpenHandCursor);
        setToolTip(QObject::tr("Drag to move this panel; double-click to let it float"));
    }
    QSize sizeHint() const override { return {40, 10}; }

    Theme theme = Theme::light();

protected:
    void paintEvent(QPaintEvent*) override
    {
        QPainter painter(this);
        painter.fillRect(rect(), theme.panel);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(Qt::NoPen);
        painter.setBrush(underMouse() ? theme.muted : theme.hairline);
        for (const int step : {-1, 0, 1})
            painter.drawEllipse(QPointF(width() / 2.0 + 7.0 * step, height() / 2.0 + 1), 1.6, 1.6);
    }
};

} // namespace

SideDock::SideDock(const QString& title, const QString& name, QWidget* content, QWidget* parent)
    : QDockWidget(title, parent)
{
    auto* scroll = new QScrollArea(parent); // in its window at once: it keeps its place for Tab
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->setWidget(content);
    setObjectName(name);
    setTitleBarWidget(new Grip(this));
    setFeatures(QDockWidget::DockWidgetClosable | QDockWidget::DockWidgetMovable |
                QDockWidget::DockWidgetFloatable);
    setAllowedAreas(Qt::LeftDockWidgetArea | Qt::RightDockWidgetArea);
    setWidget(scroll);
    toggleViewAction()->setToolTip(tr("Show or hide the panel %1").arg(title));
    toggleViewAction()->setStatusTip(toggleViewAction()->toolTip());
}

void SideDock::setTheme(const Theme& theme)
{
    static_cast<Grip*>(titleBarWidget())->theme = theme;
    titleBarWidget()->update();
}

SideDocks::SideDocks(QMainWindow& window, QWidget* inputs, QWidget* why)
    : QObject(&window),
      m_window(window),
      m_inputs(new SideDock(tr("Inputs"), QStringLiteral("inputs"), inputs, &window)),
      m_why(new SideDock(tr("Why this axis"), QStringLiteral("why"), why, &window))
{
    m_inputs->setMinimumWidth(kNarrowestInputs);
    m_why->setMinimumWidth(kNarrowestWhy);
    window.setDockOptions(QMainWindow::AnimatedDocks | QMainWindow::AllowTabbedDocks);
    window.setTabPosition(Qt::AllDockWidgetAreas, QTabWidget::North);
    reset();
    for (SideDock* dock : {m_inputs, m_why}) {
        connect(dock, &QDockWidget::dockLocationChanged, this, &SideDocks::arrangedByHand);
        connect(dock, &QDockWidget::topLevelChanged, this, &SideDocks::arrangedByHand);
        connect(dock->toggleViewAction(), &QAction::triggered, this, &SideDocks::arrangedByHand);
    }
    window.installEventFilter(this); // separators belong to the window itself
}

void SideDocks::setTheme(const Theme& theme)
{
    m_inputs->setTheme(theme);
    m_why->setTheme(theme);
}

QList<QAction*> SideDocks::toggleActions() const
{
    return {m_inputs->toggleViewAction(), m_why->toggleViewAction()};
}

bool SideDocks::areTabbed() const
{
    return m_window.tabifiedDockWidgets(m_inputs).contains(m_why);
}

void SideDocks::showInputs()
{
    if (areTabbed())
        m_inputs->raise();
}

void SideDocks::showWhy()
{
    if (areTabbed())
        m_why->raise();
}

void SideDocks::fit()
{
    if (m_areArranged || m_isResetting)
        return;
    const bool isNarrow = m_window.width() < kTabbed;
    if (isNarrow != areTabbed())
        place(isNarrow);
    if (isNarrow) {
        m_window.resizeDocks({m_inputs}, {kTabbedWidth}, Qt::Horizontal);
        return;
    }
    const int spare = std::max(0, m_window.width() - kComfortable);
    const int lacking = std::clamp(kComfortable - m_window.width(), 0, 200);
    m_window.resizeDocks({m_inputs, m_why}, {252 + spare / 7, 244 + spare * 2 / 5 - lacking / 7},
                         Qt::Horizontal);
}

void SideDocks::place(bool areTabbed)
{
    m_isResetting = true;
    for (SideDock* dock : {m_inputs, m_why})
        dock->setFloating(false);
    m_window.addDockWidget(Qt::LeftDockWidgetArea, m_inputs);
    m_window.addDockWidget(areTabbed ? Qt::LeftDockWidgetArea : Qt::RightDockWidgetArea, m_why);
    for (SideDock* dock : {m_inputs, m_why})
        dock->show();
    if (areTabbed) {
        m_window.tabifyDockWidget(m_inputs, m_why);
        m_why->raise(); // the answer first; the numbers are one tab away
        prepareTabs();
    }
    m_isResetting = false;
}

/// Qt's tabs of docks are out of reach of the keyboard.
void SideDocks::prepareTabs()
{
    for (QTabBar* tabs : m_window.findChildren<QTabBar*>(Qt::FindDirectChildrenOnly)) {
        if (tabs->focusPolicy() == Qt::TabFocus)
            continue;
        tabs->setFocusPolicy(Qt::TabFocus);
        tabs->setAccessibleName(tr("Panels"));
        tabs->setDrawBase(false);
        tabs->setExpanding(false);
        QWidget::setTabOrder(m_inputs->widget()->previousInFocusChain(), tabs);
    }
}

void SideDocks::reset()
{
    m_areArranged = false;
    place(m_window.width() < kTabbed);
    fit();
}

void SideDocks::save(QSettings& settings) const
{
    if (m_areArranged)
        settings.setValue(kKey, m_window.saveState(kVersion));
    else
        settings.remove(kKey);
}

void SideDocks::restore(const QSettings& settings)
{
    m_isResetting = true;
    m_areArranged = m_window.restoreState(settings.value(kKey).toByteArray(), kVersion);
    m_isResetting = false;
    if (areTabbed())
        prepareTabs();
    fit();
}

void SideDocks::arrangedByHand()
{
    m_areArranged = m_areArranged || !m_isResetting;
}

QList<int> SideDocks::widths() const
{
    return {m_inputs->width(), m_why->width()};
}

bool SideDocks::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::MouseButtonPress) {
        m_pressed = widths();
    } else if (event->type() == QEvent::MouseButtonRelease) {
        if (!m_pressed.isEmpty() && m_pressed != widths())
            arrangedByHand();
        m_pressed.clear();
    }
    return QObject::eventFilter(watched, event);
}

} // namespace keyaxis
