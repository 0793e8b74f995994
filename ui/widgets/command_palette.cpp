#include "ui/widgets/command_palette.h"

#include "ui/widgets/command_row.h"
#include "ui/widgets/label_widget.h"
#include "ui/widgets/user_settings.h"

#include <QAction>
#include <QBoxLayout>
#include <QKeyEvent>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QMenuBar>
#include <QPainter>
#include <algorithm>
#include <tuple>
#include <utility>

namespace keyaxis {

namespace {

constexpr int kIndexRole = Qt::UserRole;
constexpr char kReason[] = "whyNot";
constexpr int kVisibleRows = 11;
const QString kRecent = QStringLiteral("palette/recent");

QString plainText(QString text)
{
    text.remove(QLatin1Char('&'));
    return text.remove(QStringLiteral("…"));
}

void collect(const QMenu& menu, const QString& path, QList<Command>& commands)
{
    for (QAction* action : menu.actions()) {
        if (!action->isVisible() || action->isSeparator() || plainText(action->text()).isEmpty())
            continue;
        if (const QMenu* below = action->menu())
            collect(*below, path + QStringLiteral(" › ") + plainText(below->title()), commands);
        else if (action->isEnabled() || !action->statusTip().isEmpty()) // "No files yet" is none
            commands += {action, path};
    }
}

/// Names come before names that answer only together with their menus.
constexpr int kOfName = 10000;

/// Where the letters stand in the name, or else in the name after its menu: "theme dark".
CommandRow rowOf(const Command& command, const QString& letters, int& score)
{
    const QString name = command.name();
    CommandRow row{name, command.menu, {}, {}, {}, false, true, false};
    score = -1;
    if (const auto match = matchOf(name, letters)) {
        row.inName = match->at;
        score = kOfName + match->score;
        return row;
    }
    const QString whole = command.menu + QLatin1Char(' ') + name;
    const auto match = matchOf(whole, letters);
    if (!match)
        return row;
    const qsizetype begin = command.menu.size() + 1;
    for (const qsizetype at : match->at) // the space between them is in neither
        if (at != command.menu.size())
            at >= begin ? row.inName += at - begin : row.inMenu += at;
    score = match->score;
    return row;
}

} // namespace

QString Command::name() const
{
    return plainText(action->text());
}

QList<Command> commandsOf(const QMenuBar& bar)
{
    QList<Command> commands;
    for (const QAction* action : bar.actions())
        if (const QMenu* menu = action->menu())
            collect(*menu, plainText(menu->title()), commands);
    return commands;
}

void setUsable(QAction& action, bool isUsable, const QString& reason)
{
    action.setEnabled(isUsable);
    action.setProperty(kReason, isUsable ? QString() : reason);
}

/// No popup: those are no part of the tree that assistive technology walks.
CommandPalette::CommandPalette(QList<Command> commands, const Theme& theme, QWidget* parent)
    : QDialog(parent, Qt::Dialog | Qt::FramelessWindowHint),
      m_commands(std::move(commands)),
      m_recent(userSettings().value(kRecent).toStringList()),
      m_theme(theme),
      m_letters(new QLineEdit(this)),
      m_list(new QListWidget(this)),
      m_tip(new LabelWidget(this))
{
    setWindowTitle(tr("Find a command"));
    m_letters->setPlaceholderText(tr("Find a command: type some of its letters"));
    m_letters->setAccessibleName(tr("Name of the command"));
    m_letters->setFont(uiFont(15));
    m_letters->setFrame(false);
    m_letters->setStyleSheet(QStringLiteral("border: none; background: transparent; padding: 8px"));
    m_list->setAccessibleName(tr("Commands"));
    m_list->setFocusPolicy(Qt::NoFocus);
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setItemDelegate(new CommandRowPainter(theme, m_list));
    m_list->setUniformItemSizes(true);
    m_list->setMouseTracking(true);
    m_list->setVerticalScrollMode(QAbstractItemView::ScrollPerItem);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->setFixedHeight(kVisibleRows * CommandRowPainter::kHeight);
    m_tip->setElides(true);
    m_tip->setFont(uiFont(12));
    m_tip->setColor(theme.muted);
    m_tip->setFixedHeight(30);
    auto* tipRow = new QHBoxLayout;
    tipRow->setContentsMargins(12, 0, 12, 0);
    tipRow->addWidget(m_tip, 1);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(6, 4, 6, 2);
    column->setSpacing(4);
    column->addWidget(m_letters);
    column->addWidget(m_list);
    column->addLayout(tipRow);
    m_letters->installEventFilter(this);
    connect(m_letters, &QLineEdit::textChanged, this, &CommandPalette::narrow);
    connect(m_letters, &QLineEdit::returnPressed, this, &CommandPalette::run);
    connect(m_list, &QListWidget::itemClicked, this, &CommandPalette::run);
    connect(m_list, &QListWidget::itemEntered, m_list,
            [this](QListWidgetItem* item) { m_list->setCurrentItem(item); });
    connect(m_list, &QListWidget::currentRowChanged, this, &CommandPalette::tell);
    narrow({});
    constexpr int kWidth = 600;
    resize(parent ? std::min(kWidth, parent->width() - 40) : kWidth, sizeHint().height());
    if (parent)
        move(parent->mapToGlobal(QPoint((parent->width() - width()) / 2, 44)));
    m_letters->setFocus();
}

void CommandPalette::narrow(const QString& letters)
{
    const bool isAll = letters.simplified().isEmpty();
    struct Found {
        int score;
        qsizetype recent; ///< the smaller, the later it was run
        qsizetype index;
        CommandRow row;
    };
    QList<Found> found;
    for (qsizetype n = 0; n < m_commands.size(); ++n) {
        int score = 0;
        CommandRow row = rowOf(m_commands[n], letters, score);
        if (score < 0)
            continue;
        const qsizetype recent = m_recent.indexOf(m_commands[n].path());
        found += {score, recent < 0 ? m_recent.size() : recent, n, std::move(row)};
    }
    std::ranges::stable_sort(
        found, {}, [](const Found& entry) { return std::tuple(-entry.score, entry.recent); });
    const QSignalBlocker quiet(m_list);
    m_list->clear();
    for (qsizetype n = 0; n < found.size(); ++n) {
        const QAction& action = *m_commands[found[n].index].action;
        CommandRow row = found[n].row;
        row.keys = action.shortcut().toString(QKeySequence::NativeText);
        row.isOn = action.isCheckable() && action.isChecked();
        row.isUsable = action.isEnabled();
        row.endsRecent = isAll && n + 1 < found.size() && found[n].recent < m_recent.size() &&
                         found[n + 1].recent == m_recent.size();
        auto* item = new QListWidgetItem(row.name, m_list);
        item->setData(kIndexRole, found[n].index);
        item->setData(CommandRowPainter::kRowRole, QVariant::fromValue(row));
        QStringList spoken{row.name, row.menu, row.keys};
        if (row.isOn)
            spoken += tr("on");
        if (!row.isUsable)
            spoken += tr("not available now");
        spoken.removeAll(QString());
        item->setData(Qt::AccessibleTextRole, spoken.join(QStringLiteral(", ")));
    }
    m_list->setCurrentRow(0);
    tell();
}

const Command* CommandPalette::current() const
{
    const QListWidgetItem* item = m_list->currentItem();
    return item ? &m_commands[item->data(kIndexRole).toLongLong()] : nullptr;
}

QString CommandPalette::tip() const
{
    const Command* command = current();
    if (!command)
        return tr("No command has these letters in this order.");
    if (command->action->isEnabled())
        return command->action->statusTip();
    const QString reason = command->action->property(kReason).toString();
    return reason.isEmpty() ? tr("Not available now: %1").arg(command->action->statusTip())
                            : reason;
}

/// The line below the list says it to the eye, the description of the field to a screen reader.
void CommandPalette::tell()
{
    m_tip->setLabel(Label(tip()));
    const Command* command = current();
    const bool isUsable = command && command->action->isEnabled();
    m_tip->setColor(isUsable ? m_theme.muted : m_theme.ink);
    m_letters->setAccessibleDescription(
        command ? m_list->currentItem()->data(Qt::AccessibleTextRole).toString() +
                      QStringLiteral(". ") + tip()
                : tip());
}

QStringList CommandPalette::shown() const
{
    QStringList names;
    for (int row = 0; row < m_list->count(); ++row)
        names += m_commands[m_list->item(row)->data(kIndexRole).toLongLong()].name();
    return names;
}

void CommandPalette::step(int rows)
{
    const int n = m_list->count();
    if (n == 0)
        return;
    const int row = m_list->currentRow() + rows;
    const bool isOne = std::abs(rows) == 1; // goes round; a page stops at the end
    m_list->setCurrentRow(isOne ? (row + n) % n : std::clamp(row, 0, n - 1));
}

/// The arrows move in the list while letters are typed.
bool CommandPalette::eventFilter(QObject* watched, QEvent* event)
{
    if (watched != m_letters || event->type() != QEvent::KeyPress)
        return QDialog::eventFilter(watched, event);
    switch (static_cast<QKeyEvent*>(event)->key()) {
    case Qt::Key_Down:
        step(1);
        return true;
    case Qt::Key_Up:
        step(-1);
        return true;
    case Qt::Key_PageDown:
        step(kVisibleRows - 1);
        return true;
    case Qt::Key_PageUp:
        step(1 - kVisibleRows);
        return true;
    default:
        return false;
    }
}

bool CommandPalette::event(QEvent* event)
{
    if (event->type() == QEvent::WindowDeactivate && isVisible())
        close();
    return QDialog::event(event);
}

void CommandPalette::run()
{
    const Command* command = current();
    if (!command || !command->action->isEnabled())
        return;
    constexpr qsizetype kMostRecent = 5;
    m_recent.removeAll(command->path());
    m_recent.prepend(command->path());
    m_recent.resize(std::min(m_recent.size(), kMostRecent));
    userSettings().setValue(kRecent, m_recent);
    QAction* action = command->action;
    accept();
    action->trigger();
}

void CommandPalette::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), m_theme.panel);
    painter.setPen(QPen(mixed(m_theme.muted, m_theme.panel, 0.5), 1));
    painter.drawRect(rect().adjusted(0, 0, -1, -1));
    painter.setPen(QPen(m_theme.hairline, 1));
    for (const int y : {m_list->geometry().top() - 3, m_list->geometry().bottom() + 2})
        painter.drawLine(1, y, width() - 2, y);
}

} // namespace keyaxis
