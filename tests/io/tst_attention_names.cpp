#include "core/io/attention_names.h"
#include "tests/io/tensors.h"

#include <QTest>

using namespace keyaxis;
using namespace keyaxis::testing;

namespace {

/// A file of q, k and v, all [1, 1, 2, 2], called by `names`; q counts from 0, k from 1, v from 2.
TensorFile fileNaming(const QStringList& names)
{
    TensorFile file;
    for (const QString& name : names)
        file.tensors.push_back(
            counting(name.toStdString(), {1, 1, 2, 2}, double(file.tensors.size())));
    return file;
}

/// "group: q k v mask bias" of every attention.
QString found(const QStringList& names)
{
    QStringList all;
    for (const AttentionNames& a : attentionsIn(fileNaming(names)))
        all << QString::fromStdString(a.group + ": " + a.q + " " + a.k + " " + a.v + " " + a.mask +
                                      " " + a.bias)
                   .trimmed();
    return all.join(" | ");
}

} // namespace

class TestAttentionNames : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void commonSpellingsAreFound_data()
    {
        QTest::addColumn<QString>("names");
        QTest::addColumn<QString>("expected");
        const auto row = [](const char* names, const char* expected) {
            QTest::newRow(names) << names << expected;
        };
        row("q k v", ": q k v");
        row("Query KEY value", ": Query KEY value");
        row("queries keys values mask", ": queries keys values mask");
        row("q_proj k_proj v_proj", ": q_proj k_proj v_proj");
        row("query_states key_states", ": query_states key_states");
        row("attn.hook_q attn.hook_k attn.hook_v",
            "attn.hook: attn.hook_q attn.hook_k attn.hook_v");
        row("layers.3.q layers.3.k layers.3.v layers.3.attn_mask layers.3.bias",
            "layers.3: layers.3.q layers.3.k layers.3.v layers.3.attn_mask layers.3.bias");
        row("layer1/query layer1/key", "layer1: layer1/query layer1/key");
        row("layer1_q layer1_k", "layer1: layer1_q layer1_k");
        row("q_0 k_0 q1 k1", "0: q_0 k_0 | 1: q1 k1");
        row("l.10.q l.10.k l.2.q l.2.k l.02.q l.02.k",
            "l.02: l.02.q l.02.k | l.2: l.2.q l.2.k | l.10: l.10.q l.10.k");
        row("q", "");
        row("layers.0.q layers.1.k", "");
        row("attn.q_proj.weight attn.k_proj.weight attn.q_proj.bias", "");
        row("unique walk queue", "");
        row("q_norm k_norm", "");
    }
    void commonSpellingsAreFound()
    {
        QFETCH(QString, names);
        QFETCH(QString, expected);
        QCOMPARE(found(names.split(' ')), expected);
    }

    void whatIsFoundIsRead()
    {
        const auto read = readAttention(fileNaming({"Query", "keys", "values"}), "f");
        QVERIFY2(read, qPrintable(sentence(read)));
        QCOMPARE(read->inputs.q->data()[0], 0.0F);
        QCOMPARE(read->inputs.k->data()[0], 1.0F);
        QCOMPARE(read->inputs.v->data()[0], 2.0F);
    }

    void aChosenNameIsKept()
    {
        ReadingChoices choices;
        choices.k = "other";
        const auto read =
            readAttention(fileNaming({"query", "key", "value", "other"}), "f", choices);
        QCOMPARE(read.value().inputs.k->data()[0], 3.0F);
    }

    void severalLayersAreAskedFor()
    {
        QStringList names;
        for (const char* layer : {"0", "1", "2", "3", "10"})
            for (const char* role : {"q", "k", "v"})
                names << QString("layers.%1.%2").arg(layer, role);
        const TensorFile file = fileNaming(names);
        const auto refused = readAttention(file, "f");
        QCOMPARE(refused.error().code, Errc::Ambiguous);
        QCOMPARE(sentence(refused), "f: it holds 5 attentions: layers.0, layers.1, layers.2, "
                                    "layers.3, … layers.10 (--layer NAME); say which.");
        ReadingChoices choices;
        for (const char* group : {"layers.2", "LAYERS.2", "2"}) {
            choices.group = group;
            QCOMPARE(readAttention(file, "f", choices).value().inputs.q->data()[0], 6.0F);
        }
        choices.group = "4";
        QCOMPARE(readAttention(file, "f", choices).error().code, Errc::BadValue);
        QCOMPARE(sentence(readAttention(file, "f", choices)),
                 "f: there is no attention called '4', or more than one; the file holds layers.0, "
                 "layers.1, layers.2, layers.3, … layers.10.");
    }

    void plainNamesWinOverLayers()
    {
        const TensorFile file = fileNaming({"layers.0.q", "layers.0.k", "q", "k"});
        QCOMPARE(readAttention(file, "f").value().inputs.q->data()[0], 2.0F);
        ReadingChoices choices;
        choices.group = "layers.0";
        QCOMPARE(readAttention(file, "f", choices).value().inputs.q->data()[0], 0.0F);
    }

    void projectionsAreExplained()
    {
        for (const char* name : {"model.layers.0.self_attn.q_proj.weight", "attn.c_attn.weight",
                                 "in_proj_weight", "query.kernel", "wk.bias", "K.weight"})
            QVERIFY2(isProjection(name), name);
        for (const char* name : {"q_proj", "weight", "mlp.weight", "q", "norm.bias", "bias"})
            QVERIFY2(!isProjection(name), name);
        QCOMPARE(sentence(readAttention(fileNaming({"a.q_proj.weight", "a.k_proj.weight"}), "f")),
                 "f: 'q' is missing; a.q_proj.weight is a projection, which makes Q, K or V out of "
                 "the tokens' vectors; save Q, K and V themselves, as they go into attention.");
    }
};

QTEST_APPLESS_MAIN(TestAttentionNames)
#include "tst_attention_names.moc"
