#include "core/io/attention_file.h"
#include "tests/io/tensors.h"

#include <QTest>

using namespace keyaxis;
using namespace keyaxis::testing;

namespace {

/// B 2, H 4, G 2, Tq 3, Tk 5, dk 4, dv 6.
TensorFile file()
{
    return {{counting("q", {2, 4, 3, 4}), counting("k", {2, 2, 5, 4}), counting("v", {2, 2, 5, 6})},
            {},
            {}};
}

TensorFile with(RawTensor tensor)
{
    TensorFile result = file();
    result.tensors.push_back(std::move(tensor));
    return result;
}

QString notesOf(const TensorFile& tensors)
{
    const auto read = readAttention(tensors, "f");
    if (!read)
        return sentence(read);
    QStringList notes;
    for (const std::string& note : read->notes)
        notes << QString::fromStdString(note);
    return notes.join(" | ");
}

QString shapeOf(const SharedTensor& tensor)
{
    if (!tensor)
        return "none";
    const Shape& s = tensor->shape();
    return QString::fromStdString(shapeText({s.batch, s.heads, s.rows, s.cols}));
}

} // namespace

class TestMasks : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void masksLieOverTheScoresByNumpysRules_data()
    {
        QTest::addColumn<std::vector<Index>>("shape");
        QTest::addColumn<QString>("expected");
        using S = std::vector<Index>;
        QTest::newRow("one number") << S{} << "(1, 1, 1, 1)";
        QTest::newRow("keys") << S{5} << "(1, 1, 1, 5)";
        QTest::newRow("queries by keys") << S{3, 5} << "(1, 1, 3, 5)";
        QTest::newRow("queries by one") << S{3, 1} << "(1, 1, 3, 1)";
        QTest::newRow("batch by keys") << S{2, 5} << "(2, 1, 1, 5)";
        QTest::newRow("heads") << S{4, 3, 5} << "(1, 4, 3, 5)";
        QTest::newRow("batch, no heads") << S{2, 1, 3, 5} << "(2, 1, 3, 5)";
        QTest::newRow("all") << S{2, 4, 3, 5} << "(2, 4, 3, 5)";
        QTest::newRow("does not fit") << S{5, 3}
                                      << "f: mask [1, 1, 5, 3] does not broadcast to the "
                                         "scores [2, 4, 3, 5].";
        QTest::newRow("five axes") << S{1, 2, 4, 3, 5}
                                   << "f: mask (1, 2, 4, 3, 5) has 5 axes; a mask or a bias has up "
                                      "to four.";
    }
    void masksLieOverTheScoresByNumpysRules()
    {
        QFETCH(std::vector<Index>, shape);
        QFETCH(QString, expected);
        const auto n = static_cast<std::size_t>(elementCount(shape).value());
        const auto read = readAttention(
            with(tensorOf("mask", ElementType::Bool, shape, std::vector<std::uint8_t>(n, 1))), "f");
        QCOMPARE(read ? shapeOf(read->inputs.mask) : sentence(read), expected);
    }

    void aMaskIsAChoiceOrIsAdded_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QList<double>>("values");
        QTest::addColumn<bool>("isFloat");
        QTest::addColumn<QString>("expected");
        const auto row = [](const char* what, const char* name, QList<double> values, bool isFloat,
                            const char* expected) {
            QTest::newRow(what) << name << values << isFloat << expected;
        };
        row("whole numbers 0 and 1", "mask", {0, 1, 1, 0, 1}, false, "mask");
        row("whole numbers, all 0", "MASK", {0, 0, 0, 0, 0}, false, "mask");
        row("other whole numbers", "mask", {0, 2, 1, 0, 1}, false,
            "f: the mask mask holds whole numbers other than 0 and 1.");
        row("floats 0 and 1", "mask", {0, 1, 1, 0, 1}, true,
            "mask: f: the float32 mask mask of zeros and ones chooses keys: 1 may be attended.");
        row("floats with -inf", "mask", {0, 0, -INFINITY, 0, 0}, true,
            "bias: f: the float32 mask mask is added to the scores, as a bias.");
        row("floats, all 0", "mask", {0, 0, 0, 0, 0}, true,
            "bias: f: the float32 mask mask is added to the scores, as a bias.");
        row("a bias of 0 and 1", "Bias", {0, 1, 1, 0, 1}, true, "bias");
    }
    void aMaskIsAChoiceOrIsAdded()
    {
        QFETCH(QString, name);
        QFETCH(QList<double>, values);
        QFETCH(bool, isFloat);
        QFETCH(QString, expected);
        const RawTensor mask =
            isFloat ? floats(name.toStdString(), {5}, {values.begin(), values.end()})
                    : tensorOf(name.toStdString(), ElementType::I64, {5},
                               std::vector<std::int64_t>(values.begin(), values.end()));
        const auto read = readAttention(with(mask), "f");
        QString found = sentence(read);
        if (read) {
            QVERIFY(!(read->inputs.mask && read->inputs.bias));
            found = read->inputs.mask ? "mask" : read->inputs.bias ? "bias" : "none";
            for (const std::string& note : read->notes)
                found += ": " + QString::fromStdString(note);
        }
        QCOMPARE(found, expected);
    }

    void twoBiasesAreRefused()
    {
        TensorFile both = with(floats("mask", {5}, {0, -1, 0, 0, 0}));
        both.tensors.push_back(floats("bias", {5}, {0, 0, 0, 0, 1}));
        QCOMPARE(notesOf(both),
                 "f: it holds bias and the float mask mask, which is a bias as well; "
                 "choose one.");
    }

    void threeAxesBeginWithHeadsOrExamples()
    {
        const auto shapeRead = [](const std::vector<Index>& shape, std::optional<MaskAxes> axes,
                                  const Sizes& s) {
            TensorFile tensors{
                {counting("q", {s.B, s.H, s.Tq, s.dk}), counting("k", {s.B, s.G, s.Tk, s.dk})},
                {},
                {}};
            const auto n = static_cast<std::size_t>(elementCount(shape).value());
            tensors.tensors.push_back(
                tensorOf("mask", ElementType::Bool, shape, std::vector<std::uint8_t>(n, 1)));
            ReadingChoices choices;
            choices.maskAxes = axes;
            const auto read = readAttention(tensors, "f", choices);
            return read ? shapeOf(read->inputs.mask) : sentence(read);
        };
        const Sizes s{2, 4, 2, 3, 5, 4, 0};
        QCOMPARE(shapeRead({4, 3, 5}, {}, s), "(1, 4, 3, 5)");
        QCOMPARE(shapeRead({2, 3, 5}, {}, s), "(2, 1, 3, 5)");
        QCOMPARE(shapeRead({2, 1, 5}, {}, s), "(2, 1, 1, 5)");
        QCOMPARE(shapeRead({1, 3, 5}, {}, s), "(1, 1, 3, 5)");
        const Sizes square{4, 4, 4, 3, 5, 4, 0};
        QCOMPARE(shapeRead({4, 3, 5}, {}, square),
                 "f: mask (4, 3, 5) may be 4 heads by 3 queries by 5 keys (--mask-axes hqk) or 4 "
                 "batch items by 3 queries by 5 keys (--mask-axes bqk); say which.");
        QCOMPARE(shapeRead({4, 3, 5}, MaskAxes::HeadQueryKey, square), "(1, 4, 3, 5)");
        QCOMPARE(shapeRead({4, 3, 5}, MaskAxes::BatchQueryKey, square), "(4, 1, 3, 5)");
    }

    void theUserSaysWhichValueKeeps()
    {
        const TensorFile padded =
            with(tensorOf("mask", ElementType::Bool, {2, 5},
                          std::vector<std::uint8_t>{1, 1, 1, 0, 0, 1, 1, 1, 1, 1}));
        const auto firstRow = [&](const TensorFile& tensors, std::optional<int> keeps) {
            ReadingChoices choices;
            choices.maskKeeps = keeps;
            const auto read = readAttention(tensors, "f", choices);
            if (!read)
                return sentence(read);
            QString row;
            for (Index j = 0; j < 5; ++j)
                row += QString::number(double(read->inputs.mask->at(0, 0, 0, j)));
            for (const std::string& note : read->notes)
                row += " " + QString::fromStdString(note);
            return row;
        };
        QCOMPARE(firstRow(padded, {}), "11100");
        QCOMPARE(firstRow(padded, 1), "11100 f: the mask mask keeps a key where it is 1.");
        QCOMPARE(firstRow(padded, 0), "00011 f: the mask mask keeps a key where it is 0.");
        TensorFile told = padded;
        told.metadata["mask_keeps"] = "0";
        QCOMPARE(firstRow(told, {}), "00011 f: the mask mask keeps a key where it is 0.");
        QCOMPARE(firstRow(told, 1), "11100 f: the mask mask keeps a key where it is 1.");

        TensorFile pytorch = padded;
        pytorch.tensors.back().name = "key_padding_mask";
        QCOMPARE(readAttention(pytorch, "f").error().code, Errc::Ambiguous);
        QCOMPARE(firstRow(pytorch, {}),
                 "f: a 1 of key_padding_mask hides a key where PyTorch made it (--mask-keeps 0) "
                 "and keeps it elsewhere (--mask-keeps 1); say which.");
        QCOMPARE(firstRow(pytorch, 0),
                 "00011 f: the mask key_padding_mask keeps a key where it is 0.");
        // Zeros alone are a bias, unless the user says that they are no numbers to add.
        const TensorFile zeros = with(floats("mask", {5}, {0, 0, 0, 0, 0}));
        QCOMPARE(firstRow(zeros, 0), "11111 f: the mask mask keeps a key where it is 0.");
    }

    void aTypesMinimumIsKeptAsANumber()
    {
        const auto read = [](const RawTensor& mask) {
            return readAttention(with(mask), "f").value();
        };
        const float least = std::numeric_limits<float>::lowest();
        const AttentionFile single =
            read(floats("attention_mask", {5}, {0, least, 0, 0, -INFINITY}));
        QCOMPARE(single.inputs.bias->at(0, 0, 0, 1), least);
        QCOMPARE(QString::fromStdString(single.notes.at(1)),
                 "f: the smallest number of attention_mask, -3.4028235e+38, is no -inf: a query "
                 "that it hides every key from attends to all of them evenly.");
        const AttentionFile wide = read(tensorOf(
            "mask", ElementType::F64, {5},
            std::vector<double>{0, std::numeric_limits<double>::lowest(), 0, 1e300, -INFINITY}));
        QCOMPARE(wide.inputs.bias->at(0, 0, 0, 1), least);
        QCOMPARE(wide.inputs.bias->at(0, 0, 0, 3), -least);
        QCOMPARE(wide.inputs.bias->at(0, 0, 0, 4), -INFINITY);
        QCOMPARE(QString::fromStdString(wide.notes.at(0)),
                 "f: 2 values of mask (float64) are beyond float32 and became its largest or "
                 "smallest number.");
        QVERIFY(read(floats("bias", {5}, {0, -9999, 0, 0, 0})).notes.empty());
        QCOMPARE(read(floats("bias", {5}, {0, -1e4F, 0, 0, 0})).notes.size(), std::size_t{1});
    }
};

QTEST_APPLESS_MAIN(TestMasks)
#include "tst_masks.moc"
