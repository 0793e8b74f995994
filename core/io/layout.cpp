#include "core/io/layout.h"

#include "core/io/ascii.h"

#include <algorithm>
#include <array>

namespace keyaxis {

namespace {

constexpr std::array<std::string_view, 4> kLayoutNames{"bhtd", "bthd", "htd", "btd"};

} // namespace

std::optional<Layout> layoutNamed(std::string_view name)
{
    const auto found = std::ranges::find(kLayoutNames, lowerAscii(name));
    return found == kLayoutNames.end()
               ? std::nullopt
               : std::optional(static_cast<Layout>(found - kLayoutNames.begin()));
}

std::string_view layoutName(Layout layout)
{
    return kLayoutNames[static_cast<std::size_t>(layout)];
}

} // namespace keyaxis
