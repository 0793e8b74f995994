#include "ui/widgets/choice_widget.h"

#include "ui/widgets/accessible_part.h"
#include "ui/widgets/accessible_parts.h"

namespace keyaxis {

namespace {

/// One choice. It asks the widget each time, so that it never speaks of an old state.
class ChoiceInterface : public AccessibleLeaf, public QAccessibleActionInterface {
public:
    ChoiceInterface(ChoiceWidget* widget, int index) : m_widget(widget), m_index(index) {}

    bool isValid() const override { return m_index < m_widget->nChoices(); }
    QAccessibleInterface* parent() const override
    {
        return QAccessible::queryAccessibleInterface(m_widget);
    }
    QAccessible::Role role() const override { return QAccessible::RadioButton; }
    QRect rect() const override
    {
        const QRect box = choice().box;
        return {m_widget->mapToGlobal(box.topLeft()), box.size()};
    }
    QString text(QAccessible::Text kind) const override
    {
        return kind == QAccessible::Name ? choice().name : QString();
    }
    QAccessible::State state() const override
    {
        QAccessible::State state;
        state.checkable = true;
        state.checked = choice().isChosen;
        state.disabled = !m_widget->isEnabled();
        state.invisible = !m_widget->isVisible();
        return state;
    }
    void* interface_cast(QAccessible::InterfaceType type) override
    {
        return type == QAccessible::ActionInterface ? static_cast<QAccessibleActionInterface*>(this)
                                                    : nullptr;
    }

    QStringList actionNames() const override { return {toggleAction()}; }
    void doAction(const QString& name) override
    {
        if (name == toggleAction() && isValid())
            m_widget->pick(m_index);
    }
    QStringList keyBindingsForAction(const QString&) const override { return {}; }

private:
    ChoiceWidget::Choice choice() const
    {
        return isValid() ? m_widget->choice(m_index) : ChoiceWidget::Choice{};
    }

    ChoiceWidget* m_widget;
    int m_index;
};

/// The widget, with a radio button for each choice.
class ChoicesInterface : public AccessibleParts {
public:
    using AccessibleParts::AccessibleParts;
    int childCount() const override { return choices()->nChoices(); }

protected:
    QAccessibleInterface* make(int index) const override
    {
        return new ChoiceInterface(choices(), index);
    }

private:
    ChoiceWidget* choices() const { return static_cast<ChoiceWidget*>(widget()); }
};

QAccessibleInterface* makeInterface(const QString&, QObject* object)
{
    auto* widget = qobject_cast<ChoiceWidget*>(object);
    return widget ? new ChoicesInterface(widget) : nullptr;
}

} // namespace

void ChoiceWidget::tellChosen(int index)
{
    if (!QAccessible::isActive())
        return;
    QAccessibleInterface* self = QAccessible::queryAccessibleInterface(this);
    QAccessibleInterface* choice = self ? self->child(index) : nullptr;
    if (!choice)
        return;
    QAccessible::State changed;
    changed.checked = true;
    QAccessibleStateChangeEvent event(choice, changed);
    QAccessible::updateAccessibility(&event);
}

void installChoiceAccessibility()
{
    QAccessible::installFactory(makeInterface);
}

} // namespace keyaxis
