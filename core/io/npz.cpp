#include "core/io/npz.h"

#include "core/io/npy.h"

#include <memory>
#include <zip.h>

namespace keyaxis {

namespace {

/// Bombs: a real archive of weights deflates by far less.
constexpr zip_uint64_t kLargestRatio = 1000;
constexpr zip_uint64_t kSmallMember = 1 << 20;

struct CloseArchive {
    void operator()(zip_t* archive) const { zip_discard(archive); }
};
using Archive = std::unique_ptr<zip_t, CloseArchive>;

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
    zip_t* archive = source ? zip_open_from_source(source, ZIP_RDONLY | ZIP_CHECKCONS, &error)
                            : nullptr;
    if (!archive) {
        if (source)
            zip_source_free(source);
        return fail(Errc::BadInput, label + ": the archive is incomplete or damaged (" +
                                        message(error) + ").");
    }
    zip_error_fini(&error);
    return Archive(archive);
}

/// The bytes of member `index`. The checksum is known only on the read after the last byte.
Result<Bytes> readMember(zip_t* archive, zip_uint64_t index, const zip_stat_t& stat,
                         const std::string& label)
{
    const auto damaged = [&](const std::string& why) {
        return fail(Errc::BadInput, label + ": the member is damaged (" + why + ").");
    };
    if (stat.encryption_method != ZIP_EM_NONE)
        return damaged("it is encrypted");
    if (stat.size > kSmallMember && stat.size / kLargestRatio > stat.comp_size)
        return fail(Errc::BadInput, label + ": the member claims to grow from " +
                                        std::to_string(stat.comp_size) + " to " +
                                        std::to_string(stat.size) + " bytes, more than " +
                                        std::to_string(kLargestRatio) + " times.");
    const std::unique_ptr<zip_file_t, int (*)(zip_file_t*)> file(
        zip_fopen_index(archive, index, 0), &zip_fclose);
    if (!file)
        return damaged(zip_strerror(archive));
    Bytes bytes(stat.size);
    zip_uint64_t nRead = 0;
    while (nRead < stat.size) {
        const zip_int64_t n = zip_fread(file.get(), bytes.data() + nRead, stat.size - nRead);
        if (n < 0)
            return damaged(zip_file_strerror(file.get()));
        if (n == 0)
            return damaged("it has " + std::to_string(nRead) + " of " + std::to_string(stat.size) +
                           " bytes");
        nRead += static_cast<zip_uint64_t>(n);
    }
    std::byte beyond{};
    const zip_int64_t end = zip_fread(file.get(), &beyond, 1);
    if (end < 0)
        return damaged(zip_file_strerror(file.get()));
    if (end > 0)
        return damaged("it has more than the " + std::to_string(stat.size) + " bytes it claims");
    return bytes;
}

std::string arrayName(std::string_view member)
{
    if (member.ends_with(".npy"))
        member.remove_suffix(4);
    return std::string(member);
}

/// A type that is not read is no reason to refuse the arrays beside it.
bool isForeignType(const Error& error)
{
    return error.message.find("its elements") != std::string::npos;
}

} // namespace

bool looksLikeZip(BytesView bytes)
{
    const std::string_view text = textOf(bytes);
    return text.starts_with("PK\x03\x04") || text.starts_with("PK\x05\x06");
}

Result<TensorFile> readNpz(BytesView bytes, const std::string& label)
{
    auto archive = openArchive(bytes, label);
    if (!archive)
        return tl::unexpected(archive.error());
    TensorFile file;
    const zip_int64_t nMembers = zip_get_num_entries(archive->get(), 0);
    for (zip_int64_t n = 0; n < nMembers; ++n) {
        const auto index = static_cast<zip_uint64_t>(n);
        zip_stat_t stat;
        zip_stat_init(&stat);
        if (zip_stat_index(archive->get(), index, 0, &stat) != 0)
            return fail(Errc::BadInput, label + ": " + zip_strerror(archive->get()) + ".");
        const std::string member = stat.name ? stat.name : "";
        if (member.ends_with('/'))
            continue;
        if (member.ends_with("data.pkl"))
            return fail(Errc::BadInput,
                        label + " is a PyTorch file; pickles are not opened. In Python: t = "
                                "torch.load(path, weights_only=True), then "
                                "safetensors.torch.save_file(t, 'tensors.safetensors').");
        const std::string memberLabel = label + ", member " + member;
        const auto content = readMember(archive->get(), index, stat, memberLabel);
        if (!content)
            return tl::unexpected(content.error());
        if (!looksLikeNpy(*content)) {
            file.notes.push_back(memberLabel + " is not an array and was passed over.");
            continue;
        }
        auto tensor = readNpy(*content, memberLabel, file.notes);
        if (!tensor && isForeignType(tensor.error())) {
            file.notes.push_back(tensor.error().message + " It was passed over.");
            continue;
        }
        if (!tensor)
            return tl::unexpected(tensor.error());
        tensor->name = arrayName(member);
        if (file.find(tensor->name))
            return fail(Errc::BadInput, label + ": two members are called " + tensor->name + ".");
        file.tensors.push_back(std::move(*tensor));
    }
    return file;
}

Result<Bytes> writeNpz(const TensorFile& file)
{
    zip_error_t error;
    zip_error_init(&error);
    zip_source_t* buffer = zip_source_buffer_create(nullptr, 0, 0, &error);
    zip_t* archive = buffer ? zip_open_from_source(buffer, ZIP_TRUNCATE, &error) : nullptr;
    if (!archive)
        return fail(Errc::BadOutput, "The archive could not be made: " + message(error) + ".");
    zip_source_keep(buffer); // the bytes are read from it after the archive is closed
    const std::unique_ptr<zip_source_t, void (*)(zip_source_t*)> keeper(buffer, &zip_source_free);

    std::vector<RawTensor> texts;
    for (const auto& [key, value] : file.metadata)
        texts.push_back({key, ElementType::Text, {1}, {}, {value}});
    std::vector<Bytes> contents; // libzip reads them when it closes the archive
    contents.reserve(file.tensors.size() + texts.size());
    const auto add = [&](const RawTensor& tensor) {
        contents.push_back(writeNpy(tensor));
        const Bytes& content = contents.back();
        zip_source_t* source = zip_source_buffer(archive, content.data(), content.size(), 0);
        const zip_int64_t index =
            zip_file_add(archive, (tensor.name + ".npy").c_str(), source, ZIP_FL_ENC_UTF_8);
        if (index < 0) {
            zip_source_free(source);
            return false;
        }
        const auto at = static_cast<zip_uint64_t>(index);
        constexpr zip_uint16_t kFirstOfJanuary1980 = 1 << 5 | 1;
        return zip_set_file_compression(archive, at, ZIP_CM_STORE, 0) == 0 &&
               zip_file_set_dostime(archive, at, 0, kFirstOfJanuary1980, 0) == 0;
    };
    bool isComplete = true;
    for (const RawTensor& tensor : file.tensors)
        isComplete = isComplete && add(tensor);
    for (const RawTensor& text : texts)
        isComplete = isComplete && add(text);
    if (!isComplete || zip_close(archive) != 0) {
        const std::string why = zip_strerror(archive);
        zip_discard(archive);
        return fail(Errc::BadOutput, "The archive could not be made: " + why + ".");
    }

    zip_stat_t stat;
    zip_stat_init(&stat);
    if (file.tensors.empty() && texts.empty()) { // libzip does not write an empty archive
        constexpr std::string_view kEmpty("PK\5\6\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 22);
        const BytesView view = bytesOf(kEmpty);
        return Bytes(view.begin(), view.end());
    }
    if (zip_source_stat(buffer, &stat) != 0 || zip_source_open(buffer) != 0)
        return fail(Errc::BadOutput, "The archive could not be read back.");
    Bytes bytes(stat.size);
    const zip_int64_t nRead = zip_source_read(buffer, bytes.data(), bytes.size());
    zip_source_close(buffer);
    if (nRead != static_cast<zip_int64_t>(bytes.size()))
        return fail(Errc::BadOutput, "The archive could not be read back.");
    return bytes;
}

} // namespace keyaxis
