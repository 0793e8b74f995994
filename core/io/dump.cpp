#include "core/io/dump.h"

#include "core/io/arrangement.h"

#include <array>
#include <string_view>
#include <vector>

namespace keyaxis {

namespace {

constexpr std::array<std::string_view, 5> kWeightNames{"weights", "attn_weights",
                                                       "attention_weights", "attention", "attn"};
constexpr std::array<std::string_view, 3> kOutputNames{"output", "attn_output", "out"};

/// Where the axes of weights of `rank` axes are; which of batch and head a third axis is, the
/// layout tells.
std::optional<AxisPlaces> weightPlaces(std::size_t rank, Layout layout)
{
    switch (rank) {
    case 4:
        return AxisPlaces{0, 1, 2, 3};
    case 3:
        return layout == Layout::BTD ? AxisPlaces{0, -1, 1, 2} : AxisPlaces{-1, 0, 1, 2};
    case 2:
        return AxisPlaces{-1, -1, 0, 1};
    default:
        return std::nullopt;
    }
}

std::optional<AxisPlaces> outputPlaces(std::size_t rank, Layout layout)
{
    if (rank == 2)
        return AxisPlaces{-1, -1, 0, 1};
    if (rank != layoutName(layout).size())
        return std::nullopt;
    return placesOf(layout);
}

std::optional<Dump> dumpOf(const RawTensor& raw, const AttentionFile& attention, bool isOutput)
{
    if (raw.type == ElementType::Text)
        return std::nullopt;
    const std::size_t rank = raw.shape.size();
    const auto places =
        isOutput ? outputPlaces(rank, attention.layout) : weightPlaces(rank, attention.layout);
    if (!places)
        return std::nullopt;
    const Sizes sizes = sizesOf(attention.inputs);
    const Shape wanted = isOutput ? sizes.output() : sizes.weights();
    const std::array<Index, 4> expected{wanted.batch, wanted.heads, wanted.rows, wanted.cols};
    for (std::size_t axis = 0; axis < expected.size(); ++axis) {
        const int place = (*places)[axis];
        if (expected[axis] != (place < 0 ? 1 : raw.shape[static_cast<std::size_t>(place)]))
            return std::nullopt;
    }
    Narrowing narrowing;
    return Dump{raw.name, isOutput, arranged(raw, *places, narrowing)};
}

/// The first tensor that is called one of `names` and belongs to q, k and v.
template <typename Names>
std::optional<Dump> firstOf(const TensorFile& file, const AttentionFile& attention,
                            const Names& names, bool isOutput)
{
    for (const auto& name : names)
        if (const RawTensor* raw = file.find(name))
            if (auto dump = dumpOf(*raw, attention, isOutput))
                return dump;
    return std::nullopt;
}

} // namespace

std::optional<Dump> dumpIn(const TensorFile& file, const AttentionFile& attention,
                           const std::string& name)
{
    if (attention.inputs.given())
        return std::nullopt; // it may be the dump itself, and nothing is there to explain it
    if (name.empty()) {
        auto weights = firstOf(file, attention, kWeightNames, false);
        return weights || !attention.inputs.v ? std::move(weights)
                                              : firstOf(file, attention, kOutputNames, true);
    }
    const std::array<std::string_view, 1> only{name};
    auto weights = firstOf(file, attention, only, false);
    return weights || !attention.inputs.v ? std::move(weights)
                                          : firstOf(file, attention, only, true);
}

} // namespace keyaxis
