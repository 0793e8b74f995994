#include "ui/present/step_figure.h"

namespace keyaxis {

Result<SliceSource> computedSource(const StepState& state)
{
    SliceSource source;
    source.inputs = state.inputs;
    source.settings = state.settings;
    source.batch = state.batch;
    source.head = state.head;
    if (state.picture == StepState::Picture::None)
        return source;
    const bool isMap = state.picture == StepState::Picture::Map;
    return isMap ? withSlices(std::move(source), std::array{state.settings.axis})
                 : withSlices(std::move(source), kAllAxes);
}

namespace {

/// Empty where the step shows none.
ValuePlaneFigure stepPlane(const SliceSource& source, const StepState& look)
{
    const Inputs& inputs = source.inputs;
    const auto axis = static_cast<std::size_t>(source.settings.axis);
    if (!look.plane || look.picture != StepState::Picture::Map || !inputs.v || !source.axes[axis])
        return {};
    const SliceStages& stages = *source.axes[axis];
    const PrincipalPlane plane =
        principalPlane(inputs.v->slice(source.batch, sizesOf(inputs).groupOf(source.head)));
    ValuePlaneFigure figure = makeValuePlane(
        inputs, source.settings, source.batch, source.head, stages,
        certify(viewOf(stages.weights), viewOf(stages.before->logits)), *look.plane, plane);
    figure.hasTitle = true;
    return figure;
}

} // namespace

StepPicture stepPicture(const SliceSource& source, const StepState& look)
{
    Figure figure;
    if (look.picture == StepState::Picture::Map)
        figure = singleFigure(source, look.stage);
    else if (look.picture == StepState::Picture::Compare)
        figure = compareFigure(source);
    for (MapFigure& map : figure.maps) {
        map.highlighted = look.highlight;
        map.isSelected =
            map.isSelected && figure.maps.size() > 1; // a frame sets off one of several
    }
    return {std::move(figure), stepPlane(source, look)};
}

} // namespace keyaxis
