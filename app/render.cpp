#include "app/render.h"

#include "app/attention_source.h"
#include "app/report.h"
#include "core/attention/attention.h"
#include "ui/paint/export.h"

namespace keyaxis {

namespace {

constexpr int kLayoutDpi = 96; ///< at which one unit of the layout is one pixel

/// An index that is too large is told with the ones there are.
Result<void> checkIndex(const std::string& option, Index index, Index n)
{
    if (index < n)
        return {};
    const std::string range = n == 1 ? "is only 0" : "are 0 to " + std::to_string(n - 1);
    return fail(Errc::BadValue,
                "--" + option + " is " + std::to_string(index) + ", but there " + range + ".");
}

/// The maps of the figure: the four axes, or the one of the settings.
Result<Figure> figureOf(const RenderCommand& command, const AttentionFile& file,
                        std::stop_token stop)
{
    const bool isComparison = command.figure == RenderCommand::Figure::Compare;
    Figure figure;
    KeptAttention attention; // the four axes share everything before the softmax
    for (const Axis axis : kAllAxes) {
        if (!isComparison && axis != file.settings.axis)
            continue;
        ScoreSettings settings = file.settings;
        settings.axis = axis;
        const auto slice =
            attention.slice(file.inputs, settings, command.batch, command.head, stop);
        if (!slice)
            return tl::unexpected(slice.error());
        figure.maps.push_back(
            makeMapFigure(file.inputs, settings, command.batch, *slice, command.stage));
        figure.maps.back().isSelected = isComparison && axis == file.settings.axis;
    }
    figure.settingsLine =
        figureSettingsLine(file.inputs, file.settings, command.batch, command.head, isComparison);
    return figure;
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
    options.size =
        command.figure == RenderCommand::Figure::Compare ? QSizeF(1600, 1000) : QSizeF(1000, 800);
    const bool isVector =
        command.output.extension() == ".svg" || command.output.extension() == ".pdf";
    if (!isVector)
        options.size = (options.size * options.dpi / kLayoutDpi).toSize();
    return options;
}

} // namespace

Result<void> render(const RenderCommand& command, std::stop_token stop)
{
    const Result<AttentionFile> file = readAttention(command.attention);
    if (!file)
        return tl::unexpected(file.error());
    const Sizes sizes = sizesOf(file->inputs);
    if (const auto fits = checkIndex("batch", command.batch, sizes.B); !fits)
        return fits;
    if (const auto fits = checkIndex("head", command.head, sizes.H); !fits)
        return fits;
    if (command.stage == Stage::Output)
        if (const auto hasValues = requireValues(*file, command.attention); !hasValues)
            return hasValues;
    printSettings(*file, " · batch " + std::to_string(command.batch) + ", head " +
                             std::to_string(command.head));

    const Result<Figure> figure = figureOf(command, *file, stop);
    if (!figure)
        return tl::unexpected(figure.error());
    for (const MapFigure& map : figure->maps)
        printVerdict(map.axis, map.verdict);
    registerFonts();
    return exportFigure(*figure, command.dark ? Theme::dark() : Theme::light(), pageOf(command),
                        command.output);
}

} // namespace keyaxis
