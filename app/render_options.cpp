#include "app/render_options.h"

#include "app/option_reader.h"
#include "app/shared_options.h"

#include <QRegularExpression>
#include <array>
#include <cmath>

namespace keyaxis {

namespace {

using Kind = RenderCommand::Figure;

constexpr std::array<std::string_view, 4> kFigureEndings{".png", ".svg", ".pdf", ".html"};
constexpr std::array<std::string_view, 2> kSequenceEndings{".gif", ".png"};

/// "temperature=0.1:10:24".
std::optional<Sweep> readSweep(OptionReader& reader)
{
    const auto given = reader.text("sweep");
    if (!given)
        return std::nullopt;
    static const QRegularExpression form(QStringLiteral("^temperature=([^:]+):([^:]+):(\\d+)$"));
    const auto parts = form.match(QString::fromStdString(*given));
    bool isLow = false;
    bool isHigh = false;
    bool isCount = false;
    const Sweep sweep{parts.captured(1).toFloat(&isLow), parts.captured(2).toFloat(&isHigh),
                      parts.captured(3).toLongLong(&isCount)};
    const auto isTemperature = [](float x) { return std::isfinite(x) && x > 0; };
    if (isLow && isHigh && isCount && isTemperature(sweep.low) && isTemperature(sweep.high) &&
        sweep.n >= kFewestFrames && sweep.n <= kMostFrames)
        return sweep;
    reader.reject("sweep", "temperature=LOW:HIGH:N is needed, both above 0 and " +
                               std::to_string(kFewestFrames) + " to " +
                               std::to_string(kMostFrames) + " pictures");
    return std::nullopt;
}

/// "-0.5:0.5", or how the ends are found.
void readRange(ColorOptions& colors, OptionReader& reader)
{
    const auto given = reader.text("range");
    if (!given)
        return;
    for (const auto& [word, rule] : {std::pair{"auto", RangeRule::Automatic},
                                     {"symmetric", RangeRule::Symmetric},
                                     {"log", RangeRule::Logarithmic}})
        if (*given == word)
            colors.rule = rule;
    if (colors.rule)
        return;
    const QStringList ends = QString::fromStdString(*given).split(':');
    bool isLow = false;
    bool isHigh = false;
    colors.fixed = {ends.value(0).toFloat(&isLow), ends.value(1).toFloat(&isHigh)};
    colors.rule = RangeRule::Fixed;
    const bool isFinite = std::isfinite(colors.fixed.low) && std::isfinite(colors.fixed.high);
    if (ends.size() != 2 || !isLow || !isHigh || !isFinite || colors.fixed.low >= colors.fixed.high)
        reader.reject("range",
                      "it may be auto, symmetric, log, or LOW:HIGH such as 0:0.5, LOW below HIGH");
}

ColorOptions readColors(OptionReader& reader)
{
    ColorOptions colors;
    colors.palette = reader.oneOf<Palette>("palette", {{"viridis", Palette::Viridis},
                                                       {"cividis", Palette::Cividis},
                                                       {"magma", Palette::Magma},
                                                       {"greys", Palette::Greys},
                                                       {"blue-red", Palette::BlueRed}});
    readRange(colors, reader);
    colors.isReversed = reader.isSet("reversed");
    colors.ignoresFirstKey = reader.isSet("ignore-first-key");
    if (colors.ignoresFirstKey && colors.rule == RangeRule::Fixed)
        reader.fail("--ignore-first-key is about a range that is found; --range " +
                    *reader.text("range") + " is given.");
    return colors;
}

/// What only some figures have.
void refuseStrayOptions(const RenderCommand& command, OptionReader& reader)
{
    const bool isMap = command.figure == Kind::Map || command.figure == Kind::Compare ||
                       command.figure == Kind::Difference;
    const bool isCut = command.queries || command.keys;
    if (command.query && command.figure != Kind::Plane)
        reader.fail("--query needs --figure plane.");
    if (reader.isSet("against") && command.figure != Kind::Difference)
        reader.fail("--against needs --figure difference.");
    if ((command.sortsHeads || command.showsMean) && command.figure != Kind::Heads)
        reader.fail("--sort-heads and --mean-head need --figure heads.");
    if (isCut && (!isMap || command.stage == Stage::Output))
        reader.fail("--queries and --keys cut maps of queries and keys: they need --figure map, "
                    "compare or difference.");
    if (command.leavesOutPadding &&
        (command.figure == Kind::Plane || command.figure == Kind::Strip))
        reader.fail("--figure " + *reader.text("figure") +
                    " counts no rows; --leave-out-padding needs maps that are judged.");
    if (command.figure == Kind::Plane && !command.colors.isUsual())
        reader.fail("--figure plane has no colour bar.");
    if (command.isSequence() && (command.figure == Kind::Plane || command.figure == Kind::Layers ||
                                 command.figure == Kind::Difference))
        reader.fail("--figure " + *reader.text("figure") +
                    " is one picture; --sweep and --flip need maps.");
    if (command.flip && command.figure != Kind::Map)
        reader.fail("--flip turns one map; it needs --figure map.");
    if (command.output.extension() != ".html")
        return;
    if (command.figure != Kind::Map)
        reader.fail("--figure " + *reader.text("figure") +
                    " is a picture; an interactive page shows every axis by itself.");
    if (isCut || command.leavesOutPadding || !command.colors.isUsual())
        reader.fail("An interactive page shows whole maps in its own colours: it takes none of "
                    "--queries, --keys, --leave-out-padding, --palette, --range, --reversed and "
                    "--ignore-first-key.");
}

} // namespace

Result<Command> parseRender(const QCommandLineParser& parser)
{
    OptionReader reader(parser);
    RenderCommand command;
    command.attention = readAttentionOptions(parser.positionalArguments(), reader);
    command.figure = reader
                         .oneOf<Kind>("figure", {{"map", Kind::Map},
                                                 {"compare", Kind::Compare},
                                                 {"strip", Kind::Strip},
                                                 {"heads", Kind::Heads},
                                                 {"layers", Kind::Layers},
                                                 {"difference", Kind::Difference},
                                                 {"plane", Kind::Plane}})
                         .value_or(Kind::Map);
    const auto stage = reader.oneOf<Stage>("stage", {{"scores", Stage::Scores},
                                                     {"scaled", Stage::Scaled},
                                                     {"biased", Stage::Biased},
                                                     {"tempered", Stage::Tempered},
                                                     {"logits", Stage::Logits},
                                                     {"weights", Stage::Weights},
                                                     {"output", Stage::Output}});
    if (stage && command.figure == Kind::Strip)
        reader.fail("--figure strip shows every stage; --stage needs --figure map.");
    if (command.figure != Kind::Map && stage.value_or(Stage::Weights) != Stage::Weights)
        reader.fail("--figure " + *reader.text("figure") +
                    " shows the weights; another stage needs --figure map.");
    command.stage = stage.value_or(Stage::Weights);
    command.batch = reader.index("batch").value_or(0);
    command.head = reader.index("head").value_or(0);
    command.query = reader.index("query");
    command.against = readAxis("against", reader);
    command.queries = reader.tokens("queries");
    command.keys = reader.tokens("keys");
    command.sortsHeads = reader.isSet("sort-heads");
    command.leavesOutPadding = reader.isSet("leave-out-padding");
    command.showsMean = reader.isSet("mean-head");
    command.colors = readColors(reader);
    command.size = reader.size("size");
    command.dpi = reader.count("dpi", 10, 2400);
    command.withSession = reader.isSet("with-session");
    command.dark = reader.oneOf<bool>("theme", {{"light", false}, {"dark", true}}).value_or(false);
    command.sweep = readSweep(reader);
    command.flip = readAxis("flip", reader);
    if (command.sweep && command.flip)
        reader.fail("--sweep and --flip are two sequences; one of them is written at a time.");
    command.output = command.isSequence() ? readOutput(reader, kSequenceEndings)
                                          : readOutput(reader, kFigureEndings);
    refuseStrayOptions(command, reader);
    if (reader.error())
        return tl::unexpected(*reader.error());
    return command;
}

} // namespace keyaxis
