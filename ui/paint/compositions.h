#pragma once

#include "core/proof/head_statistics.h"
#include "ui/paint/figure.h"

#include <array>
#include <functional>
#include <span>
#include <stop_token>
#include <vector>

namespace keyaxis {

/// One (batch, head) under the four axes: what most figures are made of.
struct SliceSource {
    Inputs inputs;
    ScoreSettings settings; ///< their axis is the chosen one
    Index batch = 0;
    Index head = 0;
    std::array<std::shared_ptr<const SliceStages>, 4> axes;   ///< by Axis; null where not shown
    const std::array<Certificate, 4>* certificates = nullptr; ///< null: they are computed
    MapColors colors;
    /// Of a stage's numbers under an axis; empty: they are computed.
    std::function<std::shared_ptr<const MapDigest>(Axis, Stage)> digests{};
};

/// `source` with its slices under `axes` computed: they share everything before the softmax.
///
/// @errors  as `attendSlice`.
Result<SliceSource> withSlices(SliceSource source, std::span<const Axis> axes,
                               std::stop_token stop = {});

/// The four axes two by two in one colour scale, the chosen one framed.
Figure compareFigure(const SliceSource& source);

/// One large map of the chosen axis.
Figure singleFigure(const SliceSource& source, Stage stage);

/// Every stage from the scores to the output, side by side. All signed stages share one range.
Figure stripFigure(const SliceSource& source);

/// A cell that makes a telling slice while nothing is pointed at: the largest logit of a middle
/// row.
Cell tellingCell(const Matrix& logits);

/// Every (batch, head) of one computation.
struct HeadsSource {
    Inputs inputs;
    ScoreSettings settings;
    std::shared_ptr<const Attention> all; ///< weights and logits
    MapColors colors;
    bool isSorted = false; ///< the heads of each example by their entropy, which is then said
    bool hasMean = false;  ///< before them the mean over the heads of each example
    const std::vector<MapFacts>* facts = nullptr; ///< of all, by b * H + h; null: computed
    /// Where sorted or with the mean; null: computed.
    std::shared_ptr<const HeadFacts> heads{};
};

/// One example and one of its heads.
struct HeadIndex {
    Index batch = 0;
    Index head = 0;
    bool operator==(const HeadIndex&) const = default;
};

/// Small maps of the weights of `which` (empty: of all), in one colour scale with one bar.
///
/// @cost O(cells) without facts; also sorted or with the mean without facts of the heads.
Figure headsFigure(const HeadsSource& source, const std::vector<HeadIndex>& which = {});

/// One (batch, head) of several layers of a model.
struct LayersSource {
    Inputs inputs;
    ScoreSettings settings;
    std::shared_ptr<const Attention>
        all;                        ///< weights and logits, [1, N, Tq, Tk]: a layer for a head
    std::vector<std::string> names; ///< of the N layers
    Index batch = 0;
    Index head = 0;
    MapColors colors;
    const std::vector<MapFacts>* facts = nullptr; ///< of the N maps; null: computed
};

/// Small maps of the weights of every layer, in one colour scale with one bar. A map's `head` is
/// the number of its layer.
///
/// @cost O(cells) without facts.
Figure layersFigure(const LayersSource& source);

/// Cuts the maps of cards down to `range` and says so in the settings line, from 1; sums stay those
/// of whole rows and columns. Small maps stay whole, and maps of other sizes.
void crop(Figure& figure, const CellRange& range);

/// Counts the rows of padding in no verdict, and says so in the settings line: of every map, whose
/// place among the examples and heads is `placeOf(map)`. The rows themselves stay.
void leaveOutPadding(Figure& figure, const Inputs& inputs, const ScoreSettings& settings,
                     const std::function<HeadIndex(const MapFigure&)>& placeOf);

/// What weights are compared with.
struct Reference {
    std::shared_ptr<const SliceStages> stages;
    QString name; ///< "the query axis", "the kept state"
};

/// The weights of the chosen axis minus those of `reference`, on a scale symmetric about 0. Without
/// maps and with a message where their sizes differ.
Figure differenceFigure(const SliceSource& source, const Reference& reference);

/// The same with the weights of another axis of `source`.
Figure differenceFigure(const SliceSource& source, Axis reference);

} // namespace keyaxis
