#include "ui/paint/sequence.h"

#include "core/io/file_bytes.h"
#include "ui/paint/compositions.h"
#include "ui/paint/gif.h"
#include "ui/paint/morph.h"

#include <algorithm>
#include <cmath>
#include <memory>

namespace keyaxis {

namespace {

constexpr int kStepMs = 200;  ///< of each picture of a sweep
constexpr int kFlipMs = 40;   ///< of each picture of a flip: 25 a second
constexpr int kHoldMs = 1500; ///< of the first and the last
constexpr Index kFlipFrames = 21;
constexpr Index kMostCells = Index(1) << 25; ///< of all maps of a sequence, which are kept at once
constexpr double kMostGifPixels = 16e6;

/// One colour scale for all weights, and one for all that is signed.
void shareScales(std::vector<Figure>& figures, const MapColors& colors)
{
    const auto forEach = [&](bool areWeights, auto visit) {
        for (Figure& figure : figures)
            for (MapFigure& map : figure.maps)
                if ((map.stage == Stage::Weights && !map.isDifference) == areWeights)
                    visit(map);
    };
    for (const bool areWeights : {true, false}) {
        std::vector<HeatmapValues> all;
        forEach(areWeights, [&](const MapFigure& map) { all.push_back(map.numbers.shown()); });
        const ColorMap scale = colorMapFor(areWeights ? colors.weights : colors.signedStages, all);
        forEach(areWeights, [&](MapFigure& map) {
            map.colors = scale;
            map.glyphs = glyphsIn(map.numbers.shown(), scale);
        });
    }
}

Result<void> checkCells(const Figure& figure, Index nFrames)
{
    Index cells = 0;
    for (const MapFigure& map : figure.maps)
        cells += map.numbers.nRows * map.numbers.nCols;
    if (cells <= kMostCells / nFrames)
        return {};
    return fail(Errc::BadValue, std::to_string(nFrames) + " pictures of " + std::to_string(cells) +
                                    " cells are too many to keep; a sequence has up to " +
                                    std::to_string(kMostCells) + " in all.");
}

/// NAME-07.png of NAME.png.
std::filesystem::path numbered(const std::filesystem::path& path, Index n, Index nFrames)
{
    const auto width = static_cast<int>(std::to_string(nFrames).size());
    const QString number = QStringLiteral("-%1").arg(n + 1, width, 10, QLatin1Char('0'));
    std::filesystem::path result = path;
    result.replace_filename(path.stem().string() + number.toStdString() +
                            path.extension().string());
    return result;
}

Result<void> checkSequence(const ExportOptions& options, const QString& ending)
{
    if (ending == QLatin1String(".png"))
        return checkPage(options, ending);
    if (ending != QLatin1String(".gif"))
        return fail(Errc::BadValue, "A sequence is written as .gif or as numbered .png, not as '" +
                                        ending.toStdString() + "'.");
    if (const double pixels = options.size.width() * options.size.height(); pixels > kMostGifPixels)
        return fail(Errc::BadValue, "A GIF of " + std::to_string(std::llround(pixels)) +
                                        " pixels is too large; 16 million pixels are the limit.");
    return checkPage(options, QStringLiteral(".png"));
}

Result<void> writeGif(const Sequence& sequence, const Theme& theme, const ExportOptions& options,
                      const std::filesystem::path& path, std::stop_token stop)
{
    GifWriter gif(options.size.toSize());
    for (Index n = 0; n < sequence.nFrames; ++n) {
        if (stop.stop_requested())
            return fail(Errc::Cancelled, "The pictures were not finished.");
        gif.add(pictureImage(sequence.picture(n), theme, options), sequence.milliseconds(n));
    }
    const QByteArray bytes = gif.finish();
    return writeBytes(
        path, std::as_bytes(std::span(bytes.constData(), static_cast<std::size_t>(bytes.size()))));
}

} // namespace

std::vector<float> geometricSteps(float low, float high, Index n)
{
    std::vector<float> steps;
    for (Index k = 0; k < n; ++k) {
        const double part = static_cast<double>(k) / static_cast<double>(n - 1);
        steps.push_back(k == 0       ? low
                        : k == n - 1 ? high
                                     : static_cast<float>(low * std::pow(high / low, part)));
    }
    return steps;
}

Sequence stepSequence(std::vector<Figure> figures, const MapColors& colors, const Theme& theme)
{
    shareScales(figures, colors);
    const auto shared = std::make_shared<const std::vector<Figure>>(std::move(figures));
    const Index nFrames = std::ssize(*shared);
    return {nFrames,
            [shared, theme](Index n) {
                return pictureOf((*shared)[static_cast<std::size_t>(n)], theme);
            },
            [nFrames](Index n) { return n == 0 || n == nFrames - 1 ? kHoldMs : kStepMs; }};
}

Sequence flipSequence(const Figure& from, const Figure& to, Index nFrames, const Theme& theme)
{
    const auto picture = [=](Index n) {
        if (n == 0)
            return pictureOf(from, theme);
        const double part = static_cast<double>(n) / static_cast<double>(nFrames - 1);
        return pictureOf(n == nFrames - 1 ? to : morphed(from, to, part), theme);
    };
    return {nFrames, picture,
            [nFrames](Index n) { return n == 0 || n == nFrames - 1 ? kHoldMs : kFlipMs; }};
}

Result<Sequence> temperatureSweep(ScoreSettings settings, const Sweep& sweep,
                                  const FigureMaker& make, const MapColors& colors,
                                  const Theme& theme)
{
    std::vector<Figure> figures;
    for (const float temperature : geometricSteps(sweep.low, sweep.high, sweep.n)) {
        settings.temperature = temperature;
        auto figure = make(settings);
        if (!figure)
            return tl::unexpected(figure.error());
        if (const auto fits = checkCells(*figure, sweep.n); !fits)
            return tl::unexpected(fits.error());
        figures.push_back(std::move(*figure));
    }
    return stepSequence(std::move(figures), colors, theme);
}

Result<Sequence> axisFlip(ScoreSettings settings, Axis to, std::optional<Cell> outlined,
                          const FigureMaker& make, const Theme& theme)
{
    auto from = make(settings);
    settings.axis = to;
    auto turned = make(settings);
    for (Result<Figure>* figure : {&from, &turned}) {
        if (!*figure)
            return tl::unexpected(figure->error());
        if (const auto fits = checkCells(**figure, 2); !fits)
            return tl::unexpected(fits.error());
        MapFigure& map = (*figure)->maps.front();
        if (map.hasSlices())
            map.highlighted = outlined ? *outlined : tellingCell(map.stages->before->logits);
    }
    return flipSequence(*from, *turned, kFlipFrames, theme);
}

Result<void> exportSequence(const Sequence& sequence, const Theme& theme,
                            const ExportOptions& options, const std::filesystem::path& path,
                            std::stop_token stop)
{
    const QString ending = QString::fromStdString(path.extension().string()).toLower();
    if (const auto fits = checkSequence(options, ending); !fits)
        return fits;
    if (ending == QLatin1String(".gif"))
        return writeGif(sequence, theme, options, path, stop);
    for (Index n = 0; n < sequence.nFrames; ++n) {
        if (stop.stop_requested())
            return fail(Errc::Cancelled, "The pictures were not finished.");
        const auto written =
            exportPicture(sequence.picture(n), theme, options, numbered(path, n, sequence.nFrames));
        if (!written)
            return written;
    }
    return {};
}

} // namespace keyaxis
