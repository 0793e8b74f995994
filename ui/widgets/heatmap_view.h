#pragma once

#include "ui/paint/figure.h"

#include <QImage>
#include <QVariantAnimation>
#include <QWidget>
#include <optional>

namespace keyaxis {

/// A figure on the screen: one map or several, with the outlined slice drawn over it. The figure is
/// painted once and kept as an image; moving the outline does not paint it again.
///
/// The wheel zooms at the pointer, a drag pans, or paints where that is on, a double click fits;
/// all maps move together.
class HeatmapView : public QWidget {
    Q_OBJECT

public:
    explicit HeatmapView(QWidget* parent = nullptr);

    void setTheme(const Theme& theme);
    /// What was zoomed into stays so where the new maps have the sizes of the old ones.
    void setFigure(Figure figure);
    /// The same, with the cells recolouring in place where there is motion and that is possible.
    void morphTo(Figure figure);
    /// How long a morph takes; 0, as at first: maps change at once.
    void setMotion(int milliseconds) { m_motion.setDuration(milliseconds); }
    int motion() const { return m_motion.duration(); }
    bool isMoving() const { return m_motion.state() == QAbstractAnimation::Running; }
    const Figure& figure() const { return m_figure; }
    const FigureLayout& layoutOfFigure() const { return m_layout; }
    /// Outlines the slice of `cell` in every map.
    void highlight(std::optional<Cell> cell);
    std::optional<Cell> highlighted() const { return m_highlighted; }

    /// Enlarges `factor` times about the outlined cell, or about the middle.
    void zoom(double factor);
    void fit();
    /// Brings `cell` into view where the maps are zoomed into.
    void reveal(Cell cell);
    bool isZoomed() const { return m_figure.window != m_crop; }
    /// What is zoomed into; none: everything is seen.
    std::optional<CellWindow> zoomedInto() const
    {
        return isZoomed() ? m_figure.window : std::nullopt;
    }
    /// Zooms into `window`, where the maps have such cells.
    void zoomInto(const CellWindow& window);

    /// A drag over the cells paints, instead of panning or locking one.
    void setPainting(bool isPainting);

    QSize minimumSizeHint() const override { return {420, 320}; }

Q_SIGNALS:
    void cellHovered(std::optional<keyaxis::Cell> cell);
    void cellClicked(keyaxis::Cell cell);
    void strokeBegun(keyaxis::Cell cell);
    void strokeMoved(keyaxis::Cell cell);
    void strokeEnded();
    void axisClicked(keyaxis::Axis axis); ///< the title of a card
    void tileClicked(keyaxis::Index batch, keyaxis::Index head);
    void colorBarClicked(QPoint global);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    void refresh();
    void look(const std::optional<CellWindow>& window);
    void zoomAt(std::size_t map, QPointF at, double factor);
    void showCursor(const FigureHit& hit);
    void click(QPointF at, QPoint global);
    void paintOutlines(QPainter& painter) const;
    const MapFigure* mapAt(const FigureHit& hit) const;
    std::optional<Cell> cellOf(const FigureHit& hit) const;
    bool canZoom() const;

    Theme m_theme = Theme::light();
    Figure m_figure;
    std::optional<CellWindow> m_crop; ///< what the figure itself is cut down to
    FigureLayout m_layout;
    std::optional<Cell> m_highlighted;
    std::optional<QPointF> m_pressed; ///< the left button went down there and did not drag yet
    std::optional<QPointF> m_dragged; ///< where a drag is
    bool m_isPainting = false;
    bool m_isStroke = false; ///< the left button is down and paints
    bool m_hasFocusRing = false;
    QVariantAnimation m_motion; ///< from 0, `m_from`, to 1, `m_figure`
    Figure m_from;
    QImage m_fading;  ///< of `m_from`, where its cells are too many to recolour one by one
    QImage m_painted; ///< the figure without outlines; null when it must be painted again
};

} // namespace keyaxis
