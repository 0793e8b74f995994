#include "ui/widgets/file_reading.h"

#include "core/io/attention_names.h"
#include "core/io/mask_reading.h"
#include "core/io/tensor_file.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QRegularExpression>
#include <utility>

namespace keyaxis {

namespace {

QString tr(const char* text)
{
    return QCoreApplication::translate("Reading", text);
}

QString latin(std::string_view text)
{
    return QString::fromLatin1(text.data(), static_cast<qsizetype>(text.size()));
}

std::vector<Reading> typeReadings(const ReadingChoices& choices)
{
    std::vector<Reading> readings;
    for (const auto type : {ElementType::BF16, ElementType::F8E4M3, ElementType::F8E5M2}) {
        readings.push_back({tr("Read as %1").arg(latin(typeName(type))), choices});
        readings.back().choices.file.opaqueType = type;
    }
    return readings;
}

std::vector<Reading> layoutReadings(const AttentionReader& read, const ReadingChoices& choices)
{
    std::vector<Reading> readings;
    for (const Layout layout : {Layout::HTD, Layout::BTD}) {
        readings.push_back({latin(layoutName(layout)).toUpper(), choices});
        readings.back().choices.layout = layout;
        if (const auto file = read(readings.back().choices))
            readings.back().label = sizesLabel(*file);
    }
    return readings;
}

std::vector<Reading> maskReadings(const ReadingChoices& choices)
{
    std::vector<Reading> readings;
    for (const auto& [axes, label] :
         {std::pair{MaskAxes::QueryKey, QT_TRANSLATE_NOOP("Reading", "Mask of queries × keys")},
          {MaskAxes::BatchKey, QT_TRANSLATE_NOOP("Reading", "Padding mask of examples × keys")},
          {MaskAxes::HeadQueryKey, QT_TRANSLATE_NOOP("Reading", "Mask of heads × queries × keys")},
          {MaskAxes::BatchQueryKey,
           QT_TRANSLATE_NOOP("Reading", "Mask of examples × queries × keys")}}) {
        readings.push_back({tr(label), choices});
        readings.back().choices.maskAxes = axes;
    }
    return readings;
}

std::vector<Reading> polarityReadings(const ReadingChoices& choices)
{
    std::vector<Reading> readings;
    for (const auto& [keeps, label] : {std::pair{1, QT_TRANSLATE_NOOP("Reading", "1 keeps a key")},
                                       {0, QT_TRANSLATE_NOOP("Reading", "1 hides a key")}}) {
        readings.push_back({tr(label), choices});
        readings.back().choices.maskKeeps = keeps;
    }
    return readings;
}

/// The first of `questions` that has answers. A choice answers where `read` then succeeds, or asks
/// another question.
template <typename Read>
std::vector<Reading> answersTo(const Read& read, const ReadingChoices& choices,
                               const std::vector<std::vector<Reading>>& questions)
{
    const auto asked = read(choices);
    const auto isNoAnswer = [&](const Reading& reading) {
        const auto file = read(reading.choices);
        return !file && (file.error().code != Errc::Ambiguous ||
                         (!asked && file.error().message == asked.error().message));
    };
    for (std::vector<Reading> readings : questions) {
        std::erase_if(readings, isNoAnswer);
        if (!readings.empty())
            return readings;
    }
    return {};
}

} // namespace

QString counted(Index n, const char* one, const char* many)
{
    return n == 1 ? tr(one) : tr(many).arg(n);
}

QString sizesLabel(const AttentionFile& file)
{
    const Sizes s = sizesOf(file.inputs);
    QStringList parts{counted(s.B, QT_TRANSLATE_NOOP("Reading", "1 example"),
                              QT_TRANSLATE_NOOP("Reading", "%1 examples")),
                      counted(s.H, QT_TRANSLATE_NOOP("Reading", "1 head"),
                              QT_TRANSLATE_NOOP("Reading", "%1 heads"))};
    if (s.Tq == s.Tk)
        parts << counted(s.Tq, QT_TRANSLATE_NOOP("Reading", "1 token"),
                         QT_TRANSLATE_NOOP("Reading", "%1 tokens"));
    else
        parts << counted(s.Tq, QT_TRANSLATE_NOOP("Reading", "1 query"),
                         QT_TRANSLATE_NOOP("Reading", "%1 queries"))
              << counted(s.Tk, QT_TRANSLATE_NOOP("Reading", "1 key"),
                         QT_TRANSLATE_NOOP("Reading", "%1 keys"));
    if (!file.inputs.given())
        parts << counted(s.dk, QT_TRANSLATE_NOOP("Reading", "1 feature"),
                         QT_TRANSLATE_NOOP("Reading", "%1 features"));
    const QString sizes = parts.join(QLatin1String(", "));
    return file.inputs.weights  ? tr("weights of %1").arg(sizes)
           : file.inputs.scores ? tr("scores of %1").arg(sizes)
                                : sizes;
}

Result<AttentionFile> readAttentionFile(const QString& path, const ReadingChoices& choices)
{
    const std::string name = QFileInfo(path).completeBaseName().toStdString();
    return readTensorFile(path.toStdString(), choices.file).and_then([&](const TensorFile& file) {
        return readAttention(file, name, choices);
    });
}

std::vector<Reading> possibleReadings(const AttentionReader& read, const ReadingChoices& choices)
{
    return answersTo(read, choices,
                     {typeReadings(choices), layoutReadings(read, choices), maskReadings(choices),
                      polarityReadings(choices)});
}

std::vector<Reading> possibleReadings(const QString& path, const ReadingChoices& choices)
{
    return possibleReadings([&](const ReadingChoices& c) { return readAttentionFile(path, c); },
                            choices);
}

Result<Inputs> withMaskFrom(const QString& path, const Inputs& inputs,
                            const ReadingChoices& choices)
{
    const auto file = readTensorFile(path.toStdString(), choices.file);
    if (!file)
        return tl::unexpected(file.error());
    const std::string label = QFileInfo(path).fileName().toStdString();
    const std::vector<AttentionNames> found = attentionsIn(*file);
    const RawTensor* raw = file->tensors.size() == 1 ? &file->tensors.front()
                           : found.empty()           ? file->find("mask")
                                                     : file->find(found.front().mask);
    if (!raw)
        return fail(Errc::BadInput,
                    label + " holds several tensors and none is a mask by its name.");
    auto mask = readMask(*raw, sizesOf(inputs), choices.maskAxes, choices.maskKeeps);
    if (!mask)
        return fail(mask.error().code, label + ": " + mask.error().message + ".");
    Inputs result = inputs;
    (mask->isChoice ? result.mask : result.bias) = std::move(mask->tensor);
    return validated(std::move(result)).map_error([&](const Error& error) {
        return Error{error.code, label + ": " + error.message + "."};
    });
}

std::vector<Reading> possibleMaskReadings(const QString& path, const Inputs& inputs,
                                          const ReadingChoices& choices)
{
    const auto read = [&](const ReadingChoices& c) { return withMaskFrom(path, inputs, c); };
    return answersTo(read, choices,
                     {typeReadings(choices), maskReadings(choices), polarityReadings(choices)});
}

QString sentenceOf(const Error& error)
{
    static const QRegularExpression option(QStringLiteral(" ?\\(--[^)]*\\)"));
    return QString::fromStdString(error.message).remove(option);
}

} // namespace keyaxis
