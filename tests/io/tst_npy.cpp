#include "core/io/npy.h"
#include "tests/io/tensors.h"

#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

using namespace keyaxis;
using namespace keyaxis::testing;

namespace {

/// A .npy file of a header text as it is and `nData` bytes 1, 2, 3, …
Bytes npyFile(const QByteArray& dictionary, int nData, char version = 1)
{
    QByteArray file("\x93NUMPY");
    file += version;
    file += '\0';
    const auto length = static_cast<std::uint32_t>(dictionary.size());
    for (int n = 0; n < (version == 1 ? 2 : 4); ++n)
        file += static_cast<char>(length >> (8 * n) & 0xFF);
    file += dictionary;
    for (int n = 0; n < nData; ++n)
        file += static_cast<char>(n + 1);
    const BytesView view = bytesOf({file.constData(), std::size_t(file.size())});
    return {view.begin(), view.end()};
}

QByteArray dictionary(const char* descr, const char* shape, const char* fortran = "False")
{
    return QByteArray("{'descr': ") + descr + ", 'fortran_order': " + fortran +
           ", 'shape': " + shape + ", }";
}

QString read(const Bytes& file, int* nNotes = nullptr)
{
    std::vector<std::string> notes;
    const auto tensor = readNpy(file, "f.npy", notes);
    if (nNotes)
        *nNotes = int(notes.size());
    return tensor ? line(*tensor) : sentence(tensor);
}

} // namespace

class TestNpy : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void readsEachStorage_data()
    {
        QTest::addColumn<QByteArray>("header");
        QTest::addColumn<int>("nData");
        QTest::addColumn<QString>("expected");
        const auto row = [](const char* name, const QByteArray& header, int nData,
                            const char* expected) {
            QTest::newRow(name) << header << nData << expected;
        };
        row("int8", dictionary("'|i1'", "(2,)"), 2, "int8 (2,): 1 2");
        row("uint16 little", dictionary("'<u2'", "(2,)"), 4, "uint16 (2,): 513 1027");
        row("uint16 big", dictionary("'>u2'", "(2,)"), 4, "uint16 (2,): 258 772");
        row("uint32 native", dictionary("'=u4'", "(1,)"), 4, "uint32 (1,): 67305985");
        row("int64 big", dictionary("'>i8'", "()"), 8, "int64 (): 72623859790382848");
        row("Fortran of three axes", dictionary("'|u1'", "(2, 2, 3)", "True"), 12,
            "uint8 (2, 2, 3): 1 5 9 3 7 11 2 6 10 4 8 12");
        row("Fortran, big", dictionary("'>u2'", "(2, 2)", "True"), 8,
            "uint16 (2, 2): 258 1286 772 1800");
        row("Fortran without elements", dictionary("'<f8'", "(3, 0)", "True"), 0,
            "float64 (3, 0): ");
        row("Python 2's long integers", dictionary("'|u1'", "(2L, 1L)"), 2, "uint8 (2, 1): 1 2");
        row("a list for the shape", dictionary("'|u1'", "[2, 1]"), 2, "uint8 (2, 1): 1 2");
        row("other order, double quotes", R"({"shape":(2,),"fortran_order":False,"descr":"|u1"})",
            2, "uint8 (2,): 1 2");
    }
    void readsEachStorage()
    {
        QFETCH(QByteArray, header);
        QFETCH(int, nData);
        QFETCH(QString, expected);
        for (const char version : {1, 2, 3})
            QCOMPARE(read(npyFile(header, nData, version)), expected);
    }

    void refusesWithTheReason_data()
    {
        QTest::addColumn<QByteArray>("header");
        QTest::addColumn<QString>("says");
        const auto row = [](const char* name, const QByteArray& header, const char* says) {
            QTest::newRow(name) << header << says;
        };
        row("bfloat16", dictionary("'<V2'", "(4,)"), "--opaque bfloat16");
        row("float8", dictionary("'|V1'", "(8,)"), "--opaque float8_e4m3");
        row("float8_e5m2", dictionary("'<f1'", "(8,)"), "--opaque float8_e4m3");
        row("objects", dictionary("'|O'", "(1,)"), "unpickling");
        row("complex", dictionary("'<c8'", "(1,)"), "complex numbers");
        row("long double", dictionary("'<f16'", "(1,)"), "long doubles");
        row("dates", dictionary("'<M8[ns]'", "(1,)"), "dates or times");
        row("records", dictionary("[('a', '<f4'), ('b', '<f4')]", "(1,)"), "records");
        row("text without characters", dictionary("'<U0'", "(1099511627776,)"), "not numbers");
        row("absurd text", dictionary("'<U4611686018427387905'", "(1,)"), "not numbers");
        row("more texts than memory", dictionary("'|S1'", "(2000000,)"), "2000000 texts");
        row("negative size", dictionary("'<f4'", "(-1,)"), "(-1,) is negative or too large");
        row("bytes overflow", dictionary("'<f8'", "(4611686018427387904,)"), "too large");
        row("axes", dictionary("'|u1'", "(" + QByteArray("1, ").repeated(65) + ")"),
            "65 axes; at most 64");
        row("fraction in the shape", dictionary("'<f4'", "(2.5,)"), "not a Python dictionary");
        row("text in the shape", dictionary("'<f4'", "('2',)"), "whole numbers");
        row("shape without tuple", dictionary("'<f4'", "2"), "exactly descr");
        row("fourth key", "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), 'x': 1}",
            "exactly descr");
        row("key twice", "{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': ()}",
            "not a Python dictionary");
        row("code", "__import__('os').abort()", "not a Python dictionary (byte 0)");
        row("nested without end", QByteArray("{'shape': ") + QByteArray("(").repeated(9000),
            "not a Python dictionary");
        row("after the end", dictionary("'<f4'", "(2,)") + "x", "not a Python dictionary");
        row("short", dictionary("'<f4'", "(3,)"), "(3,) needs 12 bytes of data and 8 are there");
        row("long header", dictionary("'<f4'", "(2,)") + QByteArray(10001, ' '), "at most 10000");
    }
    void refusesWithTheReason()
    {
        QFETCH(QByteArray, header);
        QFETCH(QString, says);
        const QString said = read(npyFile(header, 8));
        QVERIFY2(said.startsWith("f.npy: ") && said.endsWith('.') && said.contains(says),
                 qPrintable(said));
    }

    void otherVersionsAreRefused()
    {
        QCOMPARE(read(npyFile(dictionary("'<f4'", "(2,)"), 8, 4)),
                 "f.npy: its .npy version is 4; 1, 2 and 3 are read.");
    }

    void bytesAfterTheDataGetANote()
    {
        int nNotes = 0;
        QCOMPARE(read(npyFile(dictionary("'<u2'", "(2,)"), 7), &nNotes), "uint16 (2,): 513 1027");
        QCOMPARE(nNotes, 1);
    }

    void textIsReadInEveryEncoding()
    {
        const auto text = [](const char* descr, const QByteArray& data) {
            Bytes file = npyFile(dictionary(descr, "(2,)"), 0);
            for (const char c : data)
                file.push_back(static_cast<std::byte>(c));
            return read(file);
        };
        QCOMPARE(text("'<U2'", QByteArray("a\0\0\0b\0\0\0\x2D\x4E\0\0\0\0\0\0", 16)),
                 "text (2,): ab 中");
        QCOMPARE(text("'>U2'", QByteArray("\0\0\0a\0\0\0b\0\x01\xD1\x1E\0\0\0\0", 16)),
                 "text (2,): ab 𝄞");
        QCOMPARE(text("'|S3'", QByteArray("ab\0\xC3\xA9\0", 6)), "text (2,): ab é"); // UTF-8
        QCOMPARE(text("'|S2'", QByteArray("\xE9\0ok", 4)), "text (2,): é ok");       // Latin-1
        // A lone surrogate and what is beyond Unicode become the replacement character.
        QCOMPARE(text("'<U1'", QByteArray("\0\xD8\0\0\xFF\xFF\xFF\xFF", 8)),
                 "text (2,): \uFFFD \uFFFD");
    }

    void writesWhatItReads()
    {
        std::vector<std::string> notes;
        const auto back = [&](const RawTensor& raw) {
            return line(readNpy(writeNpy(raw), "x", notes).value());
        };
        for (const auto type : {ElementType::Bool, ElementType::I8, ElementType::U8}) {
            const auto raw = tensorOf("x", type, {3}, std::vector<std::uint8_t>{0, 1, 1});
            QCOMPARE(back(raw), line(raw));
        }
        for (const auto type : {ElementType::I16, ElementType::U16, ElementType::F16}) {
            const auto raw =
                tensorOf("x", type, {1, 2}, std::vector<std::uint16_t>{0x8001, 0x3C00});
            QCOMPARE(back(raw), line(raw));
        }
        for (const auto type : {ElementType::I64, ElementType::U64, ElementType::F64}) {
            const auto raw =
                tensorOf("x", type, {}, std::vector<std::uint64_t>{0xC000000000000001});
            QCOMPARE(back(raw), line(raw));
        }
        QCOMPARE(back(tensorOf("x", ElementType::BF16, {2}, std::vector<std::uint16_t>{0x4049, 1})),
                 "float32 (2,): 3.140625 9.1835496157991212e-41");
        QCOMPARE(back(tensorOf("x", ElementType::F8E4M3, {1}, std::vector<std::uint8_t>{0x7E})),
                 "float32 (1,): 448");
        QCOMPARE(back(texts("x", {3}, {"", "中文", "a b"})), "text (3,):  中文 a b");
        QVERIFY(notes.empty());
    }

    void dataBeginAtAMultipleOf64()
    {
        for (Index size = 1; size < Index{1} << 40; size *= 10)
            QCOMPARE(npyHeader("<f4", {size, 1, 1}).size() % 64, std::size_t(0));
    }

    void readsWhatNumpyWrites()
    {
        const QTemporaryDir folder;
        QProcess python;
        python.start("/usr/bin/python3", {"-c", R"(
import sys, numpy as n
i = 0
for t in '?bBhHiIqQefd':
    for order in 'CF':
        for swap in (False, True):
            x = n.arange(24).reshape(2, 3, 4).astype(t)
            if swap: x = x.astype(x.dtype.newbyteorder())
            n.save(f'{sys.argv[1]}/{i}.npy', n.array(x, order=order))
            i += 1
print(i))",
                                          folder.path()});
        if (!python.waitForFinished() || python.exitCode() != 0)
            QSKIP("python3-numpy is not installed");
        const int nFiles = python.readAllStandardOutput().trimmed().toInt();
        QCOMPARE(nFiles, 48);
        for (int n = 0; n < nFiles; ++n) {
            const QString path = folder.filePath(QString::number(n) + ".npy");
            std::vector<std::string> notes;
            const auto raw = readNpy(readBytes(path.toStdString()).value(), "x", notes);
            QVERIFY2(raw, qPrintable(sentence(raw)));
            QCOMPARE(raw->shape, (std::vector<Index>{2, 3, 4}));
            const std::vector<double> values = toDoubles(*raw);
            for (std::size_t at = 0; at < 24; ++at)
                QCOMPARE(values[at], raw->type == ElementType::Bool ? double(at > 0) : double(at));
        }
    }
};

QTEST_APPLESS_MAIN(TestNpy)
#include "tst_npy.moc"
