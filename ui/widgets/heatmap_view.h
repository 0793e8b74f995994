#pragma once

#include "ui/paint/figure.h"

#include <QImage>
#include <QWidget>
#include <optional>

namespace keyaxis {

/// A figure on the screen: one map or several, with the outlined slice drawn over it. The figure is
/// painted once and kept as an image; moving the outline does not paint it again.
class HeatmapView : public QWidget {
    Q_OBJECT

public:
    explicit HeatmapView(QWidget* parent = nullptr);

    void setTheme(const Theme& theme);
    void setFigure(Figure figure);
    const Figure& figure() const { return m_figure; }
    const FigureLayout& layoutOfFigure() const { return m_layout; }
    /// Outlines the slice of `cell` in every map.
    void highlight(std::optional<Cell> cell);
    std::optional<Cell> highlighted() const { return m_highlighted; }

    QSize minimumSizeHint() const override { return {420, 320}; }

Q_SIGNALS:
    void cellHovered(std::optional<keyaxis::Cell> cell);
    void cellClicked(keyaxis::Cell cell);
    void axisClicked(keyaxis::Axis axis); ///< the title of a card

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    void refresh();
    void paintOutlines(QPainter& painter) const;

    Theme m_theme = Theme::light();
    Figure m_figure;
    FigureLayout m_layout;
    std::optional<Cell> m_highlighted;
    QImage m_painted; ///< the figure without outlines; null when it must be painted again
};

} // namespace keyaxis
