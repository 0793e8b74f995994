#include "ui/paint/compositions.h"

#include "core/attention/masked.h"
#include "ui/paint/heatmap_image.h"
#include "ui/paint/stage_words.h"

#include <cmath>
#include <utility>

namespace keyaxis {

namespace {

std::size_t at(Axis axis)
{
    return static_cast<std::size_t>(axis);
}

MapFigure mapOf(const SliceSource& source, Axis axis, Stage stage)
{
    ScoreSettings settings = source.settings;
    settings.axis = axis;
    const auto& stages = source.axes[at(axis)];
    return source.certificates
               ? makeMapFigure(source.inputs, settings, source.batch, stages, stage,
                               (*source.certificates)[at(axis)])
               : makeMapFigure(source.inputs, settings, source.batch, stages, stage);
}

QString placeOf(Index batch, Index head)
{
    return QStringLiteral("batch %1, head %2").arg(batch + 1).arg(head + 1);
}

/// Gives all maps one range by `choice`, and marks what lies outside it.
void color(std::vector<MapFigure>& maps, const ColorChoice& choice)
{
    std::vector<HeatmapValues> values;
    for (const MapFigure& map : maps)
        values.push_back(map.numbers.shown());
    const ColorMap colors = colorMapFor(choice, values);
    // Weights lie between 0 and 1: nothing can be beyond the whole range.
    const bool canClip = choice.rule == RangeRule::Logarithmic ||
                         (choice.rule == RangeRule::Fixed && choice.fixed != Range{});
    for (std::size_t n = 0; n < maps.size(); ++n) {
        maps[n].colors = colors;
        if (canClip)
            maps[n].glyphs = glyphsIn(values[n], colors);
    }
}

struct Difference {
    Matrix values;
    Matrix logits;
};

/// a − b; masked where both are.
std::shared_ptr<const Difference> differenceOf(const SliceStages& a, const SliceStages& b)
{
    auto result = std::make_shared<Difference>();
    result->values = a.weights - b.weights;
    result->logits = Matrix::Zero(a.weights.rows(), a.weights.cols());
    const float* ours = a.before->logits.data();
    const float* theirs = b.before->logits.data();
    for (Index n = 0; n < result->logits.size(); ++n)
        if (ours[n] == kMasked && theirs[n] == kMasked)
            result->logits.data()[n] = kMasked;
    return result;
}

} // namespace

Figure compareFigure(const SliceSource& source)
{
    Figure figure;
    for (const Axis axis : kAllAxes) {
        figure.maps.push_back(mapOf(source, axis, Stage::Weights));
        figure.maps.back().isSelected = axis == source.settings.axis;
    }
    color(figure.maps, source.colors.weights);
    figure.settingsLine =
        figureSettingsLine(source.inputs, source.settings, source.batch, source.head, true);
    return figure;
}

Figure singleFigure(const SliceSource& source, Stage stage)
{
    Figure figure;
    figure.maps.push_back(mapOf(source, source.settings.axis, stage));
    figure.maps.back().isSelected = true;
    color(figure.maps, source.colors.of(stage));
    figure.settingsLine =
        figureSettingsLine(source.inputs, source.settings, source.batch, source.head, false);
    return figure;
}

Figure stripFigure(const SliceSource& source)
{
    Figure figure;
    figure.isSequence = true;
    figure.sharesColorBar = true;
    std::vector<MapFigure> signedMaps;
    for (const Stage stage : kAllStages) {
        MapFigure map = mapOf(source, source.settings.axis, stage);
        if (map.numbers.isEmpty())
            continue; // the output where there is no V
        const StageWords words = stageWords(source.inputs, source.settings, stage);
        map.detail = MapFigure::Detail::Tile;
        map.heading = words.name;
        map.gloss = words.below;
        map.isDimmed = words.isOff;
        map.certificate = {};
        figure.maps.push_back(std::move(map));
    }
    for (const MapFigure& map : figure.maps)
        if (map.stage != Stage::Weights && map.stage != Stage::Output)
            signedMaps.push_back(map);
    color(signedMaps, source.colors.signedStages);
    for (MapFigure& map : figure.maps) {
        const bool isScore = map.stage != Stage::Weights && map.stage != Stage::Output;
        map.colors = isScore ? signedMaps.front().colors
                             : colorMapFor(source.colors.of(map.stage), {map.numbers.shown()});
    }
    figure.settingsLine =
        figureSettingsLine(source.inputs, source.settings, source.batch, source.head, false);
    return figure;
}

Figure headsFigure(const HeadsSource& source, const std::vector<HeadIndex>& which)
{
    const Sizes sizes = sizesOf(source.inputs);
    std::vector<HeadIndex> heads = which;
    for (Index b = 0; which.empty() && b < sizes.B; ++b)
        for (Index h = 0; h < sizes.H; ++h)
            heads.push_back({b, h});
    Figure figure;
    figure.sharesColorBar = true;
    for (const auto& [b, h] : heads) {
        const MatrixView weights = source.all->weights.slice(b, h);
        const MatrixView logits = source.all->logits.slice(b, h);
        MapFigure map;
        map.detail = MapFigure::Detail::Tile;
        map.axis = source.settings.axis;
        map.batch = b;
        map.head = h;
        map.heading = Label(sizes.B > 1 ? placeOf(b, h) : QStringLiteral("head %1").arg(h + 1));
        map.title = placeOf(b, h);
        map.numbers = {source.all, weights.data(), logits.data(), weights.rows(), weights.cols()};
        map.rowLabels = tokenLabels(source.inputs.queryTokens, b, sizes.Tq, 'q');
        map.colLabels = tokenLabels(source.inputs.keyTokens, b, sizes.Tk, 'k');
        map.glyphs = glyphsIn(map.numbers.shown());
        map.certificate = certify(weights, logits);
        map.verdict = verdictOf(map.certificate, source.settings, sizes);
        figure.maps.push_back(std::move(map));
    }
    color(figure.maps, source.colors.weights);
    const std::string line = settingsLine(source.settings, sizes.dk, source.inputs.mask != nullptr,
                                          source.inputs.bias != nullptr);
    figure.settingsLine = QString::fromStdString(line);
    return figure;
}

Figure differenceFigure(const SliceSource& source, const Reference& reference)
{
    Figure figure;
    const auto& ours = source.axes[at(source.settings.axis)];
    const Matrix& theirs = reference.stages->weights;
    if (theirs.rows() != ours->weights.rows() || theirs.cols() != ours->weights.cols()) {
        figure.message = QStringLiteral("%1 has %2 × %3 weights, this map %4 × %5.")
                             .arg(reference.name)
                             .arg(theirs.rows())
                             .arg(theirs.cols())
                             .arg(ours->weights.rows())
                             .arg(ours->weights.cols());
        return figure;
    }
    MapFigure map = mapOf(source, source.settings.axis, Stage::Weights);
    const auto difference = differenceOf(*ours, *reference.stages);
    map.isDifference = true;
    map.title = QStringLiteral("%1 − %2").arg(map.title, reference.name);
    map.gloss = QStringLiteral("the weights now, less those of the %1").arg(reference.name);
    map.shortGloss.clear();
    map.numbers = {difference, difference->values.data(), difference->logits.data(),
                   ours->weights.rows(), ours->weights.cols()};
    map.glyphs = glyphsIn(map.numbers.shown());
    figure.maps.push_back(std::move(map));
    color(figure.maps, source.colors.signedStages);
    figure.settingsLine =
        figureSettingsLine(source.inputs, source.settings, source.batch, source.head, false);
    return figure;
}

Cell tellingCell(const Matrix& logits)
{
    if (logits.size() == 0)
        return {};
    const Index row = logits.rows() / 2;
    Index best = 0;
    for (Index j = 1; j < logits.cols(); ++j)
        if (logits(row, j) > logits(row, best) || std::isnan(logits(row, best)))
            best = j;
    return {row, best};
}

} // namespace keyaxis
