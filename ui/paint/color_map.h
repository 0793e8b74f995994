#pragma once

#include <QColor>
#include <QString>
#include <array>
#include <memory>

namespace keyaxis {

/// Names of the colour maps that ship.
enum class Palette { Viridis, Cividis, Magma, Greys, BlueRed };

/// The values at the two ends of a colour bar.
struct Range {
    float low = 0.0F;
    float high = 1.0F;
    bool operator==(const Range&) const = default;
};

/// How values spread over the bar. Logarithmic: both ends are above 0, and so is what has a colour.
enum class Spread { Linear, Logarithmic };

/// A colour map over a range. NaN, infinities and masked cells have no colour here: they are drawn
/// as glyphs, so that they cannot be mistaken for data. *immutable*
class ColorMap {
public:
    ColorMap(Palette palette, Range range, bool isReversed = false, Spread spread = Spread::Linear);

    /// Colour of a finite value; outside the range that of the nearer end.
    QRgb rgb(float value) const;
    QColor color(float value) const { return QColor::fromRgb(rgb(value)); }
    /// Colour of step 0 … 255, from the bar's low end to its high end.
    QColor step(int index) const
    {
        return QColor::fromRgb(m_steps[static_cast<std::size_t>(index)]);
    }
    /// Whether a value lies outside the range and is drawn in the colour of an end.
    bool isClipped(float value) const { return value < m_range.low || value > m_range.high; }
    const Range& range() const { return m_range; }
    Spread spread() const { return m_spread; }
    bool operator==(const ColorMap&) const = default;

private:
    std::array<QRgb, 256> m_steps;
    Range m_range;
    Spread m_spread;
    float m_logLow = 0.0F; ///< natural logarithms of the ends
    float m_logHigh = 0.0F;
};

/// The range of the finite values, symmetric about 0; {-1, 1} where there are none but 0.
Range symmetricRange(const float* values, std::size_t n);

} // namespace keyaxis
