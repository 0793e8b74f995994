#pragma once

#include "core/inputs.h"
#include "core/proof/certificate.h"
#include "core/result.h"

#include <functional>
#include <stop_token>

namespace keyaxis {

/// The map of weights of one (batch, head) as a picture of fewer cells, and what its rows are
/// worth: for a map that is too large to be kept.
struct MapPicture {
    /// [rows, columns] of the picture: NaN where a weight of the block is, else its largest allowed
    /// weight, -inf where all of it is masked.
    Matrix most;
    Certificate
        certificate; ///< of all Tq rows, without causes; empty until the picture is complete
    Index nDone = 0; ///< bands of the map that were looked at
    Index nBands = 0;

    /// Until then what was not looked at is shown like its neighbour above, or to the left.
    bool isComplete() const { return nDone == nBands; }
};

/// Where block n of a picture begins, of `nBlocks` over `nCells` cells.
constexpr Index pictureBlockBegin(Index n, Index nBlocks, Index nCells)
{
    return n * nCells / nBlocks;
}

/// Computes the picture, a sample of the whole first, then what lies between, each pass as much as
/// all before it.
///
/// @param inputs  as `validated` returned them, with q and k.
/// @param nRows   of the picture; no more than there are queries. `nCols` likewise of the keys.
/// @param onPass  called after each pass with what there is.
/// @errors        BadValue where `settings` are out of their domain; Cancelled on stop.
/// @cost          O(Tq Tk dk) time, on the batch and the head axis as often as they are long;
///                memory O((Tq + Tk) · kTile + picture).
Result<MapPicture> mapPicture(const Inputs& inputs, const ScoreSettings& settings, Index b, Index h,
                              Index nRows, Index nCols,
                              const std::function<void(const MapPicture&)>& onPass = {},
                              std::stop_token stop = {});

} // namespace keyaxis
