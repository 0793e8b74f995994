#include "ui/widgets/file_reading.h"

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

QString sizesLabel(const AttentionFile& file)
{
    const Sizes s = sizesOf(file.inputs);
    return tr("%1 examples, %2 heads, %3 tokens, %4 features")
        .arg(s.B)
        .arg(s.H)
        .arg(s.Tq)
        .arg(s.dk);
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

std::vector<Reading> layoutReadings(const QString& path, const ReadingChoices& choices)
{
    std::vector<Reading> readings;
    for (const Layout layout : {Layout::HTD, Layout::BTD}) {
        readings.push_back({latin(layoutName(layout)).toUpper(), choices});
        readings.back().choices.layout = layout;
        if (const auto file = readAttentionFile(path, readings.back().choices))
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

} // namespace

Result<AttentionFile> readAttentionFile(const QString& path, const ReadingChoices& choices)
{
    const std::string name = QFileInfo(path).completeBaseName().toStdString();
    return readTensorFile(path.toStdString(), choices.file).and_then([&](const TensorFile& file) {
        return readAttention(file, name, choices);
    });
}

std::vector<Reading> possibleReadings(const QString& path, const ReadingChoices& choices)
{
    const auto asked = readAttentionFile(path, choices);
    // A choice answers the question where the file can then be read, or asks another one.
    const auto isNoAnswer = [&](const Reading& reading) {
        const auto file = readAttentionFile(path, reading.choices);
        return !file && (file.error().code != Errc::Ambiguous ||
                         (!asked && file.error().message == asked.error().message));
    };
    for (std::vector<Reading> readings : {typeReadings(choices), layoutReadings(path, choices),
                                          maskReadings(choices), polarityReadings(choices)}) {
        std::erase_if(readings, isNoAnswer);
        if (!readings.empty())
            return readings;
    }
    return {};
}

QString sentenceOf(const Error& error)
{
    static const QRegularExpression option(QStringLiteral(" ?\\(--[^)]*\\)"));
    return QString::fromStdString(error.message).remove(option);
}

} // namespace keyaxis
