#pragma once

#include "ui/paint/color_choice.h"

#include <QMenu>
#include <array>

class QActionGroup;

namespace keyaxis {

/// The menu of how values become colours: in the menu bar, and at the colour bar.
class ColorMenu : public QMenu {
    Q_OBJECT

public:
    explicit ColorMenu(QWidget* parent = nullptr);

    /// Marks `choice`. A range from 0 to 1 is offered for weights; of other values the present one
    /// can be held.
    void show(const ColorChoice& choice, bool isOfWeights);
    const ColorChoice& choice() const { return m_choice; }
    const QList<QAction*>& choices() const { return m_choices; } ///< all of them

Q_SIGNALS:
    void chosen(const keyaxis::ColorChoice& choice);

private:
    QAction* add(const QString& text, const QString& tip, QActionGroup* group);

    ColorChoice m_choice;
    QList<QAction*> m_choices;
    std::array<QAction*, 5> m_palettes{}; ///< by Palette
    std::array<QAction*, 4> m_rules{};    ///< by RangeRule
    QAction* m_reversed = nullptr;
    QAction* m_ignoresFirst = nullptr;
};

} // namespace keyaxis
