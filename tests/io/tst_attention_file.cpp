#include "core/attention/attention.h"
#include "core/io/attention_file.h"
#include "core/io/json_text.h"
#include "core/io/tensor_file.h"
#include "tests/io/tensors.h"

#include <QTest>
#include <cmath>
#include <cstring>

using namespace keyaxis;
using namespace keyaxis::testing;

namespace {

TensorFile qkv(std::vector<Index> shape)
{
    return {{counting("Q", shape), counting("K", shape), counting("v", shape)}, {}, {}};
}

QString messageOf(const TensorFile& file, const ReadingChoices& choices = {})
{
    const auto read = readAttention(file, "f.npz", choices);
    return read ? "read" : QString::fromStdString(read.error().message);
}

std::filesystem::path sample(const char* name)
{
    return std::string(KEYAXIS_SOURCE_DIR "/resources/samples/") + name + ".safetensors";
}

} // namespace

class TestAttentionFile : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void samplesBringTheirOwnSettings()
    {
        const auto lm =
            readAttention(readTensorFile(sample("tiny_lm_layer2")).value(), "tiny_lm_layer2")
                .value();
        QVERIFY(lm.settings.causal && lm.settings.alibi && !lm.settings.scale);
        QCOMPARE(sizesOf(lm.inputs), (Sizes{2, 4, 4, 10, 10, 16, 16}));
        QCOMPARE(lm.inputs.queryTokens[1][1], std::string("she"));
        const auto cross =
            readAttention(readTensorFile(sample("date_cross")).value(), "date_cross").value();
        QVERIFY(!cross.settings.causal && !cross.settings.alibi);
        QCOMPARE(sizesOf(cross.inputs), (Sizes{2, 4, 4, 10, 8, 16, 16}));
        QCOMPARE(cross.inputs.keyTokens[0][0], std::string("friday"));
        QVERIFY(lm.notes.empty() && cross.notes.empty());
    }

    void fourAxesAreBatchHeadTokenFeatureUnlessTold()
    {
        const TensorFile file = qkv({2, 3, 4, 5});
        QCOMPARE(sizesOf(readAttention(file, "f").value().inputs), (Sizes{2, 3, 3, 4, 4, 5, 5}));
        ReadingChoices choices;
        choices.layout = Layout::BTHD;
        const AttentionFile other = readAttention(file, "f", choices).value();
        QCOMPARE(sizesOf(other.inputs), (Sizes{2, 4, 4, 3, 3, 5, 5}));
        QCOMPARE(other.inputs.q->at(1, 2, 1, 4), 60.0F + 20 * 1 + 5 * 2 + 4);
    }

    void aSizeOf0DoesNotMakeTheOthersCount()
    {
        // Found by a fuzzer: 138 bytes, and a loop over 2221 × 66666666663 rows.
        const TensorFile file{{counting("scores", {2221, 1, 66666666663, 0})}, {}, {}};
        QVERIFY(messageOf(file).contains(QStringLiteral("needs at least one")));
        const auto json = writeJson(file);
        QVERIFY(!json);
        QVERIFY(json.error().message.starts_with("scores has no elements"));
        QVERIFY(writeJson({{counting("few", {2, 3, 0})}, {}, {}}).has_value());
    }

    void threeAxesAreNeverGuessed()
    {
        const TensorFile file = qkv({2, 4, 5});
        const auto read = readAttention(file, "f.npz");
        QCOMPARE(read.error().code, Errc::Ambiguous);
        QCOMPARE(
            messageOf(file),
            "f.npz: q (2, 4, 5) may be 2 heads, 4 tokens, 5 features (--layout htd) or 2 batch "
            "items, 4 tokens, 5 features (--layout btd); say which.");
        ReadingChoices choices;
        choices.layout = Layout::HTD;
        QCOMPARE(sizesOf(readAttention(file, "f", choices).value().inputs),
                 (Sizes{1, 2, 2, 4, 4, 5, 5}));
        choices.layout = Layout::BTD;
        QCOMPARE(sizesOf(readAttention(file, "f", choices).value().inputs),
                 (Sizes{2, 1, 1, 4, 4, 5, 5}));
        TensorFile told = file;
        told.metadata["keyaxis.layout"] = "BTD";
        QCOMPARE(sizesOf(readAttention(told, "f").value().inputs).B, 2);
        choices.layout = Layout::BHTD;
        QVERIFY(messageOf(file, choices).contains("has 4 axes and q (2, 4, 5) has 3"));
    }

    void twoAxesAreOneBatchAndOneHead()
    {
        QCOMPARE(sizesOf(readAttention(qkv({4, 5}), "f").value().inputs),
                 (Sizes{1, 1, 1, 4, 4, 5, 5}));
    }

    void saysWhatIsMissingAndWhatIsThere()
    {
        TensorFile file = qkv({4, 5});
        file.tensors.erase(file.tensors.begin() + 1);
        QCOMPARE(messageOf(file), "f.npz: 'k' is missing; the file holds Q, v.");
        QCOMPARE(messageOf({{counting("Q", {5}), counting("K", {5})}, {}, {}}),
                 "f.npz: q (5,) has 1 axis; two (tokens, features), three or four are read.");
        file = qkv({1, 1, 4, 5});
        file.tensors[1] = counting("K", {1, 1, 4, 8});
        QVERIFY(messageOf(file).contains("q is 5 wide and k is 8 wide"));
    }

    void aMaskChoosesAndAFloatMaskIsAdded()
    {
        TensorFile file = qkv({2, 1, 3, 4});
        RawTensor mask{"Mask", ElementType::Bool, {3, 3}, Bytes9(), {}};
        file.tensors.push_back(mask);
        const AttentionFile chosen = readAttention(file, "f").value();
        QCOMPARE(chosen.inputs.mask->shape(), (Shape{1, 1, 3, 3}));
        QVERIFY(!chosen.inputs.bias);
        file.tensors.back() = counting("mask", {2, 3}, -2);
        const AttentionFile added = readAttention(file, "f").value();
        QVERIFY(added.inputs.bias && !added.inputs.mask);
        QCOMPARE(added.inputs.bias->shape(), (Shape{2, 1, 1, 3})); // [B, Tk]
        file.tensors.back() = counting("mask", {3, 4});
        QVERIFY(messageOf(file).contains("does not broadcast"));
    }

    void aMaskThatFitsTwiceIsAskedFor()
    {
        TensorFile file = qkv({3, 1, 3, 4});
        file.tensors.push_back({"mask", ElementType::Bool, {3, 3}, Bytes9(), {}});
        const auto read = readAttention(file, "f.npz");
        QCOMPARE(read.error().code, Errc::Ambiguous);
        QVERIFY(messageOf(file).contains("--mask-axes qk") &&
                messageOf(file).contains("--mask-axes bk"));
        ReadingChoices choices;
        choices.maskAxes = MaskAxes::BatchKey;
        QCOMPARE(readAttention(file, "f", choices).value().inputs.mask->shape(),
                 (Shape{3, 1, 1, 3}));
        choices.maskAxes = MaskAxes::QueryKey;
        QCOMPARE(readAttention(file, "f", choices).value().inputs.mask->shape(),
                 (Shape{1, 1, 3, 3}));
    }

    void narrowingIsSaidOnlyWhereAValueChanges()
    {
        TensorFile file = qkv({4, 5});
        QVERIFY(readAttention(file, "f").value().notes.empty());
        const double tenth = 0.1;
        std::memcpy(file.tensors[0].bytes.data(), &tenth, 8);
        const auto notes = readAttention(file, "f").value().notes;
        QCOMPARE(std::ssize(notes), 1);
        QCOMPARE(QString::fromStdString(notes[0]),
                 "f: 1 value of Q (float64) changed on the way to float32.");
    }

    void tokensThatDoNotFitArePassedOverWithANote()
    {
        TensorFile file = qkv({2, 1, 3, 4});
        file.metadata["tokens"] = R"(["a", "b", "c"])";
        file.metadata["keyaxis.key_tokens"] = R"([["x", "y"], ["x", "y"]])";
        const AttentionFile read = readAttention(file, "f").value();
        QCOMPARE(read.inputs.queryTokens, (TokenNames{{"a", "b", "c"}, {"a", "b", "c"}}));
        QVERIFY(read.inputs.keyTokens.empty());
        QCOMPARE(std::ssize(read.notes), 1);
    }

    void aScaleThatIsTheDefaultIsNoSetting()
    {
        TensorFile file = qkv({1, 1, 3, 4});
        file.metadata["softmax_scale"] = "0.5";
        QVERIFY(!readAttention(file, "f").value().settings.scale);
        file.metadata["softmax_scale"] = "0.25";
        QCOMPARE(*readAttention(file, "f").value().settings.scale, 0.25);
    }

private:
    static std::vector<std::byte> Bytes9()
    {
        std::vector<std::byte> bytes(9, std::byte{1});
        bytes[2] = std::byte{0};
        return bytes;
    }
};

QTEST_APPLESS_MAIN(TestAttentionFile)
#include "tst_attention_file.moc"
