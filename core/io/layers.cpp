#include "core/io/layers.h"

#include "core/io/attention_names.h"
#include "core/io/given_tensor.h"

#include <algorithm>

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
    // Without elements the number of layers is bounded by nothing.
    return first && first->shape.size() == kStackRank && elementCount(first->shape) > 0;
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

Result<TensorFile> onlyLayer(TensorFile file, const std::string& layer)
{
    if (isStack(file)) {
        const std::vector<std::string> layers = layersIn(file);
        const auto n = std::ranges::find(layers, layer) - layers.begin();
        if (n == std::ssize(layers))
            return tl::unexpected(whichLayer(layers, layer));
        for (RawTensor& tensor : file.tensors)
            if (tensor.shape.size() == kStackRank && tensor.shape.front() > n)
                tensor = layerOf(tensor, n);
        return file;
    }
    if (layer.empty())
        return file;
    ReadingChoices choices;
    choices.group = layer;
    const auto names = withFoundNames(choices, file);
    if (!names)
        return tl::unexpected(names.error());
    const std::vector<AttentionNames> attentions = attentionsIn(file);
    const auto own = std::ranges::find_if(attentions, [&](const AttentionNames& each) {
        return each.hasQueriesAndKeys()
                   ? each.q == names->q
                   : each.scores == names->scores && each.weights == names->weights;
    });
    TensorFile only{{}, file.metadata, file.notes};
    for (const auto& [role, name] :
         {std::pair{"q", &own->q}, std::pair{"k", &own->k}, std::pair{"v", &own->v},
          std::pair{"mask", &own->mask}, std::pair{"bias", &own->bias},
          std::pair{"scores", &own->scores}, std::pair{"weights", &own->weights}})
        if (const RawTensor* tensor = name->empty() ? nullptr : file.find(*name)) {
            only.tensors.push_back(*tensor);
            only.tensors.back().name = role;
        }
    return only;
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
