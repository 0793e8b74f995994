#pragma once

#include "ui/paint/color_choice.h"
#include "ui/widgets/one_slice.h"

#include <QWidget>
#include <memory>

class QAction;

namespace keyaxis {

class CellCursor;
class HeatmapView;
class StageStrip;
struct Theme;

/// The middle of the window: the strip of stages above the maps. Moves the cell cursor by pointer
/// and arrow keys, and reports what else is chosen.
class CentreView : public QWidget {
    Q_OBJECT

public:
    explicit CentreView(CellCursor& cursor, QWidget* parent = nullptr);

    /// The two actions between which the view is switched stand at the right of the strip.
    void addModeActions(QAction* compare, QAction* single);
    void setTheme(const Theme& theme);
    void show(const std::shared_ptr<const ShownResults>& shown, const ViewSettings& view);

    const MapColors& colors() const { return m_colors; }
    /// The stage whose colours the view shows; weights but in the single map.
    Stage coloredStage() const;
    /// How values of the shown stage become colours. A fixed range of signed values is the one that
    /// is shown.
    void setColors(ColorChoice choice);
    HeatmapView& maps() { return *m_maps; }
    StageStrip& strip() { return *m_strip; }

Q_SIGNALS:
    void axisChosen(keyaxis::Axis axis);
    void stageChosen(keyaxis::Stage stage);

protected:
    void resizeEvent(QResizeEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void draw();

    CellCursor& m_cursor;
    std::shared_ptr<const ShownResults> m_shown;
    ViewSettings m_view;
    MapColors m_colors;
    QColor m_paper;
    StageStrip* m_strip;
    QWidget* m_modes;
    HeatmapView* m_maps;
};

} // namespace keyaxis
