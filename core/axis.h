#pragma once

#include <array>
#include <optional>
#include <string_view>

namespace keyaxis {

/// The axis that a softmax normalises along, in the order of the segmented control (A B C D).
enum class Axis { Query, Key, Batch, Head };

inline constexpr std::array kAllAxes{Axis::Query, Axis::Key, Axis::Batch, Axis::Head};

/// What an axis is called. All are ASCII and untranslated; the command line reads `name`.
struct AxisNames {
    std::string_view name;    ///< "key"
    std::string_view title;   ///< "Key axis"
    std::string_view members; ///< "keys": what a slice along this axis runs over
    char letter;              ///< 'B', as on the control and in lessons
    int torchDim;             ///< -1: `dim` in PyTorch's softmax on [B, H, Tq, Tk] scores
};

/// Names of `axis`.
constexpr AxisNames names(Axis axis)
{
    switch (axis) {
    case Axis::Query:
        return {"query", "Query axis", "queries", 'A', -2};
    case Axis::Key:
        return {"key", "Key axis", "keys", 'B', -1};
    case Axis::Batch:
        return {"batch", "Batch axis", "examples", 'C', 0};
    case Axis::Head:
        break;
    }
    return {"head", "Head axis", "heads", 'D', 1};
}

/// The axis called `name`, if there is one.
constexpr std::optional<Axis> axisNamed(std::string_view name)
{
    for (const Axis axis : kAllAxes)
        if (names(axis).name == name)
            return axis;
    return std::nullopt;
}

} // namespace keyaxis
