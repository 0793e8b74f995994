#pragma once

#include "ui/paint/theme.h"
#include "ui/widgets/one_slice.h"

#include <QWidget>
#include <memory>

class QCheckBox;
class QLabel;

namespace keyaxis {

class AppendCard;
class AxisSummary;
class CancelCard;
class InfluenceView;
class LabelWidget;
class NanCard;
class NormaliserCard;
class SliceTray;
class ValuePlaneView;
class VerdictCard;

/// The dock "Why this axis": the verdict on all rows (on the looked-at map until they are
/// computed), the value plane of one query, the outlined slice as a tray, what moves when one thing
/// is nudged, and what each of the four
/// axes makes of this map.
class WhyPanel : public QWidget {
    Q_OBJECT

public:
    explicit WhyPanel(QWidget* parent = nullptr);

    void setTheme(const Theme& theme);
    void show(const std::shared_ptr<const ShownResults>& shown);
    void setLeavesOutPadding(bool isLeftOut);
    void point(const std::shared_ptr<const ShownResults>& shown, Cell cell);

    /// Writes a view of the panel as .png, .svg or .pdf; where that fails `refused` says why.
    void savePicture(QWidget& view, const QString& path);

    QString scope() const;
    const VerdictCard& verdictCard() const { return *m_verdict; }
    const SliceTray& tray() const { return *m_tray; }
    ValuePlaneView& plane() { return *m_plane; }
    QString influenceWords() const; ///< why nothing can be nudged; empty where something can
    InfluenceView& influence() { return *m_influence; }
    AppendCard& appendCard() { return *m_append; }
    NanCard& nanCard() { return *m_nan; }
    CancelCard& cancelCard() { return *m_cancel; }
    NormaliserCard& normaliserCard() { return *m_normaliser; }
    QString hulls() const; ///< the second statement: where the outputs lie

protected:
    /// Each view of the proof can be copied or saved as a figure.
    void contextMenuEvent(QContextMenuEvent* event) override;

Q_SIGNALS:
    void axisChosen(keyaxis::Axis axis);
    void paddingLeftOut(bool isLeftOut);
    void refused(const QString& sentence);

private:
    QWidget* viewAt(QPoint point) const;
    void showVerdict();
    void showInfluence();

    std::shared_ptr<const ShownResults> m_shown;
    Theme m_theme = Theme::light();
    QLabel* m_scope;
    VerdictCard* m_verdict;
    QCheckBox* m_padding; ///< whether padded queries are left out of the count
    QLabel* m_hulls;
    NanCard* m_nan;
    LabelWidget* m_planeTitle;
    ValuePlaneView* m_plane;
    LabelWidget* m_sliceTitle;
    SliceTray* m_tray;
    QLabel* m_sliceWords;
    LabelWidget* m_influenceTitle;
    InfluenceView* m_influence;
    QLabel* m_influenceWords; ///< why there are no maps
    AppendCard* m_append;
    CancelCard* m_cancel;
    NormaliserCard* m_normaliser;
    QLabel* m_summaryTitle;
    AxisSummary* m_summary;
};

} // namespace keyaxis
