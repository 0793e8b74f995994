#include "ui/document/samples.h"

#include "core/io/tensor_file.h"

#include <QCoreApplication>
#include <QFile>
#include <QTemporaryDir>
#include <array>

namespace keyaxis {

namespace {

constexpr std::array kSamples{
    Sample{"tiny_lm_layer2", QT_TRANSLATE_NOOP("Samples", "Language model, layer 2"),
           QT_TRANSLATE_NOOP("Samples", "Head 2 finds the governing word, head 3 the subject"), 1},
    Sample{"tiny_lm_layer1", QT_TRANSLATE_NOOP("Samples", "Language model, layer 1"),
           QT_TRANSLATE_NOOP("Samples", "Head 1 is close to ALiBi alone: a smooth fade"), 0},
    Sample{"tiny_lm_gqa_layer2", QT_TRANSLATE_NOOP("Samples", "Grouped queries, layer 2"),
           QT_TRANSLATE_NOOP("Samples", "Four query heads share two key and value heads"), 1},
    Sample{"tiny_lm_gqa_layer1", QT_TRANSLATE_NOOP("Samples", "Grouped queries, layer 1"),
           QT_TRANSLATE_NOOP("Samples", "The first layer of the same model"), 0},
    Sample{"date_cross", QT_TRANSLATE_NOOP("Samples", "Dates, cross-attention"),
           QT_TRANSLATE_NOOP("Samples",
                             "Ten queries over eight keys: digits align with a written date"),
           0},
};

} // namespace

std::span<const Sample> samples()
{
    return kSamples;
}
const Sample& defaultSample()
{
    return kSamples.front();
}

Result<AttentionFile> readSample(const Sample& sample)
{
    // The readers take files of the system; a resource becomes one for a moment.
    const QString name = QString::fromLatin1(sample.file) + QStringLiteral(".safetensors");
    const QTemporaryDir folder;
    const QString path = folder.filePath(name);
    if (!folder.isValid() || !QFile::copy(QStringLiteral(":/samples/") + name, path))
        return fail(Errc::BadOutput,
                    "The sample could not be unpacked: is the folder for temporary "
                    "files full or read-only?");
    const QString title = QCoreApplication::translate("Samples", sample.title);
    return readTensorFile(path.toStdString()).and_then([&](const TensorFile& file) {
        return readAttention(file, title.toStdString());
    });
}

} // namespace keyaxis
