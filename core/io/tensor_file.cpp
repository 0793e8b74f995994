#include "core/io/tensor_file.h"

#include "core/io/ascii.h"
#include "core/io/bracket_text.h"
#include "core/io/delimited_text.h"
#include "core/io/figure_session.h"
#include "core/io/foreign_format.h"
#include "core/io/json_text.h"
#include "core/io/npy.h"
#include "core/io/npz.h"
#include "core/io/pickle.h"
#include "core/io/safetensors.h"
#include "core/io/session_text.h"
#include "core/io/text_items.h"

#include <algorithm>
#include <array>
#include <new>
#include <stdexcept>

namespace keyaxis {

namespace {

Result<Bytes> asBytes(std::string_view text)
{
    const BytesView view = bytesOf(text);
    return Bytes(view.begin(), view.end());
}

/// `file` as a session; what its metadata say about the settings counts on reading.
TensorFile withSession(TensorFile file)
{
    if (file.session.empty())
        file.session = "{\"version\": " + std::to_string(kSessionVersion) + "}\n";
    return file;
}

/// A format that is written. `encode` gets one tensor where no more fit.
struct Format {
    std::string_view ending;
    bool holdsSeveral = true;
    Result<Bytes> (*encode)(TensorFile) = nullptr;
};

constexpr std::array kFormats{
    Format{".npz", true, [](TensorFile file) { return writeNpz(file); }},
    Format{".npy", false,
           [](TensorFile file) -> Result<Bytes> { return writeNpy(file.tensors.front()); }},
    Format{".safetensors", true, [](TensorFile file) { return writeSafetensors(file); }},
    Format{".csv", false, [](TensorFile file) { return asBytes(writeCsv(file.tensors.front())); }},
    Format{".json", true, [](TensorFile file) { return writeJson(file).and_then(asBytes); }},
    Format{".keyaxis", true,
           [](TensorFile file) { return writeNpz(withSession(std::move(file))); }},
};

/// "`.npz, .npy or .csv`" of those formats that `isMeant`.
template <typename Meant>
std::string listed(Meant isMeant)
{
    std::vector<std::string_view> endings;
    for (const Format& format : kFormats)
        if (isMeant(format))
            endings.push_back(format.ending);
    std::string text;
    for (std::size_t n = 0; n < endings.size(); ++n)
        text += (n == 0 ? "" : n + 1 == endings.size() ? " or " : ", ") + std::string(endings[n]);
    return text;
}

std::string endingOf(const std::filesystem::path& path)
{
    return lowerAscii(path.extension().string());
}

Result<TensorFile> readLoneNpy(BytesView bytes, const std::string& label,
                               const FileChoices& choices)
{
    TensorFile file;
    auto tensor = readNpy(bytes, label, file.notes, choices.opaqueType);
    if (!tensor)
        return tl::unexpected(tensor.error());
    file.tensors.push_back(std::move(*tensor));
    return file;
}

/// `file`, unless nothing of it can be read: then the first reason why.
Result<TensorFile> unlessAllSkipped(TensorFile file)
{
    if (file.tensors.empty() && !file.skipped.empty())
        return tl::unexpected(file.skipped.begin()->second);
    return file;
}

Result<TensorFile> readText(BytesView bytes, const std::filesystem::path& path,
                            const FileChoices& choices)
{
    const std::string label = path.string();
    const std::string ending = endingOf(path);
    const std::optional<std::string> text = plainText(bytes);
    if (text && looksBracketed(*text))
        return readBrackets(*text, label);
    // A name that promises a table gets a message with row and column.
    const bool isTable = ending == ".csv" || ending == ".tsv";
    if (text && (isTable || looksDelimited(*text, choices.table)))
        return readDelimited(*text, label, choices.table);
    return fail(Errc::BadInput, label + " is neither a .npz, a .npy nor a .safetensors file, nor "
                                        "JSON, a table of numbers or the print of an array.");
}

/// What `bytes` hold; an array without a name is called as the file.
Result<TensorFile> decoded(BytesView bytes, const std::filesystem::path& path,
                           const FileChoices& choices)
{
    const std::string label = path.string();
    if (bytes.empty())
        return fail(Errc::BadInput, label + " is empty (0 bytes).");
    if (looksLikeZip(bytes))
        return readNpz(bytes, label, choices.opaqueType);
    if (looksLikeNpy(bytes))
        return readLoneNpy(bytes, label, choices);
    if (looksLikePickle(bytes))
        return fail(Errc::BadInput, pickleRefusal(label));
    if (figureFormat(bytes))
        return sessionInFigure(bytes, label).and_then([&](const Bytes& session) {
            return readNpz(session, label, choices.opaqueType);
        });
    // A cut or lying .safetensors file may not look like one any more; its name still says so.
    if (looksLikeSafetensors(bytes) || endingOf(path) == ".safetensors")
        return readSafetensors(bytes, label);
    if (const std::string foreign = foreignFormat(bytes); !foreign.empty())
        return fail(Errc::BadInput, label + " " + foreign + ".");
    return readText(bytes, path, choices);
}

TensorFile named(TensorFile file, const std::filesystem::path& path)
{
    if (file.tensors.size() == 1 && file.tensors.front().name.empty())
        file.tensors.front().name = path.stem().string();
    return file;
}

Result<Bytes> encoded(const std::string& ending, const TensorFile& file)
{
    const auto format = std::ranges::find(kFormats, ending, &Format::ending);
    if (format == kFormats.end())
        return fail(Errc::BadValue, "'" + ending + "' is not a format that is written; it may be " +
                                        writableEndings() + ".");
    if (!format->holdsSeveral && file.tensors.size() != 1)
        return fail(Errc::BadValue, "A " + ending + " file holds one tensor and there are " +
                                        std::to_string(file.tensors.size()) +
                                        "; choose one with --tensor, or write " +
                                        listed([](const Format& f) { return f.holdsSeveral; }) +
                                        ".");
    return format->encode(file);
}

/// What `work` returns, or an error of `code` where the memory does not suffice for it.
template <typename Work>
auto withinMemory(const std::filesystem::path& path, Errc code, Work work) -> decltype(work())
{
    const auto tooLarge = [&] {
        return fail(code, path.string() + " needs more memory than there is.");
    };
    try {
        return work();
    } catch (const std::bad_alloc&) {
        return tooLarge();
    } catch (const std::length_error&) {
        return tooLarge();
    }
}

} // namespace

Result<TensorFile> readTensorFile(const std::filesystem::path& path, const FileChoices& choices)
{
    return withinMemory(path, Errc::BadInput, [&] {
        return readBytes(path)
            .and_then([&](const Bytes& bytes) { return decoded(bytes, path, choices); })
            .and_then(unlessAllSkipped)
            .map([&](TensorFile file) { return named(std::move(file), path); });
    });
}

std::string writableEndings()
{
    return listed([](const Format&) { return true; });
}

bool isWritable(const std::filesystem::path& path)
{
    const std::string ending = endingOf(path);
    return std::ranges::find(kFormats, ending, &Format::ending) != kFormats.end() ||
           (ending.empty() && isStream(path));
}

bool holdsMetadata(const std::filesystem::path& path)
{
    const auto format = std::ranges::find(kFormats, endingOf(path), &Format::ending);
    return format == kFormats.end() || format->holdsSeveral;
}

bool holdsSession(const std::filesystem::path& path)
{
    const std::string ending = endingOf(path);
    return ending.empty() || ending == ".npz" || ending == ".keyaxis";
}

Result<void> writeTensorFile(const std::filesystem::path& path, const TensorFile& file)
{
    std::string ending = endingOf(path);
    if (ending.empty() && isStream(path))
        ending = ".npz";
    return withinMemory(path, Errc::BadOutput, [&] {
        return encoded(ending, file).and_then([&](const Bytes& bytes) {
            return writeBytes(path, bytes);
        });
    });
}

} // namespace keyaxis
