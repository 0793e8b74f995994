#pragma once

#include "core/attention/attention.h"
#include "core/proof/certificate.h"
#include "core/tensor.h"

#include <memory>
#include <vector>

namespace keyaxis {

/// What pictures of a map must know of all its cells, worked out once: painting then reads a few
/// numbers a pixel, however many cells a pixel covers. *immutable*
struct MapDigest {
    /// The extremes of each block of `edge` × `edge` cells, [ceil(rows / edge), ceil(cols / edge)].
    struct Level {
        Index edge = 0;
        Matrix low; ///< the smallest allowed value; NaN where a cell is; +inf where none is allowed
        Matrix high; ///< the largest; NaN where a cell is; -inf where none is allowed
    };

    bool hasMasked = false;   ///< a logit or a value is -inf
    bool hasNan = false;      ///< masked or not
    bool hasInfinity = false; ///< a value is +inf

    /// The finite values of allowed cells.
    bool isEmpty = true;
    float low = 0.0F;
    float high = 0.0F;
    float smallestPositive = 0.0F; ///< 0: there is none

    std::vector<double> columnSums; ///< in float64; NaN where an entry is
    std::vector<Level> levels;      ///< edges 2, 4, 8, …; none of a small map

    /// The coarsest level whose blocks are no larger than `nCells` × `nCells`; null: single cells.
    const Level* levelFor(double nCells) const;
};

/// @param logits  the same shape, -inf = masked; empty: nothing is.
/// @cost          O(cells), on all threads; memory two thirds of the map's.
MapDigest digestOf(const MatrixView& values, const MatrixView& logits);

/// Of the numbers of `stage`, with the mask where it has been applied.
MapDigest digestOf(const SliceStages& stages, Stage stage);

/// What the cells of a map amount to.
struct MapFacts {
    Certificate certificate;                 ///< of the weights
    std::shared_ptr<const MapDigest> digest; ///< of the shown numbers
};

/// Of weights and their logits, [Tq, Tk].
MapFacts factsOf(const MatrixView& weights, const MatrixView& logits);

/// Of every (b, h), by b * H + h.
std::vector<MapFacts> factsOf(const Attention& attention);

} // namespace keyaxis
