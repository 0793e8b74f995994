#include "core/io/file_bytes.h"
#include "core/io/tensor_file.h"
#include "tests/app/program.h"
#include "tests/io/tensors.h"

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <csignal>
#include <sys/types.h>
#include <unistd.h>

using namespace keyaxis;
using namespace keyaxis::testing;

namespace {

const QStringList kEndings{"npz", "npy", "safetensors", "csv", "json", "keyaxis"};

QString hardCase(const QString& name)
{
    return QStringLiteral(KEYAXIS_TEST_DATA "/hardcases/") + name;
}

/// Runs `script` with the program as $0 and `arguments` from $1 on.
Run runScript(const QString& script, const QStringList& arguments = {})
{
    QProcess shell;
    shell.start("/bin/sh", QStringList{"-c", script, KEYAXIS_PROGRAM} + arguments);
    shell.waitForFinished(120'000);
    return {shell.exitCode(), shell.exitStatus() == QProcess::CrashExit,
            QString::fromUtf8(shell.readAllStandardOutput()),
            QString::fromUtf8(shell.readAllStandardError())};
}

QByteArray contentOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

QStringList filesIn(const QString& folder)
{
    return QDir(folder).entryList(QDir::Files | QDir::Hidden, QDir::Name);
}

} // namespace

/// Disks that are full, folders that are closed and saves that are killed: the old file stays.
class TestDiskFaults : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        QVERIFY(QDir::setCurrent(m_folder.path()));
        const std::vector<float> numbers(std::size_t{1} << 20, 0.1F);
        QVERIFY(writeTensorFile("large.npy", {{floats("large", {1024, 1024}, numbers)}, {}, {}}));
    }

    void aFullDeviceIsReportedForEachFormat()
    {
        for (const QString& ending : kEndings) {
            const QString name = "full." + ending;
            QVERIFY(QFile::link("/dev/full", name));
            const Run run = runProgram({"convert", "large.npy", "-o", name});
            QCOMPARE(run.errors,
                     "keyaxis: " + name + " cannot be written: No space left on device.\n");
            QCOMPARE(run.exitCode, 4);
            QVERIFY(QFileInfo(name).isSymLink());
        }
        const Run run = runProgram({"compute", hardCase("num_a3_axis.npz"), "-o", "/dev/full"});
        QCOMPARE(run.exitCode, 4);
    }

    void aDiskThatFillsUpLeavesTheOldFileAlone_data()
    {
        QTest::addColumn<QString>("ending");
        for (const QString& ending : kEndings)
            QTest::newRow(qPrintable(ending)) << ending;
    }
    void aDiskThatFillsUpLeavesTheOldFileAlone()
    {
        QFETCH(QString, ending);
        QVERIFY(QDir().mkpath("disk"));
        // A disk of 64 KB of our own, if this user may have one.
        const Run run = runScript(
            "exec unshare -Urm sh -c '"
            "mount -t tmpfs -o size=64k none disk && echo old > disk/out.$1 || exit 77; "
            "\"$0\" convert large.npy -o disk/out.$1; echo $?; ls -A disk; cat disk/out.$1' "
            "\"$0\" \"$1\"",
            {ending});
        if (run.exitCode == 77 || run.output.isEmpty())
            QSKIP("no disk can be mounted here");
        QCOMPARE(run.output, "4\nout." + ending + "\nold\n");
        QCOMPARE(run.errors,
                 "keyaxis: disk/out." + ending + " cannot be written: No space left on device.\n");
    }

    void aFileThatMayNotGrowIsReported()
    {
        QVERIFY(runScript("echo old > limited.npz").errors.isEmpty());
        const Run run = runScript("trap '' XFSZ; ulimit -f 100; \"$0\" convert large.npy -o "
                                  "limited.npz; echo $?");
        QCOMPARE(run.output, "4\n");
        QCOMPARE(run.errors, "keyaxis: limited.npz cannot be written: File too large.\n");
        QCOMPARE(contentOf("limited.npz"), QByteArray("old\n"));
        QVERIFY(filesIn(".").filter(".keyaxis-").isEmpty());
    }

    void aClosedFolderIsReported()
    {
        QVERIFY(QDir().mkpath("closed"));
        QVERIFY(QFile::copy("large.npy", "closed/out.npy"));
        QVERIFY(QFile::setPermissions("closed", QFile::ReadOwner | QFile::ExeOwner |
                                                    QFile::ReadOther | QFile::ExeOther));
        QFile::setPermissions(".", QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner |
                                       QFile::ReadOther | QFile::ExeOther);
        const QByteArray before = contentOf("closed/out.npy");
        // Root may write anywhere, so somebody else tries.
        const QString somebody =
            ::geteuid() == 0 ? "setpriv --reuid=65534 --regid=65534 --clear-groups " : "";
        if (!runScript(somebody + "\"$0\" --version").errors.isEmpty())
            QSKIP("nobody else can run the program here");
        for (const char* name : {"closed/out.npy", "closed/new.npz"}) {
            const Run run = runScript(somebody + "\"$0\" convert \"$1\" -o \"$2\"; echo $?",
                                      {hardCase("a01_fortran_2x3.npy"), name});
            QCOMPARE(run.output, "4\n");
            QCOMPARE(run.errors,
                     QString("keyaxis: %1 cannot be written: Permission denied.\n").arg(name));
        }
        QCOMPARE(contentOf("closed/out.npy"), before);
        QCOMPARE(filesIn("closed"), QStringList("out.npy"));
    }

    void aLinkStaysALink()
    {
        QVERIFY(QDir().mkpath("there"));
        QVERIFY(QFile::copy("large.npy", "there/target.npz"));
        QVERIFY(QFile::link("there/target.npz", "link.npz"));
        QCOMPARE(runProgram({"convert", hardCase("a01_fortran_2x3.npy"), "-o", "link.npz"}).errors,
                 "");
        QVERIFY(QFileInfo("link.npz").isSymLink());
        QVERIFY(readTensorFile("there/target.npz")->find("a01_fortran_2x3"));
    }

    void aKilledSaveLeavesTheOldFileOrTheNewOne()
    {
        QVERIFY(QDir().mkpath("killed"));
        QCOMPARE(runProgram({"convert", "large.npy", "-o", "killed/whole.keyaxis"}).errors, "");
        const QByteArray whole = contentOf("killed/whole.keyaxis");
        QVERIFY(QFile::remove("killed/whole.keyaxis"));
        QElapsedTimer clock;
        clock.start();
        QCOMPARE(runProgram({"convert", "large.npy", "-o", "killed/out.keyaxis"}).errors, "");
        const qint64 wholeMs = clock.elapsed() + 1;
        int nOld = 0;
        for (int n = 0; n < 24; ++n) {
            QFile old("killed/out.keyaxis");
            QVERIFY(old.open(QIODevice::WriteOnly | QIODevice::Truncate));
            old.write("old");
            old.close();
            QProcess save;
            save.start(KEYAXIS_PROGRAM, {"convert", "large.npy", "-o", "killed/out.keyaxis"});
            QVERIFY(save.waitForStarted());
            save.waitForFinished(static_cast<int>(wholeMs * n / 24));
            save.kill();
            save.waitForFinished();
            const QByteArray left = contentOf("killed/out.keyaxis");
            QVERIFY(left == "old" || left == whole);
            nOld += left == "old" ? 1 : 0;
        }
        QVERIFY(nOld > 0);                      // some were killed in time
        QVERIFY(filesIn("killed").size() <= 2); // the moment between name and rename is short
    }

    void everyLocaleReadsAndWritesTheSameBits_data()
    {
        QTest::addColumn<QString>("locale");
        QTest::newRow("comma for the decimal sign") << "de_DE";
        QTest::newRow("another lower case of I") << "tr_TR";
    }
    void everyLocaleReadsAndWritesTheSameBits()
    {
        QFETCH(QString, locale);
        const QString path = m_folder.filePath("locales");
        QVERIFY(QDir().mkpath(path));
        QProcess make;
        make.start("localedef", {"-i", locale, "-f", "UTF-8", path + "/" + locale + ".UTF-8"});
        make.waitForFinished(60'000);
        if (!QFile::exists(path + "/" + locale + ".UTF-8/LC_NUMERIC"))
            QSKIP("this locale cannot be made here");
        const QStringList there{"LOCPATH=" + path, "LC_ALL=" + locale + ".UTF-8"};
        for (const char* file : {"a45_point_decimals.csv", "a42_nan_inf_accepted.csv",
                                 "a40_semicolon_decimal_comma.csv", "a50_nan_infinity_tokens.json",
                                 "num_a6_temperature.npz"}) {
            for (const char* ending : {"json", "npz", "keyaxis", "safetensors"}) {
                const QStringList arguments{"convert", hardCase(file), "-o"};
                QCOMPARE(runProgram(arguments + QStringList(QString("here.") + ending)).exitCode,
                         0);
                const Run run =
                    runProgram(arguments + QStringList(QString("there.") + ending), there);
                QCOMPARE(run.exitCode, 0);
                QCOMPARE(contentOf(QString("there.") + ending),
                         contentOf(QString("here.") + ending));
            }
        }
        const QStringList compute{"compute",
                                  hardCase("num_a6_temperature.npz"),
                                  "--temperature",
                                  "0.5",
                                  "-o",
                                  "out.csv",
                                  "--tensor",
                                  "weights"};
        const QString line = runProgram(compute).output;
        const QByteArray csv = contentOf("out.csv");
        QCOMPARE(runProgram(compute, there).output, line);
        QCOMPARE(contentOf("out.csv"), csv);
    }

private:
    QTemporaryDir m_folder;
};

QTEST_APPLESS_MAIN(TestDiskFaults)
#include "tst_disk_faults.moc"
