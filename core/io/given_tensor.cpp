#include "core/io/given_tensor.h"

#include "core/io/attention_names.h"
#include "core/proof/detective.h"
#include "core/proof/precision.h"

#include <algorithm>
#include <array>

namespace keyaxis {

namespace {

/// The axis along which the numbers of `tensor` sum to 1; empty where there is none.
std::string axisOfOne(const RawTensor& tensor)
{
    const std::vector<double> values = toDoubles(tensor);
    const double tolerance = narrowestPrecision(values).tolerance;
    const bool mayBeWeights = !values.empty() && std::ranges::all_of(values, [&](double x) {
        return !(x < 0 || x > 1 + tolerance); // NaN may be an emptied slice
    });
    if (!mayBeWeights)
        return {};
    std::array<Index, 5> sizes{1, 1, 1, 1, 1}; // of a stack a layer is as good as a batch item
    std::copy_backward(tensor.shape.begin(), tensor.shape.end(), sizes.end());
    const Findings findings =
        investigate(values, {sizes[0] * sizes[1], sizes[2], sizes[3], sizes[4]}, tolerance);
    for (const auto axis : {AxisSet::Key, AxisSet::Query, AxisSet::Head, AxisSet::Batch}) {
        const AxisSet alone(1U << axis);
        const AxisSums& sums = findings.along(alone);
        // An axis of one entry sums to 1 only where every number is 1, which says nothing.
        if (sums.holds && sums.nSums < static_cast<Index>(values.size()) &&
            sums.nSums > sums.nUndefined)
            return alone.name();
    }
    return {};
}

/// The one tensor of numbers that is nothing else by its name; null where there are several.
const RawTensor* loneTensor(const TensorFile& file)
{
    const RawTensor* lone = nullptr;
    for (const RawTensor& tensor : file.tensors) {
        if (isQueryOrKey(tensor.name))
            return nullptr;
        const bool isNumeric = tensor.type != ElementType::Text && tensor.type != ElementType::Bool;
        if (!isNumeric || isBesideQueries(tensor.name))
            continue;
        if (lone || isProjection(tensor.name))
            return nullptr;
        lone = &tensor;
    }
    return lone;
}

bool isMap(const RawTensor& tensor)
{
    return tensor.type != ElementType::Text && tensor.shape.size() >= 2 && tensor.shape.size() <= 5;
}

} // namespace

std::optional<GivenTensor> givenTensor(const TensorFile& file, const ReadingChoices& choices)
{
    for (const bool isWeights : {false, true})
        if (const std::string& name = isWeights ? choices.weights : choices.scores; !name.empty())
            if (const RawTensor* named = file.find(name); named && isMap(*named))
                return GivenTensor{named, isWeights, {}};
    if (file.find(choices.q) || file.find(choices.k))
        return std::nullopt;
    const RawTensor* lone = loneTensor(file);
    if (!lone || !isMap(*lone))
        return std::nullopt;
    const std::string axis = axisOfOne(*lone);
    return axis.empty()
               ? GivenTensor{lone, false, "it is no q, k or v, and its numbers are no weights"}
               : GivenTensor{lone, true,
                             "its numbers lie in [0, 1] and sum to 1 along the " + axis + " axis"};
}

} // namespace keyaxis
