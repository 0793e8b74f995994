#include "core/attention/softmax.h"
#include "tests/app/program.h"
#include "tests/app/tensor_files.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <cmath>
#include <nlohmann/json.hpp>

using namespace keyaxis;
using namespace keyaxis::testing;

namespace {

using Json = nlohmann::json;

constexpr Shape kShape{2, 3, 5, 5};

/// Weights of random logits, softmax over `axis`.
Tensor weightsOver(Axis axis, bool isCausal = false, Shape shape = kShape)
{
    Tensor logits = randomTensor(shape, 11);
    for (Index b = 0; b < shape.batch && isCausal; ++b)
        for (Index h = 0; h < shape.heads; ++h)
            for (Index i = 0; i < shape.rows; ++i)
                for (Index j = i + 1; j < shape.cols; ++j)
                    logits.at(b, h, i, j) = -INFINITY;
    return softmax(logits, axis, {1.0F, EmptySlice::Nan}).value();
}

void writeWeights(const char* path, const Tensor& weights, std::vector<Index> shape = {})
{
    RawTensor raw = rawTensor("weights", weights);
    if (!shape.empty())
        raw.shape = std::move(shape);
    write(path, {{raw}, {}, {}});
}

Run check(const QStringList& arguments)
{
    return runProgram(QStringList("check") + arguments);
}

Json jsonOf(const QStringList& arguments)
{
    return Json::parse(check(arguments + QStringList("--json")).output.toStdString(), nullptr,
                       false);
}

} // namespace

/// `keyaxis check`: the verdict on a tensor of weights, as words, JSON and an exit code.
class TestCheck : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        QVERIFY(QDir::setCurrent(m_folder.path()));
        writeWeights("key.npy", weightsOver(Axis::Key));
        writeWeights("causal.npy", weightsOver(Axis::Key, true));
        writeWeights("query.npy", weightsOver(Axis::Query));
        writeWeights("head.npy", weightsOver(Axis::Head));
        writeWeights("batch.npy", weightsOver(Axis::Batch));
        writeWeights("emptied.npy", weightsOver(Axis::Head, true));
        writeWeights("scores.npy", randomTensor(kShape, 5));
        Tensor positive = randomTensor(kShape, 5);
        for (Index n = 0; n < positive.size(); ++n)
            positive.data()[n] = std::abs(positive.data()[n]);
        writeWeights("positive.npy", positive);
        writeWeights("uniform.npy", Tensor::filled({1, 1, 4, 4}, 0.25F));
    }

    void theExitCodeSaysWhetherItHolds_data()
    {
        QTest::addColumn<QString>("arguments");
        QTest::addColumn<int>("exitCode");
        const auto row = [](const char* arguments, int exitCode) {
            QTest::newRow(arguments) << arguments << exitCode;
        };
        row("key.npy", 0);
        row("scores.npy", 1);
        for (const char* axis : {"key", "query", "head", "batch"})
            for (const char* expected : {"key", "query", "head", "batch"})
                row(qPrintable(QStringLiteral("%1.npy --expect %2").arg(axis, expected)),
                    axis == std::string(expected) ? 0 : 1);
        row("causal.npy --expect key --causal", 0);
        row("causal.npy --causal --align end", 0); // a square: both alignments are one
        row("key.npy --expect key --causal", 1);
        row("emptied.npy --expect key", 1);
        row("uniform.npy --expect key", 0);
        row("uniform.npy --expect query+key", 1);
        row("key.npy --tolerance 0", 1);
        row("positive.npy", 1);
        row("positive.npy --tolerance 1000", 0);
        row("scores.npy --tolerance 1000", 1); // negative: no tolerance makes it a distribution
        row("key.npy causal.npy", 0);
        row("key.npy scores.npy", 1);
        row("key.npy nowhere.npy scores.npy", 3);
    }
    void theExitCodeSaysWhetherItHolds()
    {
        QFETCH(QString, arguments);
        QFETCH(int, exitCode);
        const Run run = check(arguments.split(' '));
        QVERIFY2(run.exitCode == exitCode, qPrintable(run.output + run.errors));
    }

    void theDiagonalMayLieAtEitherEnd()
    {
        const Tensor start = weightsOver(Axis::Key, true, {1, 1, 3, 5});
        writeWeights("start.npy", start);
        Tensor end = Tensor::zeros({1, 1, 3, 5});
        for (Index i = 0; i < 3; ++i)
            end.slice(0, 0).row(i).head(i + 3).setConstant(1.0F / static_cast<float>(i + 3));
        writeWeights("end.npy", end);
        for (const char* name : {"start", "end"}) {
            const QString file = QStringLiteral("%1.npy").arg(name);
            QCOMPARE(check({file, "--causal"}).exitCode, 0);
            QCOMPARE(check({file, "--causal", "--align", "start"}).exitCode,
                     name == QString("end"));
            QCOMPARE(check({file, "--causal", "--align", "end"}).exitCode,
                     name == QString("start"));
            QVERIFY(jsonOf({file})["align"] == name);
        }
    }

    void wordsNameTheAxisAndTheTolerance()
    {
        const QString output = check({"head.npy", "--expect", "key"}).output;
        QVERIFY2(output.startsWith("head.npy: head (2, 3, 5, 5) float32, read as bhqk, tolerance "
                                   "1e-05 (float32)\n"),
                 qPrintable(output));
        QVERIFY(output.contains("\n  ✗ key    sums "));
        QVERIFY(output.contains("\n  ✓ head   sums "));
        QVERIFY(output.contains("over the heads"));
        QVERIFY(output.endsWith("\n  Not as expected: key.\n"));
        QVERIFY(check({"causal.npy", "--expect", "key", "--causal"})
                    .output.endsWith("\n  As expected: key, causal.\n"));
        QVERIFY(check({"uniform.npy", "--expect", "key"}).output.contains("Ambiguous"));
    }

    void undefinedSumsAreNoDistributions()
    {
        const Run run = check({"emptied.npy", "--expect", "head"});
        QCOMPARE(run.exitCode, 1);
        QVERIFY(run.output.endsWith("head, for undefined sums are no distributions.\n"));
    }

    void anEmptyTensorIsSaidToBeEmptyHoweverLargeItsOtherSizes()
    {
        writeWeights("huge.npy", Tensor({2221, 1, 66666666663, 0}));
        const Run run = check({"huge.npy"});
        QCOMPARE(run.exitCode, 1);
        QVERIFY2(run.output.endsWith("The tensor is empty.\n"), qPrintable(run.output));
    }

    void jsonHasEveryField()
    {
        const Json json = jsonOf({"causal.npy", "--expect", "key"});
        QVERIFY(json["file"] == "causal.npy");
        QVERIFY(json["tensor"] == "causal");
        QVERIFY(json["shape"] == Json::array({2, 3, 5, 5}));
        QVERIFY(json["dtype"] == "float32");
        QVERIFY(json["tolerance"] == 1e-5);
        QVERIFY(json["axes"].size() == 15U);
        QVERIFY(json["axes"]["key"]["holds"] == true);
        QVERIFY(json["axes"]["key"]["max_deviation"].get<double>() < 1e-6);
        QVERIFY(json["axes"]["query"]["holds"] == false);
        QVERIFY(json["axes"]["query"]["max_deviation"].get<double>() > 0.1);
        QVERIFY(json["axes"].contains("head+key"));
        QVERIFY(json["causal"] == true);
        QVERIFY(json["min"] == 0.0);
        QVERIFY(json["max"] == 1.0);
        QVERIFY(json["nan"] == 0);
        QVERIFY(json["findings"].is_array() && !json["findings"].empty());
        QVERIFY(json["expect"] == "key");
        QVERIFY(json["holds"] == true);
    }

    void jsonFollowsTheTensor()
    {
        const Json json = jsonOf({"emptied.npy"});
        QVERIFY(json["nan"] == 2 * 3 * 10);
        QVERIFY(json["expect"] == nullptr);
        QVERIFY(json["axes"]["query+key"]["max_deviation"] == nullptr); // every sum is NaN
        QVERIFY(jsonOf({"key.npy"})["causal"] == false);
        QVERIFY(jsonOf({"scores.npy"})["holds"] == false);
        QVERIFY(jsonOf({"scores.npy"})["min"].get<double>() < 0);
        QVERIFY(jsonOf({"key.npy", "--tolerance", "0.5"})["tolerance"] == 0.5);
    }

    void severalFilesAreAnArray()
    {
        const Json json = jsonOf({"key.npy", "head.npy"});
        QVERIFY(json.is_array());
        QVERIFY(json.size() == 2U);
        QVERIFY(json[1]["file"] == "head.npy");
        QVERIFY(jsonOf({"key.npy", "nowhere.npy"}).size() == 1U);
    }

    void dimsSayWhatTheAxesAre()
    {
        // Keys last but one: what is read as queries by default are keys.
        writeWeights("kq.npy", weightsOver(Axis::Query));
        QCOMPARE(check({"kq.npy", "--dims", "bhkq", "--expect", "key"}).exitCode, 0);
        QCOMPARE(check({"kq.npy", "--expect", "key"}).exitCode, 1);
        // Batch and head change places.
        QCOMPARE(check({"batch.npy", "--dims", "hbqk", "--expect", "head"}).exitCode, 0);
        // Fewer axes are the last ones, unless said otherwise.
        writeWeights("three.npy", weightsOver(Axis::Head, false, {1, 6, 5, 5}), {6, 5, 5});
        QCOMPARE(check({"three.npy", "--expect", "head"}).exitCode, 0);
        QCOMPARE(check({"three.npy", "--dims", "bqk", "--expect", "batch"}).exitCode, 0);
        QVERIFY(check({"three.npy"}).output.contains("read as hqk"));
        const Run wrong = check({"three.npy", "--dims", "qk"});
        QCOMPARE(wrong.exitCode, 2);
        QCOMPARE(wrong.errors, "keyaxis: --dims qk names 2 axes, but three of three.npy has 3.\n");
    }

    void theTensorIsChosenByName()
    {
        write("several.npz",
              {{rawTensor("a", weightsOver(Axis::Key)), rawTensor("b", weightsOver(Axis::Head))},
               {},
               {}});
        const Run asked = check({"several.npz"});
        QCOMPARE(asked.exitCode, 2);
        QCOMPARE(asked.errors, "keyaxis: several.npz holds a, b; choose one with --tensor.\n");
        QCOMPARE(check({"several.npz", "--tensor", "B", "--expect", "head"}).exitCode, 0);
        QCOMPARE(check({"several.npz", "--tensor", "c"}).exitCode, 3);
    }

    void aLayerOfAStackIsCheckedAlone()
    {
        // The second of two layers was normalised over the queries.
        const Shape shape{1, 3, 5, 5};
        RawTensor both = rawTensor("attentions", weightsOver(Axis::Key, false, shape));
        const RawTensor second = rawTensor("", weightsOver(Axis::Query, false, shape));
        both.bytes.insert(both.bytes.end(), second.bytes.begin(), second.bytes.end());
        both.shape = {2, 1, 3, 5, 5};
        write("stack.npz", {{both}, {}, {}});
        QCOMPARE(check({"stack.npz", "--layer", "0", "--expect", "key"}).exitCode, 0);
        QCOMPARE(check({"stack.npz", "--layer", "1", "--expect", "key"}).exitCode, 1);
        QCOMPARE(check({"stack.npz", "--layer", "1", "--expect", "query"}).exitCode, 0);
        const Run open = check({"stack.npz"});
        QCOMPARE(open.exitCode, 2);
        QCOMPARE(open.errors, "keyaxis: stack.npz: it holds a stack of 2 layers (--layer 0 to 1); "
                              "say which.\n");
    }

    void standardInputIsADash()
    {
        QProcess pipe;
        pipe.setStandardInputFile("causal.npy");
        pipe.start("/usr/bin/env", {"-i", KEYAXIS_PROGRAM, "check", "-", "--causal"});
        QVERIFY(pipe.waitForFinished());
        QCOMPARE(pipe.exitCode(), 0);
        QVERIFY(pipe.readAllStandardOutput().startsWith("-: "));
    }

    void theToleranceIsThatOfTheNarrowestType()
    {
        Tensor halves = weightsOver(Axis::Key);
        for (Index n = 0; n < halves.size(); ++n)
            halves.data()[n] = static_cast<float>(Eigen::half(halves.data()[n]));
        writeWeights("half.npy", halves); // float32 in the file, float16 by its values
        const Json json = jsonOf({"half.npy", "--expect", "key"});
        QVERIFY(json["tolerance"] == 2e-3);
        QVERIFY(json["dtype"] == "float32");
        QVERIFY(json["holds"] == true);
    }

    void textIsHeldToItsPrintedDigits()
    {
        QTemporaryDir folder;
        const auto checked = [&](const char* name, const QByteArray& text) {
            QFile file(folder.filePath(name));
            if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size())
                return Run{};
            file.close();
            return runProgram({"check", file.fileName(), "--expect", "key"});
        };
        const Run print = checked("p.txt", "tensor([[0.3333, 0.3333, 0.3333],\n"
                                           "        [0.1000, 0.2000, 0.7000]])\n");
        QVERIFY2(print.exitCode == 0 && print.output.contains("its printed digits"),
                 qPrintable(print.output + print.errors));
        QCOMPARE(checked("c.csv", "0.3333,0.3333,0.3333\n0.1,0.2,0.702\n").exitCode, 1);
        QCOMPARE(checked("j.json", R"({"weights": [[0.5, 0.5], [0.25, 0.75]]})").exitCode, 0);
    }

private:
    QTemporaryDir m_folder;
};

QTEST_APPLESS_MAIN(TestCheck)
#include "tst_check.moc"
