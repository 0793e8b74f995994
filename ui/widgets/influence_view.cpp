#include "ui/widgets/influence_view.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QToolTip>
#include <algorithm>
#include <cmath>

namespace keyaxis {

namespace {

std::vector<Label> numbered(const QString& noun, const std::vector<Index>& which)
{
    std::vector<Label> names;
    for (const Index n : which)
        names.emplace_back(noun.arg(n + 1));
    return names;
}

std::vector<Label> chosen(const Labels& names, const std::vector<Index>& which)
{
    std::vector<Label> result;
    for (const Index n : which)
        result.push_back(names[static_cast<std::size_t>(n)]);
    return result;
}

/// What is said below the maps: of the tokens, and of what the axis could couple.
QString sentenceOf(const Movements& moves, Axis axis)
{
    const Influence* coupled = axis == Axis::Batch  ? &moves.examples
                               : axis == Axis::Head ? &moves.heads
                                                    : &moves.queries;
    const std::string& tokens = moves.tokens.sentence;
    return QString::fromStdString(tokens + (tokens.empty() ? "" : " ") + coupled->sentence);
}

InfluenceFigure figureOf(const ShownResults& shown)
{
    const Results& results = *shown.results;
    const Movements& moves = *results.moves;
    const Sizes sizes = sizesOf(results.inputs);
    const bool isSelf = moves.moved == MovedToken::Whole;
    InfluenceFigure figure;
    if (!results.inputs.scores)
        figure.maps.push_back({isSelf ? Nudged::Token : Nudged::KeyToken, moves.tokens,
                               chosen(shown.queries, moves.tokens.rows),
                               chosen(isSelf ? shown.queries : shown.keys, moves.tokens.columns),
                               results.settings.align == Align::End ? sizes.Tk - sizes.Tq : 0});
    const auto add = [&](Nudged nudged, const Influence& of, std::vector<Label> rows,
                         std::vector<Label> columns) {
        figure.maps.push_back({nudged, of, std::move(rows), std::move(columns), 0});
    };
    add(Nudged::QueryVector, moves.queries, chosen(shown.queries, moves.queries.rows),
        chosen(shown.queries, moves.queries.columns));
    const QString example = InfluenceView::tr("example %1");
    const QString head = InfluenceView::tr("head %1");
    add(Nudged::Example, moves.examples, numbered(example, moves.examples.rows),
        numbered(example, moves.examples.columns));
    add(Nudged::Head, moves.heads, numbered(head, moves.heads.rows),
        numbered(head, moves.heads.columns));
    figure.sentence = sentenceOf(moves, results.settings.axis);
    return figure;
}

} // namespace

InfluenceView::InfluenceView(QWidget* parent) : ChoiceWidget(parent)
{
    setFocusPolicy(Qt::TabFocus);
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    setCursor(Qt::PointingHandCursor);
    setAccessibleName(tr("What moves when one thing is nudged"));
}

void InfluenceView::setTheme(const Theme& theme)
{
    m_theme = theme;
    m_painted = QImage();
    update();
}

void InfluenceView::show(const std::shared_ptr<const ShownResults>& shown)
{
    // While newer ones are on their way the old ones stay, as the maps do.
    if (shown && !shown->results->isComplete && m_moves)
        return;
    const auto moves = shown ? shown->results->moves : nullptr;
    m_moves = moves;
    m_figure = moves ? figureOf(*shown) : InfluenceFigure{};
    m_chosen = std::clamp(m_chosen, 0, std::max(0, nChoices() - 1));
    setAccessibleDescription(m_figure.sentence);
    setVisible(moves != nullptr);
    m_layout = layoutInfluence(m_figure, size());
    m_painted = QImage();
    updateGeometry();
    update();
}

int InfluenceView::heightForWidth(int width) const
{
    return static_cast<int>(std::ceil(influenceHeight(m_figure, width)));
}

void InfluenceView::paintEvent(QPaintEvent*)
{
    // Beside maps that follow a slider it stays as it is, and is not painted with each of their
    // frames.
    const double ratio = devicePixelRatioF();
    if (m_painted.isNull() || m_painted.devicePixelRatioF() != ratio) {
        m_painted = QImage((QSizeF(size()) * ratio).toSize(), QImage::Format_ARGB32_Premultiplied);
        m_painted.setDevicePixelRatio(ratio);
        m_painted.fill(Qt::transparent);
        QPainter figure(&m_painted);
        paintInfluence(figure, m_figure, m_layout, m_theme);
    }
    QPainter painter(this);
    painter.drawImage(0, 0, m_painted);
    if (!hasFocus() || nChoices() == 0)
        return;
    painter.setPen(QPen(m_theme.key, 2));
    painter.drawRect(QRectF(choice(m_chosen).box).adjusted(-1, -1, 1, 1));
}

int InfluenceView::nChoices() const
{
    Index n = 0;
    for (const InfluenceMap& map : m_figure.maps)
        n += map.influence.norms.cols();
    return static_cast<int>(n);
}

std::pair<std::size_t, Index> InfluenceView::columnOf(int index) const
{
    std::size_t map = 0;
    Index column = index;
    while (column >= m_figure.maps[map].influence.norms.cols())
        column -= m_figure.maps[map++].influence.norms.cols();
    return {map, column};
}

ChoiceWidget::Choice InfluenceView::choice(int index) const
{
    const auto [n, column] = columnOf(index);
    const InfluenceMap& map = m_figure.maps[n];
    const QRectF& box = m_layout.boxes[n];
    const double width = box.width() / static_cast<double>(map.influence.norms.cols());
    return {tr("Nudge %1 (%2)")
                .arg(map.columnNames[static_cast<std::size_t>(column)].plain(), map.title()),
            QRectF(box.left() + static_cast<double>(column) * width, box.top(), width, box.height())
                .toRect(),
            index == m_chosen};
}

void InfluenceView::pick(int index)
{
    const auto [n, column] = columnOf(index);
    const InfluenceMap& map = m_figure.maps[n];
    m_chosen = index;
    Q_EMIT nudgeAsked(map.nudged, map.influence.columns[static_cast<std::size_t>(column)]);
}

void InfluenceView::resizeEvent(QResizeEvent*)
{
    m_painted = QImage();
    m_layout = layoutInfluence(m_figure, size());
}

bool InfluenceView::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    if (const auto hit = hitInfluence(m_figure, m_layout, help->pos()))
        QToolTip::showText(
            help->globalPos(),
            m_figure.maps[hit->map].words(hit->row, hit->column) + tr(" Click to nudge it."), this);
    else
        QToolTip::hideText();
    return true;
}

void InfluenceView::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton)
        return;
    if (const auto hit = hitInfluence(m_figure, m_layout, event->position())) {
        int index = static_cast<int>(hit->column);
        for (std::size_t n = 0; n < hit->map; ++n)
            index += static_cast<int>(m_figure.maps[n].influence.norms.cols());
        pick(index);
    }
}

void InfluenceView::keyPressEvent(QKeyEvent* event)
{
    const int step = event->key() == Qt::Key_Left ? -1 : event->key() == Qt::Key_Right ? 1 : 0;
    const bool isReturn = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (nChoices() == 0 || (step == 0 && !isReturn)) {
        QWidget::keyPressEvent(event);
    } else if (isReturn) {
        pick(m_chosen);
    } else {
        m_chosen = std::clamp(m_chosen + step, 0, nChoices() - 1);
        setAccessibleDescription(choice(m_chosen).name);
        tellChosen(m_chosen);
        update();
    }
}

} // namespace keyaxis
