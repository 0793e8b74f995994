#include "ui/paint/sequence.h"

#include "core/io/file_bytes.h"
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
constexpr double kMostGifPixels = 16e6;

/// One colour scale for all weights, and one for all that is signed.
void shareScales(std::vector<Figure>& figures, const MapColors& colors)
{
    const auto forEach = [&](bool areWeights, auto visit) {
        for (Figure& figure : figures)
            for (MapFigure& map : figure.maps)
                if ((map.stage == Stage::Weights) == areWeights)
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
