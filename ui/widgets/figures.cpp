#include "ui/widgets/figures.h"

#include <cmath>

namespace keyaxis {

SliceSource sourceOf(const ShownResults& shown, const MapColors& colors)
{
    const Results& results = *shown.results;
    return {results.inputs, results.settings,      results.batch, results.head,
            results.axes,   &results.certificates, colors};
}

Figure figureOf(const ShownResults& shown, const ViewSettings& view, const MapColors& colors)
{
    const SliceSource source = sourceOf(shown, colors);
    return view.mode == ViewSettings::Mode::Compare ? compareFigure(source)
                                                    : singleFigure(source, view.stage);
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
