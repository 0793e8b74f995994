#include "ui/widgets/copied_command.h"

#include "core/proof/padding.h"
#include "ui/document/commands.h"
#include "ui/widgets/dropped_files.h"
#include "ui/widgets/figures.h"
#include "ui/widgets/file_reading.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QRegularExpression>
#include <cmath>

namespace keyaxis {

namespace {

tl::unexpected<Error> failed(Errc code, const char* text)
{
    return fail(code, QCoreApplication::translate("CopiedCommand", text).toStdString());
}

QString word(std::string_view text)
{
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

/// Words of a command line, each quoted where sh needs it.
class Words {
public:
    void add(const QString& text) { m_words += shellWord(text); }
    void add(const QString& option, const QString& value)
    {
        add(option);
        add(value);
    }
    QString line() const { return m_words.join(QLatin1Char(' ')); }

private:
    QStringList m_words;
};

QString separatorWord(char separator)
{
    switch (separator) {
    case ',':
        return QStringLiteral("comma");
    case ';':
        return QStringLiteral("semicolon");
    case '\t':
        return QStringLiteral("tab");
    default:
        return QStringLiteral("blank");
    }
}

QString maskAxesWord(MaskAxes axes)
{
    switch (axes) {
    case MaskAxes::QueryKey:
        return QStringLiteral("qk");
    case MaskAxes::BatchKey:
        return QStringLiteral("bk");
    case MaskAxes::HeadQueryKey:
        return QStringLiteral("hqk");
    case MaskAxes::BatchQueryKey:
        break;
    }
    return QStringLiteral("bqk");
}

void addReading(Words& words, const ReadingChoices& reading)
{
    if (reading.file.opaqueType)
        words.add("--opaque", word(typeName(*reading.file.opaqueType)));
    if (reading.file.table.separator)
        words.add("--separator", separatorWord(*reading.file.table.separator));
    if (reading.file.table.decimalSign)
        words.add("--decimal", *reading.file.table.decimalSign == ',' ? "comma" : "dot");
    if (reading.layout)
        words.add("--layout", word(layoutName(*reading.layout)));
    if (reading.maskAxes)
        words.add("--mask-axes", maskAxesWord(*reading.maskAxes));
    if (reading.maskKeeps)
        words.add("--mask-keeps", QString::number(*reading.maskKeeps));
    if (!reading.group.empty())
        words.add("--layer", QString::fromStdString(reading.group));
}

/// What of `now` the file does not say itself.
void addSettings(Words& words, const ScoreSettings& own, const ScoreSettings& now, Index keyWidth)
{
    if (now.axis != own.axis)
        words.add("--axis", word(names(now.axis).name));
    if (now.causal != own.causal)
        words.add(now.causal ? "--causal" : "--no-causal");
    if (now.align != own.align)
        words.add("--align", now.align == Align::Start ? "start" : "end");
    if (now.alibi != own.alibi)
        words.add(now.alibi ? "--alibi" : "--no-alibi");
    if (now.slopes != own.slopes)
        words.add("--slopes", now.slopes == SlopeRule::Authors ? "authors" : "geometric");
    if (now.temperature != own.temperature)
        words.add("--temperature", QString::fromStdString(shortest(now.temperature)));
    if (now.scale != own.scale)
        words.add("--scale", QString::fromStdString(
                                 shortest(now.scale.value_or(1 / std::sqrt(double(keyWidth))))));
    if (now.empty != own.empty)
        words.add("--empty", now.empty == EmptySlice::Nan ? "nan" : "zero");
}

/// The files as they are on disk, where the document's numbers are theirs.
Result<AttentionFile> savedFile(const Document& document, const QStringList& files,
                                const ReadingChoices& reading)
{
    if (files.isEmpty())
        return failed(Errc::BadInput,
                      QT_TRANSLATE_NOOP("CopiedCommand",
                                        "This document is in no file yet: save it first, then the "
                                        "command line can read it."));
    auto file = files.size() == 1 ? readAttentionFile(files.front(), reading)
                                  : readTogether(files, reading);
    if (file)
        file->inputs.name = document.inputs().name; // what it is called decides nothing
    if (file && !areEqual(file->inputs, document.inputs()))
        return failed(Errc::BadInput,
                      QT_TRANSLATE_NOOP("CopiedCommand",
                                        "The numbers differ from those of the file: save them "
                                        "first, then the command line can read them."));
    return file;
}

/// A path that is no option.
QString pathWord(const QString& path)
{
    return path.startsWith('-') ? "./" + path : path;
}

/// Each of several files by what it holds.
void addParts(Words& words, const QStringList& files)
{
    for (const auto& [role, path] : rolesOf(files))
        if (path != files.front() || role == "scores" || role == "weights")
            words.add("--" + role, pathWord(path));
}

/// "keyaxis SUBCOMMAND FILE …" up to the settings.
Result<Words> commandOf(const char* subcommand, const Document& document, QStringList files,
                        const ReadingChoices& reading)
{
    ReadingChoices chosen = reading;
    if (!document.inputs().layer.empty())
        chosen.group = document.inputs().layer;
    const auto file = savedFile(document, files, chosen);
    if (!file)
        return tl::unexpected(file.error());
    if (files.size() > 1) // q, or what stands in its place, comes first
        files.swapItemsAt(0, files.indexOf(rolesOf(files).front().second));
    Words words;
    words.add("keyaxis");
    words.add(QLatin1String(subcommand));
    words.add(pathWord(files.front()));
    if (files.size() > 1)
        addParts(words, files);
    addReading(words, chosen);
    addSettings(words, file->settings, document.settings(), document.sizes().dk);
    return words;
}

QString number(float x)
{
    return QString::fromStdString(shortest(x));
}

QString paletteWord(Palette palette)
{
    constexpr const char* kWords[]{"viridis", "cividis", "magma", "greys", "blue-red"};
    return QLatin1String(kWords[static_cast<std::size_t>(palette)]);
}

/// What of `choice` is not usual.
void addColors(Words& words, const ColorChoice& choice, const ColorChoice& usual)
{
    const bool isFixed = choice.rule == RangeRule::Fixed;
    const bool ignoresFirst = choice.ignoresFirstKey && !isFixed;
    if (choice.palette != usual.palette)
        words.add("--palette", paletteWord(choice.palette));
    if (choice.isReversed)
        words.add("--reversed");
    if (ignoresFirst)
        words.add("--ignore-first-key");
    const RangeRule found =
        ignoresFirst && usual.rule == RangeRule::Fixed ? RangeRule::Automatic : usual.rule;
    if (isFixed && (usual.rule != RangeRule::Fixed || choice.fixed != usual.fixed))
        words.add("--range", number(choice.fixed.low) + ":" + number(choice.fixed.high));
    else if (!isFixed && choice.rule != found)
        words.add("--range", choice.rule == RangeRule::Automatic   ? "auto"
                             : choice.rule == RangeRule::Symmetric ? "symmetric"
                                                                   : "log");
}

void addTokens(Words& words, const QString& option, Index first, Index end, Index n)
{
    if (first > 0 || end < n)
        words.add(option, QStringLiteral("%1-%2").arg(first).arg(end - 1));
}

QString outputName(const Document& document, const QString& ending)
{
    const QString& path = document.filePath();
    const QString name = path.isEmpty() ? QString::fromStdString(document.inputs().name)
                                        : QFileInfo(path).completeBaseName();
    return pathWord(name + ending);
}

QString stageWord(Stage stage)
{
    constexpr const char* kWords[]{"scores", "scaled",  "biased", "tempered",
                                   "logits", "weights", "output"};
    return QLatin1String(kWords[static_cast<std::size_t>(stage)]);
}

} // namespace

QString shellWord(const QString& text)
{
    static const QRegularExpression plain(QStringLiteral("^[A-Za-z0-9_@%+=:,./-]+$"));
    if (plain.match(text).hasMatch())
        return text;
    return QLatin1Char('\'') + QString(text).replace(QLatin1Char('\''), QLatin1String("'\\''")) +
           QLatin1Char('\'');
}

Result<QString> computeCommand(const Document& document, const QStringList& files,
                               const ReadingChoices& reading)
{
    auto words = commandOf("compute", document, files, reading);
    if (!words)
        return tl::unexpected(words.error());
    words->add("-o", outputName(document, QStringLiteral("-weights.npz")));
    return words->line();
}

Result<QString> renderCommand(const Document& document, const QStringList& files,
                              const ReadingChoices& reading, const MapColors& colors, bool isDark)
{
    using Mode = ViewSettings::Mode;
    const ViewSettings view = possibleView(document.view(), document.inputs());
    if (view.mode == Mode::Difference && !view.reference)
        return failed(Errc::BadValue,
                      QT_TRANSLATE_NOOP("CopiedCommand",
                                        "A kept state is in no file, so the command line cannot "
                                        "compare with it: compare with an axis."));
    auto words = commandOf("render", document, files, reading);
    if (!words)
        return tl::unexpected(words.error());
    constexpr const char* kFigures[]{"compare", "map", "heads", "difference", "layers"};
    if (view.mode != Mode::Single)
        words->add("--figure", QLatin1String(kFigures[static_cast<std::size_t>(view.mode)]));
    if (view.mode == Mode::Difference)
        words->add("--against", word(names(*view.reference).name));
    if (view.stage != Stage::Weights)
        words->add("--stage", stageWord(view.stage));
    if (view.batch != 0 && view.mode != Mode::Heads)
        words->add("--batch", QString::number(view.batch));
    if (view.head != 0 && view.mode != Mode::Heads)
        words->add("--head", QString::number(view.head));
    if (view.mode == Mode::Heads && view.sortsHeads)
        words->add("--sort-heads");
    if (view.mode == Mode::Heads && view.showsMean)
        words->add("--mean-head");
    if (view.leavesOutPadding && !paddedRows(document.inputs()).empty())
        words->add("--leave-out-padding");
    const bool isCut =
        view.mode != Mode::Heads && view.mode != Mode::Layers && view.stage != Stage::Output;
    if (view.crop && isCut) {
        const Sizes sizes = document.sizes();
        addTokens(*words, "--queries", view.crop->firstQuery, view.crop->endQuery, sizes.Tq);
        addTokens(*words, "--keys", view.crop->firstKey, view.crop->endKey, sizes.Tk);
    }
    const Stage colored = view.mode == Mode::Difference ? Stage::Scores : view.stage;
    addColors(*words, colors.of(colored), MapColors().of(colored));
    if (isDark)
        words->add("--theme", "dark");
    words->add("-o", outputName(document, QStringLiteral(".svg")));
    return words->line();
}

} // namespace keyaxis
