#include "core/io/layers.h"

#include "core/io/attention_names.h"
#include "core/io/given_tensor.h"

namespace keyaxis {

namespace {

/// The q of `file`, or what stands in its place; null where there are several attentions or none.
const RawTensor* firstTensor(const TensorFile& file, ReadingChoices choices)
{
    choices.group.clear();
    const auto settled = withFoundNames(std::move(choices), file);
    if (!settled)
        return nullptr;
    if (const RawTensor* q = file.find(settled->q); q && file.find(settled->k))
        return q;
    const auto given = givenTensor(file, *settled);
    return given ? given->tensor : nullptr;
}

} // namespace

bool isStack(const TensorFile& file, const ReadingChoices& choices)
{
    const RawTensor* first = firstTensor(file, choices);
    return first && first->shape.size() == kStackRank && first->shape.front() > 0;
}

std::vector<std::string> layersIn(const TensorFile& file, const ReadingChoices& choices)
{
    std::vector<std::string> layers;
    if (isStack(file, choices)) {
        const Index n = firstTensor(file, choices)->shape.front();
        for (Index layer = 0; layer < n; ++layer)
            layers.push_back(std::to_string(layer));
        return layers;
    }
    const std::vector<AttentionNames> attentions = attentionsIn(file);
    if (attentions.size() < 2 || attentions.front().group.empty())
        return {};
    for (const AttentionNames& names : attentions)
        layers.push_back(names.group);
    return layers;
}

RawTensor layerOf(const RawTensor& stack, Index n)
{
    RawTensor layer{stack.name, stack.type, {stack.shape.begin() + 1, stack.shape.end()},
                    {},         {},         stack.printed};
    const auto nBytes = static_cast<std::ptrdiff_t>(stack.bytes.size()) / stack.shape.front();
    layer.bytes.assign(stack.bytes.begin() + n * nBytes, stack.bytes.begin() + (n + 1) * nBytes);
    return layer;
}

Error whichLayer(const std::vector<std::string>& layers, const std::string& wanted)
{
    const std::string range = "0 to " + layers.back();
    if (wanted.empty())
        return {Errc::Ambiguous, "it holds a stack of " + std::to_string(layers.size()) +
                                     " layers (--layer " + range + "); say which"};
    return {Errc::BadValue, "there is no layer '" + wanted + "'; the stack has " + range};
}

} // namespace keyaxis
