#pragma once

#include "ui/paint/theme.h"
#include "ui/widgets/one_slice.h"

#include <QWidget>
#include <array>

namespace keyaxis {

/// The four axes, a line each: what its softmax makes of the looked-at map. A click chooses the
/// axis.
class AxisSummary : public QWidget {
    Q_OBJECT

public:
    explicit AxisSummary(QWidget* parent = nullptr);

    void setTheme(const Theme& theme);
    void show(const ShownResults& shown, bool leavesOutPadding);
    QString text(Axis axis) const { return m_verdicts[static_cast<std::size_t>(axis)].text; }

    QSize sizeHint() const override;

Q_SIGNALS:
    void axisChosen(keyaxis::Axis axis);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;

private:
    QRect lineOf(Axis axis) const;

    struct Line {
        QString text;
        bool isValid = false;
        bool isJudged = true;
    };
    static Line sumsAlong(Axis axis, const std::optional<Findings>& findings);

    Theme m_theme = Theme::light();
    Axis m_axis = Axis::Key;
    std::array<Line, 4> m_verdicts; ///< by Axis
};

} // namespace keyaxis
