#pragma once

#include <QRect>
#include <QString>
#include <QWidget>

namespace keyaxis {

/// A painted widget of several choices, of which one is chosen: a radio button each to assistive
/// technology, once `installChoiceAccessibility` has been called. *GUI thread*
class ChoiceWidget : public QWidget {
    Q_OBJECT

public:
    struct Choice {
        QString name;
        QRect box; ///< in the widget
        bool isChosen = false;
    };

    using QWidget::QWidget;

    virtual int nChoices() const = 0;
    virtual Choice choice(int index) const = 0;
    /// What a click on it does.
    virtual void pick(int index) = 0;

protected:
    /// After another choice has been chosen, by whatever way.
    void tellChosen(int index);
};

/// Once, after the QApplication.
void installChoiceAccessibility();

} // namespace keyaxis
