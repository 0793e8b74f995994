#include "ui/paint/figure.h"

#include "core/settings_line.h"
#include "ui/paint/heatmap_painter.h"
#include "ui/paint/map_painter.h"
#include "ui/paint/shaped_text.h"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

namespace keyaxis {

namespace {

constexpr double kSpace = 12; ///< between cards

std::vector<Label> featureLabels(Index n)
{
    std::vector<Label> labels;
    for (Index d = 0; d < n; ++d)
        labels.emplace_back(QString::number(d));
    return labels;
}

/// What a map of `stage` is called and, in a few words, is. Before the softmax the axis has no say.
std::pair<QString, QString> wordsOf(Stage stage, Axis axis)
{
    const QString axisTitle = QString::fromUtf8(names(axis).title.data());
    switch (stage) {
    case Stage::Scores:
        return {QStringLiteral("Scores"), QStringLiteral("query · key, the same on every axis")};
    case Stage::Scaled:
        return {QStringLiteral("Scaled"), QStringLiteral("scores × scale, the same on every axis")};
    case Stage::Biased:
        return {QStringLiteral("Biased"), QStringLiteral("scaled + bias, the same on every axis")};
    case Stage::Tempered:
        return {QStringLiteral("Tempered"), QStringLiteral("biased ÷ τ, the same on every axis")};
    case Stage::Logits:
        return {QStringLiteral("Logits"), QStringLiteral("masked: what the softmax is given")};
    case Stage::Weights:
        return {axisTitle, QString::fromStdString(axisGloss(axis))};
    case Stage::Output:
        break;
    }
    return {axisTitle, QStringLiteral("the output: weights · V")};
}

/// The same where the weights were given: no axis has made them.
std::pair<QString, QString> wordsOfGiven(Stage stage)
{
    return stage == Stage::Output
               ? std::pair(QStringLiteral("Output"), QStringLiteral("weights · V"))
               : std::pair(QStringLiteral("Weights"), QStringLiteral("as they were loaded"));
}

} // namespace

MapNumbers numbersOf(const std::shared_ptr<const SliceStages>& stages, Stage stage)
{
    const bool showsMask = stage == Stage::Weights || stage == Stage::Logits;
    const Matrix& values = stages->of(stage);
    return {stages, values.data(), showsMask ? stages->before->logits.data() : nullptr,
            values.rows(), values.cols()};
}

MapFigure makeMapFigure(const Inputs& inputs, const ScoreSettings& settings, Index b,
                        std::shared_ptr<const SliceStages> stages, Stage stage)
{
    MapFacts facts{certify(viewOf(stages->weights), viewOf(stages->before->logits)),
                   std::make_shared<const MapDigest>(digestOf(*stages, stage))};
    return makeMapFigure(inputs, settings, b, std::move(stages), stage, std::move(facts));
}

MapFigure makeMapFigure(const Inputs& inputs, const ScoreSettings& settings, Index b,
                        std::shared_ptr<const SliceStages> stages, Stage stage, MapFacts facts)
{
    const Sizes sizes = sizesOf(inputs);
    const Axis axis = settings.axis;
    MapFigure map;
    map.axis = axis;
    map.stage = stage;
    std::tie(map.title, map.gloss) = inputs.weights ? wordsOfGiven(stage) : wordsOf(stage, axis);
    if (map.dependsOnAxis() && !inputs.weights)
        map.shortGloss = QString::fromStdString(shortAxisGloss(axis));
    map.rowLabels = tokenLabels(inputs.queryTokens, b, sizes.Tq, 'q');
    map.colLabels = stage == Stage::Output ? Labels(featureLabels(sizes.dv))
                                           : tokenLabels(inputs.keyTokens, b, sizes.Tk, 'k');
    map.certificate = std::move(facts.certificate);
    map.numbers = numbersOf(stages, stage);
    map.numbers.digest = std::move(facts.digest);
    map.glyphs = glyphsIn(map.numbers.shown());
    if (stage == Stage::Weights)
        map.columnSums = map.numbers.digest->columnSums;
    map.verdict = verdictOf(map.certificate, inputs, settings);
    map.nStacked = axis == Axis::Batch ? sizes.B : axis == Axis::Head ? sizes.H : 1;
    if (stage != Stage::Weights)
        map.colors =
            colorMapFor({Palette::BlueRed, RangeRule::Symmetric, {}}, {map.numbers.shown()});
    map.stages = std::move(stages);
    return map;
}

QString figureSettingsLine(const Inputs& inputs, const ScoreSettings& settings, Index b, Index h,
                           bool isOfEachAxis)
{
    const std::string line =
        isOfEachAxis ? eachAxisSettingsLine(inputs, settings) : settingsLine(inputs, settings);
    return QString::fromStdString(line) +
           QStringLiteral(" · batch %1, head %2").arg(b + 1).arg(h + 1);
}

namespace {

/// How many columns make the maps of a grid largest; nearly so where then each example begins a row
/// of its own.
///
/// @param nHeads  of each example; 1: nothing is kept together.
Index bestColumns(Index nMaps, Index nHeads, QSizeF page, double aspect)
{
    constexpr double kHeader = 26;
    constexpr double kNearly = 0.8;
    const auto sizeWith = [&](Index n) {
        const double nRows = std::ceil(static_cast<double>(nMaps) / static_cast<double>(n));
        const double width = page.width() / static_cast<double>(n);
        const double height = std::max(0.0, page.height() / nRows - kHeader);
        return std::min(width, height * aspect);
    };
    const auto bestOf = [&](auto isAllowed) {
        Index best = 1;
        for (Index n = 2; n <= nMaps; ++n)
            if (isAllowed(n) && sizeWith(n) > sizeWith(best))
                best = n;
        return best;
    };
    const Index largest = bestOf([](Index) { return true; });
    const Index aligned = bestOf([&](Index n) { return nHeads % n == 0 || n % nHeads == 0; });
    return sizeWith(aligned) >= kNearly * sizeWith(largest) ? aligned : largest;
}

/// How many heads each of several examples has; 1 where they are not side by side one by one.
Index headsOfEach(const std::vector<MapFigure>& maps)
{
    const auto isOfFirst = [&](const MapFigure& map) { return map.batch == maps.front().batch; };
    const Index nHeads = std::ranges::count_if(maps, isOfFirst);
    const bool isGrid = std::ssize(maps) % nHeads == 0 &&
                        std::ranges::none_of(maps, [](const MapFigure& map) { return map.isMean; });
    return isGrid && nHeads < std::ssize(maps) ? nHeads : 1;
}

Index columnsOf(const Figure& figure, QSizeF page)
{
    const auto nMaps = static_cast<Index>(figure.maps.size());
    if (figure.nColumns > 0)
        return std::min(figure.nColumns, nMaps);
    const MapFigure& first = figure.maps.front();
    if (first.detail == MapFigure::Detail::Card)
        return std::min<Index>(2, nMaps);
    const double aspect = first.numbers.isEmpty() ? 1.0
                                                  : static_cast<double>(first.numbers.nCols) /
                                                        static_cast<double>(first.numbers.nRows);
    return bestColumns(nMaps, headsOfEach(figure.maps), page, std::clamp(aspect, 0.2, 5.0));
}

/// What a shared bar is for, where there are several.
QString barName(const MapFigure& map)
{
    return map.words(map.stage == Stage::Weights  ? "weights"
                     : map.stage == Stage::Output ? "output"
                                                  : "scores to logits");
}

constexpr int kBarPx = 11;

/// One bar for each kind of colours, side by side across the foot of the page.
std::vector<SharedBar> sharedBarsIn(const QRectF& foot, const std::vector<MapFigure>& maps)
{
    std::vector<SharedBar> bars;
    for (std::size_t n = 0; n < maps.size(); ++n)
        if (std::ranges::none_of(
                bars, [&](const SharedBar& bar) { return maps[bar.of].colors == maps[n].colors; }))
            bars.push_back({n, {}, {}});
    const bool isAlone = bars.size() == 1;
    const double share = foot.width() / static_cast<double>(bars.size());
    for (std::size_t n = 0; n < bars.size(); ++n) {
        QRectF room(foot.left() + static_cast<double>(n) * share, foot.top(), share, foot.height());
        if (!isAlone) {
            const QFont font = uiFont(kBarPx);
            bars[n].name = room;
            bars[n].name.setWidth(textWidth(barName(maps[bars[n].of]), font) + 1);
            room.setLeft(bars[n].name.right() + 8);
        }
        HeatmapLayout& bar = bars[n].bar;
        bar.labelPx = kBarPx + 1;
        bar.isCompact = true;
        bar.words = maps[bars[n].of].words;
        bar.cells = QRectF(room.left(), room.top(), std::min(room.width(), 440.0), 0);
        bar.colorBar = room;
    }
    return bars;
}

void paintSharedBars(QPainter& painter, const Figure& figure, const FigureLayout& layout,
                     const Theme& theme)
{
    for (const SharedBar& bar : layout.sharedBars) {
        const MapFigure& first = figure.maps[bar.of];
        GlyphsPresent present;
        for (const MapFigure& map : figure.maps)
            if (map.colors == first.colors)
                present.include(map.glyphs);
        paintColorBar(painter, bar.bar, present, first.colors, theme);
        if (!bar.name.isEmpty())
            drawLabel(painter, bar.name.adjusted(0, -2, 0, -2), Qt::AlignLeft, barName(first),
                      uiFont(kBarPx), theme.ink);
    }
}

void paintArrow(QPainter& painter, QPointF middle, const QColor& color)
{
    painter.setPen(QPen(color, 1.3, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter.drawLine(middle - QPointF(5, 0), middle + QPointF(5, 0));
    painter.drawLine(middle + QPointF(2, -3), middle + QPointF(5, 0));
    painter.drawLine(middle + QPointF(2, 3), middle + QPointF(5, 0));
}

} // namespace

namespace {

constexpr int kSettingsPx = 11;
constexpr double kSettingsLine = 16;
constexpr double kLowWindow = 560; ///< cards in less height leave less around their cells

/// The settings in as many lines as the width asks for, broken between two of them.
QStringList brokenSettings(const QString& settings, double width)
{
    const QFont font = uiFont(kSettingsPx);
    const QString dot = QStringLiteral(" · ");
    QStringList lines{QString()};
    for (const QString& part : settings.split(dot)) {
        const QString longer = lines.back().isEmpty() ? part : lines.back() + dot + part;
        if (lines.back().isEmpty() || textWidth(longer, font) <= width)
            lines.back() = longer;
        else
            lines += part;
    }
    return lines;
}

} // namespace

FigureLayout layoutFigure(const Figure& figure, QSizeF size)
{
    FigureLayout layout;
    layout.size = size;
    const double margin = figure.hasCards ? 0 : 8;
    QRectF page(QPointF(0, 0), size);
    page.adjust(margin, margin, -margin, -margin);
    if (!figure.settingsLine.isEmpty()) {
        layout.settings = brokenSettings(figure.settingsLine, page.width() - 8);
        const bool isLow = figure.hasCards && size.height() < kLowWindow;
        const double gap = isLow ? 2 : 4;
        const double line = isLow ? kSettingsPx + 3 : kSettingsLine;
        const double height = gap + line * static_cast<double>(layout.settings.size());
        layout.settingsLine = {page.left() + 4, page.bottom() - height, page.width() - 8, height};
        page.setBottom(page.bottom() - height - gap);
    }
    if (figure.maps.empty())
        return layout;
    if (figure.sharesColorBar && figure.hasColorBars) {
        constexpr double kFoot = 22;
        layout.sharedBars = sharedBarsIn(
            {page.left() + 4, page.bottom() - kFoot, page.width() - 8, kFoot}, figure.maps);
        page.setBottom(page.bottom() - kFoot - 4);
    }
    const Index nColumns = columnsOf(figure, page.size());
    const auto nMaps = static_cast<Index>(figure.maps.size());
    const Index nRows = (nMaps + nColumns - 1) / nColumns;
    const double space =
        figure.isSequence ? 2 * kSpace
                          : std::min(kSpace, page.width() / static_cast<double>(nColumns) * 0.08);
    const auto share = [space](double whole, Index n) {
        return std::floor((whole - space * static_cast<double>(n - 1)) / static_cast<double>(n));
    };
    const double width = share(page.width(), nColumns);
    const double height = share(page.height(), nRows);
    for (Index n = 0; n < nMaps; ++n) {
        const QRectF card(page.left() + static_cast<double>(n % nColumns) * (width + space),
                          page.top() + static_cast<double>(n / nColumns) * (height + space), width,
                          height);
        layout.maps.push_back(layoutMap(figure.maps[static_cast<std::size_t>(n)], card, figure));
    }
    return layout;
}

std::optional<Cell> FigureHit::cellFrom(Cell present) const
{
    if (cell || (!row && !col))
        return cell;
    return Cell{row.value_or(present.row), col.value_or(present.col)};
}

FigureHit FigureLayout::hitTest(QPointF point) const
{
    for (std::size_t n = 0; n < maps.size(); ++n)
        if (maps[n].card.contains(point)) {
            const HeatmapLayout& heatmap = maps[n].heatmap;
            return {static_cast<int>(n),
                    maps[n].header.contains(point),
                    heatmap.colorBar.contains(point),
                    heatmap.cellAt(point),
                    heatmap.rowBesideAt(point),
                    heatmap.colBesideAt(point)};
        }
    const bool isBar = std::ranges::any_of(
        sharedBars, [&](const SharedBar& bar) { return bar.bar.colorBar.contains(point); });
    return {-1, false, isBar, {}, {}, {}};
}

void paintFigure(QPainter& painter, const Figure& figure, const FigureLayout& layout,
                 const Theme& theme)
{
    painter.save();
    for (std::size_t n = 0; n < figure.maps.size(); ++n) {
        paintMap(painter, figure.maps[n], layout.maps[n], figure.hasCards, theme);
        if (figure.isSequence && n > 0 &&
            layout.maps[n].card.left() > layout.maps[n - 1].card.left())
            paintArrow(
                painter,
                {layout.maps[n].card.left() - kSpace, layout.maps[n].heatmap.view.center().y()},
                theme.muted);
    }
    if (figure.maps.empty() && !figure.message.isEmpty())
        drawLabel(painter, QRectF(QPointF(0, 0), layout.size), Qt::AlignHCenter, figure.message,
                  uiFont(15), theme.muted);
    paintSharedBars(painter, figure, layout, theme);
    QRectF line = layout.settingsLine;
    line.setHeight(line.height() / std::max(1.0, static_cast<double>(layout.settings.size())));
    for (const QString& text : layout.settings) {
        drawLabel(painter, line, Qt::AlignLeft, text, uiFont(kSettingsPx), theme.muted);
        line.translate(0, line.height());
    }
    painter.restore();
}

} // namespace keyaxis
