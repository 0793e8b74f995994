#include "app/render.h"

#include "app/attention_source.h"
#include "app/render_figures.h"
#include "app/report.h"
#include "core/attention/attention.h"
#include "core/io/session_file.h"
#include "ui/document/session.h"
#include "ui/paint/figure.h"
#include "ui/paint/sequence.h"
#include "ui/paint/value_plane.h"
#include "ui/present/web_page.h"

namespace keyaxis {

namespace {

constexpr int kLayoutDpi = 96; ///< at which one unit of the layout is one pixel

/// An index that is too large is told with the ones there are.
Result<void> checkIndex(const std::string& option, Index index, Index n)
{
    if (index < n)
        return {};
    const std::string range = n == 0   ? "is none"
                              : n == 1 ? "is only 0"
                                       : "are 0 to " + std::to_string(n - 1);
    return fail(Errc::BadValue,
                "--" + option + " is " + std::to_string(index) + ", but there " + range + ".");
}

/// The same of the last token of a range.
Result<void> checkRange(const std::string& option, const std::optional<TokenRange>& range, Index n)
{
    return range ? checkIndex(option, range->last, n) : Result<void>();
}

/// The value plane of one query.
Result<ValuePlaneFigure> planeOf(const RenderCommand& command, const AttentionFile& file,
                                 std::stop_token stop)
{
    const Sizes sizes = sizesOf(file.inputs);
    const Index query = command.query.value_or(sizes.Tq / 2);
    if (const auto fits = checkIndex("query", query, sizes.Tq); !fits)
        return tl::unexpected(fits.error());
    const auto slice = attendSlice(file.inputs, file.settings, command.batch, command.head, stop);
    if (!slice)
        return tl::unexpected(slice.error());
    const Certificate certificate = certify(viewOf(slice->weights), viewOf(slice->before->logits));
    const MatrixView values = file.inputs.v->slice(command.batch, sizes.groupOf(command.head));
    ValuePlaneFigure figure =
        makeValuePlane(file.inputs, file.settings, command.batch, command.head, *slice, certificate,
                       query, principalPlane(values));
    figure.hasTitle = true;
    figure.settingsLine =
        figureSettingsLine(file.inputs, file.settings, command.batch, command.head, false);
    return figure;
}

/// One figure for each temperature, or the map before and after its turn.
Result<Sequence> sequenceOf(const RenderCommand& command, AttentionFile file, const Theme& theme,
                            std::stop_token stop)
{
    const ScoreSettings settings = file.settings;
    const FigureMaker make = [&](const ScoreSettings& under) {
        file.settings = under;
        return figureOf(command, file, stop);
    };
    return command.flip
               ? axisFlip(settings, *command.flip, std::nullopt, make, theme)
               : temperatureSweep(settings, *command.sweep, make, colorsOf(command), theme);
}

/// What the page of a file opens with.
StepState stateOf(const RenderCommand& command, const AttentionFile& file)
{
    StepState state;
    state.inputs = file.inputs;
    state.settings = file.settings;
    state.batch = command.batch;
    state.head = command.head;
    state.picture = StepState::Picture::Map;
    return state;
}

/// A page that suits the figure.
QSizeF usualSize(RenderCommand::Figure figure)
{
    switch (figure) {
    case RenderCommand::Figure::Compare:
        return {1600, 1000};
    case RenderCommand::Figure::Strip:
        return {1600, 320};
    case RenderCommand::Figure::Heads:
    case RenderCommand::Figure::Layers:
        return {1200, 900};
    case RenderCommand::Figure::Plane:
        return {560, 460};
    case RenderCommand::Figure::Map:
    case RenderCommand::Figure::Difference:
        break;
    }
    return {1000, 800};
}

/// The page: what was asked for, or a size that suits the figure, more pixels at a higher
/// resolution.
ExportOptions pageOf(const RenderCommand& command)
{
    ExportOptions options;
    options.dpi = static_cast<int>(command.dpi.value_or(kLayoutDpi));
    if (command.size) {
        options.size = QSizeF(static_cast<double>(command.size->width),
                              static_cast<double>(command.size->height));
        return options;
    }
    options.size = usualSize(command.figure);
    const bool isVector =
        command.output.extension() == ".svg" || command.output.extension() == ".pdf";
    if (!isVector)
        options.size = (options.size * options.dpi / kLayoutDpi).toSize();
    return options;
}

/// The page, and with it the document where the figure is to carry it.
Result<ExportOptions> pageWithSession(const RenderCommand& command, const AttentionFile& file)
{
    ExportOptions options = pageOf(command);
    if (!command.withSession)
        return options;
    return sessionBytes({file.inputs, file.settings, viewWords(viewOf(command, file)),
                         command.attention.file.filename().string()})
        .map([&](Bytes session) {
            options.session = std::move(session);
            return options;
        });
}

} // namespace

Result<void> render(const RenderCommand& command, std::stop_token stop)
{
    const bool showsLayers = command.figure == RenderCommand::Figure::Layers;
    const auto layered = showsLayers ? readLayers(command.attention).map([](LayeredFile read) {
        return std::optional(std::move(read));
    })
                                     : Result<std::optional<LayeredFile>>(std::nullopt);
    if (!layered)
        return tl::unexpected(layered.error());
    const Result<AttentionFile> file =
        *layered ? (*layered)->shown : readAttention(command.attention);
    if (!file)
        return tl::unexpected(file.error());
    const Sizes sizes = sizesOf(file->inputs);
    if (const auto fits = checkIndex("batch", command.batch, sizes.B); !fits)
        return fits;
    if (const auto fits = checkIndex("head", command.head, sizes.H); !fits)
        return fits;
    if (const auto fits = checkRange("queries", command.queries, sizes.Tq); !fits)
        return fits;
    if (const auto fits = checkRange("keys", command.keys, sizes.Tk); !fits)
        return fits;
    const bool isPlane = command.figure == RenderCommand::Figure::Plane;
    if (command.stage == Stage::Output || isPlane)
        if (const auto hasValues = requireValues(*file, command.attention); !hasValues)
            return hasValues;
    const bool showsWeights = command.stage == Stage::Weights || command.stage == Stage::Output;
    if (!showsWeights || command.figure == RenderCommand::Figure::Compare)
        if (const auto hasScores = requireScores(*file, command.attention); !hasScores)
            return hasScores;
    const bool showsAll = command.figure == RenderCommand::Figure::Heads;
    printSettings(*file, command.output,
                  showsAll ? std::string()
                           : " · batch " + std::to_string(command.batch) + ", head " +
                                 std::to_string(command.head));

    if (command.output.extension() == ".html")
        return writeWebPage(stateOf(command, *file), command.output);
    const Result<ExportOptions> page = pageWithSession(command, *file);
    if (!page)
        return tl::unexpected(page.error());
    const Theme theme = command.dark ? Theme::dark() : Theme::light();
    registerFonts();
    if (isPlane) {
        const auto plane = planeOf(command, *file, stop);
        if (!plane)
            return tl::unexpected(plane.error());
        const auto paint = [&](QPainter& painter, QSizeF size) {
            paintValuePlane(painter, *plane, layoutValuePlane(*plane, size), theme);
        };
        return exportPicture({paint, plane->settingsLine}, theme, *page, command.output);
    }
    if (command.isSequence()) {
        const auto sequence = sequenceOf(command, *file, theme, stop);
        if (!sequence)
            return tl::unexpected(sequence.error());
        return exportSequence(*sequence, theme, *page, command.output, stop);
    }
    const Result<Figure> figure =
        *layered ? layersFigureOf(command, **layered, stop) : figureOf(command, *file, stop);
    if (!figure)
        return tl::unexpected(figure.error());
    for (const MapFigure& map : figure->maps)
        if (map.detail == MapFigure::Detail::Card)
            printVerdict(map.axis, map.verdict);
    return exportFigure(*figure, theme, *page, command.output);
}

} // namespace keyaxis
