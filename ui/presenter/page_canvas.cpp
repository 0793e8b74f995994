#include "ui/presenter/page_canvas.h"

#include "ui/paint/morph.h"

#include <QMouseEvent>
#include <QPainterPath>
#include <algorithm>

namespace keyaxis {

namespace {

/// The page is drawn for this screen; a larger one shows the same page larger.
constexpr QSizeF kDesignedFor(1600, 1000);
constexpr double kZoom = 2;
constexpr double kSpotlightRadius = 150; ///< in units of the page
constexpr double kPointerRadius = 11;
constexpr double kPenWidth = 4;

} // namespace

PageCanvas::PageCanvas(QWidget* parent) : QWidget(parent)
{
    setMouseTracking(true);
    setAttribute(Qt::WA_OpaquePaintEvent);
    m_morph.setStartValue(0.0);
    m_morph.setEndValue(1.0);
    connect(&m_morph, &QVariantAnimation::valueChanged, this, qOverload<>(&QWidget::update));
    connect(&m_morph, &QVariantAnimation::finished, this, &PageCanvas::endMorph);
}

void PageCanvas::setTheme(const Theme& theme)
{
    m_theme = theme;
    update();
}

void PageCanvas::setPage(StepPage page, bool morphs)
{
    const bool starts =
        morphs && m_morphMs > 0 && isVisible() && m_page.nSteps > 0 && !page.figure.maps.empty();
    if (page.stepIndex != m_page.stepIndex)
        wipe();
    if (starts || page.stepIndex != m_page.stepIndex || page.figure.maps.empty())
        endMorph();
    if (starts) {
        m_from = Old{std::move(m_page.figure), std::move(m_page.plane), m_layout.planeParts};
        m_morph.setDuration(m_morphMs);
        m_morph.start();
    }
    m_page = std::move(page);
    m_layout = layoutStepPage(m_page, QSizeF(size()) / scale());
    setAccessibleName(m_page.title);
    setAccessibleDescription(
        QStringList({m_page.kicker + '.', m_page.body, m_page.plane.sentence}).join(' ').trimmed());
    update();
}

void PageCanvas::endMorph()
{
    m_morph.stop();
    m_from.reset();
    update();
}

void PageCanvas::setBlank(bool isBlank)
{
    m_isBlank = isBlank;
    update();
}

void PageCanvas::setFrozen(bool isFrozen)
{
    m_frozen = isFrozen ? grab() : QPixmap();
    update();
}

void PageCanvas::setTool(Tool tool)
{
    m_tool = tool == m_tool ? Tool::None : tool;
    setCursor(m_tool == Tool::Pointer ? Qt::BlankCursor
              : m_tool == Tool::Pen   ? Qt::CrossCursor
                                      : Qt::ArrowCursor);
    update();
}

void PageCanvas::toggleZoom()
{
    m_zoomCentre = m_pointer ? toWidget(*m_pointer) : QPointF(rect().center());
    m_isZoomed = !m_isZoomed;
    update();
}

void PageCanvas::wipe()
{
    m_strokes.clear();
    update();
}

double PageCanvas::scale() const
{
    return std::max(1.0,
                    std::min(width() / kDesignedFor.width(), height() / kDesignedFor.height()));
}

QPointF PageCanvas::fromWidget(QPointF pixel) const
{
    if (m_isZoomed)
        pixel = m_zoomCentre + (pixel - m_zoomCentre) / kZoom;
    return pixel / scale();
}

void PageCanvas::resizeEvent(QResizeEvent*)
{
    endMorph();
    m_layout = layoutStepPage(m_page, QSizeF(size()) / scale());
}

void PageCanvas::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    if (m_isBlank) {
        painter.fillRect(rect(), Qt::black);
        return;
    }
    if (isFrozen()) {
        painter.drawPixmap(rect(), m_frozen);
        return;
    }
    painter.fillRect(rect(), m_theme.paper);
    if (m_isZoomed) {
        painter.translate(m_zoomCentre);
        painter.scale(kZoom, kZoom);
        painter.translate(-m_zoomCentre);
    }
    paintPage(painter);
    paintTools(painter);
}

void PageCanvas::paintPage(QPainter& painter)
{
    painter.save();
    painter.scale(scale(), scale());
    if (isMorphing())
        paintMorph(painter, m_morph.currentValue().toDouble());
    else
        paintStepPage(painter, m_page, m_layout, m_theme);
    painter.restore();
}

/// The map first, the value plane after it: see `MorphOrder`.
void PageCanvas::paintMorph(QPainter& painter, double part)
{
    StepPage page = m_page;
    StepPageLayout layout = m_layout;
    page.figure = canMorph(m_from->figure, page.figure)
                      ? morphed(m_from->figure, m_page.figure, part)
                      : appearing(m_page.figure, part);
    if (canMorph(m_from->plane, page.plane)) {
        page.plane = morphed(m_from->plane, m_page.plane, part);
        layout.planeParts = morphed(m_from->planeParts, m_layout.planeParts, part);
    } else {
        page.plane = appearing(m_page.plane, part);
    }
    paintStepPage(painter, page, layout, m_theme);
}

void PageCanvas::paintTools(QPainter& painter)
{
    painter.scale(scale(), scale());
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(m_theme.batch, kPenWidth, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    for (const QPolygonF& stroke : m_strokes)
        painter.drawPolyline(stroke);
    if (!m_pointer)
        return;
    painter.setPen(Qt::NoPen);
    if (m_tool == Tool::Spotlight) {
        QPainterPath shade;
        shade.addRect(QRectF(QPointF(0, 0), m_layout.size));
        shade.addEllipse(*m_pointer, kSpotlightRadius, kSpotlightRadius);
        painter.fillPath(shade, QColor(0, 0, 0, 150));
    } else if (m_tool == Tool::Pointer) {
        painter.setBrush(m_theme.batch);
        painter.drawEllipse(*m_pointer, kPointerRadius, kPointerRadius);
    }
}

void PageCanvas::mouseMoveEvent(QMouseEvent* event)
{
    m_pointer = fromWidget(event->position());
    if (m_isDrawing)
        m_strokes.back() << *m_pointer;
    if (m_tool == Tool::None)
        Q_EMIT cellHovered(m_layout.hitTest(*m_pointer).cell);
    else
        update();
}

void PageCanvas::mousePressEvent(QMouseEvent* event)
{
    m_pointer = fromWidget(event->position());
    if (event->button() != Qt::LeftButton || m_isBlank)
        return;
    if (m_tool == Tool::Pen) {
        m_isDrawing = true;
        m_strokes.push_back({*m_pointer});
    } else if (const auto letter = m_layout.answerAt(*m_pointer)) {
        Q_EMIT answerClicked(*letter);
    } else if (const auto cell = m_layout.hitTest(*m_pointer).cell) {
        Q_EMIT cellClicked(*cell);
    }
}

void PageCanvas::mouseReleaseEvent(QMouseEvent*)
{
    m_isDrawing = false;
}

void PageCanvas::leaveEvent(QEvent*)
{
    m_pointer.reset();
    Q_EMIT cellHovered(std::nullopt);
    update();
}

} // namespace keyaxis
