#include "app/command_line.h"

#include "app/option_reader.h"
#include "app/render_options.h"
#include "app/shared_options.h"
#include "app/syntax.h"

#include <QCommandLineParser>
#include <array>
#include <cmath>

namespace keyaxis {

namespace {

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
