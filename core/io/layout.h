#pragma once

#include <optional>
#include <string_view>

namespace keyaxis {

/// How the axes of q, k and v are to be read: batch, head, token, feature in this order. A layout
/// of three axes says which of batch and head is missing. Of scores and weights the last two axes
/// are query and key.
enum class Layout { BHTD, BTHD, HTD, BTD };

std::optional<Layout> layoutNamed(std::string_view name); ///< "bhtd", any case
std::string_view layoutName(Layout layout);

} // namespace keyaxis
