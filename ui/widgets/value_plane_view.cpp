#include "ui/widgets/value_plane_view.h"

#include "ui/paint/morph.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <cmath>
#include <utility>

namespace keyaxis {

ValuePlaneView::ValuePlaneView(QWidget* parent) : QWidget(parent)
{
    m_motion.setDuration(0);
    m_motion.setStartValue(0.0);
    m_motion.setEndValue(1.0);
    connect(&m_motion, &QVariantAnimation::valueChanged, this, qOverload<>(&QWidget::update));
    connect(&m_motion, &QVariantAnimation::finished, this, qOverload<>(&QWidget::update));
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    setAccessibleName(tr("Value plane"));
    setToolTip(tr("Value rows and outputs in a plane. Drag a value row: the outputs follow. "
                  "By keys: the arrows move the framed row, Page Up and Page Down frame another"));
}

void ValuePlaneView::setTheme(const Theme& theme)
{
    m_theme = theme;
    update();
}

/// The value rows that the looked-at head reads, [Tk, dv].
MatrixView ValuePlaneView::shownValues() const
{
    const Results& results = *m_shown->results;
    return results.inputs.v->slice(results.batch, sizesOf(results.inputs).groupOf(results.head));
}

bool ValuePlaneView::isOfShownValues() const
{
    const Results& results = *m_shown->results;
    const Sizes sizes = sizesOf(results.inputs);
    return m_planeOf == results.inputs.v &&
           m_planeSlice == results.batch * sizes.G + sizes.groupOf(results.head);
}

void ValuePlaneView::show(const std::shared_ptr<const ShownResults>& shown, Cell cell)
{
    m_shown = shown;
    m_cell = cell;
    const int before = heightForWidth(width());
    ValuePlaneFigure old = std::move(m_figure);
    if (!shown || !shown->results->inputs.v || !shown->contains(cell)) {
        m_figure = {};
        m_drag.reset();
    } else {
        const Results& results = *shown->results;
        const Sizes sizes = sizesOf(results.inputs);
        if (!m_drag && !isOfShownValues()) {
            m_plane = principalPlane(shownValues());
            m_planeOf = results.inputs.v;
            m_planeSlice = results.batch * sizes.G + sizes.groupOf(results.head);
        }
        const Axis axis = results.settings.axis;
        m_figure = makeValuePlane(results.inputs, results.settings, results.batch, results.head,
                                  shown->stages(axis), shown->certificate(axis), cell.row, m_plane);
        if (cell.col < std::ssize(m_figure.values))
            m_figure.key = cell.col;
    }
    if (old.axis != m_figure.axis || !canMorph(old, m_figure))
        m_motion.stop();
    if (old.axis != m_figure.axis && m_motion.duration() > 0 && isVisible() &&
        canMorph(old, m_figure)) {
        m_from = std::move(old);
        m_fromLayout = m_layout;
        m_motion.start();
    }
    setAccessibleDescription(m_figure.sentence);
    setVisible(!m_figure.isEmpty());
    if (!m_drag)
        m_layout = layoutValuePlane(m_figure, size());
    if (heightForWidth(width()) != before)
        updateGeometry();
    update();
}

int ValuePlaneView::heightForWidth(int width) const
{
    return static_cast<int>(std::ceil(valuePlaneHeight(m_figure, width)));
}

void ValuePlaneView::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const double part = m_motion.currentValue().toDouble();
    if (isMoving())
        paintValuePlane(painter, morphed(m_from, m_figure, part),
                        morphed(m_fromLayout, m_layout, part), m_theme);
    else
        paintValuePlane(painter, m_figure, m_layout, m_theme);
    if (!hasFocus() || m_figure.isEmpty())
        return;
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(m_theme.key, 2));
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(m_layout.box.adjusted(1, 1, -1, -1), 8, 8);
}

void ValuePlaneView::resizeEvent(QResizeEvent*)
{
    if (!m_drag)
        m_layout = layoutValuePlane(m_figure, size());
}

std::optional<Cell> ValuePlaneView::cellOf(const PlaneHit& hit) const
{
    switch (hit.kind) {
    case PlaneHit::Kind::Value:
        return Cell{m_cell.row, hit.index};
    case PlaneHit::Kind::Output:
        return Cell{hit.index, m_cell.col};
    case PlaneHit::Kind::Nothing:
        break;
    }
    return std::nullopt;
}

void ValuePlaneView::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton || !m_shown)
        return;
    const PlaneHit hit = m_layout.hitTest(m_figure, event->position());
    if (const auto cell = cellOf(hit))
        Q_EMIT cellClicked(*cell);
    if (hit.kind == PlaneHit::Kind::Value) {
        m_drag = dragOf(hit.index, event->globalPosition());
        setCursor(Qt::ClosedHandCursor);
    }
}

ValuePlaneView::Drag ValuePlaneView::dragOf(Index key, QPointF pointer) const
{
    return {key, newGesture(), pointer, m_layout.at(m_figure.values[static_cast<std::size_t>(key)]),
            shownValues().row(key).cast<double>()};
}

void ValuePlaneView::mouseMoveEvent(QMouseEvent* event)
{
    if (m_drag && m_arrowsDown.isEmpty()) {
        drag(m_drag->point + event->globalPosition() - m_drag->pointer);
        return;
    }
    const PlaneHit hit = m_layout.hitTest(m_figure, event->position());
    setCursor(hit.kind == PlaneHit::Kind::Value    ? Qt::OpenHandCursor
              : hit.kind == PlaneHit::Kind::Output ? Qt::PointingHandCursor
                                                   : Qt::ArrowCursor);
    // A value row stands for its column; which query is shown changes with an output only.
    Q_EMIT cellHovered(cellOf(hit));
}

void ValuePlaneView::drag(QPointF to)
{
    if (!m_shown || !m_shown->results->inputs.v || m_drag->key >= shownValues().rows())
        return;
    const Results& results = *m_shown->results;
    const Tensor& v = *results.inputs.v;
    const Eigen::VectorXd moved = m_plane.moved(m_drag->row, m_layout.from(to));
    const Index first = v.offset(results.batch, sizesOf(results.inputs).groupOf(results.head)) +
                        m_drag->key * v.shape().cols;
    std::vector<CellEdit> cells;
    for (Index d = 0; d < moved.size(); ++d) {
        // All numbers of the row at each step, from where the drag began: so steps merge.
        cells.push_back(
            {first + d, static_cast<float>(m_drag->row[d]), static_cast<float>(moved[d])});
    }
    Q_EMIT valueDragged(cells, m_drag->gesture);
}

void ValuePlaneView::mouseReleaseEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton || !m_drag)
        return;
    unsetCursor();
    letGo();
}

void ValuePlaneView::letGo()
{
    m_arrowsDown.clear();
    if (!m_drag)
        return;
    m_drag.reset();
    show(m_shown, m_cell); // its own plane and scale again
}

/// A row that has a place: of NaN there is none to move it from.
bool ValuePlaneView::canMove(Index key) const
{
    return key >= 0 && key < std::ssize(m_figure.values) &&
           m_figure.values[static_cast<std::size_t>(key)].allFinite();
}

void ValuePlaneView::moveByKeys(QPointF step)
{
    if (!m_drag)
        m_drag = dragOf(m_figure.key.value_or(0), {});
    m_drag->byKeys += step;
    drag(m_drag->point + m_drag->byKeys);
}

/// The next value row that has a place, or the one before.
void ValuePlaneView::frame(Index keyStep)
{
    letGo();
    const Index nKeys = std::ssize(m_figure.values);
    Index key = m_figure.key.value_or(keyStep > 0 ? -1 : nKeys) + keyStep;
    while (key >= 0 && key < nKeys && !canMove(key))
        key += keyStep;
    if (key < 0 || key >= nKeys)
        return;
    Q_EMIT cellHovered(std::nullopt); // a pointer that lies elsewhere gives way
    Q_EMIT cellClicked({m_cell.row, key});
}

void ValuePlaneView::keyPressEvent(QKeyEvent* event)
{
    const double step = event->modifiers() & Qt::ShiftModifier ? 1 : 5;
    const QPointF way = event->key() == Qt::Key_Left    ? QPointF(-step, 0)
                        : event->key() == Qt::Key_Right ? QPointF(step, 0)
                        : event->key() == Qt::Key_Up    ? QPointF(0, -step)
                        : event->key() == Qt::Key_Down  ? QPointF(0, step)
                                                        : QPointF();
    const Index rows = event->key() == Qt::Key_PageDown ? 1
                       : event->key() == Qt::Key_PageUp ? -1
                                                        : 0;
    const bool isHeld = m_drag && m_arrowsDown.isEmpty(); // by the mouse
    if (m_shown && rows != 0 && !isHeld)
        frame(rows);
    else if (m_shown && !way.isNull() && !isHeld &&
             (m_drag || canMove(m_figure.key.value_or(-1)))) {
        m_arrowsDown.insert(event->key());
        moveByKeys(way);
    } else {
        QWidget::keyPressEvent(event);
    }
}

/// A key that is held down repeats itself: the gesture ends when the last one comes up.
void ValuePlaneView::keyReleaseEvent(QKeyEvent* event)
{
    if (event->isAutoRepeat() || !m_arrowsDown.remove(event->key()))
        QWidget::keyReleaseEvent(event);
    else if (m_arrowsDown.isEmpty())
        letGo();
}

void ValuePlaneView::focusInEvent(QFocusEvent*)
{
    update();
}

void ValuePlaneView::focusOutEvent(QFocusEvent*)
{
    if (!m_arrowsDown.isEmpty())
        letGo();
    update();
}

void ValuePlaneView::leaveEvent(QEvent*)
{
    Q_EMIT cellHovered(std::nullopt);
}

} // namespace keyaxis
