#pragma once

#include "core/axis.h"

#include <QWidget>
#include <optional>

class QComboBox;
class QHBoxLayout;
class QLabel;

namespace keyaxis {

/// Above a difference: what the weights are compared with.
class ReferenceBar : public QWidget {
    Q_OBJECT

public:
    explicit ReferenceBar(QWidget* parent = nullptr);

    /// @param reference  none: the kept state.
    void show(Axis axis, std::optional<Axis> reference);
    /// A button for `action` at the right.
    void addAction(QAction* action);

Q_SIGNALS:
    void chosen(std::optional<keyaxis::Axis> reference);

private:
    QLabel* m_from;
    QComboBox* m_references; ///< the axes in their order, then the kept state
    QHBoxLayout* m_row;
};

} // namespace keyaxis
