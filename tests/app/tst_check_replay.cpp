#include "tests/app/program.h"
#include "tests/app/tensor_files.h"

#include <QDir>
#include <QTemporaryDir>
#include <QTest>
#include <cmath>
#include <nlohmann/json.hpp>

using namespace keyaxis;
using namespace keyaxis::testing;

namespace {

using Json = nlohmann::json;

/// A dump whose weights and output were computed under `settings`.
TensorFile dumpUnder(const ScoreSettings& settings, bool hasWeights)
{
    const Inputs inputs = randomInputs({2, 3, 3, 5, 5, 4, 6}, 3);
    const Attention all = attend(inputs, settings).value();
    TensorFile file = fileOf(inputs);
    if (hasWeights)
        file.tensors.push_back(rawTensor("weights", all.weights));
    file.tensors.push_back(rawTensor("output", all.output));
    return file;
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

/// `keyaxis check` on files that hold q, k and v beside the weights or the output.
class TestCheckReplay : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        QVERIFY(QDir::setCurrent(m_folder.path()));
        ScoreSettings settings;
        write("right.npz", dumpUnder(settings, true));
        settings.axis = Axis::Head;
        write("head.npz", dumpUnder(settings, true));
        settings.axis = Axis::Query;
        settings.causal = true;
        settings.scale = 1.0;
        write("output.npz", dumpUnder(settings, false));
        TensorFile odd = dumpUnder({}, true);
        Tensor weights = randomTensor({2, 3, 5, 5}, 9);
        odd.tensors[3] = rawTensor("weights", weights);
        write("odd.npz", odd);
    }

    void wordsGiveTheDiagnosisAndTheLine()
    {
        const Run run = check({"head.npz"});
        QCOMPARE(run.exitCode, 0);
        QVERIFY2(run.output.contains(
                     "\n  The softmax ran over the heads, as happens on four dimensions when dim "
                     "is omitted. The weights are explained by softmax over heads"),
                 qPrintable(run.output));
        QVERIFY(
            run.output.contains("\n  Right would be: weights = torch.softmax(scores, dim=-1)\n"));
        const Run right = check({"right.npz"});
        QVERIFY(right.output.contains("\n  The weights are as they should be: "));
        QVERIFY(!right.output.contains("Right would be"));
    }

    void jsonHasTheHypothesesBestFirst()
    {
        const Json json = jsonOf({"head.npz"});
        QVERIFY(json["replay"].is_array() && json["replay"].size() == 5U);
        const Json best = json["replay"][0];
        QVERIFY(best["axis"] == "head");
        QVERIFY(best["causal"] == false);
        QVERIFY(best["align"] == nullptr);
        QVERIFY(best["scale"] == 0.5);
        QVERIFY(best["alibi"] == "off");
        QVERIFY(best["mask"] == "none");
        QVERIFY(best["fits"] == true);
        QVERIFY(best["first_cell"] == nullptr);
        QVERIFY(best["max_difference"].get<double>() < 1e-5);
        const Json second = json["replay"][1];
        QVERIFY(second["fits"] == false);
        QVERIFY(second["first_cell"].size() == 4U);
        QVERIFY(second["max_difference"].get<double>() > 1e-3);
        const Json only = jsonOf({"head.npz", "--tensor", "q"});
        QVERIFY(!only.contains("replay"));
    }

    void anOutputAloneIsExplained()
    {
        const Run run = check({"output.npz", "--expect", "query", "--causal"});
        QCOMPARE(run.exitCode, 0);
        QVERIFY2(run.output.startsWith("output.npz: output (2, 3, 5, 6) float32, tolerance "),
                 qPrintable(run.output));
        QVERIFY(run.output.contains(
            "The scores were not scaled; and the softmax ran over the queries. The output is "));
        QCOMPARE(check({"output.npz", "--expect", "key"}).exitCode, 1);
        QCOMPARE(check({"output.npz", "--expect", "query", "--align", "end", "--causal"}).exitCode,
                 0); // a square: both alignments are one
        const Json json = jsonOf({"output.npz"});
        QVERIFY(json["replay"][0]["axis"] == "query");
        QVERIFY(json["replay"][0]["mask"] == "before");
        QVERIFY(json["replay"][0]["align"] == "start");
        QVERIFY(json["replay"][0]["scale"] == 1.0);
        QVERIFY(json["axes"].empty() && json["axes"].is_object());
        QVERIFY(json["causal"] == true);
        QVERIFY(json["min"] == nullptr);
        QVERIFY(json["holds"] == true);
    }

    void whatNothingExplainsIsSaid()
    {
        const Run run = check({"odd.npz"});
        QCOMPARE(run.exitCode, 1);
        QVERIFY2(run.output.contains("\n  No hypothesis explains the weights: the nearest, "),
                 qPrintable(run.output));
        QVERIFY(run.output.contains("\n  The first number that differs: batch 0, head 0, query 0, "
                                    "key 0.\n"));
    }

    void otherNamesOfQAndKAreFound()
    {
        TensorFile file = dumpUnder({}, true);
        file.tensors[0].name = "query";
        file.tensors[1].name = "key";
        file.tensors[2].name = "value";
        write("spelt.npz", file);
        QVERIFY(check({"spelt.npz"}).output.contains("\n  The weights are as they should be: "));
    }

    void aReadingThatIsOpenIsNamed()
    {
        TensorFile file = dumpUnder({}, true);
        for (RawTensor& raw : file.tensors)
            raw.shape = {6, raw.shape[2], raw.shape[3]};
        write("three.npz", file);
        const Run open = check({"three.npz"});
        QVERIFY2(
            open.output.contains(
                "\n  Not replayed from q and k: q has three axes; --dims hqk or --dims bqk says "
                "which.\n"),
            qPrintable(open.output));
        QVERIFY(check({"three.npz", "--dims", "bqk"})
                    .output.contains("\n  The weights are as they should be: "));
    }

private:
    QTemporaryDir m_folder;
};

QTEST_APPLESS_MAIN(TestCheckReplay)
#include "tst_check_replay.moc"
