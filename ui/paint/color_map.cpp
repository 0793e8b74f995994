#include "ui/paint/color_map.h"

#include <QFile>
#include <algorithm>
#include <cmath>

namespace keyaxis {

namespace {

std::array<QRgb, 256> readTable(Palette palette)
{
    constexpr std::array kFiles{"viridis", "cividis", "magma", "greys", "blue_red"};
    QFile file(QStringLiteral(":/colours/%1.txt")
                   .arg(QLatin1String(kFiles[static_cast<std::size_t>(palette)])));
    std::array<QRgb, 256> steps{};
    if (file.open(QIODevice::ReadOnly))
        for (QRgb& step : steps)
            step = QColor(QString::fromLatin1(file.readLine().trimmed())).rgb();
    return steps;
}

const std::array<QRgb, 256>& table(Palette palette)
{
    static const std::array kTables{readTable(Palette::Viridis), readTable(Palette::Cividis),
                                    readTable(Palette::Magma), readTable(Palette::Greys),
                                    readTable(Palette::BlueRed)};
    return kTables[static_cast<std::size_t>(palette)];
}

} // namespace

ColorMap::ColorMap(Palette palette, Range range, bool isReversed, Spread spread)
    : m_steps(table(palette)), m_range(range), m_spread(spread)
{
    if (spread == Spread::Logarithmic) {
        m_logLow = std::log(range.low);
        m_logHigh = std::log(range.high);
    }
    if (isReversed)
        std::ranges::reverse(m_steps);
}

QRgb ColorMap::rgb(float value) const
{
    const bool isLog = m_spread == Spread::Logarithmic;
    const float low = isLog ? m_logLow : m_range.low;
    const float width = (isLog ? m_logHigh : m_range.high) - low;
    // 0 and below have no logarithm: they take the low end and, being clipped, its mark.
    const float at = !isLog ? value : value > 0 ? std::log(value) : low;
    const float part = width > 0 ? (at - low) / width : 0.5F;
    return m_steps[static_cast<std::size_t>(std::clamp(part * 256.0F, 0.0F, 255.0F))];
}

Range symmetricRange(const float* values, std::size_t n)
{
    float largest = 0.0F;
    for (std::size_t i = 0; i < n; ++i)
        if (std::isfinite(values[i]))
            largest = std::max(largest, std::abs(values[i]));
    return largest > 0 ? Range{-largest, largest} : Range{-1.0F, 1.0F};
}

} // namespace keyaxis
