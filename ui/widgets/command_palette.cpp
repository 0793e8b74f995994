#include "ui/widgets/command_palette.h"

#include <QAction>
#include <QBoxLayout>
#include <QKeyEvent>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <algorithm>

namespace keyaxis {

namespace {

constexpr int kIndexRole = Qt::UserRole;

} // namespace

QString commandName(const QAction& action)
{
    QString name = action.text();
    name.remove(QLatin1Char('&'));
    return name.remove(QStringLiteral("…"));
}

int answerOf(const QString& name, const QString& letters)
{
    const QString wanted = letters.simplified();
    if (wanted.isEmpty())
        return 1;
    if (name.startsWith(wanted, Qt::CaseInsensitive))
        return 4;
    if (name.contains(QLatin1Char(' ') + wanted, Qt::CaseInsensitive))
        return 3;
    if (name.contains(wanted, Qt::CaseInsensitive))
        return 2;
    qsizetype at = 0;
    for (const QChar letter : wanted) {
        at = name.indexOf(letter, at, Qt::CaseInsensitive) + 1;
        if (at == 0)
            return 0;
    }
    return 1;
}

CommandPalette::CommandPalette(const QList<QAction*>& actions, QWidget* parent)
    : QDialog(parent), m_letters(new QLineEdit(this)), m_list(new QListWidget(this))
{
    setWindowTitle(tr("Find a command"));
    resize(520, 420);
    for (QAction* action : actions)
        if (!action->menu() && !action->isSeparator() && !commandName(*action).isEmpty())
            m_actions += action;
    m_letters->setPlaceholderText(tr("Type a part of its name"));
    m_letters->setAccessibleName(tr("Name of the command"));
    m_list->setAccessibleName(tr("Commands"));
    m_list->setFocusPolicy(Qt::NoFocus);
    auto* column = new QVBoxLayout(this);
    column->addWidget(m_letters);
    column->addWidget(m_list, 1);
    m_letters->installEventFilter(this);
    connect(m_letters, &QLineEdit::textChanged, this, &CommandPalette::narrow);
    connect(m_letters, &QLineEdit::returnPressed, this, &CommandPalette::run);
    connect(m_list, &QListWidget::itemClicked, this, &CommandPalette::run);
    narrow({});
}

void CommandPalette::narrow(const QString& letters)
{
    m_list->clear();
    QList<std::pair<int, qsizetype>> found;
    for (qsizetype n = 0; n < m_actions.size(); ++n)
        if (const int answer = answerOf(commandName(*m_actions[n]), letters); answer > 0)
            found += {-answer, n};
    std::ranges::sort(found);
    for (const auto& [answer, n] : found) {
        const QAction& action = *m_actions[n];
        const QString keys = action.shortcut().toString(QKeySequence::NativeText);
        auto* item =
            new QListWidgetItem(keys.isEmpty() ? commandName(action)
                                               : commandName(action) + QStringLiteral("   ") + keys,
                                m_list);
        item->setData(kIndexRole, n);
        item->setToolTip(action.statusTip());
        if (!action.isEnabled())
            item->setFlags(Qt::NoItemFlags);
    }
    m_list->setCurrentRow(0);
}

QStringList CommandPalette::shown() const
{
    QStringList names;
    for (int row = 0; row < m_list->count(); ++row)
        names += commandName(*m_actions[m_list->item(row)->data(kIndexRole).toLongLong()]);
    return names;
}

/// The arrows move in the list while letters are typed.
bool CommandPalette::eventFilter(QObject* watched, QEvent* event)
{
    if (watched != m_letters || event->type() != QEvent::KeyPress)
        return QDialog::eventFilter(watched, event);
    const int key = static_cast<QKeyEvent*>(event)->key();
    const int step = key == Qt::Key_Down ? 1 : key == Qt::Key_Up ? -1 : 0;
    if (step == 0)
        return false;
    m_list->setCurrentRow(
        std::clamp(m_list->currentRow() + step, 0, std::max(0, m_list->count() - 1)));
    return true;
}

void CommandPalette::run()
{
    const QListWidgetItem* item = m_list->currentItem();
    if (!item || !(item->flags() & Qt::ItemIsEnabled))
        return;
    QAction* action = m_actions[item->data(kIndexRole).toLongLong()];
    accept();
    action->trigger();
}

} // namespace keyaxis
