#include "core/io/attention_file.h"
#include "core/io/tensor_file.h"
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

} // namespace

class TestReadings : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void headsMayShareKeysAndValues()
    {
        QCOMPARE(sizesOf(readAttention(file(), "f").value().inputs), (Sizes{2, 4, 2, 3, 5, 4, 6}));
        TensorFile odd = file();
        odd.tensors[1] = counting("k", {2, 3, 5, 4});
        QVERIFY(notesOf(odd).contains("q has 4 heads and k has 3"));
    }

    void aTensorThatCannotBeReadIsNotMissing()
    {
        for (const char* name : {"q", "V", "mask", "bias"}) {
            TensorFile lacking = file();
            std::erase_if(lacking.tensors, [&](const RawTensor& raw) {
                return QString::fromStdString(raw.name).compare(name, Qt::CaseInsensitive) == 0;
            });
            lacking.skipped[name] = {Errc::Ambiguous, "f, member X: the reason."};
            QCOMPARE(readAttention(lacking, "f").error().code, Errc::Ambiguous);
            QCOMPARE(notesOf(lacking), "f, member X: the reason.");
        }
        TensorFile other = file();
        other.skipped["extra"] = {Errc::BadInput, "f, member extra: the reason."};
        QCOMPARE(notesOf(other), "f, member extra: the reason.");
        QVERIFY(readAttention(other, "f"));
    }

    void textWhereNumbersAreNeededIsRefused()
    {
        TensorFile wrong = file();
        wrong.tensors[0] = texts("q", {1}, {"a"});
        QCOMPARE(notesOf(wrong), "f: q holds text, not numbers.");
    }

    void onlyTextThatIsNotUsedGetsANote()
    {
        QCOMPARE(notesOf(with(texts("note", {2}, {"a", "b"}))),
                 "f: note holds text and was passed over.");
        QCOMPARE(notesOf(with(texts("description", {}, {"a"}))), "");
        QCOMPARE(notesOf(with(texts("keyaxis.key_tokens", {5}, {"a", "b", "c", "d", "e"}))), "");
    }

    void tokensAreFoundUnderEachName_data()
    {
        QTest::addColumn<QString>("name");
        QTest::newRow("ours") << "keyaxis.query_tokens";
        QTest::newRow("plain") << "query_tokens";
        QTest::newRow("short") << "q_tokens";
        QTest::newRow("shared") << "tokens";
    }
    void tokensAreFoundUnderEachName()
    {
        QFETCH(QString, name);
        const TokenNames expected{{"a", "b", "c"}, {"d", "e", "f"}};
        TensorFile told = file();
        told.metadata[name.toStdString()] = "[[\"a\",\"b\",\"c\"],[\"d\",\"e\",\"f\"]]";
        QCOMPARE(readAttention(told, "f").value().inputs.queryTokens, expected);
        const TensorFile arrays =
            with(texts(name.toStdString(), {2, 3}, {"a", "b", "c", "d", "e", "f"}));
        QCOMPARE(readAttention(arrays, "f").value().inputs.queryTokens, expected);
    }

    void settingsComeFromMetadataAndFromArrays()
    {
        TensorFile told = file();
        told.metadata = {
            {"causal", "true"}, {"keyaxis.alibi", "1"}, {"align", "End"}, {"scale", "2"}};
        const ScoreSettings fromText = readAttention(told, "f").value().settings;
        TensorFile arrays = with(tensorOf("causal", ElementType::Bool, {}, std::vector<char>{1}));
        arrays.tensors.push_back(
            tensorOf("alibi", ElementType::I64, {1}, std::vector<std::int64_t>{1}));
        arrays.tensors.push_back(texts("align", {}, {"end"}));
        arrays.tensors.push_back(tensorOf("scale", ElementType::F64, {}, std::vector<double>{2}));
        const ScoreSettings fromArrays = readAttention(arrays, "f").value().settings;
        QVERIFY(fromText == fromArrays);
        QVERIFY(fromText.causal && fromText.alibi && fromText.align == Align::End);
        QCOMPARE(*fromText.scale, 2.0);
    }

    void whatIsNotUnderstoodGetsANote()
    {
        for (const auto& [name, value] :
             {std::pair{"causal", "perhaps"}, std::pair{"alibi", "half"},
              std::pair{"scale", "wide"}, std::pair{"align", "middle"},
              std::pair{"layout", "spiral"}}) {
            TensorFile told = file();
            told.metadata[name] = value;
            QCOMPARE(notesOf(told),
                     QString("f: its %1, '%2', is not understood and was passed over.")
                         .arg(name, value));
        }
    }

    void layoutsOfOtherProgramsAreUnderstood_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<int>("nHeads");
        QTest::newRow("shape and type") << "[B,H,T,d] float32, little endian" << 4;
        QTest::newRow("token first") << "B, T, H, D" << 3;
        QTest::newRow("capitals") << "BTHD" << 3;
    }
    void layoutsOfOtherProgramsAreUnderstood()
    {
        QFETCH(QString, text);
        QFETCH(int, nHeads);
        TensorFile told{{counting("q", {2, 4, 3, 4}), counting("k", {2, 4, 3, 4})}, {}, {}};
        told.metadata["layout"] = text.toStdString();
        QCOMPARE(notesOf(told), "");
        QCOMPARE(int(sizesOf(readAttention(told, "f").value().inputs).H), nHeads);
    }

    void aFlagWinsOverMetadata()
    {
        TensorFile told = file();
        told.tensors = {counting("q", {2, 3, 4}), counting("k", {2, 3, 4})};
        told.metadata["layout"] = "htd";
        ReadingChoices choices;
        choices.layout = Layout::BTD;
        QCOMPARE(sizesOf(readAttention(told, "f", choices).value().inputs).B, Index{2});
    }

    void overflowsAreNamed()
    {
        TensorFile large = file();
        const double huge = 1e300;
        std::memcpy(large.tensors[0].bytes.data(), &huge, 8);
        QCOMPARE(notesOf(large),
                 "f: 1 value of q (float64) changed on the way to float32, 1 of them "
                 "to infinity.");
    }

    void nothingToDrawIsNoError()
    {
        const auto read = readAttention(
            readTensorFile(KEYAXIS_TEST_DATA "/hardcases/a31_zero_size.safetensors").value(), "f");
        QVERIFY2(read, qPrintable(sentence(read)));
        QCOMPARE(sizesOf(read->inputs).Tq, Index{0});
    }
};

QTEST_APPLESS_MAIN(TestReadings)
#include "tst_readings.moc"
