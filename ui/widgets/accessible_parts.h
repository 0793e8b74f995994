#pragma once

#include <QAccessible>
#include <QAccessibleWidget>
#include <QList>

namespace keyaxis {

/// A widget whose children are painted parts, made when they are first asked for. *GUI thread*
class AccessibleParts : public QAccessibleWidget {
public:
    explicit AccessibleParts(QWidget* widget) : QAccessibleWidget(widget, QAccessible::Grouping) {}
    ~AccessibleParts() override
    {
        for (const QAccessible::Id id : std::as_const(m_parts))
            QAccessible::deleteAccessibleInterface(id);
    }

    QAccessibleInterface* child(int index) const override
    {
        if (index < 0 || index >= childCount())
            return nullptr;
        while (m_parts.size() <= index)
            m_parts +=
                QAccessible::registerAccessibleInterface(make(static_cast<int>(m_parts.size())));
        return QAccessible::accessibleInterface(m_parts[index]);
    }
    int indexOfChild(const QAccessibleInterface* of) const override
    {
        for (qsizetype n = 0; n < m_parts.size(); ++n)
            if (QAccessible::accessibleInterface(m_parts[n]) == of)
                return static_cast<int>(n);
        return -1;
    }
    QAccessibleInterface* childAt(int x, int y) const override
    {
        for (int n = 0; n < childCount(); ++n)
            if (child(n)->rect().contains(x, y))
                return child(n);
        return nullptr;
    }

protected:
    /// A new interface for part `index`; it asks the widget each time, so that it never speaks of
    /// an old state.
    virtual QAccessibleInterface* make(int index) const = 0;

private:
    mutable QList<QAccessible::Id> m_parts;
};

} // namespace keyaxis
