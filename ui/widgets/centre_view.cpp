#include "ui/widgets/centre_view.h"

#include "ui/widgets/cell_cursor.h"
#include "ui/widgets/figures.h"
#include "ui/widgets/heatmap_view.h"
#include "ui/widgets/reference_bar.h"
#include "ui/widgets/stage_strip.h"

#include <QAction>
#include <QBoxLayout>
#include <QGridLayout>
#include <QKeyEvent>
#include <QPainter>
#include <QToolButton>

namespace keyaxis {

namespace {

/// Heights of the centre below which it takes less room for what is around the maps.
constexpr int kCompact = 780;
constexpr int kLow = 640;

/// Whether two results draw the same figure: the later one may only know more about all rows.
bool drawsTheSame(const ShownResults& a, const ShownResults& b)
{
    return a.results->axes == b.results->axes && a.results->settings == b.results->settings &&
           a.results->inputs == b.results->inputs && a.results->batch == b.results->batch &&
           a.results->head == b.results->head && a.results->everyMap == b.results->everyMap &&
           a.results->headFacts == b.results->headFacts &&
           a.results->everyLayer == b.results->everyLayer;
}

/// Whether a switch was thrown: cells then recolour in place. A slider is followed at once.
bool turnsInto(const ShownResults& before, const ShownResults& after)
{
    return before.results->settings.temperature == after.results->settings.temperature &&
           before.results->settings != after.results->settings &&
           before.results->inputs == after.results->inputs;
}

} // namespace

CentreView::CentreView(CellCursor& cursor, QWidget* parent)
    : QWidget(parent),
      m_cursor(cursor),
      m_strip(new StageStrip(this)),
      m_modes(new QWidget(this)),
      m_reference(new ReferenceBar(this)),
      m_maps(new HeatmapView(this))
{
    m_maps->installEventFilter(this);
    auto* modes = new QGridLayout(m_modes);
    modes->setContentsMargins(0, 0, 0, 0);
    modes->setSpacing(0);
    auto* top = new QHBoxLayout;
    top->setSpacing(8);
    top->addWidget(m_strip, 1);
    top->addWidget(m_modes, 0, Qt::AlignTop);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(12, 10, 12, 12);
    column->setSpacing(8);
    column->addLayout(top);
    column->addWidget(m_reference);
    column->addWidget(m_maps, 1);

    connect(m_strip, &StageStrip::stageChosen, this, &CentreView::stageChosen);
    connect(m_strip, &StageStrip::stageHovered, this, &CentreView::preview);
    connect(m_maps, &HeatmapView::axisClicked, this, &CentreView::axisChosen);
    connect(m_maps, &HeatmapView::tileClicked, this, [this](Index batch, Index head) {
        if (m_view.mode == ViewSettings::Mode::Layers)
            Q_EMIT layerChosen(m_shown->results->everyLayer->which[static_cast<std::size_t>(head)]);
        else
            Q_EMIT headChosen(batch, head);
    });
    connect(m_reference, &ReferenceBar::chosen, this, &CentreView::referenceChosen);
    connect(m_maps, &HeatmapView::cellHovered, &m_cursor, &CellCursor::hover);
    connect(m_maps, &HeatmapView::cellClicked, &m_cursor, &CellCursor::lock);
    connect(&m_cursor, &CellCursor::moved, m_maps, [this](Cell cell) { m_maps->highlight(cell); });
}

void CentreView::addModeActions(const std::array<QAction*, 5>& modes)
{
    QWidget* last = m_strip;
    for (QAction* action : modes) {
        auto* button = new QToolButton(m_modes);
        button->setDefaultAction(action);
        button->setObjectName(QStringLiteral("mode"));
        button->setFocusPolicy(Qt::TabFocus);
        button->setFixedHeight(23);
        setTabOrder(last, button);
        last = button;
        connect(action, &QAction::visibleChanged, this, &CentreView::arrangeModes);
    }
    setTabOrder(last, m_maps);
    arrangeModes();
}

/// One below the other, or two by two where that would take the maps' height.
void CentreView::arrangeModes()
{
    auto* grid = static_cast<QGridLayout*>(m_modes->layout());
    QList<QToolButton*> buttons;
    for (QToolButton* button : m_modes->findChildren<QToolButton*>()) {
        button->setVisible(button->defaultAction()->isVisible());
        if (button->defaultAction()->isVisible())
            buttons += button;
    }
    const int nColumns = height() < kLow || buttons.size() > 4 ? 2 : 1;
    int n = 0;
    for (QToolButton* button : buttons) {
        button->setFixedWidth(nColumns > 1 ? 76 : 84);
        grid->addWidget(button, n / nColumns, n % nColumns);
        ++n;
    }
}

void CentreView::addKeepAction(QAction* keep)
{
    m_reference->addAction(keep);
}

void CentreView::setTheme(const Theme& theme)
{
    m_paper = theme.paper;
    m_strip->setTheme(theme);
    m_maps->setTheme(theme);
    update();
}

void CentreView::show(const std::shared_ptr<const ShownResults>& shown, const ViewSettings& view)
{
    const bool isSame =
        shown && m_shown && drawsTheSame(*shown, *m_shown) && view.mode == m_view.mode &&
        view.stage == m_view.stage && view.reference == m_view.reference &&
        view.sortsHeads == m_view.sortsHeads && view.showsMean == m_view.showsMean &&
        view.crop == m_view.crop && view.leavesOutPadding == m_view.leavesOutPadding;
    const bool morphs = shown && m_shown && view == m_view && turnsInto(*m_shown, *shown);
    remember(shown);
    m_shown = shown;
    m_view = view;
    m_strip->show(shown); // of a large map the thumbnails come with the later results
    if (isSame)
        return;
    if (!shown) {
        Figure waiting;
        waiting.message = tr("Computing…");
        m_maps->setFigure(std::move(waiting));
        return;
    }
    m_strip->select(view.mode == ViewSettings::Mode::Single ? view.stage : Stage::Weights);
    const bool isDifference = view.mode == ViewSettings::Mode::Difference;
    m_reference->setVisible(isDifference);
    if (isDifference)
        m_reference->show(shown->results->settings.axis, view.reference);
    if (morphs) {
        m_maps->morphTo(shownFigure());
        m_maps->highlight(m_cursor.cell());
        return;
    }
    draw();
}

/// A drag is one change: what was shown before it stays the previous state until the hand rests.
void CentreView::remember(const std::shared_ptr<const ShownResults>& shown)
{
    constexpr qint64 kRestMs = 600;
    m_showsPrevious = false;
    if (!shown) {
        m_previous.reset();
        return;
    }
    if (!m_shown || (shown->results->settings == m_shown->results->settings &&
                     shown->results->inputs == m_shown->results->inputs))
        return;
    if (!m_sinceChange.isValid() || m_sinceChange.elapsed() > kRestMs)
        m_previous = m_shown;
    m_sinceChange.start();
}

void CentreView::showPrevious(bool isOn)
{
    if (!m_shown || !m_previous || isOn == m_showsPrevious)
        return;
    if (isOn && lacksMaps(*m_previous->results, m_view))
        return;
    m_showsPrevious = isOn;
    if (!isOn) {
        draw();
        return;
    }
    Figure before = figureOf(*m_previous, shownView(), m_colors, m_kept.get());
    before.settingsLine = tr("Before: ") + before.settingsLine;
    m_maps->setFigure(std::move(before));
}

/// The focus goes on to the maps. As its proxy they would take the strip's turn at the Tab key.
void CentreView::focusInEvent(QFocusEvent* event)
{
    m_maps->setFocus(event->reason());
}

void CentreView::keyReleaseEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Space && !event->isAutoRepeat())
        showPrevious(false);
    else
        QWidget::keyReleaseEvent(event);
}

/// A key that is let go elsewhere is let go.
bool CentreView::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::FocusOut)
        showPrevious(false);
    return QWidget::eventFilter(watched, event);
}

void CentreView::draw()
{
    // Small maps stay until all new ones are there.
    const auto& old = m_maps->figure().maps;
    const bool waits = lacksMaps(*m_shown->results, m_view) && !old.empty() &&
                       old.front().detail == MapFigure::Detail::Tile;
    if (!waits)
        m_maps->setFigure(shownFigure());
    m_maps->highlight(m_cursor.cell());
}

Figure CentreView::figure() const
{
    return figureOf(*m_shown, m_view, m_colors, m_kept.get());
}

void CentreView::preview(std::optional<Stage> stage)
{
    if (stage == m_preview)
        return;
    m_preview = stage;
    if (m_shown)
        draw();
}

ViewSettings CentreView::shownView() const
{
    ViewSettings view = m_view;
    if (m_preview) {
        view.mode = ViewSettings::Mode::Single;
        view.stage = *m_preview;
    }
    return view;
}

Figure CentreView::shownFigure() const
{
    return figureOf(*m_shown, shownView(), m_colors, m_kept.get());
}

void CentreView::keepState()
{
    if (!m_shown)
        return;
    m_kept = m_shown->results;
    if (m_view.mode == ViewSettings::Mode::Difference)
        draw();
}

Stage CentreView::coloredStage() const
{
    if (m_view.mode == ViewSettings::Mode::Difference)
        return Stage::Scores; // signed
    return m_view.mode == ViewSettings::Mode::Single ? m_view.stage : Stage::Weights;
}

void CentreView::setColors(ColorChoice choice)
{
    const Stage stage = coloredStage();
    const auto& maps = m_maps->figure().maps;
    if (choice.rule == RangeRule::Fixed && stage != Stage::Weights && !maps.empty())
        choice.fixed = maps.front().colors.range();
    m_colors.of(stage) = choice;
    if (m_shown)
        draw();
}

void CentreView::setAllColors(const MapColors& colors)
{
    m_colors = colors;
    if (m_shown)
        draw();
}

void CentreView::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    m_strip->setRoom(height() < kLow       ? StageStrip::Height::Low
                     : height() < kCompact ? StageStrip::Height::Compact
                                           : StageStrip::Height::Roomy);
    const bool isLow = height() < kLow;
    layout()->setContentsMargins(12, isLow ? 6 : 10, 12, isLow ? 6 : 12);
    layout()->setSpacing(isLow ? 6 : 8);
    arrangeModes();
}

void CentreView::keyPressEvent(QKeyEvent* event)
{
    const Index nRows = m_shown ? static_cast<Index>(m_shown->queries.size()) : 0;
    const Index nCols = m_shown ? static_cast<Index>(m_shown->keys.size()) : 0;
    const auto move = [&](Index rows, Index cols) {
        m_cursor.move(rows, cols, nRows, nCols);
        m_maps->reveal(m_cursor.cell());
    };
    switch (event->key()) {
    case Qt::Key_Up:
        return move(-1, 0);
    case Qt::Key_Down:
        return move(1, 0);
    case Qt::Key_Left:
        return move(0, -1);
    case Qt::Key_Right:
        return move(0, 1);
    case Qt::Key_Space:
        return showPrevious(true);
    case Qt::Key_Plus:
    case Qt::Key_Equal: // the key of the plus where it needs no shift
        return m_maps->zoom(1.25);
    case Qt::Key_Minus:
        return m_maps->zoom(0.8);
    case Qt::Key_0:
        return m_maps->fit();
    default:
        QWidget::keyPressEvent(event);
    }
}

void CentreView::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), m_paper);
}

} // namespace keyaxis
