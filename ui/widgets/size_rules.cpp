#include "ui/widgets/size_rules.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>

namespace keyaxis {

double largestTensor(const Sizes& sizes)
{
    const auto product = [](std::initializer_list<Index> factors) {
        double result = 1;
        for (const Index factor : factors)
            result *= static_cast<double>(factor);
        return result;
    };
    return std::max({product({sizes.B, sizes.H, sizes.Tq, sizes.dk}),
                     product({sizes.B, sizes.G, sizes.Tk, sizes.dk}),
                     product({sizes.B, sizes.G, sizes.Tk, sizes.dv}),
                     product({sizes.B, sizes.H, sizes.Tq, sizes.Tk})});
}

Index fittingGroups(const Sizes& before, const Sizes& after)
{
    if (after.H % after.G == 0)
        return after.G;
    const bool isStep = std::abs(after.G - before.G) == 1;
    if (after.G != before.G && !isStep)
        return 0;
    if (after.G == before.G && before.G == before.H)
        return after.H;
    const Index direction = after.G > before.G ? 1 : -1;
    Index groups = direction > 0 ? after.G : std::min(after.G, after.H);
    while (groups > 0 && groups <= after.H && after.H % groups != 0)
        groups += direction;
    return groups;
}

} // namespace keyaxis
