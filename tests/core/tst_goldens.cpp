// PyTorch's results in float64 (tests/data/goldens), each within the tolerance that float32 allows
// it.

#include "core/attention/attention.h"
#include "core/io/attention_file.h"
#include "core/io/tensor_file.h"
#include "tests/core/sample_values.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>
#include <cmath>

using namespace keyaxis;
using namespace keyaxis::testing;

namespace {

QJsonArray cases()
{
    QFile file(QStringLiteral(KEYAXIS_TEST_DATA "/goldens/cases.json"));
    if (!file.open(QIODevice::ReadOnly))
        return {};
    return QJsonDocument::fromJson(file.readAll()).object()["cases"].toArray();
}

ScoreSettings settingsOf(const QJsonObject& json)
{
    ScoreSettings settings;
    settings.axis = axisNamed(json["axis"].toString().toStdString()).value();
    settings.causal = json["causal"].toBool();
    settings.align = json["align"].toString() == QLatin1String("end") ? Align::End : Align::Start;
    settings.alibi = json["alibi"].toBool();
    settings.temperature = static_cast<float>(json["temperature"].toDouble());
    if (!json["scale"].isNull())
        settings.scale = json["scale"].toDouble();
    return settings;
}

TensorFile fileOf(const QJsonObject& json)
{
    const QString path = QStringLiteral(KEYAXIS_TEST_DATA "/goldens/") + json["name"].toString();
    return readTensorFile((path + ".npz").toStdString()).value();
}

/// The shape in the file may be named freely; the settings come from cases.json alone.
Inputs inputsOf(const QJsonObject& json)
{
    return readAttention(fileOf(json), "golden").value().inputs;
}

/// The largest difference; infinities and NaN must be equal.
double difference(const Tensor& actual, const RawTensor& expected)
{
    const std::vector<double> numbers = toDoubles(expected);
    if (std::ssize(numbers) != actual.size())
        return INFINITY;
    double largest = 0;
    for (std::size_t n = 0; n < numbers.size(); ++n) {
        const double own = static_cast<double>(actual.data()[n]);
        if (std::isnan(own) && std::isnan(numbers[n]))
            continue;
        if (std::isinf(numbers[n]) && own == numbers[n])
            continue;
        const double off = std::abs(own - numbers[n]);
        largest = std::isnan(off) ? INFINITY : std::max(largest, off);
    }
    return largest;
}

} // namespace

class TestGoldens : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void thereAreCases() { QCOMPARE(cases().size(), 96); }

    void agreesWithPyTorch_data()
    {
        QTest::addColumn<QJsonObject>("json");
        for (const QJsonValue& value : cases())
            QTest::newRow(qPrintable(value["name"].toString())) << value.toObject();
    }
    void agreesWithPyTorch()
    {
        QFETCH(QJsonObject, json);
        const TensorFile file = fileOf(json);
        const Inputs inputs = inputsOf(json);
        const ScoreSettings settings = settingsOf(json);
        const Attention all =
            attend(inputs, settings, {.scores = true, .logits = true, .output = true}).value();
        const QJsonObject tolerance = json["tolerance"].toObject();
        const double factor = settings.scale.value_or(1 / std::sqrt(double(sizesOf(inputs).dk))) /
                              double(settings.temperature);
        QVERIFY(difference(all.scores, *file.find("scores")) <=
                tolerance["logits"].toDouble() / factor + 1e-6);
        QVERIFY(difference(all.logits, *file.find("logits")) <= tolerance["logits"].toDouble());
        QVERIFY(difference(all.weights, *file.find("weights")) <= tolerance["weights"].toDouble());
        QVERIFY(difference(all.output, *file.find("output")) <= tolerance["output"].toDouble());
        Index nNan = 0;
        for (Index n = 0; n < all.weights.size(); ++n)
            nNan += std::isnan(all.weights.data()[n]) ? 1 : 0;
        QCOMPARE(nNan, Index(json["nan_weights"].toInt()));

        // A masked weight is +0 wherever its slice has an allowed entry.
        for (Index n = 0; n < all.weights.size(); ++n)
            if (all.logits.data()[n] == -INFINITY && !std::isnan(all.weights.data()[n]))
                QVERIFY(all.weights.data()[n] == 0.0F && !std::signbit(all.weights.data()[n]));
    }

    void everySliceAloneHasTheSameBits_data() { agreesWithPyTorch_data(); }
    void everySliceAloneHasTheSameBits()
    {
        QFETCH(QJsonObject, json);
        const Inputs inputs = inputsOf(json);
        const ScoreSettings settings = settingsOf(json);
        const Attention all =
            attend(inputs, settings, {.scores = true, .logits = true, .output = true}).value();
        KeptAttention kept;
        for (Index b = 0; b < all.weights.shape().batch; ++b)
            for (Index h = 0; h < all.weights.shape().heads; ++h) {
                const SliceStages alone = attendSlice(inputs, settings, b, h).value();
                const auto fromKept = kept.slice(inputs, settings, b, h).value();
                for (const SliceStages* one : {&alone, fromKept.get()}) {
                    QVERIFY(sameBits(one->before->scores, Matrix(all.scores.slice(b, h))));
                    QVERIFY(sameBits(one->before->logits, Matrix(all.logits.slice(b, h))));
                    QVERIFY(sameBits(one->weights, Matrix(all.weights.slice(b, h))));
                    QVERIFY(sameBits(one->output, Matrix(all.output.slice(b, h))));
                }
            }
    }

    void aWrongSettingIsFarOff()
    {
        // The comparison itself: another axis must not pass.
        const auto file =
            readTensorFile(KEYAXIS_TEST_DATA "/goldens/000-key-full-start-normal.npz").value();
        ScoreSettings settings = settingsOf(cases()[0].toObject());
        settings.axis = Axis::Query;
        const Attention other = attend(readAttention(file, "g").value().inputs, settings).value();
        QVERIFY(difference(other.weights, *file.find("weights")) > 0.01);
    }
};

QTEST_APPLESS_MAIN(TestGoldens)
#include "tst_goldens.moc"
