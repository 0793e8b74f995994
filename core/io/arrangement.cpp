#include "core/io/arrangement.h"

#include <cassert>

namespace keyaxis {

namespace {

/// The four axes in order: how long they are, and how far apart their elements lie in the file.
struct Order {
    std::array<Index, 4> sizes{1, 1, 1, 1};
    std::array<Index, 4> steps{0, 0, 0, 0};

    Shape shape() const { return {sizes[0], sizes[1], sizes[2], sizes[3]}; }
};

Order orderOf(const std::vector<Index>& shape, const AxisPlaces& places)
{
    Order order;
    for (std::size_t axis = 0; axis < 4; ++axis) {
        if (places[axis] < 0)
            continue;
        const auto place = static_cast<std::size_t>(places[axis]);
        order.sizes[axis] = shape[place];
        order.steps[axis] = 1;
        for (std::size_t inner = place + 1; inner < shape.size(); ++inner)
            order.steps[axis] *= shape[inner];
    }
    return order;
}

template <typename Number>
void arrange(const std::vector<Number>& numbers, const Order& order, Number* to)
{
    if (numbers.empty()) // one size of 0 says nothing of how large the others are
        return;
    const auto& [sizes, steps] = order;
    for (Index b = 0; b < sizes[0]; ++b)
        for (Index h = 0; h < sizes[1]; ++h)
            for (Index i = 0; i < sizes[2]; ++i)
                for (Index j = 0; j < sizes[3]; ++j)
                    *to++ = numbers[static_cast<std::size_t>(b * steps[0] + h * steps[1] +
                                                             i * steps[2] + j * steps[3])];
}

} // namespace

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
    const Order order = orderOf(raw.shape, places);
    Tensor tensor(order.shape());
    arrange(toFloats(raw, narrowing), order, tensor.data());
    return tensor;
}

ArrangedDoubles arrangedDoubles(const RawTensor& raw, const AxisPlaces& places)
{
    const Order order = orderOf(raw.shape, places);
    const std::vector<double> numbers = toDoubles(raw);
    ArrangedDoubles result{std::vector<double>(numbers.size()), order.shape()};
    arrange(numbers, order, result.numbers.data());
    return result;
}

} // namespace keyaxis
