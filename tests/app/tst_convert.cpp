#include "core/io/attention_file.h"
#include "core/io/file_bytes.h"
#include "core/io/tensor_file.h"
#include "tests/app/program.h"
#include "tests/io/tensors.h"

#include <QDir>
#include <QFile>
#include <QMap>
#include <QTemporaryDir>
#include <QTest>
#include <limits>

using namespace keyaxis;
using namespace keyaxis::testing;

namespace {

QString hardCase(const QString& name)
{
    return QStringLiteral(KEYAXIS_TEST_DATA "/hardcases/") + name;
}

/// Every tensor of a file as one line with its name, and the metadata; none of it: why not.
QStringList contentOf(const QString& path)
{
    const auto file = readTensorFile(path.toStdString());
    if (!file)
        return {QString::fromStdString(file.error().message)};
    QStringList content;
    for (const RawTensor& tensor : file->tensors)
        content << QString::fromStdString(tensor.name) + " " + line(tensor);
    for (const auto& [key, value] : file->metadata)
        content << QString::fromStdString(key) + " text (): " + QString::fromStdString(value);
    content.sort();
    return content;
}

void write(const QString& name, const TensorFile& file)
{
    QVERIFY(writeTensorFile(name.toStdString(), file));
}

} // namespace

/// What `keyaxis convert` keeps, and what it refuses.
class TestConvert : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QVERIFY(QDir::setCurrent(m_folder.path())); }

    void cleanup()
    {
        for (const QString& file : QDir().entryList({"out.*"}))
            QFile::remove(file);
    }

    void everyHardCaseKeepsItsNumbersOrIsRefused_data()
    {
        QTest::addColumn<int>("exitCode");
        const QMap<QString, int> refused{{"a08", 2}, {"a09", 3}, {"a10", 3}, {"a11", 3}, {"a12", 3},
                                         {"a13", 3}, {"a16", 3}, {"a22", 3}, {"a24", 3}, {"a25", 3},
                                         {"a32", 3}, {"a33", 3}, {"a34", 3}, {"a36", 3}, {"a43", 3},
                                         {"a44", 3}, {"a47", 3}};
        const QStringList files =
            QDir(hardCase("")).entryList({"a[0-9]*", "num_*"}, QDir::Files, QDir::Name);
        QVERIFY(files.size() >= 55);
        for (const QString& file : files)
            QTest::newRow(qPrintable(file)) << refused.value(file.left(3), 0);
    }
    void everyHardCaseKeepsItsNumbersOrIsRefused()
    {
        QFETCH(int, exitCode);
        const QString file = QString::fromUtf8(QTest::currentDataTag());
        const Run run = runWithin(300, {"convert", hardCase(file), "-o", "out.npz"});
        QVERIFY(!run.crashed);
        QVERIFY2(run.exitCode == exitCode, qPrintable(run.errors));
        QCOMPARE(run.output, "");
        if (exitCode == 0) {
            // NumPy has no bfloat16: it is kept in float32.
            const QStringList expected =
                contentOf(hardCase(file)).replaceInStrings("bfloat16", "float32");
            QCOMPARE(contentOf("out.npz"), expected);
            return;
        }
        QVERIFY2(run.errors.startsWith("keyaxis: " + hardCase(file)), qPrintable(run.errors));
        QCOMPARE(run.errors.count('\n'), 1);
        QVERIFY(!QFile::exists("out.npz"));
        QCOMPARE(runProgram({"convert", hardCase("num_a3_axis.npz"), "-o", "out.npz"}).errors, "");
        QCOMPARE(contentOf("out.npz"), contentOf(hardCase("num_a3_axis.npz")));
    }

    void everyFormatKeepsEveryTensorNameAndValue_data()
    {
        QTest::addColumn<QStringList>("way");
        QTest::newRow("npz") << QStringList{"npz"};
        QTest::newRow("safetensors") << QStringList{"safetensors"};
        QTest::newRow("json") << QStringList{"json"};
        QTest::newRow("all around") << QStringList{"json", "safetensors", "npz", "json"};
    }
    void everyFormatKeepsEveryTensorNameAndValue()
    {
        QFETCH(QStringList, way);
        using Limits = std::numeric_limits<double>;
        TensorFile file{{}, {{"layout", "bhtd \"quoted\""}}, {}};
        file.tensors.push_back(
            tensorOf("q", ElementType::F64, {1, 2, 1, 3},
                     std::vector<double>{0.1, -0.0, Limits::quiet_NaN(), Limits::infinity(),
                                         -Limits::infinity(), Limits::denorm_min()}));
        file.tensors.push_back(
            tensorOf("Mask.0", ElementType::Bool, {2, 2}, std::vector<std::uint8_t>{1, 0, 0, 1}));
        file.tensors.push_back(tensorOf("one", ElementType::F64, {}, std::vector<double>{2.5}));
        write("in.npz", file);
        QStringList expected = contentOf("in.npz");
        QString from = "in.npz";
        for (const QString& ending : way) {
            const QString to = "out." + ending;
            QCOMPARE(runProgram({"convert", from, "-o", to}).errors, "");
            QCOMPARE(contentOf(to), expected);
            QCOMPARE(runProgram({"convert", from, "-o", "again." + ending}).errors, "");
            QCOMPARE(readBytes(("again." + ending).toStdString()).value(),
                     readBytes(to.toStdString()).value());
            from = to;
        }
    }

    void tokensStayTokens()
    {
        TensorFile file{{floats("q", {1, 1, 1, 1}, {1})}, {}, {}};
        file.tensors.push_back(texts("query_tokens", {1, 2}, {"\xE4\xB8\xAD", "a\"\n"}));
        write("in.npz", file);
        runProgram({"convert", "in.npz", "-o", "out.json"});
        QVERIFY(contentOf("out.json").contains("query_tokens text (1, 2): \xE4\xB8\xAD a\"\n"));
    }

    void everyFloatSurvivesText()
    {
        std::vector<float> values;
        std::uint32_t bits = 1;
        for (int n = 0; n < 20'000; ++n) {
            bits = bits * 1664525 + 1013904223; // Numerical Recipes' generator
            float value = 0;
            std::memcpy(&value, &bits, sizeof value);
            values.push_back(value);
        }
        const RawTensor raw = floats("x", {100, 200}, values);
        write("in.npy", {{raw}, {}, {}});
        for (const char* name : {"out.csv", "out.json"}) {
            QCOMPARE(runProgram({"convert", "in.npy", "-o", name}).errors, "");
            Narrowing narrowing;
            const auto back = toFloats(readTensorFile(name)->tensors[0], narrowing);
            for (std::size_t n = 0; n < values.size(); ++n)
                QVERIFY(std::isnan(values[n]) ? std::isnan(back[n])
                                              : std::memcmp(&back[n], &values[n], 4) == 0);
        }
    }

    void oneTensorMustBeChosenWhereOneFits()
    {
        write("in.npz", {{floats("a", {1}, {1}), floats("b", {1, 2}, {2, 3})}, {}, {}});
        for (const char* name : {"out.npy", "out.csv"}) {
            const Run run = runProgram({"convert", "in.npz", "-o", name});
            QCOMPARE(run.exitCode, 2);
            QVERIFY2(run.errors.contains("--tensor"), qPrintable(run.errors));
            QVERIFY(!QFile::exists(name));
            QCOMPARE(runProgram({"convert", "in.npz", "--tensor", "B", "-o", name}).errors, "");
        }
        QCOMPARE(contentOf("out.npy"), QStringList("out float32 (1, 2): 2 3"));
        QCOMPARE(contentOf("out.csv"), QStringList("out float64 (1, 2): 2 3"));
        const Run run = runProgram({"convert", "in.npz", "--tensor", "c", "-o", "out.npy"});
        QCOMPARE(run.exitCode, 2);
        QCOMPARE(run.errors, "keyaxis: in.npz has no tensor 'c'; it holds a, b.\n");
    }

    void aLoneArrayIsCalledAsItsFile()
    {
        write("alone.npy", {{floats("", {2}, {1, 2})}, {}, {}});
        runProgram({"convert", "alone.npy", "-o", "out.safetensors"});
        QCOMPARE(contentOf("out.safetensors"), QStringList("alone float32 (2,): 1 2"));
    }

    void nothingIsLeftOutInSilence()
    {
        write("told.safetensors", {{floats("a", {1}, {1})}, {{"layout", "bhtd"}}, {}});
        QCOMPARE(runProgram({"convert", "told.safetensors", "-o", "out.npy"}).errors,
                 "keyaxis: note: out.npy has no room for the metadata of told.safetensors.\n");
        // A tensor of a type that is not read: float4.
        QFile odd("odd.safetensors");
        QVERIFY(odd.open(QIODevice::WriteOnly));
        const QByteArray header = R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},)"
                                  R"("b":{"dtype":"F4","shape":[2],"data_offsets":[4,5]}})";
        odd.write(QByteArray(1, char(header.size())) + QByteArray(7, '\0') + header +
                  QByteArray(5, '\0'));
        odd.close();
        const Run run = runProgram({"convert", "odd.safetensors", "-o", "out.npz"});
        QCOMPARE(run.exitCode, 3);
        QVERIFY2(run.errors.contains("tensor b"), qPrintable(run.errors));
        QVERIFY(!QFile::exists("out.npz"));
        QCOMPARE(
            runProgram({"convert", "odd.safetensors", "--tensor", "a", "-o", "out.npz"}).exitCode,
            0);
    }

    void aSessionStaysOneInAnArchive()
    {
        QCOMPARE(runProgram({"compute", hardCase("num_a3_axis.npz"), "--axis", "query", "-o",
                             "in.keyaxis"})
                     .errors,
                 "");
        QCOMPARE(runProgram({"convert", "in.keyaxis", "-o", "out.npz"}).errors, "");
        QCOMPARE(readTensorFile("out.npz")->session, readTensorFile("in.keyaxis")->session);
    }

    void theSettingsOfASessionBecomeMetadata_data()
    {
        QTest::addColumn<QString>("out");
        QTest::newRow("safetensors") << "out.safetensors";
        QTest::newRow("JSON") << "out.json";
    }
    void theSettingsOfASessionBecomeMetadata()
    {
        QFETCH(QString, out);
        QCOMPARE(runProgram({"compute", samplePath("date_cross"), "--axis", "query", "--causal",
                             "--align", "end", "--alibi", "--slopes", "geometric", "--temperature",
                             "0.1", "--scale", "0.3", "--empty", "zero", "-o", "in.keyaxis"})
                     .errors,
                 "");
        const Run run = runProgram({"convert", "in.keyaxis", "-o", out});
        QCOMPARE(run.errors, "keyaxis: note: " + out +
                                 " keeps the settings and token names of the session in.keyaxis as "
                                 "metadata; what was looked at is dropped.\n");
        const auto read = [](const QString& path) {
            return readTensorFile(path.toStdString()).and_then([](const TensorFile& file) {
                return readAttention(file, "file");
            });
        };
        const auto session = read("in.keyaxis");
        const auto back = read(out);
        QVERIFY(session && back);
        QCOMPARE(back->settings, session->settings);
        QCOMPARE(back->settings.axis, Axis::Query);
        QCOMPARE(back->inputs.queryTokens, session->inputs.queryTokens);
        QCOMPARE(back->inputs.keyTokens, session->inputs.keyTokens);
        QVERIFY(!back->inputs.queryTokens.empty());
    }

    void whatHasNoRoomForSettingsSaysSo()
    {
        QCOMPARE(runProgram({"compute", hardCase("num_a3_axis.npz"), "-o", "in.keyaxis"}).errors,
                 "");
        QCOMPARE(runProgram({"convert", "in.keyaxis", "--tensor", "q", "-o", "out.npy"}).errors,
                 "");
        TensorFile lone = *readTensorFile("in.keyaxis");
        std::erase_if(lone.tensors, [](const RawTensor& tensor) { return tensor.name != "q"; });
        write("lone.keyaxis", lone);
        QCOMPARE(
            runProgram({"convert", "lone.keyaxis", "-o", "out.npy"}).errors,
            "keyaxis: note: out.npy has no room for the settings of the session lone.keyaxis.\n");
    }

    void theUserSaysWhatAFileLeavesOpen()
    {
        const auto converted = [](const QStringList& arguments) {
            const Run run =
                runProgram(QStringList{"convert"} + arguments + QStringList{"-o", "out.npy"});
            return run.exitCode == 0 ? contentOf("out.npy").join("") : run.errors;
        };
        QCOMPARE(converted({hardCase("a08_bf16_as_V2.npy"), "--opaque", "bfloat16"}),
                 "out float32 (2, 2): 1 -2 0.5 3.140625");
        QVERIFY(converted({hardCase("a08_bf16_as_V2.npy")}).contains("--opaque bfloat16"));
        QCOMPARE(converted({hardCase("a44_quoted_decimal_comma.csv"), "--decimal", "comma"}),
                 "out float64 (2, 2): 0.5 1.5 2.25 -1");
        QCOMPARE(converted({hardCase("a45_point_decimals.csv"), "--separator", "semicolon",
                            "--decimal", "dot"}),
                 "keyaxis: " + hardCase("a45_point_decimals.csv") +
                     ", row 1, column 1: '0.5,1.25' is not a number; the decimal sign of this file "
                     "is '.', and digits are not grouped.\n");
        QVERIFY(converted({hardCase("a45_point_decimals.csv"), "--separator", "colon"})
                    .contains("it may be comma, semicolon, tab, blank"));
    }

    void standardOutputHoldsTheDataAlone()
    {
        const auto shell = [](const QString& command) {
            QProcess process;
            process.start("/bin/sh", {"-c", command, KEYAXIS_PROGRAM, hardCase("num_a3_axis.npz")});
            process.waitForFinished();
            return process.readAllStandardOutput();
        };
        QCOMPARE(shell("\"$0\" convert \"$1\" -o /dev/stdout | head -c 4"), "PK\3\4");
        QCOMPARE(shell("\"$0\" compute \"$1\" -o /dev/stdout 2>/dev/null | head -c 4"), "PK\3\4");
        QVERIFY(shell("\"$0\" compute \"$1\" -o /dev/stdout 2>&1 >/dev/null | cat")
                    .startsWith("softmax over keys"));
    }

    void aFileWithoutTensorsIsNotConverted()
    {
        for (const char* text : {"{}", "{\"name\": \"x\"}"}) {
            QFile file("nothing.json");
            QVERIFY(file.open(QIODevice::WriteOnly) && file.write(text) > 0);
            file.close();
            const Run run = runProgram({"convert", "nothing.json", "-o", "out.npz"});
            QCOMPARE(run.errors, "keyaxis: nothing.json holds no tensors.\n");
            QCOMPARE(run.exitCode, 3);
            QVERIFY(!QFile::exists("out.npz"));
        }
    }

    void memoryStaysNearTheSizeOfTheFile_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("output");
        QTest::newRow("archive") << "large.npz"
                                 << "out.npy";
        QTest::newRow("safetensors") << "large.safetensors"
                                     << "out.npz";
        QTest::newRow("table") << "large.csv"
                               << "out.npy";
        QTest::newRow("JSON") << "large.json"
                              << "out.npy";
    }
    void memoryStaysNearTheSizeOfTheFile()
    {
        QFETCH(QString, name);
        QFETCH(QString, output);
        std::vector<float> values(std::size_t{4} << 20); // 16 MB
        for (std::size_t n = 0; n < values.size(); ++n)
            values[n] = static_cast<float>(n % 1000) / 1000;
        write(name, {{floats("large", {2048, 2048}, values)}, {}, {}});
        // The program alone takes about 100 MB of addresses; numbers of a text become float64.
        const Run run = runWithin(300, {"convert", name, "-o", output});
        QVERIFY2(run.exitCode == 0, qPrintable(run.errors));
        const auto back = toDoubles(readTensorFile(output.toStdString())->tensors[0]);
        QCOMPARE(float(back[1999]), 0.999F);
    }

private:
    QTemporaryDir m_folder;
};

QTEST_APPLESS_MAIN(TestConvert)
#include "tst_convert.moc"
