#include "core/attention/attention.h"
#include "core/io/attention_file.h"
#include "core/io/tensor_file.h"
#include "core/proof/certificate.h"
#include "tests/app/program.h"
#include "tests/core/sample_values.h"

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

TensorFile fileOf(const Inputs& inputs)
{
    TensorFile file;
    file.tensors = {rawTensor("q", *inputs.q), rawTensor("k", *inputs.k)};
    if (inputs.v)
        file.tensors.push_back(rawTensor("v", *inputs.v));
    if (inputs.mask)
        file.tensors.push_back(rawTensor("mask", *inputs.mask));
    return file;
}

/// `tensor` with another name and shape, the same numbers.
RawTensor reshaped(const Tensor& tensor, const char* name, std::vector<Index> shape)
{
    RawTensor raw = rawTensor(name, tensor);
    raw.shape = std::move(shape);
    return raw;
}

/// Ones, but for the keys of the first query, of which it may use none.
Tensor maskWithAnEmptyRow()
{
    Tensor mask = Tensor::filled({1, 1, kSizes.Tq, kSizes.Tk}, 1.0F);
    mask.slice(0, 0).row(0).setZero();
    return mask;
}

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
        QVERIFY(file->tensors[0].bytes == rawTensor("", expected({}).weights).bytes);
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
        QVERIFY(written("weights") == rawTensor("", expected(settings).weights).bytes);
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
        QVERIFY(written("scores") == rawTensor("", attention.scores).bytes);
        QVERIFY(written("logits") == rawTensor("", attention.logits).bytes);
        QVERIFY(written("weights") == rawTensor("", attention.weights).bytes);
        QVERIFY(written("output") == rawTensor("", attention.output).bytes);
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
        QVERIFY(written("logits") == rawTensor("", expected({}).logits).bytes);
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
            return toDoubles(*readTensorFile("out.npz")->find("weights"))[1];
        };
        QCOMPARE(above({}), 0.0);
        QVERIFY(above({"--no-causal"}) > 0.0);
    }

    void anEmptySliceFollowsThePolicy()
    {
        Inputs masked = m_inputs;
        masked.mask = share(maskWithAnEmptyRow());
        write("masked.npz", fileOf(masked));
        runProgram({"compute", "masked.npz", "-o", "out.npz"});
        QVERIFY(std::isnan(toDoubles(*readTensorFile("out.npz")->find("weights"))[0]));
        runProgram({"compute", "masked.npz", "-o", "out.npz", "--empty", "zero"});
        QCOMPARE(toDoubles(*readTensorFile("out.npz")->find("weights"))[0], 0.0);
    }

    void tensorsComeFromNamesOrOtherFiles()
    {
        TensorFile renamed = fileOf(m_inputs);
        renamed.tensors[0].name = "Queries";
        renamed.tensors[1].name = "keys";
        write("renamed.npz", renamed);
        QCOMPARE(
            runProgram({"compute", "renamed.npz", "--q", "queries", "--k", "KEYS", "-o", "out.npz"})
                .errors,
            "");
        QVERIFY(written("weights") == rawTensor("", expected({}).weights).bytes);

        // One array is q whatever its name; others are found by their role, or are alone.
        write("first.npy", {{rawTensor("", *m_inputs.q)}, {}, {}});
        write("second.npy", {{rawTensor("", *m_inputs.k)}, {}, {}});
        QCOMPARE(runProgram({"compute", "first.npy", "--k", "second.npy", "--v", "in.npz",
                             "--stage", "output", "-o", "out.npz"})
                     .errors,
                 "");
        QVERIFY(written("output") == rawTensor("", expected({}).output).bytes);
    }

    void aMaskAndABiasCanBeNamed()
    {
        Inputs masked = m_inputs;
        masked.mask = share(maskWithAnEmptyRow());
        TensorFile file = fileOf(m_inputs);
        file.tensors.push_back(rawTensor("allowed", *masked.mask));
        write("named.npz", file);
        const Run run = runProgram({"compute", "named.npz", "--mask", "allowed", "-o", "out.npz"});
        QVERIFY(run.output.contains("mask"));
        const auto attention = attend(masked, {});
        QVERIFY(written("weights") == rawTensor("", attention->weights).bytes);

        Inputs biased = m_inputs;
        biased.bias = share(randomTensor({1, 1, kSizes.Tq, kSizes.Tk}, 9));
        write("bias.npy", {{rawTensor("", *biased.bias)}, {}, {}});
        QVERIFY(compute({"--bias", "bias.npy"}).output.contains("bias"));
        QVERIFY(written("weights") == rawTensor("", attend(biased, {})->weights).bytes);
    }

    void threeAxesAreNeverGuessed()
    {
        write("three.npz", {{reshaped(*m_inputs.q, "q", {8, 5, 8}),
                             reshaped(randomTensor({2, 4, 5, 8}, 3), "k", {8, 5, 8})},
                            {},
                            {}});
        const Run refused = runProgram({"compute", "three.npz", "-o", "out.npz"});
        QCOMPARE(refused.exitCode, 2);
        QVERIFY(refused.errors.contains("8 heads, 5 tokens, 8 features (--layout htd)"));
        QVERIFY(refused.errors.contains("8 batch items, 5 tokens, 8 features (--layout btd)"));
        QVERIFY(!QFile::exists("out.npz"));
        for (const auto& [layout, shape] :
             {std::pair{"htd", "(1, 8, 5, 5)"}, {"btd", "(8, 1, 5, 5)"}}) {
            QCOMPARE(
                runProgram({"compute", "three.npz", "--layout", layout, "-o", "out.npz"}).exitCode,
                0);
            QCOMPARE(shapeText(readTensorFile("out.npz")->tensors[0].shape), shape);
        }
    }

    void theThirdAxisMayBeTheHeads()
    {
        Inputs square = randomInputs({1, 4, 4, 4, 4, 8, 8}, 5);
        write("square.npz", fileOf(square));
        runProgram({"compute", "square.npz", "-o", "out.npz"});
        const auto headsFirst = written("weights");
        const Run run = runProgram({"compute", "square.npz", "--layout", "bthd", "-o", "out.npz"});
        QVERIFY(run.output.contains("read as bthd"));
        QVERIFY(written("weights") != headsFirst);
    }

    void aMaskThatFitsTwiceIsAskedFor()
    {
        const Inputs inputs = randomInputs({3, 1, 1, 3, 4, 2, 2}, 6);
        TensorFile file = fileOf(inputs);
        Tensor mask = Tensor::filled({1, 1, 3, 4}, 1.0F);
        mask.at(0, 0, 0, 3) = 0;
        file.tensors.push_back(reshaped(mask, "mask", {3, 4}));
        write("twice.npz", file);
        const Run refused = runProgram({"compute", "twice.npz", "-o", "out.npz"});
        QCOMPARE(refused.exitCode, 2);
        QVERIFY(refused.errors.contains("--mask-axes qk") &&
                refused.errors.contains("--mask-axes bk"));
        QCOMPARE(
            runProgram({"compute", "twice.npz", "--mask-axes", "qk", "-o", "out.npz"}).exitCode, 0);
        QCOMPARE(toDoubles(*readTensorFile("out.npz")->find("weights"))[7] > 0, true); // (0,0,1,3)
        QCOMPARE(
            runProgram({"compute", "twice.npz", "--mask-axes", "bk", "-o", "out.npz"}).exitCode, 0);
        QCOMPARE(toDoubles(*readTensorFile("out.npz")->find("weights"))[7], 0.0);
    }

    void valuesAreOnlyNeededForTheOutput()
    {
        Inputs without = m_inputs;
        without.v = nullptr;
        write("no_v.npz", fileOf(without));
        QCOMPARE(runProgram({"compute", "no_v.npz", "-o", "out.npz"}).exitCode, 0);
        for (const char* stage : {"output", "all"}) {
            const Run run = runProgram({"compute", "no_v.npz", "--stage", stage, "-o", "out.npz"});
            QCOMPARE(run.exitCode, 3);
            QCOMPARE(run.errors, "keyaxis: no_v.npz has no v, which the output needs; give it with "
                                 "--v, or choose another --stage.\n");
        }
    }

    void refusesInputInOneSentence_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("words");
        const auto row = [](const char* name, const QStringList& arguments, const char* words) {
            QTest::newRow(name) << arguments << words;
        };
        row("missing", {"nowhere.npz"}, "nowhere.npz cannot be read: No such file or directory.");
        row("a folder", {"."}, ". is a folder, not a file of tensors.");
        row("empty", {QStringLiteral(KEYAXIS_TEST_DATA "/hardcases/a16_empty_file.npy")},
            "is empty (0 bytes).");
        row("cut off", {QStringLiteral(KEYAXIS_TEST_DATA "/hardcases/a10_truncated_data.npy")},
            "64");
        row("not a file of tensors", {QStringLiteral(KEYAXIS_SOURCE_DIR "/LICENSE")},
            "is neither a .npz");
        row("no keys", {QStringLiteral(KEYAXIS_TEST_DATA "/hardcases/a02_fortran_1x2x3x4.npy")},
            "'k' is missing");
        row("no such tensor", {"in.npz", "--q", "queries"},
            "--q queries is neither a tensor in in.npz nor a file.");
        row("widths differ",
            {QStringLiteral(KEYAXIS_TEST_DATA "/hardcases/num_ab_width_mismatch.npz")},
            "q is 4 wide and k is 8 wide");
        row("layout of another rank", {"in.npz", "--layout", "htd"}, "htd has 3 axes");
    }
    void refusesInputInOneSentence()
    {
        QFETCH(QStringList, arguments);
        QFETCH(QString, words);
        const Run run =
            runProgram(QStringList{"compute"} + arguments + QStringList{"-o", "out.npz"});
        QVERIFY2(run.errors.contains(words), qPrintable(run.errors));
        QVERIFY(run.errors.startsWith("keyaxis: "));
        QCOMPARE(run.errors.count('\n'), 1);
        QCOMPARE(run.exitCode, 3);
        QVERIFY(!QFile::exists("out.npz"));
    }

    void saysWhyTheOutputCannotBeWritten_data()
    {
        QTest::addColumn<QString>("output");
        QTest::addColumn<QString>("sentence");
        QTest::newRow("full device") << "/dev/full"
                                     << "/dev/full cannot be written: No space left on device.";
        QTest::newRow("link to a full device")
            << "full.npy"
            << "full.npy cannot be written: No space left on device.";
        QTest::newRow("no folder") << "none/out.npz"
                                   << "none/out.npz cannot be written: No such file or directory.";
        QTest::newRow("a folder") << "folder.npz"
                                  << "folder.npz cannot be written: it is a folder.";
    }
    void saysWhyTheOutputCannotBeWritten()
    {
        QFETCH(QString, output);
        QFETCH(QString, sentence);
        QFile::link("/dev/full", "full.npy");
        QDir().mkdir("folder.npz");
        const QStringList before = QDir().entryList(QDir::AllEntries | QDir::Hidden);
        const Run run = compute({}, output);
        QCOMPARE(run.errors, "keyaxis: " + sentence + "\n");
        QCOMPARE(run.exitCode, 4);
        QCOMPARE(QDir().entryList(QDir::AllEntries | QDir::Hidden), before);
    }

    void aPipeGetsAnArchive()
    {
        QProcess pipe;
        pipe.start(
            "/bin/sh",
            {"-c", QStringLiteral("'%1' compute in.npz -o /dev/stdout | tail -c 22 | head -c 4")
                       .arg(KEYAXIS_PROGRAM)});
        QVERIFY(pipe.waitForFinished());
        QCOMPARE(pipe.readAllStandardOutput(), QByteArray("PK\5\6")); // the end of a zip
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

    void namesTheNumbersThatFloat32DoesNotHold()
    {
        TensorFile file = fileOf(m_inputs);
        RawTensor& q = file.tensors[0];
        q.type = ElementType::F64;
        const std::vector<double> tenths(static_cast<std::size_t>(q.size()), 0.1);
        const auto bytes = std::as_bytes(std::span(tenths));
        q.bytes.assign(bytes.begin(), bytes.end());
        write("wide.npz", file);
        const Run run = runProgram({"compute", "wide.npz", "-o", "out.npz"});
        QCOMPARE(run.exitCode, 0);
        QVERIFY2(run.errors.contains("320 values of q (float64) changed"), qPrintable(run.errors));
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
    static void write(const char* name, const TensorFile& file)
    {
        QVERIFY(writeTensorFile(name, file).has_value());
    }

    static Run compute(const QStringList& options, const QString& output = "out.npz")
    {
        return runProgram(QStringList{"compute", "in.npz", "-o", output} + options);
    }

    /// What the last run wrote into out.npz as `name`.
    static std::vector<std::byte> written(const char* name)
    {
        const auto file = readTensorFile("out.npz");
        const RawTensor* tensor = file ? file->find(name) : nullptr;
        return tensor ? tensor->bytes : std::vector<std::byte>();
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
