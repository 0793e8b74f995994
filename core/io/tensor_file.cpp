#include "core/io/tensor_file.h"

#include "core/io/delimited_text.h"
#include "core/io/npy.h"
#include "core/io/npz.h"
#include "core/io/safetensors.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace keyaxis {

namespace {

std::string lowerExtension(const std::filesystem::path& path)
{
    std::string ending = path.extension().string();
    std::ranges::transform(ending, ending.begin(),
                           [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return ending;
}

constexpr std::array<std::string_view, 4> kEndings{".npz", ".npy", ".safetensors", ".csv"};

bool isPipeOrDevice(const std::filesystem::path& path)
{
    std::error_code error;
    const auto status = std::filesystem::status(path, error);
    return std::filesystem::is_fifo(status) || std::filesystem::is_character_file(status) ||
           std::filesystem::is_socket(status);
}

Result<Bytes> encoded(const std::string& ending, const TensorFile& file)
{
    if (ending == ".npz")
        return writeNpz(file);
    if (ending == ".safetensors")
        return writeSafetensors(file);
    if (ending != ".npy" && ending != ".csv")
        return fail(Errc::BadValue, "'" + ending + "' is not a format that is written; .npz, .npy, "
                                                   ".safetensors and .csv are.");
    if (file.tensors.size() != 1)
        return fail(Errc::BadValue, "A " + ending + " file holds one tensor and there are " +
                                        std::to_string(file.tensors.size()) +
                                        "; choose one with --tensor, or write .npz or .safetensors.");
    if (ending == ".npy")
        return writeNpy(file.tensors.front());
    const std::string csv = writeCsv(file.tensors.front());
    const BytesView view = bytesOf(csv);
    return Bytes(view.begin(), view.end());
}

} // namespace

Result<TensorFile> readTensorFile(const std::filesystem::path& path)
{
    const auto bytes = readBytes(path);
    if (!bytes)
        return tl::unexpected(bytes.error());
    const std::string label = path.string();
    if (bytes->empty())
        return fail(Errc::BadInput, label + " is empty (0 bytes).");
    if (looksLikeZip(*bytes))
        return readNpz(*bytes, label);
    if (looksLikeNpy(*bytes)) {
        TensorFile file;
        auto tensor = readNpy(*bytes, label, file.notes);
        if (!tensor)
            return tl::unexpected(tensor.error());
        tensor->name = path.stem().string();
        file.tensors.push_back(std::move(*tensor));
        return file;
    }
    // A cut or lying .safetensors file may not look like one any more; its name still says so.
    if (looksLikeSafetensors(*bytes) || lowerExtension(path) == ".safetensors")
        return readSafetensors(*bytes, label);
    return fail(Errc::BadInput, label + " is neither a .npz, a .npy nor a .safetensors file.");
}

std::span<const std::string_view> writableEndings() { return kEndings; }

Result<void> writeTensorFile(const std::filesystem::path& path, const TensorFile& file)
{
    std::string ending = lowerExtension(path);
    if (ending.empty() && isPipeOrDevice(path))
        ending = ".npz";
    const auto bytes = encoded(ending, file);
    if (!bytes)
        return tl::unexpected(bytes.error());
    return writeBytes(path, *bytes);
}

} // namespace keyaxis
