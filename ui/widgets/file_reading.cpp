#include "ui/widgets/file_reading.h"

#include "core/io/tensor_file.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QRegularExpression>

namespace keyaxis {

namespace {

QString tr(const char* text)
{
    return QCoreApplication::translate("Reading", text);
}

QString labelOf(const AttentionFile& file, const ReadingChoices& choices)
{
    if (choices.maskAxes)
        return *choices.maskAxes == MaskAxes::QueryKey ? tr("Mask of queries × keys")
                                                       : tr("Padding mask of examples × keys");
    const Sizes s = sizesOf(file.inputs);
    return tr("%1 examples, %2 heads, %3 tokens, %4 features")
        .arg(s.B)
        .arg(s.H)
        .arg(s.Tq)
        .arg(s.dk);
}

/// Whether the choices say what elements without a type are, or there are none.
bool typesAreKnown(const QString& path, const ReadingChoices& choices)
{
    const auto file = readTensorFile(path.toStdString(), choices.file);
    return file || file.error().code != Errc::Ambiguous;
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
    std::vector<Reading> readings;
    const auto tryOne = [&](const ReadingChoices& candidate) {
        const auto file = readAttentionFile(path, candidate);
        if (file)
            readings.push_back({labelOf(*file, candidate), candidate});
        else if (file.error().code == Errc::Ambiguous && candidate.layout && !choices.layout)
            readings.push_back(
                {QString::fromLatin1(layoutName(*candidate.layout).data()).toUpper(), candidate});
    };
    ReadingChoices candidate = choices;
    if (!choices.file.opaqueType) {
        for (const auto type : {ElementType::BF16, ElementType::F8E4M3, ElementType::F8E5M2}) {
            candidate.file.opaqueType = type;
            if (typesAreKnown(path, candidate) && !typesAreKnown(path, choices))
                readings.push_back(
                    {tr("Read as %1").arg(QString::fromLatin1(typeName(type).data())), candidate});
        }
        if (!readings.empty())
            return readings;
        candidate = choices;
    }
    for (const MaskAxes axes : {MaskAxes::QueryKey, MaskAxes::BatchKey}) {
        candidate.maskAxes = axes;
        tryOne(candidate);
    }
    if (!readings.empty() || choices.layout)
        return readings;
    candidate = choices;
    for (const Layout layout : {Layout::HTD, Layout::BTD}) {
        candidate.layout = layout;
        tryOne(candidate);
    }
    return readings;
}

QString sentenceOf(const Error& error)
{
    static const QRegularExpression option(QStringLiteral(" ?\\(--[^)]*\\)"));
    return QString::fromStdString(error.message).remove(option);
}

} // namespace keyaxis
