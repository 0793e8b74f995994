#include "ui/widgets/figures.h"

#include <QObject>

namespace keyaxis {

SliceSource sourceOf(const ShownResults& shown, const MapColors& colors)
{
    const Results& results = *shown.results;
    return {results.inputs, results.settings,
            results.batch,  results.head,
            results.axes,   &results.certificates,
            colors,         [&shown](Axis axis, Stage stage) { return shown.digest(axis, stage); }};
}

bool lacksMaps(const Results& results, const ViewSettings& view)
{
    if (view.mode == ViewSettings::Mode::Heads)
        return !results.everyMap || ((view.sortsHeads || view.showsMean) && !results.headFacts);
    return view.mode == ViewSettings::Mode::Layers && !results.everyLayer;
}

namespace {

Figure sentence(const QString& text)
{
    Figure figure;
    figure.message = text;
    return figure;
}

Figure headsOf(const ShownResults& shown, const ViewSettings& view, const MapColors& colors)
{
    const Results& results = *shown.results;
    Figure figure =
        headsFigure({results.inputs, results.settings, results.everyMap, colors, view.sortsHeads,
                     view.showsMean, results.everyMapFacts.get(), results.headFacts});
    for (MapFigure& map : figure.maps)
        map.isSelected = !map.isMean && map.batch == results.batch && map.head == results.head;
    return figure;
}

} // namespace

Figure layersOf(const std::shared_ptr<const LayerMaps>& maps, const Inputs& inputs,
                const ScoreSettings& settings, const ViewSettings& view, const MapColors& colors)
{
    const std::shared_ptr<const Attention> all(maps, &maps->all);
    Figure figure = layersFigure(
        {inputs, settings, all, maps->names, view.batch, view.head, colors, &maps->facts});
    for (MapFigure& map : figure.maps)
        map.isSelected = maps->names[static_cast<std::size_t>(map.head)] == inputs.layer;
    return figure;
}

ViewSettings possibleView(ViewSettings view, const Inputs& inputs)
{
    using Mode = ViewSettings::Mode;
    const bool isGiven = inputs.weights != nullptr;
    if (view.mode != Mode::Single || (isGiven && view.stage != Stage::Output))
        view.stage = Stage::Weights;
    if (isGiven && view.mode == Mode::Compare)
        view.mode = Mode::Single;
    return view;
}

Figure cardsOf(const SliceSource& source, const ViewSettings& view, const Results* kept)
{
    if (view.mode == ViewSettings::Mode::Compare)
        return compareFigure(source);
    if (view.mode == ViewSettings::Mode::Single)
        return singleFigure(source, view.stage);
    if (view.reference)
        return differenceFigure(source, *view.reference);
    if (!kept)
        return sentence(QObject::tr("No state is kept yet: View › Keep this state (Ctrl+K)."));
    return differenceFigure(source, {kept->axes[static_cast<std::size_t>(kept->settings.axis)],
                                     QObject::tr("kept state")});
}

void leaveOut(Figure& figure, const Inputs& inputs, const ScoreSettings& settings,
              const ViewSettings& view)
{
    if (view.leavesOutPadding)
        leaveOutPadding(figure, inputs, settings, [&](const MapFigure& map) {
            return view.mode == ViewSettings::Mode::Heads ? HeadIndex{map.batch, map.head}
                                                          : HeadIndex{view.batch, view.head};
        });
    if (view.crop)
        crop(figure,
             {view.crop->firstQuery, view.crop->endQuery, view.crop->firstKey, view.crop->endKey});
}

Figure figureOf(const ShownResults& shown, const ViewSettings& wanted, const MapColors& colors,
                const Results* kept)
{
    using Mode = ViewSettings::Mode;
    const Results& results = *shown.results;
    ViewSettings view = possibleView(wanted, results.inputs);
    view.batch = results.batch; // what is there, while another head is being computed
    view.head = results.head;
    if (lacksMaps(results, view))
        return sentence(view.mode == Mode::Heads ? QObject::tr("Computing every head…")
                                                 : QObject::tr("Computing every layer…"));
    Figure figure = view.mode == Mode::Heads    ? headsOf(shown, view, colors)
                    : view.mode == Mode::Layers ? layersOf(results.everyLayer, results.inputs,
                                                           results.settings, view, colors)
                                                : cardsOf(sourceOf(shown, colors), view, kept);
    leaveOut(figure, results.inputs, results.settings, view);
    return figure;
}

Cell restingCell(const ShownResults& shown)
{
    const SliceStages& stages = shown.stages(shown.results->settings.axis);
    return tellingCell(shown.results->inputs.weights ? stages.weights : stages.before->logits);
}

} // namespace keyaxis
