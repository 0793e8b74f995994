#pragma once

#include "core/proof/map_picture.h"
#include "ui/paint/figure.h"

namespace keyaxis {

/// A map that is too large to be kept, as one figure: each cell of it stands for a block of
/// weights, each row sum for the one of its queries that is farthest from a distribution.
///
/// @param choice  of the colours. Usually they are logarithmic: shared by so many keys, few weights
///                would be seen between 0 and 1.
Figure pictureFigure(const Inputs& inputs, const ScoreSettings& settings, Index b, Index h,
                     std::shared_ptr<const MapPicture> picture,
                     const ColorChoice& choice = {Palette::Viridis, RangeRule::Logarithmic, {}});

} // namespace keyaxis
