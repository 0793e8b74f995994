#pragma once

#include "ui/paint/theme.h"

#include <QAbstractSlider>

namespace keyaxis {

/// A logarithmic slider of the attention temperature, 0.05 to 20 with 1 in the middle. Double-click
/// resets to 1. A gesture is a press with all that follows it, or one key held down.
class TauSlider : public QAbstractSlider {
    Q_OBJECT

public:
    explicit TauSlider(QWidget* parent = nullptr);

    void setTheme(const Theme& theme);
    /// Shows `tau` without reporting an edit; outside the range the knob rests at an end.
    void showTau(float tau);
    /// The temperature at a position of the slider, rounded to three digits; 1 in the middle.
    static float tauAt(int position);
    static int positionOf(float tau);

    QSize sizeHint() const override { return {130, 24}; }
    QSize minimumSizeHint() const override { return {80, 24}; }

Q_SIGNALS:
    void gestureStarted();
    void tauEdited(float tau);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void sliderChange(SliderChange change) override;

private:
    int positionAt(double x) const;
    double xOf(int position) const;

    Theme m_theme = Theme::light();
    double m_grab = 0;        ///< from the middle of the knob to where it was taken
    bool m_isShowing = false; ///< the document moves the knob, not the user
};

} // namespace keyaxis
