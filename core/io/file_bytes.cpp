#include "core/io/file_bytes.h"

#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <optional>
#include <random>
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
    Descriptor(Descriptor&& other) noexcept : m_fd(std::exchange(other.m_fd, -1)) {}
    ~Descriptor()
    {
        if (m_fd >= 0)
            ::close(m_fd);
    }
    int get() const { return m_fd; }
    bool isOpen() const { return m_fd >= 0; }
    /// False where the system reports only now that the bytes did not arrive.
    bool close() { return ::close(std::exchange(m_fd, -1)) == 0; }

private:
    int m_fd;
};

/// While it lives, writing to a pipe that nobody reads is an error and does not end the program.
class BrokenPipeGuard {
public:
    BrokenPipeGuard()
    {
        sigemptyset(&m_pipe);
        sigaddset(&m_pipe, SIGPIPE);
        ::pthread_sigmask(SIG_BLOCK, &m_pipe, &m_before);
    }
    ~BrokenPipeGuard()
    {
        const int error = errno;
        const timespec now{};
        if (sigismember(&m_before, SIGPIPE) == 0)
            while (::sigtimedwait(&m_pipe, nullptr, &now) < 0 && errno == EINTR) {
            }
        ::pthread_sigmask(SIG_SETMASK, &m_before, nullptr);
        errno = error;
    }
    BrokenPipeGuard(const BrokenPipeGuard&) = delete;
    BrokenPipeGuard& operator=(const BrokenPipeGuard&) = delete;

private:
    sigset_t m_pipe{};
    sigset_t m_before{};
};

std::string reason()
{
    return std::strerror(errno);
}

tl::unexpected<Error> cannotRead(const fs::path& path, const std::string& why)
{
    return fail(Errc::BadInput, path.string() + " cannot be read: " + why + ".");
}

tl::unexpected<Error> cannotWrite(const fs::path& path, const std::string& why)
{
    return fail(Errc::BadOutput, path.string() + " cannot be written: " + why + ".");
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

/// The open descriptor that `path` stands for: /dev/stdout, /dev/fd/3.
std::optional<int> ownDescriptor(const fs::path& path)
{
    const std::string text = path.string();
    if (text == "/dev/stdout")
        return STDOUT_FILENO;
    if (text == "/dev/stderr")
        return STDERR_FILENO;
    for (const std::string_view folder : {"/dev/fd/", "/proc/self/fd/"}) {
        int fd = 0;
        const char* end = text.data() + text.size();
        if (text.starts_with(folder) &&
            std::from_chars(text.data() + folder.size(), end, fd).ptr == end)
            return fd;
    }
    return std::nullopt;
}

Result<void> writeDirectly(const fs::path& path, BytesView bytes)
{
    // A descriptor of our own is duplicated: opened anew, a file would be written from its start.
    const auto own = ownDescriptor(path);
    Descriptor file(own ? ::dup(*own) : ::open(path.c_str(), O_WRONLY | O_CLOEXEC));
    const BrokenPipeGuard guard;
    if (!file.isOpen() || !writeAll(file.get(), bytes) || !file.close())
        return cannotWrite(path, reason());
    return {};
}

/// Where `path` leads through symbolic links, even where the last of them leads to nothing yet.
Result<fs::path> resolved(const fs::path& path)
{
    constexpr int kMostLinks = 40; // as Linux
    fs::path target = path;
    std::error_code error;
    for (int n = 0; fs::is_symlink(fs::symlink_status(target, error)); ++n) {
        if (n == kMostLinks)
            return cannotWrite(path, std::strerror(ELOOP));
        target = target.parent_path() / fs::read_symlink(target, error);
    }
    return target;
}

fs::path folderOf(const fs::path& target)
{
    return target.has_parent_path() ? target.parent_path() : fs::path(".");
}

/// Makes a new file beside `target` by `make(name)`, which returns a negative number and errno
/// where the name is taken. Returns what `make` returned, and the name.
template <typename Make>
std::pair<int, std::string> beside(const fs::path& target, Make make)
{
    std::random_device random;
    while (true) {
        const std::string name =
            (folderOf(target) / (".keyaxis-" + std::to_string(random()))).string();
        const int made = make(name.c_str());
        if (made >= 0 || errno != EEXIST)
            return {made, name};
    }
}

/// A new file that will take the place of `target`. As long as it has no name, nothing is left of
/// it when the program is killed.
struct NewFile {
    Descriptor descriptor;
    std::string name; ///< empty: none yet
};

NewFile newFileBeside(const fs::path& target)
{
    NewFile nameless{
        Descriptor(::open(folderOf(target).c_str(), O_WRONLY | O_TMPFILE | O_CLOEXEC, 0666)), {}};
    if (nameless.descriptor.isOpen())
        return nameless;
    auto [fd, name] = beside(target, [](const char* path) { // not every file system can do without
        return ::open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    });
    return {Descriptor(fd), name};
}

/// Gives `file` a name beside `target`, if it has none.
bool giveName(NewFile& file, const fs::path& target)
{
    if (!file.name.empty())
        return true;
    const std::string own = "/proc/self/fd/" + std::to_string(file.descriptor.get());
    const auto [linked, name] = beside(target, [&](const char* path) {
        return ::linkat(AT_FDCWD, own.c_str(), AT_FDCWD, path, AT_SYMLINK_FOLLOW);
    });
    file.name = linked >= 0 ? name : "";
    return linked >= 0;
}

/// The rename is on the disk only when its folder is; where folders cannot be flushed, so be it.
void flushFolder(const fs::path& target)
{
    const Descriptor open(::open(folderOf(target).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (open.isOpen())
        ::fsync(open.get());
}

/// @param permissions  of the old file; none: as the system gives to new ones.
Result<void> replaceFile(const fs::path& path, const fs::path& target, BytesView bytes,
                         std::optional<mode_t> permissions)
{
    NewFile file = newFileBeside(target);
    Descriptor& open = file.descriptor;
    if (!open.isOpen())
        return cannotWrite(path, reason());
    const auto flushed = [&] { return ::fsync(open.get()) == 0 || errno == EINVAL; };
    if (permissions)
        ::fchmod(open.get(), *permissions); // some file systems have none
    if (writeAll(open.get(), bytes) && flushed() && giveName(file, target) && open.close() &&
        ::rename(file.name.c_str(), target.c_str()) == 0) {
        flushFolder(target);
        return {};
    }
    const std::string why = reason(); // before unlink changes it
    if (!file.name.empty())
        ::unlink(file.name.c_str());
    return cannotWrite(path, why);
}

} // namespace

Result<Bytes> readBytes(const fs::path& path)
{
    const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    struct stat info {};
    if (!file.isOpen() || ::fstat(file.get(), &info) != 0)
        return cannotRead(path, reason());
    if (S_ISDIR(info.st_mode))
        return fail(Errc::BadInput, path.string() + " is a folder, not a file of tensors.");
    if (S_ISCHR(info.st_mode) || S_ISBLK(info.st_mode))
        return fail(Errc::BadInput, path.string() + " is a device, not a file of tensors.");

    const std::string tooLarge = "more than " + std::to_string(kLargestFile) + " bytes";
    const auto claimed = static_cast<std::size_t>(S_ISREG(info.st_mode) ? info.st_size : 0);
    if (claimed > kLargestFile)
        return cannotRead(path, "it has " + std::to_string(claimed) + " bytes, " + tooLarge);
    Bytes bytes(claimed + 1); // one more, for the read that finds the end
    std::size_t nRead = 0;
    while (true) {
        if (nRead > kLargestFile)
            return cannotRead(path, "it has " + tooLarge);
        if (nRead == bytes.size())
            bytes.resize(2 * bytes.size() + 65536); // a pipe, or a file that grew
        const ssize_t n = ::read(file.get(), bytes.data() + nRead, bytes.size() - nRead);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return cannotRead(path, reason());
        if (n == 0)
            break;
        nRead += static_cast<std::size_t>(n);
    }
    bytes.resize(nRead);
    return bytes;
}

bool isStream(const fs::path& path)
{
    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    return ownDescriptor(path) || (fs::exists(status) && fs::is_other(status));
}

Result<void> writeBytes(const fs::path& path, BytesView bytes)
{
    if (isStream(path))
        return writeDirectly(path, bytes);
    const auto target = resolved(path);
    if (!target)
        return tl::unexpected(target.error());
    struct stat info {};
    if (::stat(target->c_str(), &info) != 0)
        return replaceFile(path, *target, bytes, std::nullopt);
    if (S_ISDIR(info.st_mode))
        return cannotWrite(path, "it is a folder");
    if (::access(target->c_str(), W_OK) != 0) // a rename would not ask
        return cannotWrite(path, reason());
    return replaceFile(path, *target, bytes, info.st_mode & 07777);
}

} // namespace keyaxis
