#include "ui/widgets/heatmap_view.h"

#include "ui/paint/heatmap_painter.h"

#include <QMouseEvent>
#include <QPainter>

namespace keyaxis {

HeatmapView::HeatmapView(QWidget* parent) : QWidget(parent)
{
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

void HeatmapView::setTheme(const Theme& theme)
{
    m_theme = theme;
    refresh();
}

void HeatmapView::setFigure(Figure figure)
{
    m_figure = std::move(figure);
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
    update();
}

void HeatmapView::refresh()
{
    m_layout = layoutFigure(m_figure, size());
    m_painted = QImage();
    update();
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
        const Matrix& logits = map.stages->before->logits;
        if (m_highlighted->row < logits.rows() && m_highlighted->col < logits.cols())
            paintSlice(painter, m_layout.maps[n].heatmap, viewOf(logits), *m_highlighted, map.axis,
                       map.nStacked, m_theme);
    }
}

void HeatmapView::paintEvent(QPaintEvent*)
{
    const double ratio = devicePixelRatioF();
    if (m_painted.isNull() || m_painted.devicePixelRatioF() != ratio) {
        m_painted = QImage(size() * ratio, QImage::Format_ARGB32_Premultiplied);
        m_painted.setDevicePixelRatio(ratio);
        m_painted.fill(m_theme.paper);
        QPainter painter(&m_painted);
        paintFigure(painter, m_figure, m_layout, m_theme);
    }
    QPainter painter(this);
    painter.drawImage(0, 0, m_painted);
    paintOutlines(painter);
}

void HeatmapView::resizeEvent(QResizeEvent*)
{
    refresh();
}

void HeatmapView::mouseMoveEvent(QMouseEvent* event)
{
    const FigureHit hit = m_layout.hitTest(event->position());
    setCursor(hit.isHeader && m_figure.maps.size() > 1 ? Qt::PointingHandCursor : Qt::ArrowCursor);
    const bool hasSlices =
        hit.map >= 0 && m_figure.maps[static_cast<std::size_t>(hit.map)].hasSlices();
    Q_EMIT cellHovered(hasSlices ? hit.cell : std::nullopt);
}

void HeatmapView::mousePressEvent(QMouseEvent* event)
{
    setFocus(Qt::MouseFocusReason);
    if (event->button() != Qt::LeftButton)
        return;
    const FigureHit hit = m_layout.hitTest(event->position());
    if (hit.map < 0)
        return;
    const MapFigure& map = m_figure.maps[static_cast<std::size_t>(hit.map)];
    if (hit.isHeader)
        Q_EMIT axisClicked(map.axis);
    else if (hit.cell && map.hasSlices())
        Q_EMIT cellClicked(*hit.cell);
}

void HeatmapView::leaveEvent(QEvent*)
{
    Q_EMIT cellHovered(std::nullopt);
}

} // namespace keyaxis
