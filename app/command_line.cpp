#include "app/command_line.h"

#include "app/option_reader.h"
#include "app/syntax.h"
#include "core/io/tensor_file.h"

#include <QCommandLineParser>
#include <QRegularExpression>
#include <array>
#include <cmath>
#include <span>
#include <system_error>

namespace keyaxis {

namespace {

constexpr std::array<std::string_view, 4> kFigureEndings{".png", ".svg", ".pdf", ".html"};
constexpr std::array<std::string_view, 2> kSequenceEndings{".gif", ".png"};
constexpr std::array<std::string_view, 2> kHandoutEndings{".pdf", ".txt"};

/// Adds the options of `syntax`; names of subcommands, which have no dash, are not options.
void addOptions(const Syntax& syntax, QCommandLineParser& parser)
{
    for (const OptionGroup& group : syntax.groups) {
        for (const OptionHelp& option : group.options) {
            QStringList names;
            for (const QString& name : option.names)
                if (name.startsWith('-'))
                    names += name.mid(name.startsWith("--") ? 2 : 1);
            if (!names.isEmpty())
                parser.addOption({names, option.text, option.value});
        }
    }
}

std::optional<TextCommand> textAskedFor(const QCommandLineParser& parser, const Syntax& syntax)
{
    if (parser.isSet("help"))
        return TextCommand{syntax.help()};
    if (parser.isSet("version"))
        return TextCommand{"keyaxis " KEYAXIS_VERSION "\n"};
    return std::nullopt;
}

/// The one file that a subcommand works on.
std::filesystem::path readFile(const QStringList& files, OptionReader& reader)
{
    if (files.isEmpty())
        reader.fail("No file to read was given.");
    else if (files.size() > 1)
        reader.fail("One file at a time, but '" + files[0].toStdString() + "' and '" +
                    files[1].toStdString() + "' were given.");
    return files.isEmpty() ? std::string() : files[0].toStdString();
}

/// What the user says about a file that it does not say itself.
FileChoices readFileChoices(OptionReader& reader)
{
    FileChoices choices;
    choices.opaqueType =
        reader.oneOf<ElementType>("opaque", {{"bfloat16", ElementType::BF16},
                                             {"float8_e4m3", ElementType::F8E4M3},
                                             {"float8_e5m2", ElementType::F8E5M2}});
    choices.table.separator = reader.oneOf<char>(
        "separator", {{"comma", ','}, {"semicolon", ';'}, {"tab", '\t'}, {"blank", ' '}});
    choices.table.decimalSign = reader.oneOf<char>("decimal", {{"dot", '.'}, {"comma", ','}});
    return choices;
}

/// `-o OUT` of the command, empty where it was not given.
std::filesystem::path readOutput(OptionReader& reader)
{
    const auto given = reader.text("output");
    if (!given)
        reader.fail("No file to write was given, as in -o OUT.");
    return given.value_or("");
}

/// `-o OUT` in a format for tensors.
std::filesystem::path readTensorOutput(OptionReader& reader)
{
    const std::filesystem::path output = readOutput(reader);
    if (!reader.error() && !isWritable(output))
        reader.reject("output", "the ending tells the format and may be " + writableEndings());
    return output;
}

/// `-o OUT` with one of `endings`. What is there and no regular file, such as a pipe, needs none.
std::filesystem::path readOutput(OptionReader& reader, std::span<const std::string_view> endings)
{
    const std::filesystem::path output = readOutput(reader);
    std::error_code ignored;
    const auto status = std::filesystem::status(output, ignored);
    if (std::filesystem::is_other(status) && !output.has_extension())
        return output;

    const QString ending = QString::fromStdString(output.extension().string()).toLower();
    std::string allowed;
    for (const std::string_view possible : endings) {
        if (ending.toStdString() == possible)
            return output;
        allowed += (allowed.empty() ? "" : ", ") + std::string(possible);
    }
    reader.reject("output", "the ending tells the format and may be " + allowed);
    return {};
}

std::optional<Axis> readAxis(const QString& option, OptionReader& reader)
{
    return reader.oneOf<Axis>(
        option,
        {{"key", Axis::Key}, {"query", Axis::Query}, {"batch", Axis::Batch}, {"head", Axis::Head}});
}

AttentionOptions readAttentionOptions(const QStringList& files, OptionReader& reader)
{
    AttentionOptions options;
    options.file = readFile(files, reader);
    options.reading = readFileChoices(reader);
    options.q = reader.text("q");
    options.scores = reader.text("scores");
    options.weights = reader.text("weights");
    options.k = reader.text("k");
    options.v = reader.text("v");
    options.mask = reader.text("mask");
    options.bias = reader.text("bias");
    options.layout = reader.oneOf<Layout>("layout", {{"bhtd", Layout::BHTD},
                                                     {"bthd", Layout::BTHD},
                                                     {"htd", Layout::HTD},
                                                     {"btd", Layout::BTD}});
    options.maskAxes = reader.oneOf<MaskAxes>("mask-axes", {{"qk", MaskAxes::QueryKey},
                                                            {"bk", MaskAxes::BatchKey},
                                                            {"hqk", MaskAxes::HeadQueryKey},
                                                            {"bqk", MaskAxes::BatchQueryKey}});
    options.maskKeeps = reader.oneOf<int>("mask-keeps", {{"1", 1}, {"0", 0}});
    options.layer = reader.text("layer").value_or("");
    options.axis = readAxis("axis", reader);
    options.causal = reader.onOff("causal");
    options.align = reader.oneOf<Align>("align", {{"start", Align::Start}, {"end", Align::End}});
    options.alibi = reader.onOff("alibi");
    options.slopes = reader.oneOf<SlopeRule>(
        "slopes", {{"authors", SlopeRule::Authors}, {"geometric", SlopeRule::Geometric}});
    options.temperature = reader.number<float>("temperature");
    options.scale = reader.text("scale") == "none" ? 1.0 : reader.number<double>("scale");
    options.empty =
        reader.oneOf<EmptySlice>("empty", {{"nan", EmptySlice::Nan}, {"zero", EmptySlice::Zero}});
    return options;
}

/// The tensors of `--stage`, or the one of them that `--tensor` names. Alone, `--tensor` may name
/// any.
std::vector<std::string> readTensorNames(OptionReader& reader)
{
    const std::string all = "all";
    const auto tensor = reader.text("tensor");
    const std::string stage = reader
                                  .oneOf<std::string>("stage", {{"scores", "scores"},
                                                                {"logits", "logits"},
                                                                {"weights", "weights"},
                                                                {"output", "output"},
                                                                {"all", all}})
                                  .value_or(tensor ? all : "weights");
    std::vector<std::string> names;
    for (const std::string_view name : kComputedTensors)
        if ((stage == all || stage == name) && (!tensor || *tensor == name))
            names.emplace_back(name);
    if (names.empty())
        reader.reject("tensor", stage == all ? "it may be scores, logits, weights, output, row_sums"
                                             : "--stage " + stage + " has no such tensor");
    return names;
}

Result<Command> parseCompute(const QCommandLineParser& parser)
{
    OptionReader reader(parser);
    ComputeCommand command;
    command.attention = readAttentionOptions(parser.positionalArguments(), reader);
    command.tensors = readTensorNames(reader);
    command.output = readTensorOutput(reader);
    if (reader.error())
        return tl::unexpected(*reader.error());
    return command;
}

Result<Command> parseConvert(const QCommandLineParser& parser)
{
    OptionReader reader(parser);
    ConvertCommand command;
    command.file = readFile(parser.positionalArguments(), reader);
    command.reading = readFileChoices(reader);
    command.tensor = reader.text("tensor");
    command.output = readTensorOutput(reader);
    if (reader.error())
        return tl::unexpected(*reader.error());
    return command;
}

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

Result<Command> parseRender(const QCommandLineParser& parser)
{
    using Figure = RenderCommand::Figure;
    OptionReader reader(parser);
    RenderCommand command;
    command.attention = readAttentionOptions(parser.positionalArguments(), reader);
    command.figure = reader
                         .oneOf<Figure>("figure", {{"map", Figure::Map},
                                                   {"compare", Figure::Compare},
                                                   {"strip", Figure::Strip},
                                                   {"heads", Figure::Heads},
                                                   {"plane", Figure::Plane}})
                         .value_or(Figure::Map);
    const auto stage = reader.oneOf<Stage>("stage", {{"scores", Stage::Scores},
                                                     {"scaled", Stage::Scaled},
                                                     {"biased", Stage::Biased},
                                                     {"tempered", Stage::Tempered},
                                                     {"logits", Stage::Logits},
                                                     {"weights", Stage::Weights},
                                                     {"output", Stage::Output}});
    if (stage && command.figure == Figure::Strip)
        reader.fail("--figure strip shows every stage; --stage needs --figure map.");
    if (command.figure != Figure::Map && stage.value_or(Stage::Weights) != Stage::Weights)
        reader.fail("--figure " + *reader.text("figure") +
                    " shows the weights; another stage needs --figure map.");
    command.stage = stage.value_or(Stage::Weights);
    command.batch = reader.index("batch").value_or(0);
    command.head = reader.index("head").value_or(0);
    command.query = reader.index("query");
    if (command.query && command.figure != Figure::Plane)
        reader.fail("--query needs --figure plane.");
    command.size = reader.size("size");
    command.dpi = reader.count("dpi", 10, 2400);
    command.withSession = parser.isSet("with-session");
    command.dark = reader.oneOf<bool>("theme", {{"light", false}, {"dark", true}}).value_or(false);
    command.sweep = readSweep(reader);
    command.flip = readAxis("flip", reader);
    if (command.sweep && command.flip)
        reader.fail("--sweep and --flip are two sequences; one of them is written at a time.");
    if (command.isSequence() && command.figure == Figure::Plane)
        reader.fail("--figure plane is one picture; --sweep and --flip need maps.");
    if (command.flip && command.figure != Figure::Map)
        reader.fail("--flip turns one map; it needs --figure map.");
    command.output = command.isSequence() ? readOutput(reader, kSequenceEndings)
                                          : readOutput(reader, kFigureEndings);
    if (command.output.extension() == ".html" && command.figure != Figure::Map)
        reader.fail("--figure " + *reader.text("figure") +
                    " is a picture; an interactive page shows every axis by itself.");
    if (reader.error())
        return tl::unexpected(*reader.error());
    return command;
}

/// "head+key" in any order.
std::optional<AxisSet> readAxisSet(OptionReader& reader)
{
    const auto given = reader.text("expect");
    if (!given)
        return std::nullopt;
    QStringList wanted = QString::fromStdString(*given).split('+');
    wanted.sort();
    for (const AxisSet axes : allAxisSets()) {
        QStringList present = QString::fromStdString(axes.name()).split('+');
        present.sort();
        if (present == wanted)
            return axes;
    }
    reader.reject("expect", "it may be key, query, head, batch, or several as in head+key");
    return std::nullopt;
}

/// Each letter of "bhqk" at most once.
std::string readDims(OptionReader& reader)
{
    const std::string dims = reader.text("dims").value_or("");
    for (std::size_t n = 0; n < dims.size(); ++n)
        if (std::string_view("bhqk").find(dims[n]) == std::string_view::npos ||
            dims.find(dims[n], n + 1) != std::string::npos)
            reader.reject("dims", "it may have each of the letters b, h, q, k once");
    return dims;
}

Result<Command> parseCheck(const QCommandLineParser& parser)
{
    OptionReader reader(parser);
    CheckCommand command;
    for (const QString& file : parser.positionalArguments())
        command.files.push_back(file.toStdString());
    if (command.files.empty())
        reader.fail("No file to check was given.");
    command.reading = readFileChoices(reader);
    command.tensor = reader.text("tensor").value_or("");
    command.layer = reader.text("layer").value_or("");
    command.dims = readDims(reader);
    command.expect = readAxisSet(reader);
    command.causal = parser.isSet("causal");
    command.align = reader.oneOf<Align>("align", {{"start", Align::Start}, {"end", Align::End}});
    if (command.align && !command.causal)
        reader.fail("--align says where the causal diagonal lies and needs --causal.");
    command.tolerance = reader.number<double>("tolerance");
    if (command.tolerance && !(*command.tolerance >= 0 && std::isfinite(*command.tolerance)))
        reader.reject("tolerance", "a finite number, 0 or greater, is needed");
    command.asJson = parser.isSet("json");
    if (reader.error())
        return tl::unexpected(*reader.error());
    return command;
}

Result<Command> parsePresent(const QCommandLineParser& parser)
{
    OptionReader reader(parser);
    PresentCommand command;
    const QStringList lessons = parser.positionalArguments();
    if (lessons.size() != 1)
        reader.fail("One lesson is needed: a Markdown file, or the number of one that ships.");
    command.lesson = lessons.value(0).toStdString();
    command.handout.hasAnswers = parser.isSet("answers");
    command.handout.hasNotes = parser.isSet("notes");
    command.handout.nPerPage = static_cast<int>(reader.count("per-page", 1, 4).value_or(1));
    command.dark = reader.oneOf<bool>("theme", {{"light", false}, {"dark", true}});
    command.language = reader.text("language").value_or("");
    if (!command.language.empty() &&
        !lessonLanguages().contains(QString::fromStdString(command.language)))
        reader.reject("language", "it may be " + lessonLanguages().join(", ").toStdString());
    const bool isForPaper =
        parser.isSet("answers") || parser.isSet("notes") || parser.isSet("per-page");
    if (parser.isSet("output"))
        command.output = readOutput(reader, kHandoutEndings);
    else if (isForPaper)
        reader.fail("--answers, --notes and --per-page are of a hand-out and need -o OUT.pdf.");
    if (parser.isSet("output") && command.dark)
        reader.fail("--theme is of the presenter; a hand-out is for paper.");
    if (reader.error())
        return tl::unexpected(*reader.error());
    return command;
}

Result<Command> parseWindow(const QCommandLineParser& parser)
{
    const QStringList files = parser.positionalArguments();
    if (files.size() > 1)
        return fail(Errc::BadValue, "The window opens one file, and '" + files[0].toStdString() +
                                        "' is no subcommand.");
    return WindowCommand{files.isEmpty() ? std::string() : files[0].toStdString()};
}

} // namespace

Result<Command> parseCommandLine(const QStringList& arguments)
{
    struct Subcommand {
        const char* name;
        Syntax (*syntax)();
        Result<Command> (*parse)(const QCommandLineParser&);
    };
    constexpr Subcommand kSubcommands[] = {{"compute", computeSyntax, parseCompute},
                                           {"convert", convertSyntax, parseConvert},
                                           {"render", renderSyntax, parseRender},
                                           {"check", checkSyntax, parseCheck},
                                           {"present", presentSyntax, parsePresent}};
    Subcommand chosen{"", windowSyntax, parseWindow};
    for (const Subcommand& subcommand : kSubcommands)
        if (!arguments.isEmpty() && arguments.first() == subcommand.name)
            chosen = subcommand;

    const Syntax syntax = chosen.syntax();
    QCommandLineParser parser;
    addOptions(syntax, parser);
    // The parser takes its first argument for the program's name: a subcommand, or one of ours.
    const bool isWindow = chosen.parse == parseWindow;
    const bool understood = parser.parse(isWindow ? QStringList("keyaxis") + arguments : arguments);
    if (auto text = textAskedFor(parser, syntax))
        return *text;
    if (!understood)
        return fail(Errc::BadValue, parser.errorText().toStdString());
    return chosen.parse(parser);
}

} // namespace keyaxis
