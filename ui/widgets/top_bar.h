#pragma once

#include "core/settings.h"
#include "ui/paint/theme.h"

#include <QWidget>

class QLabel;
class QLineEdit;
class QPushButton;

namespace keyaxis {

class AxisControl;
class TauSlider;
class ToggleSwitch;

/// The bar above everything: what is open, the axis, the switches, the temperature, export. It
/// shows score settings and reports edits of them.
class TopBar : public QWidget {
    Q_OBJECT

public:
    explicit TopBar(QWidget* parent = nullptr);

    void setTheme(const Theme& theme);
    void setDocumentName(const QString& name, bool isModified);
    void setSettings(const ScoreSettings& settings);

Q_SIGNALS:
    void axisChosen(keyaxis::Axis axis);
    void causalToggled(bool isOn);
    void alibiToggled(bool isOn);
    void temperatureGestureStarted();
    void temperatureEdited(float tau);
    void exportAsked();
    void presentAsked();

protected:
    void resizeEvent(QResizeEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void fit();
    void showName();
    void takeTypedTemperature();

    Theme m_theme = Theme::light();
    QString m_name;
    int m_widestName = 0; ///< of what is shown of it
    float m_tau = 1.0F;
    QLabel* m_title;
    QLabel* m_nameLabel;
    QLabel* m_axisCaption;
    AxisControl* m_axis;
    ToggleSwitch* m_causal;
    ToggleSwitch* m_alibi;
    QLabel* m_tauCaption;
    TauSlider* m_slider;
    QLineEdit* m_number;
    QPushButton* m_export;
    QPushButton* m_present;
};

} // namespace keyaxis
