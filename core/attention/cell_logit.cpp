#include "core/attention/cell_logit.h"

#include "core/attention/scores.h"

#include <algorithm>

namespace keyaxis {

float cellLogit(const Inputs& inputs, const ScoreSettings& settings, Index b, Index h, Index i,
                Index j)
{
    const Sizes sizes = sizesOf(inputs);
    const Index queryTile = i / kTile;
    const Index firstKey = j / kTile * kTile;

    Tile tile;
    if (inputs.scores) {
        takeScores(inputs, b, h, queryTile, {}, j / kTile, {}, tile);
    } else {
        const MatrixView allKeys = inputs.k->slice(b, sizes.groupOf(h));
        const MatrixView someKeys(allKeys.data() + firstKey * sizes.dk,
                                  std::min(kTile, sizes.Tk - firstKey), sizes.dk);
        Matrix queries(kTile, sizes.dk);
        padRows(inputs.q->slice(b, h), queryTile, queries);
        multiply(queries, packKeys(someKeys, MatrixView(nullptr, 0, 0)), 0, tile);
    }

    const ScoreRule rule(inputs, settings, b, h);
    rule.scale(tile);
    rule.addBias(tile, queryTile * kTile, firstKey);
    rule.mask(tile, queryTile * kTile, firstKey);
    const float logit = tile(i % kTile, j % kTile);
    return settings.temperature > 0.0F ? logit / settings.temperature : logit;
}

} // namespace keyaxis
