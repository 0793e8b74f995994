#include "ui/paint/color_choice.h"

#include "core/attention/masked.h"
#include "ui/paint/heatmap_image.h"

#include <algorithm>
#include <cmath>

namespace keyaxis {

void Extent::include(float low, float high, float smallestPositive)
{
    m_low = m_isEmpty ? low : std::min(m_low, low);
    m_high = m_isEmpty ? high : std::max(m_high, high);
    m_isEmpty = false;
    if (smallestPositive > 0 && (m_smallestPositive == 0 || smallestPositive < m_smallestPositive))
        m_smallestPositive = smallestPositive;
}

void Extent::include(const HeatmapValues& map, Index firstCol)
{
    if (map.digest && firstCol == 0) {
        if (!map.digest->isEmpty)
            include(map.digest->low, map.digest->high, map.digest->smallestPositive);
        return;
    }
    const float* values = map.values.data();
    const float* logits = map.logits.size() > 0 ? map.logits.data() : nullptr;
    for (Index n = 0; n < map.values.size(); ++n) {
        const float value = values[n];
        const bool isLeftOut = firstCol > 0 && n % map.values.cols() < firstCol;
        if (isLeftOut || !std::isfinite(value) || (logits && logits[n] == kMasked))
            continue;
        include(value, value, value);
    }
}

Range Extent::range(RangeRule rule) const
{
    if (rule == RangeRule::Symmetric) {
        const float most = std::max(std::abs(m_low), std::abs(m_high));
        return most > 0 ? Range{-most, most} : Range{-1.0F, 1.0F};
    }
    if (rule == RangeRule::Logarithmic) {
        if (m_smallestPositive == 0)
            return {0.1F, 1.0F};
        return m_smallestPositive < m_high ? Range{m_smallestPositive, m_high}
                                           : Range{m_high / 10, m_high};
    }
    if (m_low < m_high)
        return {m_low, m_high};
    return m_low == 0 ? Range{} : Range{std::min(0.0F, m_low), std::max(0.0F, m_high)};
}

ColorMap colorMapFor(const ColorChoice& choice, const std::vector<HeatmapValues>& maps)
{
    if (choice.rule == RangeRule::Fixed)
        return {choice.palette, choice.fixed, choice.isReversed};
    Extent extent;
    for (const HeatmapValues& map : maps)
        extent.include(map, choice.ignoresFirstKey && map.values.cols() > 1 ? 1 : 0);
    return {choice.palette, extent.range(choice.rule), choice.isReversed,
            choice.rule == RangeRule::Logarithmic ? Spread::Logarithmic : Spread::Linear};
}

} // namespace keyaxis
