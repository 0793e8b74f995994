#pragma once

#include "core/io/attention_file.h"

#include <array>

namespace keyaxis {

/// Where the axes batch, head, row, column of a rank-4 tensor are found in a shape; -1: nowhere,
/// the axis has one element.
using AxisPlaces = std::array<int, 4>;

AxisPlaces placesOf(Layout layout);

/// The places of a tensor that broadcasts by NumPy's rules: its axes are the last of the four.
AxisPlaces lastPlaces(std::size_t nAxes);

/// `raw` in float32 with its axes in order. `narrowing` is added to.
Tensor arranged(const RawTensor& raw, const AxisPlaces& places, Narrowing& narrowing);

/// Numbers as a file has them, row-major, with their axes in order.
struct ArrangedDoubles {
    std::vector<double> numbers;
    Shape shape;
};
ArrangedDoubles arrangedDoubles(const RawTensor& raw, const AxisPlaces& places);

} // namespace keyaxis
