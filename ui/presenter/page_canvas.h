#pragma once

#include "ui/paint/theme.h"
#include "ui/present/step_page.h"

#include <QPolygonF>
#include <QVariantAnimation>
#include <QWidget>

namespace keyaxis {

/// Shows a page as large as it fits, with what a hand adds to it: a light, a pointer, a pen. The
/// page knows no tool. *GUI thread*
class PageCanvas : public QWidget {
    Q_OBJECT

public:
    enum class Tool { None, Spotlight, Pointer, Pen };

    explicit PageCanvas(QWidget* parent = nullptr);

    void setTheme(const Theme& theme);
    /// @param morphs  whether the picture turns from the old one into the new one.
    void setPage(StepPage page, bool morphs = false);
    const StepPage& page() const { return m_page; }
    /// Where everything lies, in units of the page; `toWidget` has the way to pixels.
    const StepPageLayout& pageLayout() const { return m_layout; }
    QPointF toWidget(QPointF onPage) const { return onPage * scale(); }

    void setBlank(bool isBlank);
    bool isBlank() const { return m_isBlank; }
    /// Keeps what is shown, whatever the page becomes.
    void setFrozen(bool isFrozen);
    bool isFrozen() const { return !m_frozen.isNull(); }
    void setTool(Tool tool); ///< the same again: none
    Tool tool() const { return m_tool; }
    void toggleZoom(); ///< twice as large, at the pointer
    bool isMorphing() const { return m_from.has_value(); }
    bool isZoomed() const { return m_isZoomed; }
    void wipe(); ///< what the pen drew
    bool hasStrokes() const { return !m_strokes.empty(); }
    void setMorphMs(int milliseconds) { m_morphMs = milliseconds; } ///< 0: no motion

Q_SIGNALS:
    void answerClicked(char letter);
    void cellHovered(std::optional<keyaxis::Cell> cell);
    void cellClicked(keyaxis::Cell cell);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    double scale() const; ///< pixels of a unit of the page; never below 1
    QPointF fromWidget(QPointF pixel) const;
    void paintPage(QPainter& painter);
    void paintMorph(QPainter& painter, double part);
    void paintTools(QPainter& painter);
    void endMorph();

    Theme m_theme = Theme::light();
    StepPage m_page;
    StepPageLayout m_layout;
    bool m_isBlank = false;
    bool m_isZoomed = false;
    bool m_isDrawing = false;
    QPointF m_zoomCentre; ///< in widget pixels
    QPixmap m_frozen;
    Tool m_tool = Tool::None;
    std::optional<QPointF> m_pointer; ///< on the page
    std::vector<QPolygonF> m_strokes; ///< on the page
    /// A picture that is turning into the present one.
    struct Old {
        Figure figure;
        ValuePlaneFigure plane;
        ValuePlaneLayout planeParts;
    };
    std::optional<Old> m_from;
    QVariantAnimation m_morph;
    int m_morphMs = 800;
};

} // namespace keyaxis
