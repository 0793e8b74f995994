#pragma once

#include "ui/paint/theme.h"
#include "ui/widgets/one_slice.h"

#include <QWidget>

class QLabel;

namespace keyaxis {

class AxisSummary;
class LabelWidget;
class SliceTray;
class ValuePlaneView;
class VerdictCard;

/// The dock "Why this axis": the verdict on all rows (on the looked-at map until they are
/// computed), the value plane of one query, the outlined slice as a tray, and what each of the four
/// axes makes of this map.
class WhyPanel : public QWidget {
    Q_OBJECT

public:
    explicit WhyPanel(QWidget* parent = nullptr);

    void setTheme(const Theme& theme);
    void show(const std::shared_ptr<const ShownResults>& shown);
    void point(const std::shared_ptr<const ShownResults>& shown, Cell cell);

    QString scope() const;
    const VerdictCard& verdictCard() const { return *m_verdict; }
    const SliceTray& tray() const { return *m_tray; }
    ValuePlaneView& plane() { return *m_plane; }

Q_SIGNALS:
    void axisChosen(keyaxis::Axis axis);

private:
    QLabel* m_scope;
    VerdictCard* m_verdict;
    LabelWidget* m_planeTitle;
    ValuePlaneView* m_plane;
    LabelWidget* m_sliceTitle;
    SliceTray* m_tray;
    QLabel* m_sliceWords;
    AxisSummary* m_summary;
};

} // namespace keyaxis
