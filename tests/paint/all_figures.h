#pragma once

#include "core/attention/masked.h"
#include "tests/paint/figures.h"
#include "ui/paint/compositions.h"
#include "ui/paint/heatmap_image.h"
#include "ui/paint/stage_words.h"

#include <QByteArray>
#include <QSize>

namespace keyaxis::testing {

/// Blank, marked-up, combined and foreign tokens, long and repeated ones.
inline const std::vector<std::string> kNastyTokens{"",
                                                   " ",
                                                   "\n",
                                                   "\t",
                                                   "Ġthe",
                                                   "▁a",
                                                   "<b>x</b>",
                                                   "&amp;",
                                                   "$x_1$",
                                                   "中文",
                                                   "한국어",
                                                   "مرحبا",
                                                   "the",
                                                   "the",
                                                   "\u00A0",
                                                   "a b",
                                                   "internationalisation"};

inline Inputs nasty(Index nQueries, Index nKeys)
{
    return worded({2, 2, 2, nQueries, nKeys, 4, 3}, kNastyTokens);
}

inline ScoreSettings causalAndAlibi()
{
    ScoreSettings settings;
    settings.causal = true;
    settings.alibi = true;
    return settings;
}

struct NamedFigure {
    QByteArray name;
    Figure figure;
    QSize size;
};

/// Every composition there is, of the same inputs.
inline std::vector<NamedFigure> compositions(const Inputs& inputs, const ScoreSettings& settings,
                                             const MapColors& colors = {})
{
    SliceSource source{inputs, settings, 0, 0, {}, nullptr, colors};
    for (const Axis axis : kAllAxes) {
        ScoreSettings own = settings;
        own.axis = axis;
        source.axes[static_cast<std::size_t>(axis)] =
            std::make_shared<const SliceStages>(attendSlice(inputs, own, 0, 0).value());
    }
    std::vector<NamedFigure> figures{{"compare", keyaxis::compareFigure(source), {1600, 1000}},
                                     {"compare, small", keyaxis::compareFigure(source), {760, 640}},
                                     {"strip", stripFigure(source), {1600, 320}}};
    for (const Stage stage : kAllStages)
        figures.push_back({"single, stage " + QByteArray::number(int(stage)),
                           singleFigure(source, stage),
                           {900, 700}});
    auto all = std::make_shared<const Attention>(
        attend(inputs, settings, {.logits = true, .output = false}).value());
    figures.push_back({"heads", headsFigure({inputs, settings, all, colors}), {1200, 900}});
    figures.push_back(
        {"difference", differenceFigure(source, {source.axes[0], "the query axis"}), {900, 700}});
    return figures;
}

/// What a cell is painted with.
inline QColor groundOf(const MapFigure& map, Cell cell, const Theme& theme)
{
    const HeatmapValues shown = map.numbers.shown();
    const float value = shown.values(cell.row, cell.col);
    switch (cellKind(value, isMasked(shown.logits, cell.row, cell.col))) {
    case CellKind::Number:
        return map.colors.color(value);
    case CellKind::Nan:
        return theme.tint(theme.invalid);
    default:
        return theme.paper;
    }
}

/// Whether it has a colour of its map.
inline bool isNumber(const MapFigure& map, Cell cell)
{
    const HeatmapValues shown = map.numbers.shown();
    return cellKind(shown.values(cell.row, cell.col), isMasked(shown.logits, cell.row, cell.col)) ==
           CellKind::Number;
}

} // namespace keyaxis::testing
