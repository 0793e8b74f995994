#include "core/io/file_bytes.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <sys/stat.h>

using namespace keyaxis;

namespace {

std::filesystem::path inside(const QTemporaryDir& folder, const char* name)
{
    return folder.filePath(name).toStdString();
}

} // namespace

class TestFileBytes : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void replacesAFileAsAWhole()
    {
        const QTemporaryDir folder;
        const auto path = inside(folder, "a");
        QVERIFY(writeBytes(path, bytesOf("one")));
        ::chmod(path.c_str(), 0640);
        QVERIFY(writeBytes(path, bytesOf("three")));
        QCOMPARE(textOf(readBytes(path).value()), std::string_view("three"));
        struct stat info {};
        ::stat(path.c_str(), &info);
        QCOMPARE(info.st_mode & 0777, mode_t(0640));
        QCOMPARE(QDir(folder.path()).entryList(QDir::Files), QStringList{"a"});
    }

    void aSymbolicLinkKeepsItsTarget()
    {
        const QTemporaryDir folder;
        QVERIFY(writeBytes(inside(folder, "target"), bytesOf("old")));
        std::filesystem::create_symlink("target", inside(folder, "link"));
        QVERIFY(writeBytes(inside(folder, "link"), bytesOf("new")));
        QVERIFY(std::filesystem::is_symlink(inside(folder, "link")));
        QCOMPARE(textOf(readBytes(inside(folder, "target")).value()), std::string_view("new"));
    }

    void aFullDeviceIsReported()
    {
        const auto written = writeBytes("/dev/full", bytesOf("x"));
        QVERIFY(!written);
        QCOMPARE(written.error().code, Errc::BadOutput);
        QVERIFY(written.error().message.starts_with("/dev/full cannot be written: "));
        QVERIFY(writeBytes("/dev/null", bytesOf("x")));
    }

    void foldersAndMissingPlacesAreReported()
    {
        const QTemporaryDir folder;
        QCOMPARE(writeBytes(folder.path().toStdString(), bytesOf("x")).error().code,
                 Errc::BadOutput);
        QCOMPARE(writeBytes(inside(folder, "no/such"), bytesOf("x")).error().code, Errc::BadOutput);
        QCOMPARE(readBytes(folder.path().toStdString()).error().code, Errc::BadInput);
        QVERIFY(readBytes(inside(folder, "missing")).error().message.find("No such file") !=
                std::string::npos);
    }
};

QTEST_APPLESS_MAIN(TestFileBytes)
#include "tst_file_bytes.moc"
