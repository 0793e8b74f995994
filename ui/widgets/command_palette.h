#pragma once

#include <QDialog>
#include <QList>

class QAction;
class QLineEdit;
class QListWidget;

namespace keyaxis {

/// Every command by its name: letters narrow the list, Return runs the chosen one.
class CommandPalette : public QDialog {
    Q_OBJECT

public:
    /// @param actions  commands without a text, and menus, are left out.
    explicit CommandPalette(const QList<QAction*>& actions, QWidget* parent = nullptr);

    /// The commands that the letters leave, best first.
    QStringList shown() const;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void narrow(const QString& letters);
    void run();

    QList<QAction*> m_actions;
    QLineEdit* m_letters;
    QListWidget* m_list;
};

/// A command's name without the mark of its key: "All heads".
QString commandName(const QAction& action);

/// How well `name` answers to `letters`: whole words before parts, parts before scattered letters;
/// 0: not at all.
int answerOf(const QString& name, const QString& letters);

} // namespace keyaxis
