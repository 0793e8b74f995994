#include "core/io/safetensors.h"

#include "core/io/ascii.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

namespace keyaxis {

namespace {

using Json = nlohmann::json;

constexpr std::uint64_t kLongestHeader = 100'000'000; // the reference implementation's limit
constexpr int kDeepest = 4;
constexpr std::string_view kMetadata = "__metadata__";

/// A type of the format; without `type` it is known and not read.
struct NamedType {
    std::string_view name;
    int nBits;
    std::optional<ElementType> type;
};
constexpr std::array kTypes{
    NamedType{"BOOL", 8, ElementType::Bool},
    NamedType{"I8", 8, ElementType::I8},
    NamedType{"U8", 8, ElementType::U8},
    NamedType{"I16", 16, ElementType::I16},
    NamedType{"U16", 16, ElementType::U16},
    NamedType{"I32", 32, ElementType::I32},
    NamedType{"U32", 32, ElementType::U32},
    NamedType{"I64", 64, ElementType::I64},
    NamedType{"U64", 64, ElementType::U64},
    NamedType{"F16", 16, ElementType::F16},
    NamedType{"BF16", 16, ElementType::BF16},
    NamedType{"F32", 32, ElementType::F32},
    NamedType{"F64", 64, ElementType::F64},
    NamedType{"F8_E4M3", 8, ElementType::F8E4M3},
    NamedType{"F8_E5M2", 8, ElementType::F8E5M2},
    NamedType{"F8_E8M0", 8, std::nullopt},
    NamedType{"F8_E4M3FNUZ", 8, std::nullopt},
    NamedType{"F8_E5M2FNUZ", 8, std::nullopt},
    NamedType{"F4", 4, std::nullopt},
    NamedType{"F6_E2M3", 6, std::nullopt},
    NamedType{"F6_E3M2", 6, std::nullopt},
    NamedType{"C64", 64, std::nullopt},
};

/// The header as JSON, or why it is not: nlohmann accepts duplicate keys and any depth by itself.
struct ParsedHeader {
    Json json;
    std::string problem;
};

ParsedHeader parseHeader(std::string_view text)
{
    std::vector<std::set<std::string>> keys;
    ParsedHeader header;
    const auto watch = [&](int depth, Json::parse_event_t event, Json& value) {
        if (event == Json::parse_event_t::object_start)
            keys.emplace_back();
        else if (event == Json::parse_event_t::object_end && !keys.empty())
            keys.pop_back();
        else if (event == Json::parse_event_t::key && !keys.empty() &&
                 !keys.back().insert(value.get<std::string>()).second)
            header.problem = "its header has the key '" + value.get<std::string>() + "' twice";
        if (depth > kDeepest)
            header.problem = "its header is nested too deeply";
        return depth <= kDeepest;
    };
    if (!text.starts_with('{'))
        header.problem = "its header does not begin with '{'";
    else
        header.json = Json::parse(text, watch, false);
    if (header.problem.empty() && !header.json.is_object())
        header.problem = "its header is not a JSON object";
    return header;
}

struct Entry {
    RawTensor tensor;
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    std::string whyUnread; ///< of a type that is not read: the sentence
};

/// Bytes of a tensor; nothing where the bits overflow or end within a byte.
std::optional<std::uint64_t> bytesFor(const std::vector<Index>& shape, int nBits)
{
    const auto count = elementCount(shape);
    Index total = 0;
    if (!count || __builtin_mul_overflow(*count, Index{nBits}, &total) || total % 8 != 0)
        return std::nullopt;
    return static_cast<std::uint64_t>(total) / 8;
}

bool isCountList(const Json& json)
{
    return json.is_array() &&
           std::ranges::all_of(json, [](const Json& n) { return n.is_number_unsigned(); });
}

/// One tensor's entry, checked against itself.
Result<Entry> parseEntry(const std::string& name, const Json& json, const std::string& label)
{
    const std::string where = label + ", tensor " + name + ": ";
    const auto bad = [&](const std::string& what) {
        return fail(Errc::BadInput, where + what + ".");
    };
    if (!json.is_object() || !json.contains("dtype") || !json["dtype"].is_string() ||
        !json.contains("shape") || !isCountList(json["shape"]) || !json.contains("data_offsets") ||
        !isCountList(json["data_offsets"]) || json["data_offsets"].size() != 2)
        return bad("its entry must have dtype, shape and two data_offsets");

    const auto dtype = json["dtype"].get<std::string>();
    const auto* type = std::ranges::find(kTypes, dtype, &NamedType::name);
    if (type == kTypes.end())
        return bad("its type " + dtype + " is not one that the format has");
    Entry entry;
    entry.tensor.name = name;
    if (type->type)
        entry.tensor.type = *type->type;
    else
        entry.whyUnread = where + "its type " + dtype + " is not read; save it as F32.";
    if (json["shape"].size() > kMostAxes)
        return bad("it has " + std::to_string(json["shape"].size()) + " axes; at most " +
                   std::to_string(kMostAxes) + " are read");
    for (const Json& size : json["shape"]) {
        if (size.get<std::uint64_t>() > static_cast<std::uint64_t>(PTRDIFF_MAX))
            return bad("its shape is too large for any file");
        entry.tensor.shape.push_back(size.get<Index>());
    }
    entry.begin = json["data_offsets"][0].get<std::uint64_t>();
    entry.end = json["data_offsets"][1].get<std::uint64_t>();
    const std::string shape = shapeText(entry.tensor.shape);
    const auto nBytes = bytesFor(entry.tensor.shape, type->nBits);
    if (!nBytes)
        return bad("its shape " + shape + " is too large for any file, or ends within a byte");
    if (entry.end < entry.begin || entry.end - entry.begin != *nBytes)
        return bad("its shape " + shape + " needs " + std::to_string(*nBytes) +
                   " bytes and its range " + std::to_string(entry.begin) + " to " +
                   std::to_string(entry.end) + " does not hold as many");
    return entry;
}

/// `json`, which is `__metadata__`, as strings; or the problem.
Result<std::map<std::string, std::string>> parseMetadata(const Json& json, const std::string& label)
{
    if (!json.is_object())
        return fail(Errc::BadInput, label + ": __metadata__ is not an object of strings.");
    std::map<std::string, std::string> metadata;
    for (const auto& [key, value] : json.items()) {
        if (!value.is_string())
            return fail(Errc::BadInput, label + ": __metadata__ '" + key + "' is not a string.");
        metadata[key] = value.get<std::string>();
    }
    return metadata;
}

/// Moves `entries` into `file`, each with its part of `data`, which they must cover exactly.
Result<void> distribute(std::vector<Entry> entries, BytesView data, TensorFile& file,
                        const std::string& label)
{
    std::ranges::sort(entries, {}, [](const Entry& e) { return std::pair(e.begin, e.end); });
    std::uint64_t at = 0;
    for (const Entry& entry : entries) {
        const std::string where = label + ", tensor " + entry.tensor.name + ": its data begin at " +
                                  std::to_string(entry.begin);
        if (entry.begin != at)
            return fail(Errc::BadInput, where + " and must begin at " + std::to_string(at) +
                                            ", where the tensor before it ends.");
        if (entry.end > data.size())
            return fail(Errc::BadInput, where + " and end at " + std::to_string(entry.end) +
                                            ", and the file has " + std::to_string(data.size()) +
                                            " bytes of data.");
        at = entry.end;
    }
    if (at != data.size())
        return fail(Errc::BadInput, label + ": its tensors end at " + std::to_string(at) +
                                        " and the file has " + std::to_string(data.size()) +
                                        " bytes of data.");
    for (Entry& entry : entries) {
        if (!entry.whyUnread.empty()) {
            file.skipped[entry.tensor.name] = {Errc::BadInput, entry.whyUnread};
            continue;
        }
        const BytesView own = data.subspan(entry.begin, entry.end - entry.begin);
        entry.tensor.bytes.assign(own.begin(), own.end());
        file.tensors.push_back(std::move(entry.tensor));
    }
    return {};
}

/// `text` as nested lists of `shape`, from element `at` on, which moves behind them.
Json nested(const RawTensor& tensor, std::size_t axis, std::size_t& at)
{
    if (axis == tensor.shape.size())
        return tensor.text[at++];
    Json list = Json::array();
    for (Index n = 0; n < tensor.shape[axis]; ++n)
        list.push_back(nested(tensor, axis + 1, at));
    return list;
}

std::string dumped(const Json& json)
{
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

/// The metadata of `file` and its texts.
Result<Json> metadataOf(const TensorFile& file)
{
    Json metadata = Json::object();
    for (const auto& [key, value] : file.metadata)
        metadata[key] = value;
    for (const RawTensor& tensor : file.tensors) {
        if (tensor.type != ElementType::Text)
            continue;
        const bool isTokens =
            isSameName(tensor.name, "query_tokens") || isSameName(tensor.name, "key_tokens");
        const std::string key = isTokens ? "keyaxis." + lowerAscii(tensor.name) : tensor.name;
        if (metadata.contains(key))
            return fail(Errc::BadValue,
                        "A .safetensors file cannot hold two metadata called '" + key + "'.");
        std::size_t at = 0;
        const Json lists = nested(tensor, 0, at);
        metadata[key] = lists.is_string() ? lists.get<std::string>() : dumped(lists);
    }
    return metadata;
}

} // namespace

bool looksLikeSafetensors(BytesView bytes)
{
    std::uint64_t length = 0;
    if (bytes.size() < 9)
        return false;
    std::memcpy(&length, bytes.data(), 8);
    return length <= kLongestHeader && bytes[8] == std::byte{'{'};
}

Result<TensorFile> readSafetensors(BytesView bytes, const std::string& label)
{
    const auto bad = [&](const std::string& what) {
        return fail(Errc::BadInput, label + ": " + what + ".");
    };
    std::uint64_t length = 0;
    if (bytes.size() < 8)
        return bad("a .safetensors file has at least 8 bytes, this one has " +
                   std::to_string(bytes.size()));
    std::memcpy(&length, bytes.data(), 8);
    if (length > kLongestHeader || length > bytes.size() - 8)
        return bad("its header claims " + std::to_string(length) + " bytes and " +
                   std::to_string(bytes.size() - 8) + " are there");
    const ParsedHeader header = parseHeader(textOf(bytes.subspan(8, length)));
    if (!header.problem.empty())
        return bad(header.problem);

    TensorFile file;
    std::vector<Entry> entries;
    for (const auto& [name, json] : header.json.items()) {
        if (name == kMetadata) {
            auto metadata = parseMetadata(json, label);
            if (!metadata)
                return tl::unexpected(metadata.error());
            file.metadata = std::move(*metadata);
            continue;
        }
        auto entry = parseEntry(name, json, label);
        if (!entry)
            return tl::unexpected(entry.error());
        entries.push_back(std::move(*entry));
    }
    const auto done = distribute(std::move(entries), bytes.subspan(8 + length), file, label);
    return done.map([&] { return std::move(file); });
}

Result<Bytes> writeSafetensors(const TensorFile& file)
{
    const auto metadata = metadataOf(file);
    if (!metadata)
        return tl::unexpected(metadata.error());
    Json header = Json::object();
    if (!metadata->empty())
        header[kMetadata] = *metadata;
    std::vector<const RawTensor*> tensors;
    for (const RawTensor& tensor : file.tensors)
        if (tensor.type != ElementType::Text)
            tensors.push_back(&tensor);
    std::ranges::sort(tensors, {}, [](const RawTensor* t) {
        return std::pair(-static_cast<int>(typeSize(t->type)), std::string_view(t->name));
    });
    std::size_t at = 0;
    for (const RawTensor* tensor : tensors) {
        if (tensor->name == kMetadata || header.contains(tensor->name))
            return fail(Errc::BadValue, "A .safetensors file cannot hold a tensor called '" +
                                            tensor->name + "' beside what has this name.");
        const auto* type = std::ranges::find(kTypes, tensor->type, &NamedType::type);
        header[tensor->name] = {{"dtype", type->name},
                                {"shape", tensor->shape},
                                {"data_offsets", {at, at + tensor->bytes.size()}}};
        at += tensor->bytes.size();
    }

    std::string text = dumped(header);
    text.append((8 - text.size() % 8) % 8, ' ');
    const std::uint64_t length = text.size();
    Bytes bytes(8);
    bytes.reserve(8 + text.size() + at);
    std::memcpy(bytes.data(), &length, 8);
    const BytesView headerBytes = bytesOf(text);
    bytes.insert(bytes.end(), headerBytes.begin(), headerBytes.end());
    for (const RawTensor* tensor : tensors)
        bytes.insert(bytes.end(), tensor->bytes.begin(), tensor->bytes.end());
    return bytes;
}

} // namespace keyaxis
