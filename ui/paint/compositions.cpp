#include "ui/paint/compositions.h"

#include "core/attention/masked.h"
#include "core/proof/padding.h"
#include "core/settings_line.h"
#include "ui/paint/heatmap_image.h"
#include "ui/paint/stage_words.h"

#include <algorithm>
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
    if (!source.certificates)
        return makeMapFigure(source.inputs, settings, source.batch, stages, stage);
    return makeMapFigure(source.inputs, settings, source.batch, stages, stage,
                         {(*source.certificates)[at(axis)],
                          source.digests
                              ? source.digests(axis, stage)
                              : std::make_shared<const MapDigest>(digestOf(*stages, stage))});
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
    const bool canClip = choice.rule == RangeRule::Logarithmic || choice.ignoresFirstKey ||
                         (choice.rule == RangeRule::Fixed && choice.fixed != Range{});
    for (std::size_t n = 0; n < maps.size(); ++n) {
        maps[n].colors = colors;
        if (canClip)
            maps[n].glyphs = glyphsIn(values[n], colors);
    }
}

/// What a settings line adds about the range of the colours.
QString rangeWords(const ColorChoice& choice)
{
    const bool isSaid = choice.ignoresFirstKey && choice.rule != RangeRule::Fixed;
    return isSaid ? QStringLiteral(" · colours without key 1") : QString();
}

/// A small map of slice `at` of `all`, whose tokens are those of example b.
///
/// @param facts  of every slice; null: they are computed.
MapFigure tileOf(const Inputs& inputs, const ScoreSettings& settings,
                 const std::shared_ptr<const Attention>& all, const std::vector<MapFacts>* facts,
                 HeadIndex at, Index b)
{
    const MatrixView weights = all->weights.slice(at.batch, at.head);
    const MatrixView logits = all->logits.slice(at.batch, at.head);
    MapFigure map;
    map.detail = MapFigure::Detail::Tile;
    map.axis = settings.axis;
    map.batch = at.batch;
    map.head = at.head;
    map.numbers = {all, weights.data(), logits.data(), weights.rows(), weights.cols()};
    const Index place = at.batch * all->weights.shape().heads + at.head;
    MapFacts own = facts ? (*facts)[static_cast<std::size_t>(place)] : factsOf(weights, logits);
    map.numbers.digest = std::move(own.digest);
    map.rowLabels = tokenLabels(inputs.queryTokens, b, weights.rows(), 'q');
    map.colLabels = tokenLabels(inputs.keyTokens, b, weights.cols(), 'k');
    map.glyphs = glyphsIn(map.numbers.shown());
    map.certificate = std::move(own.certificate);
    map.verdict = verdictOf(map.certificate, inputs, settings);
    return map;
}

std::vector<HeadIndex> sortedByEntropy(const HeadFacts& facts, Index nBatch)
{
    std::vector<HeadIndex> heads;
    for (Index b = 0; b < nBatch; ++b)
        for (const Index h : headsByEntropy(facts.entropiesOf(b)))
            heads.push_back({b, h});
    return heads;
}

/// A small map of the mean over the heads, for each example.
std::vector<MapFigure> meanTiles(const HeadsSource& source,
                                 const std::shared_ptr<const HeadFacts>& facts)
{
    const std::shared_ptr<const Attention> mean(facts, &facts->mean);
    const Index nBatch = mean->weights.shape().batch;
    std::vector<MapFigure> maps;
    for (Index b = 0; b < nBatch; ++b) {
        maps.push_back(tileOf(source.inputs, source.settings, mean, &facts->ofMean, {b, 0}, b));
        MapFigure& map = maps.back();
        map.isMean = true;
        map.title = nBatch > 1 ? QStringLiteral("batch %1, mean of heads").arg(b + 1)
                               : QStringLiteral("mean of heads");
        map.heading = Label(map.title);
    }
    return maps;
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

Result<SliceSource> withSlices(SliceSource source, std::span<const Axis> axes, std::stop_token stop)
{
    KeptAttention attention;
    for (const Axis axis : axes) {
        ScoreSettings settings = source.settings;
        settings.axis = axis;
        auto slice = attention.slice(source.inputs, settings, source.batch, source.head, stop);
        if (!slice)
            return tl::unexpected(slice.error());
        source.axes[at(axis)] = std::move(*slice);
    }
    return source;
}

Figure compareFigure(const SliceSource& source)
{
    Figure figure;
    for (const Axis axis : kAllAxes) {
        figure.maps.push_back(mapOf(source, axis, Stage::Weights));
        figure.maps.back().isSelected = axis == source.settings.axis;
    }
    color(figure.maps, source.colors.weights);
    figure.settingsLine =
        figureSettingsLine(source.inputs, source.settings, source.batch, source.head, true) +
        rangeWords(source.colors.weights);
    return figure;
}

Figure singleFigure(const SliceSource& source, Stage stage)
{
    Figure figure;
    figure.maps.push_back(mapOf(source, source.settings.axis, stage));
    figure.maps.back().isSelected = true;
    color(figure.maps, source.colors.of(stage));
    figure.settingsLine =
        figureSettingsLine(source.inputs, source.settings, source.batch, source.head, false) +
        rangeWords(source.colors.of(stage));
    return figure;
}

Figure stripFigure(const SliceSource& source)
{
    Figure figure;
    figure.isSequence = true;
    figure.sharesColorBar = true;
    std::vector<MapFigure> signedMaps;
    for (const Stage stage : kAllStages) {
        const StageWords words = stageWords(source.inputs, source.settings, stage);
        MapFigure map = mapOf(source, source.settings.axis, stage);
        if (map.numbers.isEmpty() || words.isAbsent)
            continue; // such as the output where there is no V
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
    std::shared_ptr<const HeadFacts> facts = source.heads;
    if (!facts && (source.isSorted || source.hasMean)) // nothing stops it: there is no error
        facts = std::make_shared<const HeadFacts>(headFactsOf(*source.all).value());
    if (source.isSorted && which.empty())
        heads = sortedByEntropy(*facts, sizes.B);
    Figure figure;
    figure.sharesColorBar = true;
    if (source.hasMean)
        figure.maps = meanTiles(source, facts);
    for (const auto& [b, h] : heads) {
        MapFigure map = tileOf(source.inputs, source.settings, source.all, source.facts, {b, h}, b);
        map.title = placeOf(b, h);
        QString heading = sizes.B > 1 ? map.title : QStringLiteral("head %1").arg(h + 1);
        if (source.isSorted)
            heading += QStringLiteral(" · %1 bits")
                           .arg(facts->entropiesOf(b)[static_cast<std::size_t>(h)], 0, 'f', 2);
        map.heading = Label(heading);
        // What tells the maps apart must not be what is cut.
        map.shortHeading = Label(sizes.B > 1 ? QStringLiteral("b%1 h%2").arg(b + 1).arg(h + 1)
                                             : QStringLiteral("h%1").arg(h + 1));
        figure.maps.push_back(std::move(map));
    }
    color(figure.maps, source.colors.weights);
    figure.settingsLine = QString::fromStdString(settingsLine(source.inputs, source.settings)) +
                          rangeWords(source.colors.weights);
    if (source.isSorted)
        figure.settingsLine += QStringLiteral(" · heads by entropy");
    return figure;
}

Figure layersFigure(const LayersSource& source)
{
    Figure figure;
    figure.sharesColorBar = true;
    for (Index n = 0; n < std::ssize(source.names); ++n) {
        MapFigure map =
            tileOf(source.inputs, source.settings, source.all, source.facts, {0, n}, source.batch);
        map.title = QStringLiteral("layer %1")
                        .arg(QString::fromStdString(source.names[static_cast<std::size_t>(n)]));
        map.heading = Label(map.title);
        figure.maps.push_back(std::move(map));
    }
    color(figure.maps, source.colors.weights);
    Inputs ofAll = source.inputs;
    ofAll.layer.clear();
    figure.settingsLine =
        figureSettingsLine(ofAll, source.settings, source.batch, source.head, false) +
        rangeWords(source.colors.weights);
    return figure;
}

void crop(Figure& figure, const CellRange& range)
{
    const auto isCut = [&](const MapFigure& map) {
        return map.detail == MapFigure::Detail::Card && map.stage != Stage::Output &&
               range.endRow <= map.numbers.nRows && range.endCol <= map.numbers.nCols;
    };
    if (figure.maps.empty() || !std::all_of(figure.maps.begin(), figure.maps.end(), isCut))
        return;
    figure.window =
        CellWindow{static_cast<double>(range.firstRow), static_cast<double>(range.firstCol),
                   static_cast<double>(range.nRows()), static_cast<double>(range.nCols())};
    figure.settingsLine += QStringLiteral(" · queries %1–%2, keys %3–%4")
                               .arg(range.firstRow + 1)
                               .arg(range.endRow)
                               .arg(range.firstCol + 1)
                               .arg(range.endCol);
}

void leaveOutPadding(Figure& figure, const Inputs& inputs, const ScoreSettings& settings,
                     const std::function<HeadIndex(const MapFigure&)>& placeOf)
{
    bool isAny = false;
    for (MapFigure& map : figure.maps) {
        const HeadIndex place = placeOf(map);
        const std::vector<bool> padded = paddedRows(inputs, place.batch, place.head);
        if (padded.empty() || padded.size() != map.certificate.rows.size())
            continue;
        ScoreSettings own = settings;
        own.axis = map.axis;
        map.verdict = verdictWithoutRows(map.certificate, padded, inputs, own);
        isAny = isAny || map.hasSums() || map.detail == MapFigure::Detail::Tile;
    }
    if (isAny)
        figure.settingsLine += QStringLiteral(" · padded queries not counted");
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
    map.numbers = {difference,
                   difference->values.data(),
                   difference->logits.data(),
                   ours->weights.rows(),
                   ours->weights.cols(),
                   std::make_shared<const MapDigest>(
                       digestOf(viewOf(difference->values), viewOf(difference->logits)))};
    map.glyphs = glyphsIn(map.numbers.shown());
    figure.maps.push_back(std::move(map));
    color(figure.maps, source.colors.signedStages);
    figure.settingsLine =
        figureSettingsLine(source.inputs, source.settings, source.batch, source.head, false);
    return figure;
}

Figure differenceFigure(const SliceSource& source, Axis reference)
{
    return differenceFigure(source, {source.axes[at(reference)],
                                     QString::fromLatin1(names(reference).title.data()).toLower()});
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
