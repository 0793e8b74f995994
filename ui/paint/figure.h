#pragma once

#include "core/attention/attention.h"
#include "core/proof/verdict.h"
#include "ui/paint/color_choice.h"
#include "ui/paint/heatmap_layout.h"
#include "ui/paint/heatmap_painter.h"
#include "ui/paint/theme.h"

#include <QPainter>
#include <QStringList>
#include <memory>

namespace keyaxis {

/// The numbers of a map, in something that is shared. *immutable*
struct MapNumbers {
    std::shared_ptr<const void> owner;
    const float* values = nullptr; ///< [nRows, nCols]
    const float* logits = nullptr; ///< [nRows, nCols], -inf = masked; null: nothing is
    Index nRows = 0;
    Index nCols = 0;
    std::shared_ptr<const MapDigest> digest = nullptr; ///< null: painters read every cell

    HeatmapValues shown() const
    {
        return {{values, nRows, nCols},
                logits ? MatrixView(logits, nRows, nCols) : MatrixView(nullptr, 0, 0),
                digest.get()};
    }
    bool isEmpty() const { return nRows * nCols == 0; }
};

/// One heat map and what is said about it: values, no positions.
struct MapFigure {
    /// A card with everything on it; or a small map with its name and no more than that.
    enum class Detail { Card, Tile };

    Detail detail = Detail::Card;
    Axis axis = Axis::Key;
    Stage stage = Stage::Weights;
    QString title;      ///< "Key axis"; of a stage before the softmax "Scores"
    QString gloss;      ///< "each query spreads 1 over the keys"
    QString shortGloss; ///< what stands there where the gloss does not fit: "each query spreads 1"
    Label heading;      ///< of a tile, over `gloss`
    Label shortHeading; ///< what stands there where the heading does not fit; none: it is cut
    MapNumbers numbers;
    std::shared_ptr<const SliceStages> stages; ///< where they come from; null of a tile
    Labels rowLabels;                          ///< queries
    Labels colLabels;                          ///< keys; features of the output
    Certificate certificate;                   ///< of the weights
    std::vector<double> columnSums;
    Verdict verdict;
    ColorMap colors{Palette::Viridis, Range{}};
    GlyphsPresent glyphs;
    Index nStacked = 1;              ///< how many maps share a denominator along batch or head
    bool isSelected = false;         ///< framed in the colour of its axis
    std::optional<Cell> highlighted; ///< whose slice is outlined

    /// On the way from another picture; see `morphed`.
    struct Motion {
        std::optional<Axis> turnsFrom; ///< the outline turns from this axis
        double outline = 1;            ///< how far, 0 … 1
        double cells = 1;              ///< how visible they are, 0 … 1
        double bars = 1;               ///< the same of the sums and the verdict
    };
    Motion motion;

    Words words;               ///< of the language of what is painted besides these
    bool isDifference = false; ///< of two maps of weights
    bool isDimmed = false;     ///< a stage that is off
    bool isMean = false;       ///< of a tile: the mean over the heads
    Index batch = 0;           ///< of a tile: which map it is
    Index head = 0;

    bool hasSums() const
    {
        return stage == Stage::Weights && detail == Detail::Card && !isDifference;
    }
    /// Whether a cell of it shares a denominator with others.
    bool hasSlices() const { return stages && stage != Stage::Output; }
    /// Whether the numbers depend on the axis.
    bool dependsOnAxis() const
    {
        return !isDifference && (stage == Stage::Weights || stage == Stage::Output);
    }
};

/// A picture: one map, the four axes, the stages, all heads. Everything that is drawn comes from
/// here, so screen, PNG, SVG and PDF are one drawing.
struct Figure {
    std::vector<MapFigure> maps; ///< one, or several laid out on a grid
    Index nColumns = 0;          ///< of the grid; 0: two for cards, what suits the page for tiles
    QString settingsLine;        ///< below the maps; empty: none
    std::optional<CellWindow> window; ///< what all cards are zoomed into; none: everything
    double pixel = 1;                 ///< of the screen, in points: cells lie on whole ones
    QString message;                  ///< instead of maps, where there is none to draw
    bool hasCards = true;             ///< on cards with a hairline, as in the window
    bool sharesColorBar = false;      ///< below all maps, one for each kind of colours
    bool hasColorBars = true;
    bool prefersCells = false; ///< a card that leaves them little room becomes a tile
    int smallestPx = 9;        ///< no type of a card is set smaller, but for indices
    bool isSequence = false;   ///< an arrow from each map to the next
};

/// What a point of a figure shows.
struct FigureHit {
    int map = -1; ///< index in `Figure::maps`, -1: none
    bool isHeader = false;
    bool isColorBar = false;
    std::optional<Cell> cell;
    std::optional<Index> row; ///< whose name, bar or sum it is
    std::optional<Index> col; ///< whose name or sum it is

    /// The cell that the point speaks of: its own, or the one of `present` in its row or column.
    std::optional<Cell> cellFrom(Cell present) const;
};

/// Where one map's card and its parts lie.
struct MapLayout {
    QRectF card;
    QRectF header;
    HeatmapLayout heatmap;
    bool isTile = false;   ///< of a figure that `prefersCells`, also of a card
    bool hasLabels = true; ///< false of a tile that is too small for them
};

/// A colour bar below all maps, for those that are coloured as the map `of`.
struct SharedBar {
    std::size_t of = 0;
    QRectF name; ///< empty where one bar is for all
    HeatmapLayout bar;
};

/// Where everything of a figure lies.
struct FigureLayout {
    QSizeF size;
    std::vector<MapLayout> maps;
    QRectF settingsLine;
    QStringList settings; ///< the settings line, broken to the width
    std::vector<SharedBar> sharedBars;

    FigureHit hitTest(QPointF point) const;
};

/// A map of the looked-at slice under one axis.
///
/// @param settings  their `axis` is the map's.
MapFigure makeMapFigure(const Inputs& inputs, const ScoreSettings& settings, Index b,
                        std::shared_ptr<const SliceStages> stages, Stage stage);

/// The same where the facts are known already.
MapFigure makeMapFigure(const Inputs& inputs, const ScoreSettings& settings, Index b,
                        std::shared_ptr<const SliceStages> stages, Stage stage, MapFacts facts);

/// What is painted of a stage: its numbers, and the mask where it has been applied.
MapNumbers numbersOf(const std::shared_ptr<const SliceStages>& stages, Stage stage);

/// "softmax over keys · causal (start) · τ = 1 · … · batch 1, head 2": indices from 1.
///
/// @param isOfEachAxis  "softmax over each axis": of a comparison.
QString figureSettingsLine(const Inputs& inputs, const ScoreSettings& settings, Index b, Index h,
                           bool isOfEachAxis);

/// Lays `figure` out on a page of `size` points.
FigureLayout layoutFigure(const Figure& figure, QSizeF size);

/// Draws `figure`; one unit of `painter` is a point.
void paintFigure(QPainter& painter, const Figure& figure, const FigureLayout& layout,
                 const Theme& theme);

} // namespace keyaxis
