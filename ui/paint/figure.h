#pragma once

#include "core/attention/attention.h"
#include "core/proof/verdict.h"
#include "ui/paint/color_map.h"
#include "ui/paint/heatmap_layout.h"
#include "ui/paint/heatmap_painter.h"
#include "ui/paint/theme.h"

#include <QPainter>
#include <memory>

namespace keyaxis {

/// One heat map and what is said about it: values, no positions.
struct MapFigure {
    Axis axis = Axis::Key;
    Stage stage = Stage::Weights;
    QString title;      ///< "Key axis"; of a stage before the softmax "Scores"
    QString gloss;      ///< "each query spreads 1 over the keys"
    QString shortGloss; ///< what stands there where the gloss does not fit: "each query spreads 1"
    std::shared_ptr<const SliceStages> stages; ///< the numbers are `stages->of(stage)`
    std::vector<Label> rowLabels;              ///< queries
    std::vector<Label> colLabels;              ///< keys; features of the output
    Certificate certificate;                   ///< of the weights
    std::vector<double> columnSums;
    Verdict verdict;
    ColorMap colors{Palette::Viridis, Range{}};
    GlyphsPresent glyphs;
    Index nStacked = 1;              ///< how many maps share a denominator along batch or head
    bool isSelected = false;         ///< framed in the colour of its axis
    std::optional<Cell> highlighted; ///< whose slice is outlined

    bool hasSums() const { return stage == Stage::Weights; }
    /// Whether the numbers depend on the axis.
    bool dependsOnAxis() const { return stage == Stage::Weights || stage == Stage::Output; }
};

/// A picture: one map, or the four axes side by side. Everything that is drawn comes from here, so
/// screen, PNG, SVG and PDF are one drawing.
struct Figure {
    std::vector<MapFigure> maps; ///< one, or four laid out two by two
    QString settingsLine;        ///< below the maps; empty: none
    bool hasCards = true;        ///< on cards with a hairline, as in the window
};

/// What a point of a figure shows.
struct FigureHit {
    int map = -1; ///< index in `Figure::maps`, -1: none
    bool isHeader = false;
    std::optional<Cell> cell;
};

/// Where one map's card and its parts lie.
struct MapLayout {
    QRectF card;
    QRectF header;
    HeatmapLayout heatmap;
};

/// Where everything of a figure lies.
struct FigureLayout {
    QSizeF size;
    std::vector<MapLayout> maps;
    QRectF settingsLine;

    FigureHit hitTest(QPointF point) const;
};

/// A map of the looked-at slice under one axis.
///
/// @param settings  their `axis` is the map's.
MapFigure makeMapFigure(const Inputs& inputs, const ScoreSettings& settings, Index b,
                        std::shared_ptr<const SliceStages> stages, Stage stage);

/// The same where the certificate of its weights is known already.
MapFigure makeMapFigure(const Inputs& inputs, const ScoreSettings& settings, Index b,
                        std::shared_ptr<const SliceStages> stages, Stage stage,
                        Certificate certificate);

/// What is painted of a stage: its numbers, and the mask where it has been applied.
HeatmapValues valuesOf(const SliceStages& stages, Stage stage);

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
