#include "ui/widgets/heatmap_view.h"

#include "ui/paint/heatmap_painter.h"
#include "ui/paint/morph.h"
#include "ui/paint/sum_bars.h"
#include "ui/widgets/map_zoom.h"

#include <QAccessible>
#include <QApplication>
#include <QMouseEvent>
#include <QPainter>
#include <cmath>
#include <utility>

namespace keyaxis {

HeatmapView::HeatmapView(QWidget* parent) : QWidget(parent)
{
    m_motion.setDuration(0);
    m_motion.setStartValue(0.0);
    m_motion.setEndValue(1.0);
    connect(&m_motion, &QVariantAnimation::valueChanged, this, [this] {
        if (m_fading.isNull())
            m_painted = QImage();
        update();
    });
    connect(&m_motion, &QVariantAnimation::finished, this, [this] {
        m_painted = QImage();
        update();
    });
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

void HeatmapView::setTheme(const Theme& theme)
{
    m_theme = theme;
    refresh();
}

void HeatmapView::morphTo(Figure figure)
{
    constexpr Index kMostRecoloured = 1 << 18;
    Figure from = m_figure;
    QImage before = m_painted;
    const bool moves = motion() > 0 && isVisible() && canMorph(from, figure);
    setFigure(std::move(figure));
    if (!moves)
        return;
    m_from = std::move(from);
    Index nCells = 0;
    for (const MapFigure& map : m_figure.maps)
        nCells += map.numbers.nRows * map.numbers.nCols;
    m_fading = nCells > kMostRecoloured ? std::move(before) : QImage();
    m_motion.start();
}

void HeatmapView::setFigure(Figure figure)
{
    m_motion.stop();
    const auto sizeOf = [](const Figure& of) {
        return of.maps.empty() ? QPointF()
                               : QPointF(static_cast<double>(of.maps.front().numbers.nCols),
                                         static_cast<double>(of.maps.front().numbers.nRows));
    };
    const bool staysZoomed = m_figure.window && sizeOf(figure) == sizeOf(m_figure);
    // What was cropped stays cropped, and is what the view goes back to.
    const bool keepsCrop = figure.window == m_crop;
    m_crop = figure.window;
    if (staysZoomed && keepsCrop)
        figure.window = m_figure.window;
    m_figure = std::move(figure);
    if (!canZoom())
        m_figure.window.reset();
    QStringList words;
    for (const MapFigure& map : m_figure.maps)
        words += map.title + QStringLiteral(": ") + QString::fromStdString(map.verdict.pill);
    setAccessibleName(tr("Attention maps"));
    setAccessibleDescription(words.join(QStringLiteral("; ")));
    refresh();
}

void HeatmapView::highlight(std::optional<Cell> cell)
{
    if (cell == m_highlighted)
        return;
    m_highlighted = cell;
    if (cell && QAccessible::isActive() && !m_figure.maps.empty()) {
        QAccessibleInterface* self = QAccessible::queryAccessibleInterface(this);
        if (QAccessibleInterface* map = self ? self->child(0) : nullptr)
            if (QAccessibleInterface* at = map->tableInterface()->cellAt(
                    static_cast<int>(cell->row), static_cast<int>(cell->col))) {
                QAccessibleEvent moved(at, QAccessible::Focus);
                QAccessible::updateAccessibility(&moved);
            }
    }
    update();
}

void HeatmapView::reveal(Cell cell)
{
    if (m_figure.window)
        look(revealing(m_layout.maps.front().heatmap, cell));
}

void HeatmapView::refresh()
{
    m_figure.pixel = 1 / devicePixelRatioF();
    m_layout = layoutFigure(m_figure, size());
    m_painted = QImage();
    update();
}

bool HeatmapView::canZoom() const
{
    return !m_figure.maps.empty() && m_figure.maps.front().detail == MapFigure::Detail::Card &&
           !m_figure.maps.front().numbers.isEmpty();
}

void HeatmapView::look(const std::optional<CellWindow>& window)
{
    if (window == m_figure.window)
        return;
    m_figure.window = window;
    refresh();
}

/// Type sizes follow the cells, so a new layout stands a little elsewhere: the cell under the
/// pointer is put back there.
void HeatmapView::zoomAt(std::size_t map, QPointF at, double factor)
{
    const QPointF place = placeAt(m_layout.maps[map].heatmap, at);
    look(zoomedAt(m_layout.maps[map].heatmap, at, factor));
    if (m_figure.window)
        look(heldAt(m_layout.maps[map].heatmap, at, place));
}

void HeatmapView::zoom(double factor)
{
    if (!canZoom())
        return;
    const HeatmapLayout& heatmap = m_layout.maps.front().heatmap;
    const bool hasCell =
        m_highlighted && m_highlighted->row < heatmap.nRows && m_highlighted->col < heatmap.nCols;
    const QPointF cell =
        hasCell ? heatmap.cell(m_highlighted->row, m_highlighted->col).center() : QPointF();
    zoomAt(0, hasCell && heatmap.view.contains(cell) ? cell : heatmap.view.center(), factor);
}

void HeatmapView::zoomInto(const CellWindow& window)
{
    if (!canZoom())
        return;
    const MapNumbers& numbers = m_figure.maps.front().numbers;
    const auto isWithin = [](double start, double shown, Index n) { // false of NaN too
        return start >= 0 && shown > 0 && start + shown <= static_cast<double>(n) + 1e-6;
    };
    if (isWithin(window.row, window.nRows, numbers.nRows) &&
        isWithin(window.col, window.nCols, numbers.nCols))
        look(window);
}

void HeatmapView::setPainting(bool isPainting)
{
    m_isPainting = isPainting;
    m_isStroke = false;
}

void HeatmapView::fit()
{
    look(m_crop);
}

void HeatmapView::paintOutlines(QPainter& painter) const
{
    if (!m_highlighted)
        return;
    painter.setRenderHint(QPainter::Antialiasing);
    for (std::size_t n = 0; n < m_figure.maps.size(); ++n) {
        const MapFigure& map = m_figure.maps[n];
        if (!map.hasSlices())
            continue;
        paintCellNames(
            painter, m_layout.maps[n].heatmap,
            {map.numbers.nRows, map.numbers.nCols, &map.rowLabels.all(), &map.colLabels.all()},
            *m_highlighted, m_theme);
        if (map.hasSums() && m_highlighted->row < map.certificate.nRows())
            paintRowSum(painter, m_layout.maps[n].heatmap, map.certificate.rows, m_highlighted->row,
                        m_theme);
        if (isMoving() && m_from.maps[n].axis != map.axis) {
            paintTurningSlice(painter, m_layout.maps[n].heatmap, *m_highlighted,
                              m_from.maps[n].axis, map.axis,
                              morphOrder(m_motion.currentValue().toDouble()).outline, m_theme);
            continue;
        }
        const Matrix& logits = map.stages->before->logits;
        if (m_highlighted->row < logits.rows() && m_highlighted->col < logits.cols())
            paintSlice(painter, m_layout.maps[n].heatmap, viewOf(logits), *m_highlighted, map.axis,
                       map.nStacked, m_theme);
    }
}

void HeatmapView::paintEvent(QPaintEvent*)
{
    const double ratio = devicePixelRatioF();
    if (m_figure.pixel != 1 / ratio) // the window came to another screen
        refresh();
    if (m_painted.isNull()) {
        m_painted = QImage((QSizeF(size()) * ratio).toSize(), QImage::Format_ARGB32_Premultiplied);
        m_painted.setDevicePixelRatio(ratio);
        m_painted.fill(m_theme.paper);
        QPainter painter(&m_painted);
        paintFigure(painter,
                    isMoving() && m_fading.isNull()
                        ? morphed(m_from, m_figure, m_motion.currentValue().toDouble())
                        : m_figure,
                    m_layout, m_theme);
    }
    QPainter painter(this);
    const double part = m_motion.currentValue().toDouble();
    if (isMoving() && !m_fading.isNull()) {
        painter.drawImage(0, 0, m_fading);
        painter.setOpacity(part);
        painter.drawImage(0, 0, m_painted);
        painter.setOpacity(1);
    } else {
        painter.drawImage(0, 0, m_painted);
    }
    paintOutlines(painter);
    if (isMoving() && m_fading.isNull() && framesTravel(m_from, m_figure))
        paintTravellingFrame(painter, m_layout, m_from, m_figure, morphOrder(part).outline,
                             m_theme);
    if (!m_hasFocusRing)
        return;
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(m_theme.key, 2));
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 8, 8);
}

/// Who comes by a key has to see where the keys now go; a hand on the maps knows.
void HeatmapView::focusInEvent(QFocusEvent* event)
{
    m_hasFocusRing =
        event->reason() == Qt::TabFocusReason || event->reason() == Qt::BacktabFocusReason;
    update();
}

void HeatmapView::focusOutEvent(QFocusEvent*)
{
    m_hasFocusRing = false;
    update();
}

void HeatmapView::resizeEvent(QResizeEvent*)
{
    refresh();
}

const MapFigure* HeatmapView::mapAt(const FigureHit& hit) const
{
    return hit.map < 0 ? nullptr : &m_figure.maps[static_cast<std::size_t>(hit.map)];
}

/// A name, a bar or a sum speaks of its row or column, in the column or row that is outlined.
std::optional<Cell> HeatmapView::cellOf(const FigureHit& hit) const
{
    return hit.cellFrom(m_highlighted.value_or(Cell{}));
}

void HeatmapView::showCursor(const FigureHit& hit)
{
    const MapFigure* map = mapAt(hit);
    const bool isTile = map && map->detail == MapFigure::Detail::Tile;
    const bool isLink = isTile || hit.isColorBar || (hit.isHeader && m_figure.maps.size() > 1);
    setCursor(m_dragged                  ? Qt::ClosedHandCursor
              : m_isPainting && hit.cell ? Qt::CrossCursor
              : isLink                   ? Qt::PointingHandCursor
              : hit.cell && isZoomed()   ? Qt::OpenHandCursor
                                         : Qt::ArrowCursor);
}

void HeatmapView::mouseMoveEvent(QMouseEvent* event)
{
    const QPointF at = event->position();
    if (m_pressed && isZoomed() &&
        (at - *m_pressed).manhattanLength() >= QApplication::startDragDistance())
        m_dragged = std::exchange(m_pressed, std::nullopt);
    if (m_dragged) {
        look(panned(m_layout.maps.front().heatmap, at - *m_dragged));
        m_dragged = at;
    }
    const FigureHit hit = m_layout.hitTest(at);
    showCursor(hit);
    const MapFigure* map = mapAt(hit);
    if (m_isStroke && hit.cell)
        Q_EMIT strokeMoved(*hit.cell);
    if (!m_dragged)
        Q_EMIT cellHovered(map && map->hasSlices() ? cellOf(hit) : std::nullopt);
}

void HeatmapView::mousePressEvent(QMouseEvent* event)
{
    setFocus(Qt::MouseFocusReason);
    if (event->button() != Qt::LeftButton)
        return;
    const FigureHit hit = m_layout.hitTest(event->position());
    m_isStroke = m_isPainting && hit.cell.has_value();
    if (m_isStroke)
        Q_EMIT strokeBegun(*hit.cell);
    else
        m_pressed = event->position();
}

void HeatmapView::mouseReleaseEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton)
        return;
    if (std::exchange(m_isStroke, false))
        Q_EMIT strokeEnded();
    const bool isClick = m_pressed.has_value();
    m_pressed.reset();
    m_dragged.reset();
    showCursor(m_layout.hitTest(event->position()));
    if (isClick)
        click(event->position(), event->globalPosition().toPoint());
}

void HeatmapView::click(QPointF at, QPoint global)
{
    const FigureHit hit = m_layout.hitTest(at);
    const MapFigure* map = mapAt(hit);
    if (hit.isColorBar)
        Q_EMIT colorBarClicked(global);
    else if (map && map->detail == MapFigure::Detail::Tile && !map->isMean)
        Q_EMIT tileClicked(map->batch, map->head);
    else if (map && hit.isHeader)
        Q_EMIT axisClicked(map->axis);
    else if (const auto cell = cellOf(hit); cell && map && map->hasSlices())
        Q_EMIT cellClicked(*cell);
}

void HeatmapView::mouseDoubleClickEvent(QMouseEvent* event)
{
    m_pressed.reset();
    if (m_isPainting)
        mousePressEvent(event); // the second of two strokes
    else if (event->button() == Qt::LeftButton)
        fit();
}

void HeatmapView::wheelEvent(QWheelEvent* event)
{
    const FigureHit hit = m_layout.hitTest(event->position());
    if (!canZoom() || hit.map < 0 || event->angleDelta().y() == 0) {
        event->ignore();
        return;
    }
    constexpr double kANotch = 120;
    constexpr double kFactor = 1.25; // of one notch
    zoomAt(static_cast<std::size_t>(hit.map), event->position(),
           std::pow(kFactor, event->angleDelta().y() / kANotch));
    event->accept();
}

void HeatmapView::leaveEvent(QEvent*)
{
    Q_EMIT cellHovered(std::nullopt);
}

} // namespace keyaxis
