#include "app/render_figures.h"

#include "core/attention/attention.h"
#include "ui/document/layer_maps.h"
#include "ui/document/session.h"
#include "ui/paint/compositions.h"
#include "ui/paint/picture_figure.h"
#include "ui/widgets/figures.h"

#include <cstdio>
#include <unistd.h>

namespace keyaxis {

namespace {

using FigureKind = RenderCommand::Figure;

/// Weights of one map that are kept; a larger map is pictured a band at a time.
constexpr Index kLargestMap = Index(1) << 25;

/// Cells of a picture of such a map: no page shows more of them.
constexpr Index kPictureCells = 1024;

bool isCut(const RenderCommand& command)
{
    return command.queries || command.keys;
}

/// What the figure is cut down to.
CellCrop cropOf(const RenderCommand& command, const Sizes& sizes)
{
    const TokenRange rows = command.queries.value_or(TokenRange{0, sizes.Tq - 1});
    const TokenRange cols = command.keys.value_or(TokenRange{0, sizes.Tk - 1});
    return {rows.first, rows.last + 1, cols.first, cols.last + 1};
}

/// Whether `command` asks for a map of weights that is too large to be kept.
bool isOfLargeMap(const RenderCommand& command, const Inputs& inputs)
{
    const Sizes sizes = sizesOf(inputs);
    return !inputs.given() && // what was loaded has its room already
           command.figure == FigureKind::Map && command.stage == Stage::Weights &&
           sizes.Tq * sizes.Tk > kLargestMap;
}

Result<Figure> pictureOf(const RenderCommand& command, const AttentionFile& file,
                         std::stop_token stop)
{
    const Sizes sizes = sizesOf(file.inputs);
    if (isCut(command) || command.leavesOutPadding)
        return fail(Errc::BadValue,
                    "--queries, --keys and --leave-out-padding need a map of at most " +
                        std::to_string(kLargestMap) + " weights; this one has " +
                        std::to_string(sizes.Tq * sizes.Tk) + ".");
    const bool isWatched = isatty(STDERR_FILENO) != 0;
    const auto tell = [&](const MapPicture& picture) {
        if (isWatched)
            std::fprintf(stderr, "\rkeyaxis: %3d %%", int(100 * picture.nDone / picture.nBands));
    };
    auto picture = mapPicture(file.inputs, file.settings, command.batch, command.head,
                              std::min(kPictureCells, sizes.Tq), std::min(kPictureCells, sizes.Tk),
                              tell, stop);
    if (isWatched)
        std::fprintf(stderr, "\r              \r");
    if (!picture)
        return tl::unexpected(picture.error());
    ColorChoice choice = colorsOf(command).weights;
    if (!command.colors.rule)
        choice.rule = RangeRule::Logarithmic;
    return pictureFigure(file.inputs, file.settings, command.batch, command.head,
                         std::make_shared<const MapPicture>(std::move(*picture)), choice);
}

Result<Figure> headsOf(const RenderCommand& command, const AttentionFile& file,
                       std::stop_token stop)
{
    auto all = attend(file.inputs, file.settings, {.logits = true, .output = false}, stop);
    if (!all)
        return tl::unexpected(all.error());
    return headsFigure({file.inputs, file.settings,
                        std::make_shared<const Attention>(std::move(*all)), colorsOf(command),
                        command.sortsHeads, command.showsMean});
}

/// The axis whose weights are taken off: another one, unless it was said.
Axis referenceOf(const RenderCommand& command, Axis own)
{
    return command.against.value_or(own == Axis::Query ? Axis::Key : Axis::Query);
}

/// The figure of one (batch, head): the four axes, or what concerns the one of the settings.
Result<Figure> sliceFigureOf(const RenderCommand& command, const AttentionFile& file,
                             std::stop_token stop)
{
    const Axis own = file.settings.axis;
    const Axis reference = referenceOf(command, own);
    std::vector<Axis> axes{own};
    if (command.figure == FigureKind::Compare)
        axes.assign(kAllAxes.begin(), kAllAxes.end());
    else if (command.figure == FigureKind::Difference)
        axes.push_back(reference);
    const auto source = withSlices(
        {file.inputs, file.settings, command.batch, command.head, {}, nullptr, colorsOf(command)},
        axes, stop);
    if (!source)
        return tl::unexpected(source.error());
    switch (command.figure) {
    case FigureKind::Compare:
        return compareFigure(*source);
    case FigureKind::Strip:
        return stripFigure(*source);
    case FigureKind::Difference:
        return differenceFigure(*source, reference);
    default:
        return singleFigure(*source, command.stage);
    }
}

} // namespace

MapColors colorsOf(const RenderCommand& command)
{
    MapColors colors;
    const bool isSigned = command.figure == FigureKind::Difference;
    ColorChoice& choice = colors.of(isSigned ? Stage::Scores : command.stage);
    const ColorOptions& asked = command.colors;
    choice.palette = asked.palette.value_or(choice.palette);
    choice.isReversed = asked.isReversed;
    choice.ignoresFirstKey = asked.ignoresFirstKey;
    if (asked.ignoresFirstKey && choice.rule == RangeRule::Fixed)
        choice.rule = RangeRule::Automatic; // a fixed range ignores every key
    choice.rule = asked.rule.value_or(choice.rule);
    if (asked.rule == RangeRule::Fixed)
        choice.fixed = asked.fixed;
    return colors;
}

ViewSettings viewOf(const RenderCommand& command, const AttentionFile& file)
{
    using Mode = ViewSettings::Mode;
    ViewSettings view = viewFrom(file.view);
    view.batch = command.batch;
    view.head = command.head;
    view.sortsHeads = command.sortsHeads;
    view.showsMean = command.showsMean;
    view.leavesOutPadding = command.leavesOutPadding;
    view.crop.reset();
    if (isCut(command))
        view.crop = cropOf(command, sizesOf(file.inputs));
    switch (command.figure) {
    case FigureKind::Compare:
        view.mode = Mode::Compare;
        break;
    case FigureKind::Heads:
        view.mode = Mode::Heads;
        break;
    case FigureKind::Layers:
        view.mode = Mode::Layers;
        break;
    case FigureKind::Difference:
        view.mode = Mode::Difference;
        view.reference = referenceOf(command, file.settings.axis);
        break;
    case FigureKind::Map:
        view.mode = Mode::Single;
        view.stage = command.stage;
        break;
    case FigureKind::Strip:
    case FigureKind::Plane:
        break; // the window shows these beside its maps
    }
    return view;
}

Result<Figure> figureOf(const RenderCommand& command, const AttentionFile& file,
                        std::stop_token stop)
{
    if (isOfLargeMap(command, file.inputs))
        return pictureOf(command, file, stop);
    const bool isOfHeads = command.figure == FigureKind::Heads;
    auto figure = isOfHeads ? headsOf(command, file, stop) : sliceFigureOf(command, file, stop);
    if (figure)
        leaveOut(*figure, file.inputs, file.settings, viewOf(command, file));
    return figure;
}

Result<Figure> layersFigureOf(const RenderCommand& command, const LayeredFile& file,
                              std::stop_token stop)
{
    const auto maps = mapsOfLayers(file.layers, file.shown.inputs, file.shown.settings,
                                   command.batch, command.head, stop);
    if (!maps)
        return tl::unexpected(maps.error());
    const std::shared_ptr<const Attention> all(*maps, &(*maps)->all);
    Figure figure = layersFigure({file.shown.inputs, file.shown.settings, all, (*maps)->names,
                                  command.batch, command.head, colorsOf(command), &(*maps)->facts});
    leaveOut(figure, file.shown.inputs, file.shown.settings, viewOf(command, file.shown));
    return figure;
}

} // namespace keyaxis
