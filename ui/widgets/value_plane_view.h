#pragma once

#include "ui/document/commands.h"
#include "ui/paint/value_plane.h"
#include "ui/widgets/one_slice.h"

#include <QSet>
#include <QVariantAnimation>
#include <QWidget>
#include <optional>

namespace keyaxis {

/// The value plane of one query. Outputs and value rows report the pointer, value rows are dragged;
/// while they are, plane and scale stand still under the hand.
///
/// With the focus the arrow keys move the framed value row (with Shift in small steps) as long as
/// one of them is down, and the page keys frame another row.
class ValuePlaneView : public QWidget {
    Q_OBJECT

public:
    explicit ValuePlaneView(QWidget* parent = nullptr);

    void setTheme(const Theme& theme);
    /// Shows the query of `cell` of what was computed; nothing without V.
    void show(const std::shared_ptr<const ShownResults>& shown, Cell cell);

    /// How long points take to their places under another axis; 0, as at first: none.
    void setMotion(int milliseconds) { m_motion.setDuration(milliseconds); }
    bool isMoving() const { return m_motion.state() == QAbstractAnimation::Running; }

    const ValuePlaneFigure& figure() const { return m_figure; }
    const ValuePlaneLayout& layoutOfFigure() const { return m_layout; }

    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;
    QSize sizeHint() const override { return {300, heightForWidth(300)}; }
    QSize minimumSizeHint() const override { return {180, heightForWidth(180)}; }

Q_SIGNALS:
    /// The pointer is on the output of a query or on the value row of a key; nowhere: none.
    void cellHovered(std::optional<keyaxis::Cell> cell);
    void cellClicked(keyaxis::Cell cell);
    /// The value row of a key has been dragged: its numbers in V and what they become.
    void valueDragged(const std::vector<keyaxis::CellEdit>& cells, keyaxis::Gesture gesture);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void keyReleaseEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    /// A value row under the hand.
    struct Drag {
        Index key = 0;
        Gesture gesture = 0;
        QPointF pointer;     ///< where it was pressed, on the screen: what stands above the plane
                             ///< may grow while the row is dragged
        QPointF point;       ///< where the row was, on the picture
        Eigen::VectorXd row; ///< [dv], where it was
        QPointF byKeys{};    ///< how far the arrow keys have moved it
    };

    bool isOfShownValues() const;
    MatrixView shownValues() const;
    std::optional<Cell> cellOf(const PlaneHit& hit) const;
    bool canMove(Index key) const;
    Drag dragOf(Index key, QPointF pointer) const;
    void drag(QPointF to);
    void moveByKeys(QPointF step);
    void frame(Index keyStep);
    void letGo();

    Theme m_theme = Theme::light();
    std::shared_ptr<const ShownResults> m_shown;
    Cell m_cell;
    SharedTensor m_planeOf; ///< the values whose plane `m_plane` is, of their slice
    Index m_planeSlice = -1;
    PrincipalPlane m_plane;
    ValuePlaneFigure m_figure;
    ValuePlaneLayout m_layout;
    ValuePlaneFigure m_from; ///< what turns into `m_figure`
    ValuePlaneLayout m_fromLayout;
    QVariantAnimation m_motion;
    std::optional<Drag> m_drag;
    QSet<int> m_arrowsDown; ///< they hold the row that `m_drag` moves
};

} // namespace keyaxis
