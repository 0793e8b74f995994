#pragma once

#include "ui/paint/theme.h"

#include <QList>
#include <QMetaType>
#include <QString>
#include <QStyledItemDelegate>

namespace keyaxis {

/// What a line of the command palette shows.
struct CommandRow {
    QString name;
    QString menu;
    QString keys;            ///< its shortcut
    QList<qsizetype> inName; ///< the letters that were typed, in `name`
    QList<qsizetype> inMenu; ///< and in `menu`
    bool isOn = false;
    bool isUsable = true;
    bool endsRecent = false; ///< the last of those that were run lately
};

/// Paints the lines of the command palette: a check where a switch is on, the name, its menu, and
/// its keys at the right.
class CommandRowPainter : public QStyledItemDelegate {
    Q_OBJECT

public:
    static constexpr int kHeight = 30;
    static constexpr int kRowRole = Qt::UserRole + 1; ///< a CommandRow

    CommandRowPainter(const Theme& theme, QObject* parent)
        : QStyledItemDelegate(parent), m_theme(theme)
    {
    }

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const override
    {
        return {200, kHeight};
    }

private:
    Theme m_theme;
};

} // namespace keyaxis

Q_DECLARE_METATYPE(keyaxis::CommandRow)
