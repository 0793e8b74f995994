#include "ui/widgets/figures.h"

#include <cmath>

namespace keyaxis {

namespace {

MapFigure mapOf(const ShownResults& shown, Axis axis, Stage stage)
{
    const Results& results = *shown.results;
    ScoreSettings settings = results.settings;
    settings.axis = axis;
    return makeMapFigure(results.inputs, settings, results.batch,
                         results.axes[static_cast<std::size_t>(axis)], stage);
}

} // namespace

Figure compareFigure(const ShownResults& shown)
{
    Figure figure;
    for (const Axis axis : kAllAxes) {
        figure.maps.push_back(mapOf(shown, axis, Stage::Weights));
        figure.maps.back().isSelected = axis == shown.results->settings.axis;
    }
    return figure;
}

Figure singleFigure(const ShownResults& shown, Stage stage)
{
    Figure figure;
    figure.maps.push_back(mapOf(shown, shown.results->settings.axis, stage));
    figure.maps.back().isSelected = true;
    return figure;
}

Figure figureOf(const ShownResults& shown, const ViewSettings& view)
{
    return view.mode == ViewSettings::Mode::Compare ? compareFigure(shown)
                                                    : singleFigure(shown, view.stage);
}

Cell restingCell(const ShownResults& shown)
{
    const Matrix& logits = shown.stages(shown.results->settings.axis).before->logits;
    if (logits.size() == 0)
        return {};
    const Index row = logits.rows() / 2;
    std::vector<Index> allowed;
    for (Index j = 0; j < logits.cols(); ++j)
        if (std::isfinite(logits(row, j)))
            allowed.push_back(j);
    return {row, allowed.empty() ? 0 : allowed[allowed.size() / 3]};
}

} // namespace keyaxis
