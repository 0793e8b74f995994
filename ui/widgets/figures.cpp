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
                         results.axes[static_cast<std::size_t>(axis)], stage,
                         shown.certificate(axis));
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
    MapFigure& map = figure.maps.back();
    map.isSelected = true;
    map.gloss += QStringLiteral(" · batch %1, head %2")
                     .arg(shown.results->batch + 1)
                     .arg(shown.results->head + 1);
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
    Index best = 0;
    for (Index j = 1; j < logits.cols(); ++j)
        if (logits(row, j) > logits(row, best) || std::isnan(logits(row, best)))
            best = j;
    return {row, best};
}

} // namespace keyaxis
