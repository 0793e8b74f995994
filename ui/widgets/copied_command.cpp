#include "ui/widgets/copied_command.h"

#include "ui/document/commands.h"
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

/// The file as it is on disk, where the document's numbers are the file's.
Result<AttentionFile> savedFile(const Document& document, const ReadingChoices& reading)
{
    if (document.filePath().isEmpty())
        return failed(Errc::BadInput,
                      QT_TRANSLATE_NOOP("CopiedCommand",
                                        "This document is in no file yet: save it first, then the "
                                        "command line can read it."));
    auto file = readAttentionFile(document.filePath(), reading);
    if (file)
        file->inputs.name = document.inputs().name; // what it is called decides nothing
    if (file && !areEqual(file->inputs, document.inputs()))
        return failed(Errc::BadInput,
                      QT_TRANSLATE_NOOP("CopiedCommand",
                                        "The numbers differ from those of the file: save them "
                                        "first, then the command line can read them."));
    return file;
}

/// "keyaxis SUBCOMMAND FILE …" up to the settings.
Result<Words> commandOf(const char* subcommand, const Document& document,
                        const ReadingChoices& reading)
{
    ReadingChoices chosen = reading;
    if (!document.inputs().layer.empty())
        chosen.group = document.inputs().layer;
    const auto file = savedFile(document, chosen);
    if (!file)
        return tl::unexpected(file.error());
    Words words;
    words.add("keyaxis");
    words.add(QLatin1String(subcommand));
    const QString path = document.filePath();
    words.add(path.startsWith('-') ? "./" + path : path);
    addReading(words, chosen);
    addSettings(words, file->settings, document.settings(), document.sizes().dk);
    return words;
}

QString outputName(const Document& document, const QString& ending)
{
    return QFileInfo(document.filePath()).completeBaseName() + ending;
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

Result<QString> computeCommand(const Document& document, const ReadingChoices& reading)
{
    auto words = commandOf("compute", document, reading);
    if (!words)
        return tl::unexpected(words.error());
    words->add("-o", outputName(document, QStringLiteral("-weights.npz")));
    return words->line();
}

Result<QString> renderCommand(const Document& document, const ReadingChoices& reading,
                              const MapColors& colors, bool isDark)
{
    const ViewSettings& view = document.view();
    const bool isHeads = view.mode == ViewSettings::Mode::Heads;
    if (view.mode == ViewSettings::Mode::Difference || view.mode == ViewSettings::Mode::Layers ||
        view.crop || (isHeads && (view.sortsHeads || view.showsMean)))
        return failed(Errc::BadValue,
                      QT_TRANSLATE_NOOP("CopiedCommand",
                                        "The command line draws no differences, layers, means or "
                                        "parts of maps: show the maps themselves."));
    if (colors != MapColors())
        return failed(Errc::BadValue,
                      QT_TRANSLATE_NOOP("CopiedCommand",
                                        "The command line draws in the usual colours and ranges "
                                        "only: set them back first."));
    auto words = commandOf("render", document, reading);
    if (!words)
        return tl::unexpected(words.error());
    if (view.mode == ViewSettings::Mode::Compare)
        words->add("--figure", "compare");
    if (isHeads)
        words->add("--figure", "heads");
    if (view.mode == ViewSettings::Mode::Single && view.stage != Stage::Weights)
        words->add("--stage", stageWord(view.stage));
    if (view.batch != 0 && !isHeads)
        words->add("--batch", QString::number(view.batch));
    if (view.head != 0 && !isHeads)
        words->add("--head", QString::number(view.head));
    if (isDark)
        words->add("--theme", "dark");
    words->add("-o", outputName(document, QStringLiteral(".svg")));
    return words->line();
}

} // namespace keyaxis
