#include "ui/widgets/stage_strip.h"

#include "ui/paint/color_choice.h"
#include "ui/paint/heatmap_image.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <utility>

namespace keyaxis {

namespace {

constexpr int kWidest = 102;   ///< of one stage with its arrow
constexpr int kNarrowest = 52; ///< the same
constexpr int kTop = 8;
constexpr int kCaptions = 44;  ///< the height below a thumbnail, unless that is low
constexpr int kLowHeight = 46; ///< that of two rows of the buttons beside it
constexpr int kLowPadding = 4;
constexpr int kRestMs = 150; ///< a pointer on its way elsewhere previews nothing

void paintThumbnail(QPainter& painter, const QImage& cells, const QRectF& room)
{
    if (cells.isNull())
        return;
    const double pitch = std::min(room.width() / cells.width(), room.height() / cells.height());
    const double gap = pitch >= 4 ? 1 : 0;
    const QPointF from = room.center() - QPointF(cells.width(), cells.height()) * pitch / 2;
    if (gap == 0) {
        painter.drawImage(QRectF(from, QSizeF(pitch * cells.width(), pitch * cells.height())),
                          cells);
        return;
    }
    for (int y = 0; y < cells.height(); ++y)
        for (int x = 0; x < cells.width(); ++x) {
            // Whole pixels: neighbouring cells are the same size and never blend.
            const int left = qRound(from.x() + x * pitch);
            const int top = qRound(from.y() + y * pitch);
            painter.fillRect(left, top, qRound(from.x() + (x + 1) * pitch - gap) - left,
                             qRound(from.y() + (y + 1) * pitch - gap) - top,
                             QColor::fromRgb(cells.pixel(x, y)));
        }
}

void paintArrow(QPainter& painter, QPointF middle, double half, const QColor& color)
{
    painter.setPen(QPen(color, 1.3, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    const QPointF tip = middle + QPointF(half, 0);
    painter.drawLine(middle - QPointF(half, 0), tip);
    painter.drawLine(tip - QPointF(3, 3), tip);
    painter.drawLine(tip - QPointF(3, -3), tip);
}

} // namespace

StageStrip::StageStrip(QWidget* parent) : ChoiceWidget(parent)
{
    m_soon.setSingleShot(true);
    m_resting.setSingleShot(true);
    m_resting.setInterval(kRestMs);
    connect(&m_resting, &QTimer::timeout, this, [this] { Q_EMIT stageHovered(m_hovered); });
    connect(&m_soon, &QTimer::timeout, this, &StageStrip::makeThumbnails);
    setMouseTracking(true);
    setFocusPolicy(Qt::TabFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAccessibleName(tr("Stages of attention"));
}

void StageStrip::setTheme(const Theme& theme)
{
    m_theme = theme;
    makeThumbnails();
}

QSize StageStrip::sizeHint() const
{
    const int height = m_room == Height::Low ? kLowHeight : kTop + thumbnail() + kCaptions;
    return {kWidest * kStages, height};
}
QSize StageStrip::minimumSizeHint() const
{
    return {kNarrowest * kStages, sizeHint().height()};
}

int StageStrip::thumbnail() const
{
    return m_room == Height::Roomy ? 52 : m_room == Height::Compact ? 36 : 26;
}

int StageStrip::arrow() const
{
    return m_room == Height::Low || width() < 80 * kStages ? 8 : 20;
}

void StageStrip::setRoom(Height room)
{
    if (room == m_room)
        return;
    m_room = room;
    updateGeometry();
    makeThumbnails();
}

/// As wide as its thumbnail and its name.
double StageStrip::lowWidth(Stage stage) const
{
    const Label& name = m_items[static_cast<std::size_t>(stage)].words.name;
    return thumbnail() + 3 * kLowPadding + name.width(uiFont(11, QFont::Bold)) + 1 + arrow();
}

QRect StageStrip::box(Stage stage) const
{
    if (m_room == Height::Low) {
        double before = 0;
        double all = 0;
        for (const Stage other : kAllStages) {
            before += other < stage ? lowWidth(other) : 0;
            all += lowWidth(other);
        }
        const double part = std::min(1.12, width() / all); // air where there is room
        const int left = static_cast<int>(before * part);
        const int right = static_cast<int>((before + lowWidth(stage)) * part);
        return {left, 0, right - left - arrow(), height()};
    }
    const int width = std::min(kWidest, this->width() / kStages);
    return {static_cast<int>(stage) * width, 0, width - arrow(), height()};
}

QString StageStrip::caption(Stage stage) const
{
    const Item& item = m_items[static_cast<std::size_t>(stage)];
    return item.words.name.plain() + QStringLiteral(", ") + item.words.below;
}

void StageStrip::show(const std::shared_ptr<const ShownResults>& shown)
{
    m_shown = shown;
    if (!shown) {
        m_items = {};
        update();
        return;
    }
    std::array<QImage, kStages> old;
    for (std::size_t n = 0; n < old.size(); ++n)
        old[n] = m_items[n].cells;
    for (const Stage stage : kAllStages) {
        StageWords words = stageWords(shown->results->inputs, shown->results->settings, stage);
        m_items[static_cast<std::size_t>(stage)] = {std::move(words), {}};
    }
    makeThumbnailsSoon(old);
}

void StageStrip::makeThumbnailsSoon(const std::array<QImage, kStages>& old)
{
    constexpr Index kSmall = 128 * 128;
    const bool isDigested = m_shown->results->stageDigests.front() != nullptr;
    if (isDigested || m_shown->stages(Axis::Key).weights.size() <= kSmall) {
        makeThumbnails();
        return;
    }
    for (std::size_t n = 0; n < old.size(); ++n)
        m_items[n].cells = old[n];
    constexpr Index kLarge = 1 << 20; // its digests come with the results, once the hand rests
    if (!m_soon.isActive() && m_shown->stages(Axis::Key).weights.size() <= kLarge)
        m_soon.start(100);
    update();
}

void StageStrip::makeThumbnails()
{
    update();
    if (!m_shown)
        return;
    const Axis axis = m_shown->results->settings.axis;
    const SliceStages& stages = m_shown->stages(axis);
    const ColorMap weights(Palette::Viridis, {});
    const auto shownOf = [&](Stage stage) -> HeatmapValues {
        const bool showsMask = stage == Stage::Logits || stage == Stage::Weights;
        return {viewOf(stages.of(stage)),
                showsMask ? viewOf(stages.before->logits) : MatrixView(nullptr, 0, 0),
                m_shown->digest(axis, stage).get()};
    };
    Extent extent; // one for all signed stages, so that the same colour is the same number
    for (const Stage stage : kAllStages)
        if (stage != Stage::Weights && stage != Stage::Output)
            extent.include(shownOf(stage));
    const ColorMap scores(Palette::BlueRed, extent.range(RangeRule::Symmetric));
    const GlyphColors glyphs{mixed(m_theme.muted, m_theme.panel, 0.18).rgb(),
                             mixed(m_theme.invalid, m_theme.panel, 0.45).rgb(), m_theme.ink.rgb()};
    const QSize largest(thumbnail(), thumbnail());
    for (const Stage stage : kAllStages) {
        const Matrix& values = stages.of(stage);
        QImage& cells = m_items[static_cast<std::size_t>(stage)].cells;
        cells = QImage();
        if (values.size() == 0 || m_items[static_cast<std::size_t>(stage)].words.isAbsent)
            continue;
        const HeatmapValues shown = shownOf(stage);
        const ColorMap colors =
            stage == Stage::Weights ? weights
            : stage == Stage::Output
                ? colorMapFor({Palette::BlueRed, RangeRule::Symmetric, {}}, {shown})
                : scores;
        cells = heatmapImage(shown, {0, values.rows(), 0, values.cols()}, colors, glyphs, largest);
    }
}

void StageStrip::select(Stage stage)
{
    m_selected = stage;
    setAccessibleDescription(caption(stage));
    tellChosen(static_cast<int>(stage));
    update();
}

ChoiceWidget::Choice StageStrip::choice(int index) const
{
    const auto stage = static_cast<Stage>(index);
    return {caption(stage), box(stage), stage == m_selected};
}

void StageStrip::pick(int index)
{
    Q_EMIT stageChosen(static_cast<Stage>(index));
}

void StageStrip::paintItem(QPainter& painter, Stage stage) const
{
    const Item& item = m_items[static_cast<std::size_t>(stage)];
    const QRectF frame = QRectF(box(stage)).adjusted(0.5, 0.5, -0.5, -0.5);
    const bool isSelected = stage == m_selected;
    if (isSelected || m_hovered == stage) {
        const bool hasRing = isSelected && hasFocus();
        painter.setPen(hasRing ? QPen(m_theme.key, 2) : QPen(m_theme.hairline, 1));
        painter.setBrush(isSelected ? m_theme.panel : mixed(m_theme.panel, m_theme.paper, 0.5));
        painter.drawRoundedRect(frame, 8, 8);
    }
    painter.setOpacity(item.words.isOff ? 0.4 : 1.0);
    const double side = std::min<double>(thumbnail(), frame.width() - 8); // never over the arrow
    painter.setRenderHint(QPainter::Antialiasing, false);
    const bool isLow = m_room == Height::Low;
    const QPointF corner = isLow
                               ? QPointF(frame.left() + kLowPadding, frame.center().y() - side / 2)
                               : QPointF(frame.center().x() - side / 2, kTop);
    paintThumbnail(painter, item.cells, QRectF(corner, QSizeF(side, side)));
    painter.setRenderHint(QPainter::Antialiasing, true);
    paintNames(painter, item, frame, isSelected);
    painter.setOpacity(1.0);
}

QFont StageStrip::nameFont(double width, bool isSelected, const Label& name) const
{
    const QFont::Weight weight = isSelected ? QFont::Bold : QFont::DemiBold;
    const QFont font = uiFont(width < 60 || m_room == Height::Low ? 11 : 12, weight);
    return name.width(font) > width ? uiFont(10, weight) : font;
}

void StageStrip::paintNames(QPainter& painter, const Item& item, const QRectF& frame,
                            bool isSelected) const
{
    const Label& name = item.words.name;
    if (m_room == Height::Low) {
        const double left = frame.left() + thumbnail() + 2 * kLowPadding;
        const QRectF room(left, frame.top(), frame.right() - left - 2, frame.height());
        const QFont font = nameFont(room.width(), isSelected, name);
        drawLabel(painter, room, Qt::AlignLeft, name.elided(font, room.width()), font, m_theme.ink);
        return;
    }
    const double names = kTop + thumbnail() + 3;
    const QFont font = nameFont(frame.width(), isSelected, name);
    const double width = std::min(name.width(font), frame.width());
    drawLabel(painter, {frame.center().x() - width / 2, names, width + 1, 17}, Qt::AlignLeft,
              name.elided(font, frame.width()), font, m_theme.ink);
    drawLabel(painter, {frame.left(), names + 17, frame.width(), 16}, Qt::AlignHCenter,
              Label(item.words.below), uiFont(11), m_theme.muted);
}

void StageStrip::paintEvent(QPaintEvent*)
{
    if (!m_shown)
        return;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    for (const Stage stage : kAllStages) {
        paintItem(painter, stage);
        const double middle = m_room == Height::Low ? height() / 2.0 : kTop + thumbnail() / 2.0;
        if (stage != Stage::Output)
            paintArrow(painter, QPointF(box(stage).right() + arrow() / 2.0 + 0.5, middle),
                       arrow() < 20 ? 3.5 : 5, m_theme.muted);
    }
}

std::optional<Stage> StageStrip::stageAt(const QPoint& point) const
{
    for (const Stage stage : kAllStages)
        if (box(stage).contains(point) && !m_items[static_cast<std::size_t>(stage)].words.isAbsent)
            return stage;
    return std::nullopt;
}

void StageStrip::mousePressEvent(QMouseEvent* event)
{
    const auto stage = stageAt(event->position().toPoint());
    if (event->button() == Qt::LeftButton && stage)
        Q_EMIT stageChosen(*stage);
}

void StageStrip::mouseMoveEvent(QMouseEvent* event)
{
    setHovered(stageAt(event->position().toPoint()));
}

void StageStrip::setHovered(std::optional<Stage> stage)
{
    if (stage == m_hovered)
        return;
    m_hovered = stage;
    setCursor(stage ? Qt::PointingHandCursor : Qt::ArrowCursor);
    update();
    m_resting.start();
    if (!stage) {
        m_resting.stop();
        Q_EMIT stageHovered(std::nullopt);
    }
}

void StageStrip::leaveEvent(QEvent*)
{
    setHovered(std::nullopt);
}

void StageStrip::keyPressEvent(QKeyEvent* event)
{
    const int step = event->key() == Qt::Key_Left ? -1 : event->key() == Qt::Key_Right ? 1 : 0;
    if (step == 0) {
        QWidget::keyPressEvent(event);
        return;
    }
    const int next = std::clamp(static_cast<int>(m_selected) + step, 0, kStages - 1);
    Q_EMIT stageChosen(static_cast<Stage>(next));
}

bool StageStrip::event(QEvent* event)
{
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        if (const auto stage = stageAt(help->pos()))
            QToolTip::showText(help->globalPos(),
                               m_items[static_cast<std::size_t>(*stage)].words.tip, this);
        return true;
    }
    return QWidget::event(event);
}

} // namespace keyaxis
