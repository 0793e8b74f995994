#pragma once

#include "ui/paint/theme.h"

#include <QDockWidget>
#include <QList>
#include <QObject>

class QAction;
class QMainWindow;
class QSettings;

namespace keyaxis {

/// A panel at a side of the window, under a slim bar by which it is dragged: its content says what
/// it is.
class SideDock : public QDockWidget {
    Q_OBJECT

public:
    /// @param name  under which its place is kept.
    SideDock(const QString& title, const QString& name, QWidget* content, QWidget* parent);

    void setTheme(const Theme& theme);
};

/// The two docks of the window: how wide they are, where they are, and how that is kept.
///
/// Until the user moves, hides or widens one of them they follow the window's width: one at each
/// side, or in a narrow window one behind the other at the left, under tabs.
class SideDocks : public QObject {
    Q_OBJECT

public:
    /// `inputs` goes to the left of `window`, `why` to the right.
    SideDocks(QMainWindow& window, QWidget* inputs, QWidget* why);

    void setTheme(const Theme& theme);
    /// What shows and hides them.
    QList<QAction*> toggleActions() const;
    /// Gives them the widths that suit the window, unless the user has arranged them.
    void fit();
    /// Both at their sides, as wide as suits the window.
    void reset();
    bool areTabbed() const;
    void showInputs(); ///< brings it before the other where they share a side
    void showWhy();    ///< likewise
    bool areArranged() const { return m_areArranged; } ///< by the user

    void save(QSettings& settings) const;
    void restore(const QSettings& settings);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QList<int> widths() const;
    void place(bool areTabbed);
    void prepareTabs();
    void arrangedByHand();

    QMainWindow& m_window;
    SideDock* m_inputs;
    SideDock* m_why;
    bool m_areArranged = false;
    bool m_isResetting = false;
    QList<int> m_pressed; ///< the widths when a button went down on a separator
};

} // namespace keyaxis
