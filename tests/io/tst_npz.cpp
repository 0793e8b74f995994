#include "core/io/npy.h"
#include "core/io/npz.h"
#include "core/io/tensor_file.h"
#include "tests/io/tensors.h"

#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

using namespace keyaxis;
using namespace keyaxis::testing;

namespace {

/// Runs Python with NumPy; `path` is its only argument. False where there is none.
bool makeWithPython(const char* script, const QString& path)
{
    QProcess python;
    python.start("/usr/bin/python3",
                 {"-c",
                  QByteArray("import io, sys, zipfile, numpy as n\npath = sys.argv[1]\n") + script,
                  path});
    return python.waitForFinished() && python.exitStatus() == QProcess::NormalExit &&
           python.exitCode() == 0;
}

Bytes archiveOf(const std::vector<RawTensor>& tensors)
{
    return writeNpz({tensors, {}, {}}).value();
}

/// `bytes` with each `from` replaced by `to`, which is as long.
Bytes replaced(Bytes bytes, std::string_view from, std::string_view to)
{
    const BytesView pattern = bytesOf(from);
    for (auto at = bytes.begin();; ++at) {
        at = std::search(at, bytes.end(), pattern.begin(), pattern.end());
        if (at == bytes.end())
            return bytes;
        std::memcpy(&*at, to.data(), to.size());
    }
}

} // namespace

class TestNpz : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void namesThatDifferInCaseAreTwo()
    {
        const auto read =
            readNpz(archiveOf({floats("Q", {1}, {1}), floats("q", {1}, {2})}), "f.npz");
        QVERIFY2(read, qPrintable(sentence(read)));
        QCOMPARE(line(*read->find("q")), "float32 (1,): 2");
        QCOMPARE(line(*read->find("Q")), "float32 (1,): 1");
    }

    void twoMembersOfOneNameAreRefusedBothWays()
    {
        const auto written =
            writeNpz({{floats("a", {1}, {1}), texts("b", {}, {"x"})}, {{"b", "y"}}, {}});
        QVERIFY(!written);
        QCOMPARE(written.error().code, Errc::BadValue);
        const auto read =
            readNpz(replaced(archiveOf({floats("qa", {1}, {1}), floats("qb", {1}, {2})}), "qb.npy",
                             "qa.npy"),
                    "f.npz");
        QVERIFY(!read);
    }

    void aPyTorchFileIsRefusedWithTheWayOut()
    {
        const auto named = [](std::string_view name) { // of 12 letters
            return sentence(readNpz(
                replaced(archiveOf({floats("12345678", {1}, {1})}), "12345678.npy", name), "f"));
        };
        QVERIFY2(
            named("x/y/data.pkl")
                .contains("t = torch.load('FILE.pt', map_location='cpu', weights_only=True)\n"),
            qPrintable(named("x/y/data.pkl")));
        QCOMPARE(named("metadata.pkl"), "read");
    }

    void aSizeThatDeflateCannotReachIsRefused()
    {
        const QTemporaryDir folder;
        const QString path = folder.filePath("f.npz");
        if (!makeWithPython("n.savez_compressed(path, q=n.arange(1000.0))", path))
            QSKIP("python3-numpy is not installed");
        const Bytes bytes = readBytes(path.toStdString()).value();
        QVERIFY(readNpz(bytes, "f"));
        const std::string_view size("\xC0\x1F\0\0", 4); // 8128, in both of its headers
        const std::string_view huge("\0\0\0\x40", 4);
        const QString said = sentence(readNpz(replaced(bytes, size, huge), "f"));
        QVERIFY2(said.contains("claims to hold 1073741824 bytes"), qPrintable(said));
    }

    void metadataAreTextsWithoutAnAxis()
    {
        const auto back = readNpz(writeNpz({{}, {{"causal", "true"}}, {}}).value(), "f");
        QVERIFY(back);
        QCOMPARE(line(*back->find("causal")), "text (): true");
    }

    void anArchiveWithoutMembersIsRead()
    {
        const auto back = readNpz(writeNpz({}).value(), "f");
        QVERIFY2(back, qPrintable(sentence(back)));
        QVERIFY(back->tensors.empty());
    }

    void readsWhatPythonWrites_data()
    {
        QTest::addColumn<QByteArray>("script");
        QTest::addColumn<QString>("expected");
        const auto row = [](const char* name, const char* script, const char* expected) {
            QTest::newRow(name) << QByteArray(script) << expected;
        };
        row("zeros that deflate as far as it goes",
            "n.savez_compressed(path, mask=n.zeros((4096, 4096), bool), q=n.ones(1))",
            "mask bool (4096, 4096) | q float64 (1,) | 0 notes, 0 skipped");
        row("an object beside",
            "n.savez(path, q=n.ones(1, 'f4'), note=n.array({'a': 1}, dtype=object))",
            "q float32 (1,) | 0 notes, 1 skipped");
        row("foreign members",
            "n.savez(path, q=n.ones(1, 'f4'))\n"
            "z = zipfile.ZipFile(path, 'a'); z.writestr('readme.txt', 'hi'); z.mkdir('d') if "
            "hasattr(z, 'mkdir') else z.writestr('d/', ''); z.close()",
            "q float32 (1,) | 1 notes, 0 skipped");
        row("folders in names", "n.savez(path, **{'layers/0/q': n.ones((1, 2))})",
            "layers/0/q float64 (1, 2) | 0 notes, 0 skipped");
        row("streamed",
            "class S(io.RawIOBase):\n"
            "  def __init__(s): s.f = open(path, 'wb')\n"
            "  def writable(s): return True\n"
            "  def write(s, b): return s.f.write(b)\n"
            "  def flush(s): s.f.flush() if not s.f.closed else None\n"
            "z = zipfile.ZipFile(S(), 'w', zipfile.ZIP_DEFLATED)\n"
            "f = z.open('q.npy', 'w', force_zip64=True); n.lib.format.write_array(f, n.ones((2, "
            "2)))\n"
            "f.close(); z.close()",
            "q float64 (2, 2) | 0 notes, 0 skipped");
        row("bytes behind an array",
            "b = io.BytesIO(); n.save(b, n.ones(2)); n.save(b, n.ones(3))\n"
            "z = zipfile.ZipFile(path, 'w'); z.writestr('q.npy', b.getvalue()); z.close()",
            "q float64 (2,) | 1 notes, 0 skipped");
    }
    void readsWhatPythonWrites()
    {
        QFETCH(QByteArray, script);
        QFETCH(QString, expected);
        const QTemporaryDir folder;
        const QString path = folder.filePath("f.npz");
        if (!makeWithPython("", path))
            QSKIP("python3-numpy is not installed");
        QVERIFY(makeWithPython(script, path));
        const auto read = readTensorFile(path.toStdString());
        QVERIFY2(read, qPrintable(sentence(read)));
        QString found;
        for (const RawTensor& raw : read->tensors)
            found += QString::fromStdString(raw.name + ' ' + std::string(typeName(raw.type)) + ' ' +
                                            shapeText(raw.shape) + " | ");
        QCOMPARE(
            found +
                QString("%1 notes, %2 skipped").arg(read->notes.size()).arg(read->skipped.size()),
            expected);
    }

    void anArchiveOfObjectsAloneIsRefusedWithTheReason()
    {
        const QTemporaryDir folder;
        const QString path = folder.filePath("f.npz");
        if (!makeWithPython("n.savez(path, q=n.array([None], dtype=object))", path))
            QSKIP("python3-numpy is not installed");
        const auto read = readTensorFile(path.toStdString());
        QVERIFY2(sentence(read).contains("member q.npy: its elements ('|O') are objects"),
                 qPrintable(sentence(read)));
    }
};

QTEST_APPLESS_MAIN(TestNpz)
#include "tst_npz.moc"
