#include "core/io/safetensors.h"
#include "tests/io/tensors.h"

#include <QTest>

using namespace keyaxis;
using namespace keyaxis::testing;

namespace {

/// A file of a header text, with ' for ", and `nData` bytes 0.
Bytes fileOf(QByteArray header, int nData)
{
    header.replace('\'', '"');
    Bytes bytes(8 + std::size_t(header.size()) + std::size_t(nData));
    const auto length = std::uint64_t(header.size());
    std::memcpy(bytes.data(), &length, 8);
    std::memcpy(bytes.data() + 8, header.data(), length);
    return bytes;
}

TensorFile readBack(const TensorFile& file)
{
    return readSafetensors(writeSafetensors(file).value(), "back").value();
}

} // namespace

class TestSafetensors : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void refusesWhatTheFormatForbids_data()
    {
        QTest::addColumn<QByteArray>("header");
        QTest::addColumn<int>("nData");
        QTest::addColumn<QString>("says");
        const auto row = [](const char* name, const QByteArray& header, int nData,
                            const char* says) { QTest::newRow(name) << header << nData << says; };
        row("hole at the front", "{'a':{'dtype':'F32','shape':[1],'data_offsets':[4,8]}}", 8,
            "tensor a: its data begin at 4 and must begin at 0");
        row("hole between",
            "{'a':{'dtype':'U8','shape':[1],'data_offsets':[0,1]}, "
            "'b':{'dtype':'U8','shape':[1],'data_offsets':[2,3]}}",
            3, "tensor b: its data begin at 2 and must begin at 1");
        row("overlap",
            "{'a':{'dtype':'U8','shape':[2],'data_offsets':[0,2]}, "
            "'b':{'dtype':'U8','shape':[2],'data_offsets':[1,3]}}",
            3, "tensor b: its data begin at 1 and must begin at 2");
        row("tail", "{'a':{'dtype':'F32','shape':[1],'data_offsets':[0,4]}}", 8,
            "end at 4 and the file has 8");
        row("tail without tensors", "{}", 1, "end at 0 and the file has 1");
        row("beyond", "{'a':{'dtype':'F32','shape':[2],'data_offsets':[0,8]}}", 4,
            "has 4 bytes of data");
        row("key twice",
            "{'a':{'dtype':'F32','shape':[1],'data_offsets':[0,4]}, "
            "'a':{'dtype':'F32','shape':[1],'data_offsets':[0,4]}}",
            4, "the key 'a' twice");
        row("metadata twice", "{'__metadata__':{'a':'1','a':'2'}}", 0, "the key 'a' twice");
        row("deep", "{'a':[[[[[[1]]]]]]}", 0, "nested too deeply");
        row("very deep",
            "{'a':" + QByteArray("[").repeated(200000) + QByteArray("]").repeated(200000) + "}", 0,
            "nested too deeply");
        row("metadata number", "{'__metadata__':{'layer':1}}", 0, "'layer' is not a string");
        row("metadata list", "{'__metadata__':['a']}", 0, "not an object of strings");
        row("negative", "{'a':{'dtype':'F32','shape':[-1],'data_offsets':[0,4]}}", 4,
            "must have dtype");
        row("fraction", "{'a':{'dtype':'F32','shape':[1.0],'data_offsets':[0,4]}}", 4,
            "must have dtype");
        row("three offsets", "{'a':{'dtype':'F32','shape':[1],'data_offsets':[0,4,8]}}", 4,
            "must have dtype");
        row("no dtype", "{'a':{'shape':[1],'data_offsets':[0,4]}}", 4, "must have dtype");
        row("backwards", "{'a':{'dtype':'F32','shape':[0],'data_offsets':[4,0]}}", 4,
            "does not hold as many");
        row("overflow",
            "{'a':{'dtype':'F32','shape':[4611686018427387904,8],'data_offsets':[0,4]}}", 4,
            "too large");
        row("beyond 2^63",
            "{'a':{'dtype':'F32','shape':[18446744073709551615],'data_offsets':[0,4]}}", 4,
            "too large");
        row("half a byte", "{'a':{'dtype':'F4','shape':[3],'data_offsets':[0,1]}}", 1,
            "ends within a byte");
        row("axes",
            "{'a':{'dtype':'U8','shape':[" + QByteArray("1,").repeated(64) +
                "1],'data_offsets':[0,1]}}",
            1, "65 axes; at most 64");
        row("no such type", "{'a':{'dtype':'F31','shape':[1],'data_offsets':[0,4]}}", 4,
            "tensor a: its type F31 is not one that the format has");
        row("array", "[1]", 0, "does not begin with '{'");
        row("space in front", " {}", 0, "does not begin with '{'");
        row("not JSON", "{nonsense", 0, "not a JSON object");
        row("not UTF-8", "{'\xFF':{'dtype':'U8','shape':[0],'data_offsets':[0,0]}}", 0,
            "not a JSON object");
    }
    void refusesWhatTheFormatForbids()
    {
        QFETCH(QByteArray, header);
        QFETCH(int, nData);
        QFETCH(QString, says);
        const auto read = readSafetensors(fileOf(header, nData), "f");
        QVERIFY(!read);
        QCOMPARE(read.error().code, Errc::BadInput);
        QVERIFY2(sentence(read).contains(says) && sentence(read).startsWith("f"),
                 qPrintable(sentence(read)));
    }

    void readsEmptyTensorsNumbersAndPadding()
    {
        const auto read =
            readSafetensors(fileOf("{'n':{'dtype':'I16','shape':[],'data_offsets':[0,2]}, "
                                   "'e':{'dtype':'F64','shape':[0,3],'data_offsets':[2,2]}}     ",
                                   2),
                            "f");
        QVERIFY2(read, qPrintable(sentence(read)));
        QCOMPARE(line(*read->find("n")), "int16 (): 0");
        QCOMPARE(line(*read->find("e")), "float64 (0, 3): ");
    }

    void aTypeThatIsNotReadIsSkippedWithItsReason()
    {
        const auto read =
            readSafetensors(fileOf("{'a':{'dtype':'F4','shape':[4],'data_offsets':[0,2]}, "
                                   "'b':{'dtype':'U8','shape':[1],'data_offsets':[2,3]}}",
                                   3),
                            "f");
        QVERIFY2(read, qPrintable(sentence(read)));
        QVERIFY(!read->find("a"));
        QVERIFY(read->find("b"));
        QCOMPARE(read->skipped.at("a").message,
                 std::string("f, tensor a: its type F4 is not read; save it as F32."));
    }

    void everyTypeSurvives()
    {
        TensorFile file;
        using B = std::vector<std::uint8_t>;
        for (const auto type :
             {ElementType::Bool, ElementType::I8, ElementType::U8, ElementType::I16,
              ElementType::U16, ElementType::I32, ElementType::U32, ElementType::I64,
              ElementType::U64, ElementType::F8E4M3, ElementType::F8E5M2, ElementType::F16,
              ElementType::BF16, ElementType::F32, ElementType::F64})
            file.tensors.push_back(
                tensorOf(std::string(typeName(type)), type, {2, 1}, B(2 * typeSize(type), 1)));
        const TensorFile back = readBack(file);
        QCOMPARE(back.tensors.size(), file.tensors.size());
        for (const RawTensor& raw : file.tensors)
            QCOMPARE(line(*back.find(raw.name)), line(raw));
        QCOMPARE(back.tensors.front().type, ElementType::F64); // wider types lie first
    }

    void textsBecomeMetadataInTheirShape()
    {
        const TensorFile back =
            readBack({{texts("key_tokens", {2, 2}, {"a", "b", "\"c\"", "中"}),
                       texts("list", {2}, {"x", "y"}), texts("causal", {}, {"true"})},
                      {{"source", "a dump"}},
                      {}});
        const std::map<std::string, std::string> expected{
            {"keyaxis.key_tokens", "[[\"a\",\"b\"],[\"\\\"c\\\"\",\"中\"]]"},
            {"list", "[\"x\",\"y\"]"},
            {"causal", "true"},
            {"source", "a dump"}};
        QCOMPARE(back.metadata, expected);
    }

    void namesThatCollideAreRefused()
    {
        for (const TensorFile& file :
             {TensorFile{{floats("a", {1}, {1}), floats("a", {1}, {2})}, {}, {}},
              TensorFile{{floats("__metadata__", {1}, {1})}, {}, {}},
              TensorFile{{texts("m", {}, {"1"})}, {{"m", "2"}}, {}}}) {
            const auto written = writeSafetensors(file);
            QVERIFY(!written);
            QCOMPARE(written.error().code, Errc::BadValue);
        }
    }
};

QTEST_APPLESS_MAIN(TestSafetensors)
#include "tst_safetensors.moc"
