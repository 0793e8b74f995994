#pragma once

#include "ui/paint/export.h"

#include <functional>
#include <stop_token>
#include <vector>

namespace keyaxis {

/// Pictures that follow one another, drawn one at a time.
struct Sequence {
    Index nFrames = 0;
    std::function<Picture(Index)> picture;  ///< of frame 0 … nFrames - 1
    std::function<int(Index)> milliseconds; ///< how long it is seen in an animation
};

/// How many pictures a sequence may have.
inline constexpr Index kFewestFrames = 2;
inline constexpr Index kMostFrames = 500;

/// `n` numbers from `low` to `high` in equal factors, both above 0; the ends are exact.
std::vector<float> geometricSteps(float low, float high, Index n);

/// `figures` one after another, in the same colours for the same numbers.
///
/// @param figures  the same maps under different settings; of weights or what comes before them.
/// @param colors   what they were made with.
Sequence stepSequence(std::vector<Figure> figures, const MapColors& colors, const Theme& theme);

/// `from` turning into `to` as on the screen; the first and the last picture are held.
///
/// @param from  a figure that `canMorph` into `to`.
Sequence flipSequence(const Figure& from, const Figure& to, Index nFrames, const Theme& theme);

/// Makes a figure of what is shown under other settings.
using FigureMaker = std::function<Result<Figure>(const ScoreSettings&)>;

/// From one temperature to another, both above 0.
struct Sweep {
    float low = 0;
    float high = 0;
    Index n = 0; ///< of pictures
};

/// One picture for each temperature, in equal factors and in one colour scale.
///
/// @errors as `make`; BadValue where the maps are too many to keep (2²⁵ cells in all).
Result<Sequence> temperatureSweep(ScoreSettings settings, const Sweep& sweep,
                                  const FigureMaker& make, const MapColors& colors,
                                  const Theme& theme);

/// The map of `settings` turning to another axis, as long as on the screen of a class.
///
/// @param outlined  whose slice turns; none: `tellingCell`.
/// @param make      makes figures of one map.
/// @errors          as `temperatureSweep`.
Result<Sequence> axisFlip(ScoreSettings settings, Axis to, std::optional<Cell> outlined,
                          const FigureMaker& make, const Theme& theme);

/// Draws `sequence` and writes it by `path`'s ending: .gif, one animation; .png, a picture a frame,
/// NAME-01.png and so on. Slides take both.
///
/// @param stop  polled once a frame.
/// @errors BadValue for another ending or a picture too large for its format (a GIF: 16 million
///         pixels), before anything is painted; BadOutput where a file cannot be written; Cancelled
///         on stop, which writes no further picture and no GIF.
Result<void> exportSequence(const Sequence& sequence, const Theme& theme,
                            const ExportOptions& options, const std::filesystem::path& path,
                            std::stop_token stop = {});

} // namespace keyaxis
