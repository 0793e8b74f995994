#include "core/io/file_bytes.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace keyaxis {

namespace {

namespace fs = std::filesystem;

/// A file descriptor that is closed at the end of its scope.
class Descriptor {
public:
    explicit Descriptor(int fd) : m_fd(fd) {}
    ~Descriptor()
    {
        if (m_fd >= 0)
            ::close(m_fd);
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    int get() const { return m_fd; }
    bool isOpen() const { return m_fd >= 0; }
    /// False where the system reports only now that the bytes did not arrive.
    bool close() { return ::close(std::exchange(m_fd, -1)) == 0; }

private:
    int m_fd;
};

std::string reason() { return std::strerror(errno); }

tl::unexpected<Error> cannotRead(const fs::path& path)
{
    return fail(Errc::BadInput, path.string() + " cannot be read: " + reason() + ".");
}

tl::unexpected<Error> cannotWrite(const fs::path& path)
{
    return fail(Errc::BadOutput, path.string() + " cannot be written: " + reason() + ".");
}

bool writeAll(int fd, BytesView bytes)
{
    while (!bytes.empty()) {
        const ssize_t n = ::write(fd, bytes.data(), bytes.size());
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return false;
        bytes = bytes.subspan(static_cast<std::size_t>(n));
    }
    return true;
}

Result<void> writeDirectly(const fs::path& path, BytesView bytes)
{
    Descriptor file(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
    if (!file.isOpen() || !writeAll(file.get(), bytes) || !file.close())
        return cannotWrite(path);
    return {};
}

Result<void> replaceFile(const fs::path& path, const fs::path& target, BytesView bytes,
                         mode_t permissions)
{
    std::string name = target.string() + ".XXXXXX";
    Descriptor file(::mkostemp(name.data(), O_CLOEXEC));
    if (!file.isOpen())
        return cannotWrite(path);
    const bool isWritten = writeAll(file.get(), bytes) &&
                           ::fchmod(file.get(), permissions) == 0 && ::fsync(file.get()) == 0 &&
                           file.close() && ::rename(name.c_str(), target.c_str()) == 0;
    if (!isWritten) {
        const auto error = cannotWrite(path); // before unlink changes errno
        ::unlink(name.c_str());
        return error;
    }
    return {};
}

} // namespace

Result<Bytes> readBytes(const fs::path& path)
{
    const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    struct stat info {};
    if (!file.isOpen() || ::fstat(file.get(), &info) != 0)
        return cannotRead(path);
    if (S_ISDIR(info.st_mode))
        return fail(Errc::BadInput, path.string() + " is a folder, not a file of tensors.");

    Bytes bytes(static_cast<std::size_t>(S_ISREG(info.st_mode) ? info.st_size : 0));
    std::size_t nRead = 0;
    while (true) {
        if (nRead == bytes.size())
            bytes.resize(bytes.size() + 65536); // a pipe, or a file that grew; one probe for others
        const ssize_t n = ::read(file.get(), bytes.data() + nRead, bytes.size() - nRead);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return cannotRead(path);
        if (n == 0)
            break;
        nRead += static_cast<std::size_t>(n);
    }
    bytes.resize(nRead);
    return bytes;
}

Result<void> writeBytes(const fs::path& path, BytesView bytes)
{
    std::error_code error;
    const fs::path resolved = fs::weakly_canonical(path, error); // through symbolic links
    const fs::path target = error ? path : resolved;
    struct stat info {};
    if (::stat(target.c_str(), &info) != 0) {
        const mode_t mask = ::umask(0);
        ::umask(mask);
        return replaceFile(path, target, bytes, 0666 & ~mask);
    }
    if (S_ISDIR(info.st_mode))
        return fail(Errc::BadOutput, path.string() + " cannot be written: it is a folder.");
    if (!S_ISREG(info.st_mode))
        return writeDirectly(path, bytes);
    if (::access(target.c_str(), W_OK) != 0)
        return cannotWrite(path);
    return replaceFile(path, target, bytes, info.st_mode & 07777);
}

} // namespace keyaxis
