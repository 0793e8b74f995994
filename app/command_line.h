#pragma once

#include "core/io/attention_file.h"
#include "core/io/tensor_file.h"
#include "core/proof/detective.h"
#include "core/settings.h"
#include "ui/paint/color_choice.h"
#include "ui/paint/sequence.h"
#include "ui/present/handout.h"

#include <QString>
#include <QStringList>
#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace keyaxis {

/// What attention is computed from and how. What is left open is the file's own, or the default.
struct AttentionOptions {
    std::filesystem::path file;
    FileChoices reading; ///< of each file

    /// Where a tensor is: its name in `file`, or another file.
    std::optional<std::string> q, k, v, mask, bias, scores, weights;
    std::optional<Layout> layout;
    std::optional<MaskAxes> maskAxes;
    std::optional<int> maskKeeps;
    std::string layer; ///< of several attentions; empty: there is one

    std::optional<Axis> axis;
    std::optional<bool> causal;
    std::optional<Align> align;
    std::optional<bool> alibi;
    std::optional<SlopeRule> slopes;
    std::optional<float> temperature;
    std::optional<double> scale; ///< 1 for `none`
    std::optional<EmptySlice> empty;
};

/// What `keyaxis compute` can write: stages by their names, and the sum of each row of weights.
inline constexpr std::array<std::string_view, 5> kComputedTensors{"scores", "logits", "weights",
                                                                  "output", "row_sums"};

/// `keyaxis compute`
struct ComputeCommand {
    AttentionOptions attention;
    std::vector<std::string> tensors; ///< what is written, of `kComputedTensors`
    std::filesystem::path output;
};

/// `keyaxis convert`
struct ConvertCommand {
    std::filesystem::path file;
    FileChoices reading;
    std::optional<std::string> tensor; ///< only this one
    std::filesystem::path output;
};

/// A width and a height, both at least 1.
struct FigureSize {
    Index width = 0;
    Index height = 0;
};

/// Some tokens that follow one another, both ends included, from 0.
struct TokenRange {
    Index first = 0;
    Index last = 0;
};

/// The colours of a figure; what is left open is as usual.
struct ColorOptions {
    std::optional<Palette> palette;
    std::optional<RangeRule> rule;
    Range fixed; ///< of RangeRule::Fixed
    bool isReversed = false;
    bool ignoresFirstKey = false;

    bool isUsual() const { return !palette && !rule && !isReversed && !ignoresFirstKey; }
};

/// `keyaxis render`
struct RenderCommand {
    enum class Figure { Map, Compare, Strip, Heads, Layers, Difference, Plane };

    AttentionOptions attention;
    Figure figure = Figure::Map;
    Stage stage = Stage::Weights;
    Index batch = 0;                         ///< from 0
    Index head = 0;                          ///< from 0
    std::optional<Index> query;              ///< of a plane, from 0; the middle one unless told
    std::optional<Axis> against;             ///< of a difference: whose weights are taken off
    std::optional<TokenRange> queries, keys; ///< which the maps are cut down to; none: all
    bool sortsHeads = false;                 ///< of all heads: by their entropy
    bool leavesOutPadding = false;           ///< padded queries count in no verdict
    bool showsMean = false;                  ///< of all heads: their mean before them
    ColorOptions colors;
    std::optional<Sweep> sweep;     ///< a picture for each temperature
    std::optional<Axis> flip;       ///< pictures of the map turning to this axis
    std::optional<FigureSize> size; ///< pixels for PNG, points otherwise
    std::optional<Index> dpi;       ///< of a PNG
    bool withSession = false;       ///< the figure carries the document
    bool dark = false;
    std::filesystem::path output;

    bool isSequence() const { return sweep || flip; }
};

/// `keyaxis check`
struct CheckCommand {
    std::vector<std::string> files; ///< "-" is standard input
    FileChoices reading;            ///< of each file
    std::string tensor;             ///< empty: `weights`, or the only one
    std::string layer;              ///< of several; empty: there is one
    std::string dims; ///< the axes in order, letters of "bhqk"; empty: the last of them
    std::optional<AxisSet> expect;
    bool causal = false; ///< the zeros must be a causal triangle
    std::optional<Align> align;
    std::optional<double> tolerance; ///< none: that of the narrowest type that holds every value
    bool asJson = false;
};

/// `keyaxis present`
struct PresentCommand {
    std::string lesson; ///< a file, or the number or name of one that ships
    HandoutOptions handout;
    std::filesystem::path output; ///< empty: the presenter
    std::optional<bool> dark;     ///< of the presenter; none: as the desktop is
    std::string language;         ///< of a lesson that ships; empty: the user's
};

/// `keyaxis [FILE]`
struct WindowCommand {
    std::filesystem::path file; ///< empty: the default sample
};

/// `--help` and `--version`: printed on standard output.
struct TextCommand {
    QString text;
};

using Command = std::variant<WindowCommand, ComputeCommand, ConvertCommand, RenderCommand,
                             CheckCommand, PresentCommand, TextCommand>;

/// What `arguments` (without the program's name) ask for; needs no application object.
///
/// @errors BadValue in one sentence.
Result<Command> parseCommandLine(const QStringList& arguments);

} // namespace keyaxis
