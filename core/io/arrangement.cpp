#include "core/io/arrangement.h"

#include <cassert>

namespace keyaxis {

AxisPlaces placesOf(Layout layout)
{
    switch (layout) {
    case Layout::BHTD:
        return {0, 1, 2, 3};
    case Layout::BTHD:
        return {0, 2, 1, 3};
    case Layout::HTD:
        return {-1, 0, 1, 2};
    case Layout::BTD:
        break;
    }
    return {0, -1, 1, 2};
}

AxisPlaces lastPlaces(std::size_t nAxes)
{
    assert(nAxes <= 4);
    AxisPlaces places{-1, -1, -1, -1};
    for (std::size_t n = 0; n < nAxes; ++n)
        places[4 - nAxes + n] = static_cast<int>(n);
    return places;
}

Tensor arranged(const RawTensor& raw, const AxisPlaces& places, Narrowing& narrowing)
{
    std::array<Index, 4> sizes{1, 1, 1, 1};
    std::array<Index, 4> steps{0, 0, 0, 0};
    for (std::size_t axis = 0; axis < 4; ++axis) {
        if (places[axis] < 0)
            continue;
        const auto place = static_cast<std::size_t>(places[axis]);
        sizes[axis] = raw.shape[place];
        steps[axis] = 1;
        for (std::size_t inner = place + 1; inner < raw.shape.size(); ++inner)
            steps[axis] *= raw.shape[inner];
    }
    Tensor tensor({sizes[0], sizes[1], sizes[2], sizes[3]});
    const std::vector<float> numbers = toFloats(raw, narrowing);
    if (tensor.size() == 0) // one size of 0 says nothing of how large the others are
        return tensor;
    float* to = tensor.data();
    for (Index b = 0; b < sizes[0]; ++b)
        for (Index h = 0; h < sizes[1]; ++h)
            for (Index i = 0; i < sizes[2]; ++i)
                for (Index j = 0; j < sizes[3]; ++j)
                    *to++ = numbers[static_cast<std::size_t>(b * steps[0] + h * steps[1] +
                                                             i * steps[2] + j * steps[3])];
    return tensor;
}

} // namespace keyaxis
