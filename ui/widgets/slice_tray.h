#pragma once

#include "ui/paint/theme.h"
#include "ui/widgets/one_slice.h"

#include <QWidget>
#include <optional>

namespace keyaxis {

/// One slice on its way through the softmax: each member's logit s, its e^s as a bar, its share,
/// and the shares as one bar; of given weights these and their sum. A long slice shows its largest
/// shares and the sum of the others.
class SliceTray : public QWidget {
    Q_OBJECT

public:
    explicit SliceTray(QWidget* parent = nullptr);

    void setTheme(const Theme& theme);
    void show(const std::shared_ptr<const ShownResults>& shown, const OneSlice& slice);
    void clear();

    /// A line of the tray; `logit` and `exponential` are empty for the line of the others, and of
    /// given weights.
    struct Line {
        Label name;
        QString logit;
        QString exponential;
        double barLength = 0; ///< e^(s - largest), 0 to 1; of given weights the weight's size
        double share = 0;
        bool isAt = false;   ///< the pointed-at member
        bool isRest = false; ///< the others, together
    };
    const std::vector<Line>& lines() const { return m_lines; }
    QString message() const
    {
        return m_message;
    } ///< instead of lines: 0/0, or NaN among the logits

    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void paintLine(QPainter& painter, const Line& line, double top) const;
    void paintShares(QPainter& painter, double top) const;
    double barsLeft() const;
    double barsRight() const;
    bool hasRoomForValues() const; ///< for e^s as a number behind its bar
    bool hasBars() const { return m_hasExponentials || m_isGiven; }

    Theme m_theme = Theme::light();
    Axis m_axis = Axis::Key;
    std::vector<Line> m_lines;
    QString m_message;
    double m_total = 0; ///< of all shares
    bool m_hasExponentials = true;
    bool m_isGiven = false; ///< the weights were loaded
};

} // namespace keyaxis
