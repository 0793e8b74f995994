#pragma once

#include "core/settings.h"
#include "ui/paint/cell_painter.h"
#include "ui/paint/color_map.h"

#include <vector>

namespace keyaxis {

/// Where the ends of a colour bar lie: at given values, at the smallest and largest value that is
/// shown, as far below 0 as above, or at the smallest positive and the largest value, with equal
/// steps for equal factors.
enum class RangeRule { Fixed, Automatic, Symmetric, Logarithmic };

/// How the values of one kind of map become colours.
struct ColorChoice {
    Palette palette = Palette::Viridis;
    RangeRule rule = RangeRule::Fixed;
    Range fixed; ///< of RangeRule::Fixed
    bool isReversed = false;
    bool ignoresFirstKey = false; ///< key 0 does not count for a range that is not fixed

    bool operator==(const ColorChoice&) const = default;
};

/// The choices of a figure: one for weights, one for what may be negative.
struct MapColors {
    ColorChoice weights{};
    ColorChoice signedStages{Palette::BlueRed, RangeRule::Symmetric, {-1.0F, 1.0F}};

    const ColorChoice& of(Stage stage) const
    {
        return stage == Stage::Weights ? weights : signedStages;
    }
    ColorChoice& of(Stage stage) { return stage == Stage::Weights ? weights : signedStages; }
    bool operator==(const MapColors&) const = default;
};

/// What the values of some maps span. Masked cells, NaN and infinities do not count.
class Extent {
public:
    /// @cost O(cells) where the map has no digest or columns are left out.
    ///
    /// @param firstCol  columns before it do not count.
    void include(const HeatmapValues& map, Index firstCol = 0);

    /// The ends of a bar under `rule`, never of width 0: a constant map takes one end, so that its
    /// cells have exactly the colour that the bar shows at its value.
    Range range(RangeRule rule) const;

private:
    void include(float low, float high, float smallestPositive);

    bool m_isEmpty = true;
    float m_low = 0.0F;
    float m_high = 0.0F;
    float m_smallestPositive = 0.0F; ///< 0: there is none
};

/// One colour map for all of `maps`. No value is read for a fixed range.
ColorMap colorMapFor(const ColorChoice& choice, const std::vector<HeatmapValues>& maps);

} // namespace keyaxis
