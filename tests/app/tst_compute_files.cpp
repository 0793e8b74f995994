#include "tests/app/program.h"
#include "tests/app/tensor_files.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <span>

using namespace keyaxis;
using namespace keyaxis::testing;

namespace {

constexpr Sizes kSizes{2, 4, 2, 5, 7, 8, 3};

} // namespace

/// What `keyaxis compute` makes of files: where tensors come from, what is asked for, what is
/// refused and what cannot be written.
class TestComputeFiles : public QObject {
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
        for (const char* ending : {"npz", "npy", "csv", "safetensors", "keyaxis"})
            QFile::remove(QStringLiteral("out.%1").arg(ending));
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
        QVERIFY(writtenBytes("weights") == bytesOf(expected({}).weights));

        // One array is q whatever its name; others are found by their role, or are alone.
        write("first.npy", {{rawTensor("", *m_inputs.q)}, {}, {}});
        write("second.npy", {{rawTensor("", *m_inputs.k)}, {}, {}});
        QCOMPARE(runProgram({"compute", "first.npy", "--k", "second.npy", "--v", "in.npz",
                             "--stage", "output", "-o", "out.npz"})
                     .errors,
                 "");
        QVERIFY(writtenBytes("output") == bytesOf(expected({}).output));
    }

    void scoresAndWeightsStandInPlaceOfQueriesAndKeys()
    {
        const Attention raw = attend(m_inputs, {}, {.scores = true}).value();
        Inputs given;
        given.scores = share(raw.scores);
        write("scores.npz",
              {{rawTensor("scores", raw.scores), rawTensor("v", *m_inputs.v)}, {}, {}});
        given.v = m_inputs.v;
        ScoreSettings causal;
        causal.causal = true;
        causal.axis = Axis::Head;
        const Run run = runProgram({"compute", "scores.npz", "--axis", "head", "--causal",
                                    "--stage", "output", "-o", "out.npz"});
        QVERIFY2(run.errors.contains("was read as scores"), qPrintable(run.errors));
        QVERIFY(run.output.startsWith("scores as loaded · softmax over heads · causal"));
        QVERIFY(writtenBytes("output") == bytesOf(attend(given, causal)->output));

        write("weights.npy", {{rawTensor("", raw.weights)}, {}, {}});
        QCOMPARE(runProgram({"compute", "weights.npy", "--v", "in.npz", "--stage", "output", "-o",
                             "out.npz"})
                     .exitCode,
                 0);
        QVERIFY(writtenBytes("output") == bytesOf(expected({}).output));
        const Run before =
            runProgram({"compute", "weights.npy", "--stage", "logits", "-o", "out.npy"});
        QCOMPARE(before.exitCode, 3);
        QVERIFY2(before.errors.contains("there is nothing before them"), qPrintable(before.errors));
        // The user knows better.
        QCOMPARE(runProgram({"compute", "weights.npy", "--scores", "weights", "--stage", "logits",
                             "-o", "out.npy"})
                     .exitCode,
                 0);
        QCOMPARE(runProgram({"compute", "scores.npz", "-o", "out.keyaxis"}).exitCode, 0);
        QCOMPARE(runProgram({"compute", "out.keyaxis", "-o", "out.npz"}).exitCode, 0);
        QVERIFY(writtenBytes("weights") == bytesOf(attend(given, {})->weights));
    }

    void aMaskAndABiasCanBeNamed()
    {
        Inputs masked = m_inputs;
        masked.mask = share(maskWithAnEmptyRow(kSizes));
        TensorFile file = fileOf(m_inputs);
        file.tensors.push_back(rawTensor("allowed", *masked.mask));
        write("named.npz", file);
        const Run run = runProgram({"compute", "named.npz", "--mask", "allowed", "-o", "out.npz"});
        QVERIFY(run.output.contains("mask"));
        const auto attention = attend(masked, {});
        QVERIFY(writtenBytes("weights") == bytesOf(attention->weights));

        Inputs biased = m_inputs;
        biased.bias = share(randomTensor({1, 1, kSizes.Tq, kSizes.Tk}, 9));
        write("bias.npy", {{rawTensor("", *biased.bias)}, {}, {}});
        QVERIFY(compute({"--bias", "bias.npy"}).output.contains("bias"));
        QVERIFY(writtenBytes("weights") == bytesOf(attend(biased, {})->weights));
    }

    void aSessionRemembersEverything()
    {
        const Run first =
            compute({"--causal", "--axis", "query", "--temperature", "0.5"}, "out.keyaxis");
        QCOMPARE(first.errors, "");
        QCOMPARE(compute({"--causal", "--axis", "query", "--temperature", "0.5"}).errors, "");
        const auto weights = writtenBytes("weights");
        const Run again = runProgram({"compute", "out.keyaxis", "-o", "out.npz"});
        QCOMPARE(again.output, first.output);
        QVERIFY(writtenBytes("weights") == weights);
        QCOMPARE(readTensorFile("out.keyaxis")->find("weights")->bytes, weights);
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
        const auto headsFirst = writtenBytes("weights");
        const Run run = runProgram({"compute", "square.npz", "--layout", "bthd", "-o", "out.npz"});
        QVERIFY(run.output.contains("read as bthd"));
        QVERIFY(writtenBytes("weights") != headsFirst);
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
        QCOMPARE(writtenWeight(7) > 0, true); // (0,0,1,3)
        QCOMPARE(
            runProgram({"compute", "twice.npz", "--mask-axes", "bk", "-o", "out.npz"}).exitCode, 0);
        QCOMPARE(writtenWeight(7), 0.0);
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
        row("no keys",
            {QStringLiteral(KEYAXIS_TEST_DATA "/hardcases/a02_fortran_1x2x3x4.npy"), "--q",
             "a02_fortran_1x2x3x4"},
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

private:
    static Run compute(const QStringList& options, const QString& output = "out.npz")
    {
        return runProgram(QStringList{"compute", "in.npz", "-o", output} + options);
    }

    Attention expected(const ScoreSettings& settings) const
    {
        return attend(m_inputs, settings).value();
    }

    QTemporaryDir m_folder;
    Inputs m_inputs;
};

QTEST_APPLESS_MAIN(TestComputeFiles)
#include "tst_compute_files.moc"
