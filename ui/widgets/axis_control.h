#pragma once

#include "core/axis.h"
#include "ui/paint/theme.h"
#include "ui/widgets/choice_widget.h"

#include <optional>

namespace keyaxis {

/// The segmented control "A Query · B Key · C Batch · D Head", filled with the colour of its axis.
/// Left and right arrows move it while it has the focus.
class AxisControl : public ChoiceWidget {
    Q_OBJECT

public:
    explicit AxisControl(QWidget* parent = nullptr);

    void setTheme(const Theme& theme);
    void setAxis(Axis axis);
    Axis axis() const { return m_axis; }
    void setNarrow(bool isNarrow);  ///< as wide as its words ask, for a narrow window
    QRect segment(Axis axis) const; ///< where it is, for hit tests and tests

    int nChoices() const override { return static_cast<int>(kAllAxes.size()); }
    Choice choice(int index) const override;
    void pick(int index) override;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

Q_SIGNALS:
    void axisChosen(keyaxis::Axis axis);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override;

private:
    int segmentWidth() const { return m_isNarrow ? 66 : 82; }
    void choose(Axis axis);
    void setHovered(std::optional<Axis> axis);
    std::optional<Axis> axisAt(const QPoint& point) const;

    Theme m_theme = Theme::light();
    Axis m_axis = Axis::Key;
    bool m_isNarrow = false;
    std::optional<Axis> m_hovered;
};

} // namespace keyaxis
