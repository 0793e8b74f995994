#include "core/proof/certificate.h"
#include "tests/app/program.h"
#include "tests/app/tensor_files.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <csignal>

using namespace keyaxis;
using namespace keyaxis::testing;

namespace {

const QString kSample = samplePath("tiny_lm_layer2");
constexpr Sizes kSizes{2, 4, 2, 5, 7, 8, 3};

} // namespace

/// `keyaxis compute` under an empty environment, against the core called in this process.
class TestCompute : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        m_inputs = randomInputs(kSizes, 1);
        QVERIFY(QDir::setCurrent(m_folder.path()));
        write("in.npz", fileOf(m_inputs));
    }

    void cleanup()
    {
        for (const char* ending : {"npz", "npy", "csv", "safetensors"})
            QFile::remove(QStringLiteral("out.%1").arg(ending));
    }

    void writesTheSameBitsInEveryFormat_data()
    {
        QTest::addColumn<QString>("output");
        for (const char* name : {"out.npz", "out.npy", "out.safetensors"})
            QTest::newRow(name) << name;
    }
    void writesTheSameBitsInEveryFormat()
    {
        QFETCH(QString, output);
        const Run run = compute({}, output);
        QCOMPARE(run.errors, "");
        QCOMPARE(run.exitCode, 0);
        const auto file = readTensorFile(output.toStdString());
        QVERIFY(file);
        QCOMPARE(file->tensors.size(), 1U);
        QVERIFY(file->tensors[0].bytes == bytesOf(expected({}).weights));
        QVERIFY((file->tensors[0].shape == std::vector<Index>{2, 4, 5, 7}));
    }

    void writesFourAxesAsLongText()
    {
        QCOMPARE(compute({}, "out.csv").exitCode, 0);
        QFile csv("out.csv");
        QVERIFY(csv.open(QIODevice::ReadOnly));
        const QStringList lines = QString::fromUtf8(csv.readAll()).split('\n', Qt::SkipEmptyParts);
        QCOMPARE(lines.size(), 1 + 2 * 4 * 5 * 7);
        const Tensor weights = expected({}).weights;
        QCOMPARE(lines.last(),
                 "1,3,4,6," + QString::fromStdString(shortest(weights.at(1, 3, 4, 6))));
    }

    void everyOptionReachesTheNumbers_data()
    {
        QTest::addColumn<QStringList>("options");
        QTest::addColumn<ScoreSettings>("settings");
        const auto row = [](const QString& options, const ScoreSettings& settings) {
            QTest::newRow(qPrintable(options)) << options.split(' ') << settings;
        };
        for (const Axis axis : kAllAxes)
            row("--axis " + QString::fromUtf8(names(axis).name.data()), {.axis = axis});
        row("--causal", {.causal = true});
        row("--causal --align end", {.causal = true, .align = Align::End});
        row("--alibi", {.alibi = true});
        row("--alibi --align end", {.align = Align::End, .alibi = true});
        row("--alibi --slopes geometric", {.alibi = true, .slopes = SlopeRule::Geometric});
        row("--temperature 0.25", {.temperature = 0.25F});
        row("--temperature +2e1", {.temperature = 20.0F});
        row("--temperature 0", {.temperature = 0.0F});
        row("--scale 0.5", {.scale = 0.5});
        row("--scale -1", {.scale = -1.0});
        row("--scale none", {.scale = 1.0});
    }
    void everyOptionReachesTheNumbers()
    {
        QFETCH(QStringList, options);
        QFETCH(ScoreSettings, settings);
        QCOMPARE(compute(options).errors, "");
        QVERIFY(writtenBytes("weights") == bytesOf(expected(settings).weights));
    }

    void everyStageIsWrittenUnderItsName()
    {
        QCOMPARE(compute({"--stage", "all", "--causal"}).exitCode, 0);
        const auto file = readTensorFile("out.npz");
        QVERIFY(file);
        std::string listed;
        for (const RawTensor& tensor : file->tensors)
            listed += tensor.name + shapeText(tensor.shape) + ' ';
        QCOMPARE(listed, "scores(2, 4, 5, 7) logits(2, 4, 5, 7) weights(2, 4, 5, 7) "
                         "output(2, 4, 5, 3) row_sums(2, 4, 5) ");
        const Attention attention = expected({.causal = true});
        QVERIFY(writtenBytes("scores") == bytesOf(attention.scores));
        QVERIFY(writtenBytes("logits") == bytesOf(attention.logits));
        QVERIFY(writtenBytes("weights") == bytesOf(attention.weights));
        QVERIFY(writtenBytes("output") == bytesOf(attention.output));
        const std::vector<double> sums = toDoubles(*file->find("row_sums"));
        const Certificate certificate = certify(attention.weights);
        for (std::size_t row = 0; row < sums.size(); ++row)
            QCOMPARE(sums[row], certificate.rows[row].sum);
    }

    void oneTensorOfSeveralCanBeChosen()
    {
        QCOMPARE(compute({"--tensor", "row_sums"}, "out.npy").exitCode, 0);
        const auto file = readTensorFile("out.npy");
        QVERIFY(file);
        QVERIFY((file->tensors[0].shape == std::vector<Index>{2, 4, 5}));
        QCOMPARE(compute({"--stage", "logits"}).exitCode, 0);
        QVERIFY(writtenBytes("logits") == bytesOf(expected({}).logits));
    }

    void theSettingsLineSaysHow_data()
    {
        QTest::addColumn<QStringList>("options");
        QTest::addColumn<QString>("line");
        QTest::newRow("the file's own")
            << QStringList{}
            << "softmax over keys · causal (start) · ALiBi (authors) · τ = 1 · scale 1/√16 · empty "
               "NaN";
        QTest::newRow("options over it")
            << QStringList{"--no-causal", "--no-alibi", "--axis", "batch",   "--temperature",
                           "0.5",         "--scale",    "none",   "--empty", "zero"}
            << "softmax over examples · τ = 0.5 · scale off · empty 0";
        QTest::newRow("one of two")
            << QStringList{"--no-alibi"}
            << "softmax over keys · causal (start) · τ = 1 · scale 1/√16 · empty NaN";
    }
    void theSettingsLineSaysHow()
    {
        QFETCH(QStringList, options);
        QFETCH(QString, line);
        const Run run = runProgram(QStringList{"compute", kSample, "-o", "out.npz"} + options);
        QCOMPARE(run.output, line + "\nread as bhtd: q (2, 4, 10, 16), k (2, 4, 10, 16), v (2, 4, "
                                    "10, 16)\n");
        QCOMPARE(run.errors, "");
    }

    void flagsOverrideTheFilesOwnSettings()
    {
        const auto above = [](const QStringList& options) { // a weight above the diagonal
            runProgram(QStringList{"compute", kSample, "-o", "out.npz"} + options);
            return writtenWeight(1);
        };
        QCOMPARE(above({}), 0.0);
        QVERIFY(above({"--no-causal"}) > 0.0);
    }

    void anEmptySliceFollowsThePolicy()
    {
        Inputs masked = m_inputs;
        masked.mask = share(maskWithAnEmptyRow(kSizes));
        write("masked.npz", fileOf(masked));
        runProgram({"compute", "masked.npz", "-o", "out.npz"});
        QVERIFY(std::isnan(writtenWeight(0)));
        runProgram({"compute", "masked.npz", "-o", "out.npz", "--empty", "zero"});
        QCOMPARE(writtenWeight(0), 0.0);
    }

    void anotherLocaleChangesNothing_data()
    {
        QTest::addColumn<QString>("variable");
        for (const char* locale : {"LC_ALL=de_DE.UTF-8", "LC_ALL=tr_TR.UTF-8", "LC_ALL=C"})
            QTest::newRow(locale) << locale;
    }
    void anotherLocaleChangesNothing()
    {
        QFETCH(QString, variable);
        QCOMPARE(compute({"--temperature", "0.5"}, "out.csv").exitCode, 0);
        QFile csv("out.csv");
        QVERIFY(csv.open(QIODevice::ReadOnly));
        const QByteArray plain = csv.readAll();
        csv.close();
        const Run run =
            runProgram({"compute", "in.npz", "--temperature", "0.5", "-o", "out.csv"}, {variable});
        QCOMPARE(run.errors, "");
        QVERIFY(run.output.contains("τ = 0.5"));
        QVERIFY(csv.open(QIODevice::ReadOnly));
        QCOMPARE(csv.readAll(), plain);
    }

    void needsNoDisplay()
    {
        const Run run = runProgram({"compute", "in.npz", "-o", "out.npz"},
                                   {"DISPLAY=:99", "QT_QPA_PLATFORM=nosuch"});
        QCOMPARE(run.errors, "");
        QCOMPARE(run.exitCode, 0);
    }

    void stopsWhenInterrupted()
    {
        const Inputs large = randomInputs({1, 4, 4, 4096, 4096, 64, 1}, 7);
        write("large.npz", fileOf(large));
        QProcess process;
        process.start("/usr/bin/env",
                      {"-i", KEYAXIS_PROGRAM, "compute", "large.npz", "-o", "out.npz"});
        QVERIFY(process.waitForReadyRead(60'000)); // the settings line: now it computes
        ::kill(static_cast<pid_t>(process.processId()), SIGINT);
        QVERIFY(process.waitForFinished(60'000));
        QCOMPARE(process.exitStatus(), QProcess::NormalExit);
        QCOMPARE(process.exitCode(), 130);
        QVERIFY(!QFile::exists("out.npz"));
    }

private:
    static Run compute(const QStringList& options, const QString& output = "out.npz")
    {
        return runProgram(QStringList{"compute", "in.npz", "-o", output} + options);
    }

    Attention expected(const ScoreSettings& settings) const
    {
        return attend(m_inputs, settings, {.scores = true, .logits = true}).value();
    }

    QTemporaryDir m_folder;
    Inputs m_inputs;
};

QTEST_APPLESS_MAIN(TestCompute)
#include "tst_compute.moc"
