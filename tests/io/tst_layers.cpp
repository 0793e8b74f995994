#include "core/io/layers.h"
#include "core/io/session_file.h"
#include "core/io/tensor_file.h"
#include "tests/io/tensors.h"

#include <QTemporaryDir>
#include <QTest>

using namespace keyaxis;
using namespace keyaxis::testing;

namespace {

ReadingChoices ofLayer(const char* name)
{
    ReadingChoices choices;
    choices.group = name;
    return choices;
}

/// [L, B, H, T, d] = [3, 1, 2, 4, 5] of q, k and v.
TensorFile stack()
{
    return fileOf({counting("q", {3, 1, 2, 4, 5}), counting("k", {3, 1, 2, 4, 5}, 1000),
                   counting("v", {3, 1, 2, 4, 5}, 2000)});
}

} // namespace

/// Stacks of layers, and one tensor a layer.
class TestLayers : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aStackIsReadOneLayerAtATime()
    {
        const TensorFile file = stack();
        QVERIFY(isStack(file));
        QCOMPARE(layersIn(file), (std::vector<std::string>{"0", "1", "2"}));
        const auto read = readAttention(file, "f", ofLayer("2"));
        QVERIFY2(read, qPrintable(sentence(read)));
        QCOMPARE(sizesOf(read->inputs), (Sizes{1, 2, 2, 4, 4, 5, 5}));
        QCOMPARE(read->inputs.q->at(0, 0, 0, 0), 80.0F); // 2 · 40
        QCOMPARE(read->inputs.k->at(0, 1, 3, 4), 1119.0F);
        QCOMPARE(read->inputs.v->at(0, 0, 0, 1), 2081.0F);
        QCOMPARE(read->inputs.layer, "2");
    }

    void aStackOfNothingHasNoLayers()
    {
        // Found by a fuzzer: 138 bytes, and a name for each of 8608147 layers.
        const TensorFile file = fileOf({counting("scores", {8608147, 1, 3, 3, 0})});
        QVERIFY(!isStack(file));
        QVERIFY(layersIn(file).empty());
        QVERIFY(!readAttention(file, "f"));
    }

    void aStackOfMapsIsReadLikewise()
    {
        RawTensor weights = counting("attentions", {3, 1, 2, 4, 4});
        for (std::size_t n = 0; n < weights.bytes.size(); n += sizeof(double)) {
            const double quarter = 0.25;
            std::memcpy(&weights.bytes[n], &quarter, sizeof(double));
        }
        QCOMPARE(layersIn(fileOf({weights})).size(), 3);
        const auto read = readAttention(fileOf({weights}), "f", ofLayer("1"));
        QVERIFY2(read, qPrintable(sentence(read)));
        QVERIFY(read->inputs.weights); // told by its sums
        QCOMPARE(sizesOf(read->inputs), (Sizes{1, 2, 2, 4, 4, 0, 0}));
        const auto scores =
            readAttention(fileOf({counting("scores", {2, 1, 1, 2, 2})}), "f", ofLayer("1"));
        QVERIFY(scores && scores->inputs.scores);
        QCOMPARE(scores->inputs.scores->at(0, 0, 1, 1), 7.0F);
    }

    void whichLayerIsAsked()
    {
        const auto open = readAttention(stack(), "f");
        QVERIFY(!open);
        QCOMPARE(open.error().code, Errc::Ambiguous);
        QCOMPARE(sentence(open), "f: it holds a stack of 3 layers (--layer 0 to 2); say which.");
        QCOMPARE(sentence(readAttention(stack(), "f", ofLayer("3"))),
                 "f: there is no layer '3'; the stack has 0 to 2.");
    }

    void aMaskMayBeStackedToo()
    {
        TensorFile file = stack();
        file.tensors.push_back(counting("bias", {3, 1, 1, 4, 4}));
        const auto read = readAttention(file, "f", ofLayer("1"));
        QVERIFY2(read, qPrintable(sentence(read)));
        QCOMPARE(read->inputs.bias->at(0, 0, 0, 0), 16.0F);
        file.tensors.back() = counting("bias", {4, 4}); // or be one for all
        QCOMPARE(readAttention(file, "f", ofLayer("1"))->inputs.bias->at(0, 0, 0, 1), 1.0F);
        file.tensors[1] = counting("k", {2, 1, 2, 4, 5});
        QVERIFY(sentence(readAttention(file, "f", ofLayer("2"))).contains("has no layer 2"));
    }

    void namesMakeLayersAsWell()
    {
        std::vector<RawTensor> tensors;
        for (const char* layer : {"layers.10", "layers.2"})
            for (const char* name : {".attn_weights"})
                tensors.push_back(counting(std::string(layer) + name, {1, 2, 4, 4}));
        const TensorFile file = fileOf(tensors);
        QCOMPARE(layersIn(file), (std::vector<std::string>{"layers.2", "layers.10"}));
        const auto read = readAttention(file, "f", ofLayer("10"));
        QVERIFY2(read, qPrintable(sentence(read)));
        QVERIFY(read->inputs.weights);
        QCOMPARE(readAttention(file, "f", ofLayer("layers.2"))->inputs.layer, "layers.2");
        QVERIFY(layersIn(fileOf({counting("q", {2, 3}), counting("k", {2, 3})})).empty());
    }

    void aLayerAloneIsCalledAsInAFileOfItsOwn()
    {
        const auto one = onlyLayer(stack(), "1");
        QVERIFY(one);
        QCOMPARE(one->find("k")->shape, (std::vector<Index>{1, 2, 4, 5}));
        QCOMPARE(toDoubles(*one->find("k")).front(), 1040.0);
        QCOMPARE(onlyLayer(stack(), "").error().code, Errc::Ambiguous);
        const TensorFile named =
            fileOf({counting("layers.0.attn", {2, 2}), counting("layers.1.attn", {2, 2}, 7)});
        const auto second = onlyLayer(named, "1");
        QVERIFY(second);
        QCOMPARE(toDoubles(*second->find("weights")).front(), 7.0);
        QCOMPARE(onlyLayer(named, "")->tensors.size(), 2);
        QVERIFY(!onlyLayer(named, "2"));
        TensorFile beside;
        for (const char* layer : {"0", "1"})
            for (const char* name : {"q", "k", "attn_weights"})
                beside.tensors.push_back(
                    counting("layers." + std::string(layer) + "." + name, {2, 2}));
        QCOMPARE(onlyLayer(beside, "1")->tensors.size(), 3);
        QVERIFY(onlyLayer(beside, "1")->find("weights"));
    }

    void aSessionKeepsWhichOne()
    {
        const auto read = readAttention(stack(), "f", ofLayer("1"));
        const QTemporaryDir folder;
        const std::string path = folder.filePath("layer.keyaxis").toStdString();
        QVERIFY(writeSession(path, {read->inputs, {}, {}, "/data/stack.npz"}));
        const auto back =
            readTensorFile(path).and_then([](auto&& file) { return readAttention(file, "f"); });
        QVERIFY2(back, qPrintable(sentence(back)));
        QCOMPARE(back->inputs.layer, "1");
        QCOMPARE(back->source, "/data/stack.npz");
    }
};

QTEST_APPLESS_MAIN(TestLayers)
#include "tst_layers.moc"
