#pragma once

#include "ui/paint/figure.h"
#include "ui/widgets/one_slice.h"

#include <QElapsedTimer>
#include <QWidget>
#include <memory>

class QAction;

namespace keyaxis {

class CellCursor;
class HeatmapView;
class ReferenceBar;
class StageStrip;
struct Theme;

/// The middle of the window: the strip of stages above the maps. Moves the cell cursor by pointer
/// and arrow keys, and reports what else is chosen.
class CentreView : public QWidget {
    Q_OBJECT

public:
    explicit CentreView(CellCursor& cursor, QWidget* parent = nullptr);

    /// The actions between which the view is switched stand at the right of the strip.
    void addModeActions(const std::array<QAction*, 5>& modes);
    /// What the difference is taken from stands above its map, with `keep` beside it.
    void addKeepAction(QAction* keep);
    void setTheme(const Theme& theme);
    void show(const std::shared_ptr<const ShownResults>& shown, const ViewSettings& view);

    const MapColors& colors() const { return m_colors; }
    /// The stage whose colours the view shows; weights but in the single map.
    Stage coloredStage() const;
    void setAllColors(const MapColors& colors);
    /// How values of the shown stage become colours. A fixed range of signed values is the one that
    /// is shown.
    void setColors(ColorChoice choice);
    /// Shows the state before the last change while it is on, in place.
    void showPrevious(bool isOn);
    bool showsPrevious() const { return m_showsPrevious; }
    std::optional<Stage> previewed() const { return m_preview; }
    /// Holds what is shown, for the difference.
    void keepState();
    const std::shared_ptr<const Results>& kept() const { return m_kept; } ///< null: none
    /// What is drawn now, for an export.
    Figure figure() const;
    HeatmapView& maps() { return *m_maps; }
    StageStrip& strip() { return *m_strip; }

Q_SIGNALS:
    void axisChosen(keyaxis::Axis axis);
    void stageChosen(keyaxis::Stage stage);
    void headChosen(keyaxis::Index batch, keyaxis::Index head);
    void layerChosen(std::size_t layer); ///< an index into the document's layers
    void referenceChosen(std::optional<keyaxis::Axis> reference);

protected:
    void resizeEvent(QResizeEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void keyReleaseEvent(QKeyEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void draw();
    void arrangeModes();
    void preview(std::optional<Stage> stage);
    ViewSettings shownView() const; ///< of the document, or of the stage under the pointer
    Figure shownFigure() const;     ///< of `shownView`
    void remember(const std::shared_ptr<const ShownResults>& shown);

    CellCursor& m_cursor;
    std::shared_ptr<const ShownResults> m_shown;
    ViewSettings m_view;
    MapColors m_colors;
    std::shared_ptr<const Results> m_kept;
    std::shared_ptr<const ShownResults> m_previous; ///< before the last change; null: none yet
    QElapsedTimer m_sinceChange;
    bool m_showsPrevious = false;
    std::optional<Stage> m_preview; ///< the stage of the strip that the pointer rests on
    QColor m_paper;
    StageStrip* m_strip;
    QWidget* m_modes;
    ReferenceBar* m_reference;
    HeatmapView* m_maps;
};

} // namespace keyaxis
