#include "ui/widgets/figures.h"

#include <QObject>

namespace keyaxis {

SliceSource sourceOf(const ShownResults& shown, const MapColors& colors)
{
    const Results& results = *shown.results;
    return {results.inputs, results.settings,      results.batch, results.head,
            results.axes,   &results.certificates, colors};
}

namespace {

Figure sentence(const QString& text)
{
    Figure figure;
    figure.message = text;
    return figure;
}

Figure headsOf(const ShownResults& shown, const MapColors& colors)
{
    const Results& results = *shown.results;
    if (!results.everyMap)
        return sentence(QObject::tr("Computing every head…"));
    Figure figure = headsFigure({results.inputs, results.settings, results.everyMap, colors});
    for (MapFigure& map : figure.maps)
        map.isSelected = map.batch == results.batch && map.head == results.head;
    return figure;
}

Figure differenceOf(const SliceSource& source, const ViewSettings& view, const Results* kept)
{
    if (view.reference)
        return differenceFigure(
            source, {source.axes[static_cast<std::size_t>(*view.reference)],
                     QString::fromLatin1(names(*view.reference).title.data()).toLower()});
    if (!kept)
        return sentence(QObject::tr("No state is kept yet: View › Keep this state (Ctrl+K)."));
    return differenceFigure(source, {kept->axes[static_cast<std::size_t>(kept->settings.axis)],
                                     QObject::tr("kept state")});
}

} // namespace

Figure figureOf(const ShownResults& shown, const ViewSettings& view, const MapColors& colors,
                const Results* kept)
{
    const SliceSource source = sourceOf(shown, colors);
    switch (view.mode) {
    case ViewSettings::Mode::Compare:
        return compareFigure(source);
    case ViewSettings::Mode::Heads:
        return headsOf(shown, colors);
    case ViewSettings::Mode::Difference:
        return differenceOf(source, view, kept);
    case ViewSettings::Mode::Single:
        break;
    }
    return singleFigure(source, view.stage);
}

Cell restingCell(const ShownResults& shown)
{
    return tellingCell(shown.stages(shown.results->settings.axis).before->logits);
}

} // namespace keyaxis
