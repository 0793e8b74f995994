#include "ui/document/layer_maps.h"

namespace keyaxis {

Result<std::shared_ptr<const LayerMaps>> mapsOfLayers(const Layers& layers, const Inputs& shown,
                                                      const ScoreSettings& settings, Index b,
                                                      Index h, const std::stop_token& stop)
{
    const Sizes sizes = sizesOf(shown);
    std::vector<SliceStages> slices;
    auto maps = std::make_shared<LayerMaps>();
    for (std::size_t n = 0; n < layers.names.size(); ++n) {
        auto inputs = layers.names[n] == shown.layer ? Result<Inputs>(shown) : layers.inputs(n);
        if (!inputs)
            return tl::unexpected(inputs.error());
        const Sizes own = sizesOf(*inputs);
        if (own.Tq != sizes.Tq || own.Tk != sizes.Tk || own.B <= b || own.H <= h)
            continue;
        auto slice = attendSlice(inPlaceOf(shown, std::move(*inputs)), settings, b, h, stop);
        if (!slice)
            return tl::unexpected(slice.error());
        slices.push_back(std::move(*slice));
        maps->which.push_back(n);
        maps->names.push_back(layers.names[n]);
    }
    const Shape shape{1, std::ssize(slices), sizes.Tq, sizes.Tk};
    maps->all.weights = Tensor(shape);
    maps->all.logits = Tensor(shape);
    for (Index n = 0; n < shape.heads; ++n) {
        const SliceStages& slice = slices[static_cast<std::size_t>(n)];
        maps->all.weights.slice(0, n) = slice.weights;
        maps->all.logits.slice(0, n) = slice.before->logits;
    }
    maps->facts = factsOf(maps->all);
    return maps;
}

} // namespace keyaxis
