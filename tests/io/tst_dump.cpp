#include "core/io/dump.h"
#include "tests/core/sample_values.h"

#include <QTest>

using namespace keyaxis;

namespace {

const Sizes kSizes{2, 3, 3, 4, 5, 2, 6};

TensorFile fileWith(std::vector<RawTensor> more)
{
    const Inputs inputs = testing::randomInputs(kSizes, 1);
    TensorFile file;
    file.tensors = {rawTensor("q", *inputs.q), rawTensor("k", *inputs.k),
                    rawTensor("v", *inputs.v)};
    for (RawTensor& raw : more)
        file.tensors.push_back(std::move(raw));
    return file;
}

RawTensor named(const char* name, Shape shape)
{
    return rawTensor(name, testing::randomTensor(shape, 7));
}

std::optional<Dump> found(const TensorFile& file, const std::string& name = {},
                          const ReadingChoices& choices = {})
{
    return dumpIn(file, readAttention(file, "file", choices).value(), name);
}

} // namespace

class TestDump : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void weightsComeBeforeAnOutput()
    {
        const TensorFile file =
            fileWith({named("Output", kSizes.output()), named("attn_weights", kSizes.weights())});
        const auto dump = found(file);
        QVERIFY(dump && !dump->isOutput);
        QCOMPARE(dump->name, std::string("attn_weights"));
        QVERIFY(testing::sameBits(dump->values, testing::randomTensor(kSizes.weights(), 7)));
        const auto output = found(file, "output");
        QVERIFY(output && output->isOutput);
        QCOMPARE(output->values.shape(), kSizes.output());
        QVERIFY(found(fileWith({named("out", kSizes.output())}))->isOutput);
    }

    void whatDoesNotBelongToThemIsNoDump()
    {
        QVERIFY(!found(fileWith({})));
        QVERIFY(!found(fileWith({named("weights", {2, 3, 4, 6})}))); // an average over heads, say
        QVERIFY(!found(fileWith({named("weights", kSizes.weights())}), "nowhere"));
        RawTensor text = named("weights", kSizes.weights());
        text.type = ElementType::Text;
        QVERIFY(!found(fileWith({text})));
        RawTensor five = named("weights", kSizes.weights());
        five.shape.insert(five.shape.begin(), 1);
        QVERIFY(!found(fileWith({five})));
    }

    void axesFollowTheLayoutOfQ()
    {
        // [B, T, H, d] throughout; weights keep their own order.
        TensorFile file;
        const auto tokensFirst = [](const char* name, Index nTokens, Index width) {
            RawTensor raw = named(name, {2, nTokens, 3, width});
            return raw;
        };
        file.tensors = {tokensFirst("q", 4, 2), tokensFirst("k", 5, 2), tokensFirst("v", 5, 6),
                        tokensFirst("output", 4, 6)};
        ReadingChoices choices;
        choices.layout = Layout::BTHD;
        const auto output = found(file, {}, choices);
        QVERIFY(output);
        QCOMPARE(output->values.shape(), kSizes.output());
        QCOMPARE(output->values.at(1, 2, 3, 4),
                 testing::randomTensor({2, 4, 3, 6}, 7).at(1, 3, 2, 4));
        file.tensors.push_back(named("weights", kSizes.weights()));
        QVERIFY(!found(file, {}, choices)->isOutput);
    }

    void threeAxesLackBatchOrHead()
    {
        for (const Layout layout : {Layout::HTD, Layout::BTD}) {
            TensorFile file;
            const auto three = [](const char* name, Index rows, Index cols) {
                RawTensor raw = named(name, {1, 3, rows, cols});
                raw.shape.erase(raw.shape.begin());
                return raw;
            };
            file.tensors = {three("q", 4, 2), three("k", 5, 2), three("weights", 4, 5)};
            ReadingChoices choices;
            choices.layout = layout;
            const auto weights = found(file, {}, choices);
            QVERIFY(weights);
            QCOMPARE(weights->values.shape(),
                     layout == Layout::HTD ? (Shape{1, 3, 4, 5}) : (Shape{3, 1, 4, 5}));
        }
    }

    void oneMapNeedsNoMoreAxes()
    {
        TensorFile file;
        const auto two = [](const char* name, Index rows, Index cols) {
            RawTensor raw = named(name, {1, 1, rows, cols});
            raw.shape = {rows, cols};
            return raw;
        };
        file.tensors = {two("q", 4, 2), two("k", 5, 2), two("v", 5, 6), two("output", 4, 6)};
        QVERIFY(found(file)->isOutput);
        file.tensors.push_back(two("attention", 4, 5));
        QCOMPARE(found(file)->name, std::string("attention"));
    }
};

QTEST_APPLESS_MAIN(TestDump)
#include "tst_dump.moc"
