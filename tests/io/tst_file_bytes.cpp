#include "core/io/file_bytes.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <csignal>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

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

    void aLinkToNothingYetKeepsItsTarget()
    {
        const QTemporaryDir folder;
        std::filesystem::create_symlink("later", inside(folder, "second"));
        std::filesystem::create_symlink("second", inside(folder, "first"));
        QVERIFY(writeBytes(inside(folder, "first"), bytesOf("new")));
        QVERIFY(std::filesystem::is_symlink(inside(folder, "first")));
        QCOMPARE(textOf(readBytes(inside(folder, "later")).value()), std::string_view("new"));
    }

    void aRingOfLinksIsReported()
    {
        const QTemporaryDir folder;
        std::filesystem::create_symlink("b", inside(folder, "a"));
        std::filesystem::create_symlink("a", inside(folder, "b"));
        QCOMPARE(writeBytes(inside(folder, "a"), bytesOf("x")).error().code, Errc::BadOutput);
        QVERIFY(std::filesystem::is_symlink(inside(folder, "a")));
    }

    void aNewFileHasTheUsualPermissions()
    {
        const QTemporaryDir folder;
        const mode_t before = ::umask(027);
        QVERIFY(writeBytes(inside(folder, "a"), bytesOf("x")));
        ::umask(before);
        struct stat info {};
        ::stat(inside(folder, "a").c_str(), &info);
        QCOMPARE(info.st_mode & 0777, mode_t(0640));
    }

    void aFailedWriteLeavesTheOldFileAlone()
    {
        const QTemporaryDir folder;
        const auto path = inside(folder, "a");
        QVERIFY(writeBytes(path, bytesOf("old")));
        rlimit before{};
        ::getrlimit(RLIMIT_FSIZE, &before);
        const rlimit small{1000, before.rlim_max};
        const auto handler = ::signal(SIGXFSZ, SIG_IGN);
        ::setrlimit(RLIMIT_FSIZE, &small); // a disk that is full after 1000 bytes
        const auto written = writeBytes(path, bytesOf(std::string(5000, 'n')));
        ::setrlimit(RLIMIT_FSIZE, &before);
        ::signal(SIGXFSZ, handler);
        QVERIFY(!written);
        QCOMPARE(written.error().code, Errc::BadOutput);
        QCOMPARE(textOf(readBytes(path).value()), std::string_view("old"));
        QCOMPARE(QDir(folder.path()).entryList(QDir::Files | QDir::Hidden), QStringList{"a"});
    }

    void aDescriptorOfOurOwnIsWrittenWhereItStands()
    {
        const QTemporaryDir folder;
        const auto path = inside(folder, "a");
        const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT, 0600);
        QCOMPARE(::write(fd, "head ", 5), ssize_t(5));
        const std::string name = "/dev/fd/" + std::to_string(fd);
        QVERIFY(isStream(name) && isStream("/dev/stdout") && !isStream(path));
        QVERIFY(writeBytes(name, bytesOf("tail")));
        ::close(fd);
        QCOMPARE(textOf(readBytes(path).value()), std::string_view("head tail"));
    }

    void aReaderThatIsGoneIsAnError()
    {
        int ends[2];
        QCOMPARE(::pipe(ends), 0);
        ::close(ends[0]);
        const auto written = writeBytes("/dev/fd/" + std::to_string(ends[1]), bytesOf("x"));
        ::close(ends[1]);
        QVERIFY(!written); // and SIGPIPE did not end the program
        QCOMPARE(written.error().code, Errc::BadOutput);
        QVERIFY(written.error().message.find("Broken pipe") != std::string::npos);
    }

    void aPipeIsReadToItsEnd()
    {
        int ends[2];
        QCOMPARE(::pipe(ends), 0);
        const std::string text(50000, 'x');
        QCOMPARE(::write(ends[1], text.data(), text.size()), ssize_t(text.size()));
        ::close(ends[1]);
        const auto read = readBytes("/dev/fd/" + std::to_string(ends[0]));
        ::close(ends[0]);
        QCOMPARE(textOf(read.value()), std::string_view(text));
    }

    void devicesAndHugeFilesAreRefusedBeforeTheyAreRead()
    {
        QCOMPARE(readBytes("/dev/zero").error().message,
                 std::string("/dev/zero is a device, not a file of tensors."));
        const QTemporaryDir folder;
        const auto path = inside(folder, "huge");
        QVERIFY(writeBytes(path, {}));
        std::filesystem::resize_file(path, kLargestFile + 1); // a hole: takes no room
        const auto read = readBytes(path);
        QVERIFY(!read);
        QVERIFY(read.error().message.find("it has 8589934593 bytes") != std::string::npos);
    }
};

QTEST_APPLESS_MAIN(TestFileBytes)
#include "tst_file_bytes.moc"
