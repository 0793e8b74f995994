#pragma once

#include "ui/paint/theme.h"
#include "ui/widgets/command_match.h"

#include <QDialog>
#include <QList>

class QAction;
class QLineEdit;
class QListWidget;
class QMenuBar;

namespace keyaxis {

class LabelWidget;

/// A command and where it lives.
struct Command {
    QAction* action = nullptr;
    QString menu; ///< "View › Theme"

    QString name() const; ///< without the mark of its key: "All heads"
    /// What it is remembered by.
    QString path() const { return menu + QStringLiteral(" › ") + name(); }
};

/// Every command of a menu bar and its submenus, in the order of the menus.
QList<Command> commandsOf(const QMenuBar& bar);

/// Says why a command is not there for now; empty: no reason is known. Such commands stand dimmed
/// in the palette.
void setUsable(QAction& action, bool isUsable, const QString& reason);

/// Every command by its name, over the top of the window: letters narrow the list, the arrows
/// choose, Return runs. What was run last stands first until letters are typed. A click elsewhere
/// or Esc leaves everything as it is.
class CommandPalette : public QDialog {
    Q_OBJECT

public:
    CommandPalette(QList<Command> commands, const Theme& theme, QWidget* parent = nullptr);

    /// The names of the commands that the letters leave, best first.
    QStringList shown() const;
    /// What is said about the current one: its tip, or why it cannot be run.
    QString tip() const;

protected:
    bool event(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void narrow(const QString& letters);
    void tell();
    void step(int rows);
    void run();
    const Command* current() const;

    QList<Command> m_commands;
    QStringList m_recent; ///< paths, the last one first
    Theme m_theme;
    QLineEdit* m_letters;
    QListWidget* m_list;
    LabelWidget* m_tip;
};

} // namespace keyaxis
