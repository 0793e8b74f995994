#include "core/io/npz.h"

#include "core/io/npy.h"
#include "core/io/pickle.h"
#include "core/io/session_text.h"

#include <algorithm>
#include <memory>
#include <set>
#include <zip.h>

namespace keyaxis {

namespace {

/// Deflate makes at most 1032 bytes of one; whoever claims more lies.
constexpr zip_uint64_t kLargestGrowth = 1032;

/// Token names are the bulk of it; a million of them is far more than any attention has.
constexpr std::size_t kLargestSession = std::size_t{1} << 26;

/// Read first of a member: holds the longest header that is read.
constexpr std::size_t kFirstBytes = std::size_t{1} << 16;

struct CloseArchive {
    void operator()(zip_t* archive) const { zip_discard(archive); }
};
using Archive = std::unique_ptr<zip_t, CloseArchive>;
using SourceKeeper = std::unique_ptr<zip_source_t, void (*)(zip_source_t*)>;

std::string message(zip_error_t& error)
{
    std::string text = zip_error_strerror(&error);
    zip_error_fini(&error);
    return text;
}

Result<Archive> openArchive(BytesView bytes, const std::string& label)
{
    if (!looksLikeZip(bytes)) // libzip takes nothing at all for an empty archive
        return fail(Errc::BadInput, label + ": it does not begin as an archive does.");
    zip_error_t error;
    zip_error_init(&error);
    zip_source_t* source = zip_source_buffer_create(bytes.data(), bytes.size(), 0, &error);
    zip_t* archive =
        source ? zip_open_from_source(source, ZIP_RDONLY | ZIP_CHECKCONS, &error) : nullptr;
    if (!archive) {
        if (source)
            zip_source_free(source);
        if (zip_error_code_zip(&error) == ZIP_ER_EXISTS) {
            zip_error_fini(&error);
            return fail(Errc::BadInput, label + ": two of its members have the same name.");
        }
        return fail(Errc::BadInput,
                    label + ": the archive is incomplete or damaged (" + message(error) + ").");
    }
    zip_error_fini(&error);
    return Archive(archive);
}

/// One member of an archive that is being read.
class Member {
public:
    Member(zip_t* archive, const zip_stat_t& stat, const std::string& label)
        : m_archive(archive), m_stat(stat), m_label(label), m_file(nullptr, &zip_fclose)
    {
    }

    /// @param nArchiveBytes  of the whole archive.
    Result<void> open(std::size_t nArchiveBytes)
    {
        if (m_stat.encryption_method != ZIP_EM_NONE)
            return damaged("it is encrypted");
        if (m_stat.comp_size > nArchiveBytes || m_stat.size / kLargestGrowth > m_stat.comp_size)
            return damaged("it claims to hold " + std::to_string(m_stat.size) + " bytes in " +
                           std::to_string(m_stat.comp_size) + " of the " +
                           std::to_string(nArchiveBytes) + " bytes of the archive");
        m_file.reset(zip_fopen_index(m_archive, m_stat.index, 0));
        if (m_file)
            return {};
        if (zip_error_code_zip(zip_get_error(m_archive)) == ZIP_ER_COMPNOTSUPP)
            return fail(Errc::BadInput, m_label + ": the member is compressed in a way that is not "
                                                  "read; save it with numpy.savez_compressed.");
        return damaged(zip_strerror(m_archive));
    }

    /// Fills `bytes` from `nRead` on; fewer bytes are an error.
    Result<void> read(Bytes& bytes, std::size_t nRead = 0)
    {
        while (nRead < bytes.size()) {
            const zip_int64_t n =
                zip_fread(m_file.get(), bytes.data() + nRead, bytes.size() - nRead);
            if (n < 0)
                return damaged(zip_file_strerror(m_file.get()));
            if (n == 0)
                return damaged("it ends before the " + std::to_string(m_stat.size) +
                               " bytes that it claims");
            nRead += static_cast<std::size_t>(n);
        }
        return {};
    }

    /// Reads what is left, in small pieces. libzip checks the sum on the read after the last byte.
    Result<void> finish()
    {
        Bytes piece(kFirstBytes);
        while (true) {
            const zip_int64_t n = zip_fread(m_file.get(), piece.data(), piece.size());
            if (n < 0)
                return damaged(zip_file_strerror(m_file.get()));
            if (n == 0)
                return {};
        }
    }

private:
    tl::unexpected<Error> damaged(const std::string& why) const
    {
        return fail(Errc::BadInput, m_label + ": the member is damaged (" + why + ").");
    }

    zip_t* m_archive;
    const zip_stat_t& m_stat;
    const std::string& m_label;
    std::unique_ptr<zip_file_t, int (*)(zip_file_t*)> m_file;
};

std::string arrayName(std::string_view member)
{
    if (member.ends_with(".npy"))
        member.remove_suffix(4);
    return std::string(member);
}

class Reader {
public:
    Reader(zip_t* archive, std::size_t nBytes, const std::string& label,
           std::optional<ElementType> opaqueType)
        : m_archive(archive), m_nArchiveBytes(nBytes), m_label(label), m_opaqueType(opaqueType)
    {
    }

    Result<TensorFile> read()
    {
        const zip_int64_t nMembers = zip_get_num_entries(m_archive, 0);
        for (zip_int64_t n = 0; n < nMembers; ++n) {
            zip_stat_t stat;
            zip_stat_init(&stat);
            if (zip_stat_index(m_archive, static_cast<zip_uint64_t>(n), 0, &stat) != 0)
                return fail(Errc::BadInput, m_label + ": " + zip_strerror(m_archive) + ".");
            if (const auto done = readMember(stat); !done)
                return tl::unexpected(done.error());
        }
        if (m_file.tensors.empty() && m_file.skipped.empty() && !m_file.notes.empty())
            return fail(Errc::BadInput, m_label + whyNoArrays());
        return std::move(m_file);
    }

private:
    /// Of an archive whose members are something else.
    std::string whyNoArrays() const
    {
        const bool isOffice = zip_name_locate(m_archive, "[Content_Types].xml", 0) >= 0;
        return isOffice ? " is an Office document; save its table as .csv or copy its cells."
                        : " is an archive without any array (.npy) in it.";
    }

    Result<void> readMember(const zip_stat_t& stat)
    {
        const std::string name = stat.name ? stat.name : "";
        if (name.ends_with('/'))
            return {};
        if (name == "data.pkl" || name.ends_with("/data.pkl"))
            return fail(Errc::BadInput, pickleRefusal(m_label));
        const std::string label = m_label + ", member " + name;
        Member member(m_archive, stat, label);
        if (const auto opened = member.open(m_nArchiveBytes); !opened)
            return opened;
        if (name == kSessionMember)
            return readSession(member, stat.size, label);
        Bytes first(std::min<std::size_t>(stat.size, kFirstBytes));
        if (const auto done = member.read(first); !done)
            return done;
        if (!looksLikeNpy(first)) {
            m_file.notes.push_back(label + " is not an array and was passed over.");
            return name.ends_with(".npy") ? member.finish() : Result<void>(); // damage is damage
        }
        return readArray(member, arrayName(name), stat.size, std::move(first), label);
    }

    Result<void> readSession(Member& member, std::size_t size, const std::string& label)
    {
        if (!m_file.session.empty())
            return fail(Errc::BadInput, label + ": two members have this name.");
        if (size > kLargestSession)
            return fail(Errc::BadInput, label + " has " + std::to_string(size) +
                                            " bytes; at most " + std::to_string(kLargestSession) +
                                            " are read.");
        Bytes bytes(size);
        if (const auto done = member.read(bytes); !done)
            return done;
        m_file.session = textOf(bytes);
        return member.finish();
    }

    /// @param first  the beginning of the member, which has `size` bytes.
    Result<void> readArray(Member& member, const std::string& name, std::size_t size, Bytes first,
                           const std::string& label)
    {
        const auto header = parseNpyHeader(first, label, m_opaqueType);
        if (!header)
            return tl::unexpected(header.error());
        if (!m_names.insert(name).second)
            return fail(Errc::BadInput, label + ": two members have this name.");
        if (!header->type) {
            m_file.skipped[name] = {header->isOpaque ? Errc::Ambiguous : Errc::BadInput,
                                    label + ": " + header->whyUnread + "."};
            return member.finish();
        }
        const std::size_t nBytes = header->nDataBytes();
        const std::size_t nThere = size - header->size;
        if (nBytes > nThere)
            return fail(Errc::BadInput, label + ": its shape " + shapeText(header->shape) +
                                            " needs " + std::to_string(nBytes) +
                                            " bytes of data and " + std::to_string(nThere) +
                                            " are there.");
        m_nAllBytes += nBytes;
        if (nBytes > kLargestFile || m_nAllBytes > kLargestFile)
            return fail(Errc::BadInput, label + ": the arrays up to here need " +
                                            std::to_string(m_nAllBytes) + " bytes; at most " +
                                            std::to_string(kLargestFile) + " are read.");
        if (nBytes < nThere)
            m_file.notes.push_back(label + ": " + std::to_string(nThere - nBytes) +
                                   " bytes after the array were passed over.");

        Bytes data(first.begin() + static_cast<std::ptrdiff_t>(header->size), first.end());
        const std::size_t nRead = std::min(data.size(), nBytes);
        data.resize(nBytes);
        if (const auto done = member.read(data, nRead); !done)
            return done;
        if (const auto done = member.finish(); !done)
            return done;
        RawTensor tensor = npyTensor(*header, std::move(data));
        tensor.name = name;
        m_file.tensors.push_back(std::move(tensor));
        return {};
    }

    zip_t* m_archive;
    std::size_t m_nArchiveBytes;
    const std::string& m_label;
    std::optional<ElementType> m_opaqueType;
    std::set<std::string> m_names;
    std::size_t m_nAllBytes = 0;
    TensorFile m_file;
};

/// Members that are to be written; libzip reads them when it closes the archive.
Result<std::vector<std::pair<std::string, Bytes>>> membersOf(const TensorFile& file)
{
    std::vector<std::pair<std::string, Bytes>> members;
    for (const RawTensor& tensor : file.tensors)
        members.emplace_back(tensor.name + ".npy", writeNpy(tensor));
    for (const auto& [key, value] : file.metadata)
        members.emplace_back(key + ".npy", writeNpy({key, ElementType::Text, {}, {}, {value}}));
    if (!file.session.empty()) {
        const BytesView text = bytesOf(file.session);
        members.emplace_back(kSessionMember, Bytes(text.begin(), text.end()));
    }
    std::set<std::string_view> names;
    for (const auto& [name, content] : members)
        if (!names.insert(name).second)
            return fail(Errc::BadValue, "A .npz file cannot hold two members called " + name + ".");
    return members;
}

/// Adds one stored member with a fixed date.
bool add(zip_t* archive, const std::string& name, const Bytes& content)
{
    constexpr zip_uint16_t kFirstOfJanuary1980 = 1 << 5 | 1;
    zip_source_t* source = zip_source_buffer(archive, content.data(), content.size(), 0);
    const zip_int64_t index =
        source ? zip_file_add(archive, name.c_str(), source, ZIP_FL_ENC_UTF_8) : -1;
    if (index < 0) {
        zip_source_free(source);
        return false;
    }
    const auto at = static_cast<zip_uint64_t>(index);
    return zip_set_file_compression(archive, at, ZIP_CM_STORE, 0) == 0 &&
           zip_file_set_dostime(archive, at, 0, kFirstOfJanuary1980, 0) == 0;
}

Result<Bytes> contentOf(zip_source_t* source)
{
    zip_stat_t stat;
    zip_stat_init(&stat);
    const auto failed = [] { return fail(Errc::BadOutput, "The archive could not be read back."); };
    if (zip_source_stat(source, &stat) != 0 || zip_source_open(source) != 0)
        return failed();
    Bytes bytes(stat.size);
    const zip_int64_t nRead = zip_source_read(source, bytes.data(), bytes.size());
    zip_source_close(source);
    if (nRead != static_cast<zip_int64_t>(bytes.size()))
        return failed();
    return bytes;
}

} // namespace

bool looksLikeZip(BytesView bytes)
{
    const std::string_view text = textOf(bytes);
    return text.starts_with("PK\x03\x04") || text.starts_with("PK\x05\x06");
}

Result<TensorFile> readNpz(BytesView bytes, const std::string& label,
                           std::optional<ElementType> opaqueType)
{
    auto archive = openArchive(bytes, label);
    if (!archive)
        return tl::unexpected(archive.error());
    return Reader(archive->get(), bytes.size(), label, opaqueType).read();
}

Result<Bytes> writeNpz(const TensorFile& file)
{
    const auto members = membersOf(file);
    if (!members)
        return tl::unexpected(members.error());
    if (members->empty()) { // libzip does not write an empty archive
        constexpr std::string_view kEmpty("PK\5\6\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 22);
        const BytesView view = bytesOf(kEmpty);
        return Bytes(view.begin(), view.end());
    }

    zip_error_t error;
    zip_error_init(&error);
    zip_source_t* buffer = zip_source_buffer_create(nullptr, 0, 0, &error);
    zip_t* archive = buffer ? zip_open_from_source(buffer, ZIP_TRUNCATE, &error) : nullptr;
    if (!archive)
        return fail(Errc::BadOutput, "The archive could not be made: " + message(error) + ".");
    zip_source_keep(buffer); // the bytes are read from it after the archive is closed
    const SourceKeeper keeper(buffer, &zip_source_free);
    const bool isComplete = std::ranges::all_of(
        *members, [&](const auto& member) { return add(archive, member.first, member.second); });
    if (!isComplete || zip_close(archive) != 0) {
        const std::string why = zip_strerror(archive);
        zip_discard(archive);
        return fail(Errc::BadOutput, "The archive could not be made: " + why + ".");
    }
    return contentOf(buffer);
}

} // namespace keyaxis
