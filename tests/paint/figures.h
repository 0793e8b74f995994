#pragma once

#include "tests/core/sample_values.h"
#include "ui/paint/figure.h"

#include <QImage>

namespace keyaxis::testing {

/// Inputs with words as tokens.
inline Inputs worded(Sizes sizes, const std::vector<std::string>& words)
{
    Inputs inputs = randomInputs(sizes, 5, 1.5F);
    for (Index b = 0; b < sizes.B; ++b) {
        inputs.queryTokens.emplace_back();
        inputs.keyTokens.emplace_back();
        for (Index t = 0; t < sizes.Tq; ++t)
            inputs.queryTokens.back().push_back(words[static_cast<std::size_t>(t) % words.size()]);
        for (Index t = 0; t < sizes.Tk; ++t)
            inputs.keyTokens.back().push_back(words[static_cast<std::size_t>(t) % words.size()]);
    }
    return inputs;
}

/// The four axes of (0, 0).
inline Figure compareFigure(const Inputs& inputs, ScoreSettings settings)
{
    Figure figure;
    for (const Axis axis : kAllAxes) {
        settings.axis = axis;
        auto stages =
            std::make_shared<const SliceStages>(attendSlice(inputs, settings, 0, 0).value());
        figure.maps.push_back(makeMapFigure(inputs, settings, 0, stages, Stage::Weights));
    }
    figure.settingsLine = figureSettingsLine(inputs, settings, 0, 0, true);
    return figure;
}

inline QImage painted(const Figure& figure, QSize size, const Theme& theme = Theme::light())
{
    QImage image(size, QImage::Format_RGB32);
    image.fill(theme.paper);
    QPainter painter(&image);
    paintFigure(painter, figure, layoutFigure(figure, size), theme);
    return image;
}

} // namespace keyaxis::testing
