#include "core/io/attention_file.h"
#include "core/io/session_file.h"
#include "core/io/tensor_file.h"
#include "tests/io/tensors.h"

#include <QTemporaryDir>
#include <QTest>

using namespace keyaxis;
using namespace keyaxis::testing;

namespace {

/// Two rows over three keys that sum to 1.
RawTensor shares(const char* name)
{
    return floats(name, {2, 3}, {0.5F, 0.25F, 0.25F, 0, 1, 0});
}

bool hasNote(const AttentionFile& file, const char* words)
{
    return std::any_of(file.notes.begin(), file.notes.end(), [&](const std::string& note) {
        return note.find(words) != std::string::npos;
    });
}

} // namespace

/// Files whose tensor is not Q, K or V.
class TestGivenTensor : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void namesGoFirst_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<bool>("isWeights");
        for (const char* name :
             {"scores", "Logits", "s", "attn_scores", "layers.3.attention_scores", "scores_3"})
            QTest::newRow(name) << name << false;
        for (const char* name : {"weights", "attn", "blocks.0.attn.hook_pattern", "attn_weights",
                                 "attentions/2/probs", "layer3_attn_weights"})
            QTest::newRow(name) << name << true;
    }
    void namesGoFirst()
    {
        QFETCH(QString, name);
        QFETCH(bool, isWeights);
        // Numbers of the other kind, and another tensor beside them.
        RawTensor map = isWeights ? counting("", {2, 3}) : shares("");
        map.name = name.toStdString();
        const auto read = readAttention(fileOf({counting("other", {4, 4}), map}), "file");
        QVERIFY2(read, qPrintable(sentence(read)));
        QCOMPARE(read->inputs.weights != nullptr, isWeights);
        QCOMPARE(read->inputs.scores != nullptr, !isWeights);
        QVERIFY(hasNote(*read, isWeights ? "was read as weights" : "was read as scores"));
    }

    void aLoneTensorIsToldByItsNumbers()
    {
        const auto weights = readAttention(fileOf({shares("x")}), "x.npy");
        QVERIFY(weights && weights->inputs.weights);
        QVERIFY(hasNote(*weights, "sum to 1 along the key axis"));
        const auto columns =
            readAttention(fileOf({floats("x", {2, 3}, {0.5F, 0, 1, 0.5F, 1, 0})}), "x");
        QVERIFY(columns && columns->inputs.weights);
        QVERIFY(hasNote(*columns, "along the query axis"));
        const auto scores = readAttention(fileOf({counting("x", {2, 3})}), "x.npy");
        QVERIFY(scores && scores->inputs.scores);
        QVERIFY(hasNote(*scores, "its numbers are no weights"));
        QCOMPARE(scores->inputs.scores->at(0, 0, 1, 2), 5.0F);
        // Ones along an axis of one entry say nothing.
        const auto ones = readAttention(fileOf({floats("x", {1, 3}, {1, 1, 1})}), "x");
        QVERIFY(ones && ones->inputs.scores);
    }

    void valuesAndMasksMayStandBeside()
    {
        const auto read = readAttention(fileOf({counting("x", {2, 3}), counting("v", {3, 2}),
                                                floats("mask", {2, 3}, {1, 0, 1, 1, 1, 1})}),
                                        "file");
        QVERIFY2(read, qPrintable(sentence(read)));
        QVERIFY(read->inputs.scores && read->inputs.v && read->inputs.mask);
        QCOMPARE(sizesOf(read->inputs).dv, 2);
    }

    void queriesAndKeysAreNotOverlooked()
    {
        QVERIFY(sentence(readAttention(fileOf({counting("q", {2, 3})}), "f")).contains("'k'"));
        QVERIFY(sentence(readAttention(fileOf({counting("layers.0.k_proj", {2, 3})}), "f"))
                    .contains("'q'"));
        QVERIFY(sentence(readAttention(fileOf({counting("q_proj.weight", {2, 3})}), "f"))
                    .contains("is a projection"));
        QVERIFY(sentence(readAttention(fileOf({counting("a", {2, 3}), counting("b", {2, 3})}), "f"))
                    .contains("neither scores nor weights"));
        QVERIFY(sentence(readAttention(fileOf({counting("a", {3})}), "f")).contains("missing"));
        const RawTensor mask = tensorOf<std::uint8_t>("a", ElementType::Bool, {1, 2}, {1, 0});
        QVERIFY(sentence(readAttention(fileOf({mask}), "f")).contains("neither scores"));
        ReadingChoices asQueries;
        asQueries.q = "a";
        QVERIFY(sentence(readAttention(fileOf({counting("a", {2, 3})}), "f", asQueries))
                    .contains("'k' is missing"));
        const TensorFile all =
            fileOf({counting("q", {2, 3}), counting("k", {2, 3}), shares("weights")});
        QVERIFY(readAttention(all, "f")->inputs.q);
        ReadingChoices choices;
        choices.weights = "weights";
        const auto asked = readAttention(all, "f", choices);
        QVERIFY(asked && asked->inputs.weights && !asked->inputs.q);
    }

    void threeAxesAreTheUsersChoice()
    {
        const TensorFile file = fileOf({counting("scores", {4, 2, 3})});
        const auto open = readAttention(file, "f");
        QVERIFY(!open);
        QCOMPARE(open.error().code, Errc::Ambiguous);
        QVERIFY2(sentence(open).contains("4 heads, 2 × 3 queries and keys (--layout htd)"),
                 qPrintable(sentence(open)));
        ReadingChoices choices;
        choices.layout = Layout::HTD;
        QCOMPARE(sizesOf(readAttention(file, "f", choices)->inputs), (Sizes{1, 4, 4, 2, 3, 0, 0}));
        choices.layout = Layout::BTD;
        QCOMPARE(sizesOf(readAttention(file, "f", choices)->inputs), (Sizes{4, 1, 1, 2, 3, 0, 0}));
    }

    void aSessionKeepsThem_data()
    {
        QTest::addColumn<bool>("isWeights");
        QTest::newRow("scores") << false;
        QTest::newRow("weights") << true;
    }
    void aSessionKeepsThem()
    {
        QFETCH(bool, isWeights);
        Session session;
        Tensor map = Tensor::filled({1, 2, 2, 2}, 0.5F);
        map.at(0, 1, 1, 1) = std::nanf("");
        map.at(0, 0, 1, 1) = -INFINITY;
        (isWeights ? session.inputs.weights : session.inputs.scores) = share(map);
        session.settings.axis = Axis::Query;
        const QTemporaryDir folder;
        const std::string path = folder.filePath("given.keyaxis").toStdString();
        QVERIFY(writeSession(path, session));
        const auto read =
            readTensorFile(path).and_then([](auto&& f) { return readAttention(f, "f"); });
        QVERIFY2(read, qPrintable(sentence(read)));
        const SharedTensor& back = isWeights ? read->inputs.weights : read->inputs.scores;
        QVERIFY(back);
        QCOMPARE(back->at(0, 0, 1, 1), -INFINITY);
        QVERIFY(std::isnan(back->at(0, 1, 1, 1)));
        QCOMPARE(read->settings.axis, Axis::Query);
    }
};

QTEST_APPLESS_MAIN(TestGivenTensor)
#include "tst_given_tensor.moc"
