#include "ui/document/layers.h"

#include "core/io/layers.h"
#include "core/io/tensor_file.h"

#include <algorithm>

namespace keyaxis {

Result<Inputs> Layers::inputs(std::size_t n) const
{
    ReadingChoices chosen = choices;
    chosen.group = names[n];
    return readAttention(*file, document, chosen).map([](AttentionFile read) {
        return std::move(read.inputs);
    });
}

std::optional<std::size_t> Layers::indexOf(const Inputs& inputs) const
{
    const auto found = std::ranges::find(names, inputs.layer);
    return found == names.end() ? std::nullopt
                                : std::optional(static_cast<std::size_t>(found - names.begin()));
}

std::shared_ptr<const Layers> layersOf(std::shared_ptr<const TensorFile> file,
                                       const ReadingChoices& choices, const std::string& document)
{
    std::vector<std::string> names = layersIn(*file, choices);
    if (names.size() < 2)
        return nullptr;
    return std::make_shared<const Layers>(
        Layers{std::move(file), choices, document, std::move(names)});
}

std::shared_ptr<const Layers> layersBehind(const AttentionFile& session)
{
    if (session.inputs.layer.empty() || session.source.empty())
        return nullptr;
    auto file = readTensorFile(session.source);
    if (!file)
        return nullptr;
    auto layers =
        layersOf(std::make_shared<const TensorFile>(std::move(*file)), {}, session.inputs.name);
    const bool isThere = layers && layers->indexOf(session.inputs) && layers->inputs(0);
    return isThere ? layers : nullptr;
}

Inputs inPlaceOf(const Inputs& now, Inputs layer)
{
    for (const auto tensor : {&Inputs::mask, &Inputs::bias}) {
        if (layer.*tensor)
            continue;
        layer.*tensor = now.*tensor;
        if (!validated(layer))
            (layer.*tensor).reset();
    }
    return layer;
}

} // namespace keyaxis
