#pragma once

#include <QImage>
#include <QProcess>
#include <QRect>
#include <QString>
#include <QStringList>
#include <QTemporaryDir>
#include <vector>

namespace keyaxis::testing {

/// A display of its own with a window manager and a bus for accessibility; everything is its own,
/// so that no desktop that is there is touched. Where a part is not installed `missing` names it.
class Desktop {
public:
    /// @param monitors  side by side from the left; the first is the primary one.
    explicit Desktop(const std::vector<QRect>& monitors = {{0, 0, 1600, 1000}});
    ~Desktop();

    static QString missing(); ///< "Xvfb", "at-spi2-core"; empty: all is there
    bool isRunning() const { return m_isRunning; }
    bool hasMonitors() const { return m_hasMonitors; } ///< as they were asked for
    QString sessionBus() const { return m_sessionBus; }
    const QProcessEnvironment& environment() const { return m_environment; }
    QString folder() const { return m_folder.path(); }

    /// What a hand does, in pixels of the screen.
    void moveTo(QPoint at) const;
    void click(QPoint at) const;
    void doubleClick(QPoint at) const;
    void drag(QPoint from, QPoint to) const;
    void wheelUp(QPoint at, int notches) const;
    void type(const QString& text) const;
    void press(const QString& keys) const; ///< "ctrl+o", "Return"

    QImage screen() const;

private:
    bool start(QProcess& process, const QString& program, const QStringList& arguments);
    void tool(const QStringList& arguments) const;

    QTemporaryDir m_folder;
    QProcessEnvironment m_environment;
    QProcess m_display;
    QProcess m_bus;
    QProcess m_accessibility;
    QProcess m_manager;
    QString m_sessionBus;
    bool m_isRunning = false;
    bool m_hasMonitors = true;
};

} // namespace keyaxis::testing
