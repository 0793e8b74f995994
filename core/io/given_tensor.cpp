#include "core/io/given_tensor.h"

#include "core/io/attention_names.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace keyaxis {

namespace {

/// How far a sum may be from 1: what is left of bfloat16 after a row of a few hundred.
constexpr double kTolerance = 2e-2;

/// Whether the numbers sum to 1 along axis n of `shape`, as far as the sums are defined.
bool sumsToOne(const std::vector<double>& values, const std::vector<Index>& shape, std::size_t n)
{
    Index step = 1;
    for (std::size_t axis = n + 1; axis < shape.size(); ++axis)
        step *= shape[axis];
    const Index length = shape[n];
    const Index size = std::ssize(values);
    bool isOne = false;
    for (Index first = 0; first < size; ++first) {
        if (first / step % length != 0)
            continue;
        double sum = 0;
        for (Index k = 0; k < length; ++k)
            sum += values[static_cast<std::size_t>(first + k * step)];
        const bool isEmpty = sum == 0 || std::isnan(sum); // a fully masked slice
        if (!isEmpty && std::abs(sum - 1) > kTolerance)
            return false;
        isOne = isOne || !isEmpty;
    }
    return isOne;
}

/// The axis along which the numbers of `tensor` sum to 1; empty where there is none.
std::string axisOfOne(const RawTensor& tensor)
{
    constexpr std::array<const char*, 5> kNames{"key", "query", "head", "batch", "layer"};
    const std::vector<double> values = toDoubles(tensor);
    const bool mayBeWeights = std::ranges::all_of(values, [](double x) {
        return !(x < 0 || x > 1 + kTolerance); // NaN may be an emptied slice
    });
    const std::size_t rank = tensor.shape.size();
    for (std::size_t n = 0; mayBeWeights && n < rank; ++n)
        // Along an axis of one entry every number would have to be 1, which says nothing.
        if (tensor.shape[rank - 1 - n] > 1 && sumsToOne(values, tensor.shape, rank - 1 - n))
            return kNames[n];
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
