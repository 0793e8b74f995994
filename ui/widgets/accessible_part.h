#pragma once

#include <QAccessibleInterface>
#include <QWindow>

namespace keyaxis {

/// What is common to parts of a widget that are painted and are no objects of their own.
class AccessiblePart : public QAccessibleInterface {
public:
    QObject* object() const override { return nullptr; }
    QWindow* window() const override { return parent() ? parent()->window() : nullptr; }
    QAccessibleInterface* childAt(int x, int y) const override
    {
        for (int n = 0; n < childCount(); ++n)
            if (child(n)->rect().contains(x, y))
                return child(n);
        return nullptr;
    }
    void setText(QAccessible::Text, const QString&) override {}
    QAccessible::State state() const override { return {}; }
};

/// A part of parts.
class AccessibleLeaf : public AccessiblePart {
public:
    QAccessibleInterface* child(int) const override { return nullptr; }
    int childCount() const override { return 0; }
    int indexOfChild(const QAccessibleInterface*) const override { return -1; }
};

} // namespace keyaxis
