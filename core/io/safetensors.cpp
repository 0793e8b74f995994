#include "core/io/safetensors.h"

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

struct NamedType {
    std::string_view name;
    ElementType type;
};
constexpr std::array kTypes{
    NamedType{"BOOL", ElementType::Bool},       NamedType{"I8", ElementType::I8},
    NamedType{"U8", ElementType::U8},           NamedType{"I16", ElementType::I16},
    NamedType{"U16", ElementType::U16},         NamedType{"I32", ElementType::I32},
    NamedType{"U32", ElementType::U32},         NamedType{"I64", ElementType::I64},
    NamedType{"U64", ElementType::U64},         NamedType{"F16", ElementType::F16},
    NamedType{"BF16", ElementType::BF16},       NamedType{"F32", ElementType::F32},
    NamedType{"F64", ElementType::F64},         NamedType{"F8_E4M3", ElementType::F8E4M3},
    NamedType{"F8_E5M2", ElementType::F8E5M2},
};

std::optional<ElementType> typeNamed(std::string_view name)
{
    const auto found = std::ranges::find(kTypes, name, &NamedType::name);
    return found == kTypes.end() ? std::nullopt : std::optional(found->type);
}

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
    header.json = Json::parse(text, watch, false);
    if (header.problem.empty() && !header.json.is_object())
        header.problem = "its header is not a JSON object";
    return header;
}

struct Entry {
    RawTensor tensor;
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
};

/// One tensor's entry, checked against itself.
Result<Entry> parseEntry(const std::string& name, const Json& json, const std::string& label)
{
    const auto bad = [&](const std::string& what) {
        return fail(Errc::BadInput, label + ", tensor " + name + ": " + what + ".");
    };
    const auto isCount = [](const Json& n) { return n.is_number_unsigned(); };
    if (!json.is_object() || !json.contains("dtype") || !json["dtype"].is_string() ||
        !json.contains("shape") || !json["shape"].is_array() || !json.contains("data_offsets") ||
        !json["data_offsets"].is_array() || json["data_offsets"].size() != 2 ||
        !std::ranges::all_of(json["shape"], isCount) ||
        !std::ranges::all_of(json["data_offsets"], isCount))
        return bad("its entry must have dtype, shape and two data_offsets");

    const auto dtype = json["dtype"].get<std::string>();
    const auto type = typeNamed(dtype);
    if (!type)
        return bad("its type " + dtype + " is not one that Keyaxis reads");
    Entry entry;
    entry.tensor.name = name;
    entry.tensor.type = *type;
    for (const Json& size : json["shape"]) {
        if (size.get<std::uint64_t>() > static_cast<std::uint64_t>(PTRDIFF_MAX))
            return bad("its shape is too large for any file");
        entry.tensor.shape.push_back(size.get<Index>());
    }
    entry.begin = json["data_offsets"][0].get<std::uint64_t>();
    entry.end = json["data_offsets"][1].get<std::uint64_t>();
    const auto count = elementCount(entry.tensor.shape);
    Index nBytes = 0;
    if (!count || __builtin_mul_overflow(*count, static_cast<Index>(typeSize(*type)), &nBytes))
        return bad("its shape " + shapeText(entry.tensor.shape) + " is too large for any file");
    if (entry.end < entry.begin || entry.end - entry.begin != static_cast<std::uint64_t>(nBytes))
        return bad("its shape " + shapeText(entry.tensor.shape) + " needs " +
                   std::to_string(nBytes) + " bytes and its range " + std::to_string(entry.begin) +
                   " to " + std::to_string(entry.end) + " does not hold as many");
    return entry;
}

} // namespace

bool looksLikeSafetensors(BytesView bytes)
{
    return bytes.size() > 8 && bytes[8] == std::byte{'{'};
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
        if (name == "__metadata__") {
            if (!json.is_object())
                return bad("__metadata__ is not an object of strings");
            for (const auto& [key, value] : json.items()) {
                if (!value.is_string())
                    return bad("__metadata__ '" + key + "' is not a string");
                file.metadata[key] = value.get<std::string>();
            }
            continue;
        }
        auto entry = parseEntry(name, json, label);
        if (!entry)
            return tl::unexpected(entry.error());
        entries.push_back(std::move(*entry));
    }

    std::ranges::sort(entries, {}, [](const Entry& e) { return std::pair(e.begin, e.end); });
    const BytesView data = bytes.subspan(8 + length);
    std::uint64_t at = 0;
    for (Entry& entry : entries) {
        const std::string where = label + ", tensor " + entry.tensor.name + ": its data begin at " +
                                  std::to_string(entry.begin);
        if (entry.begin != at)
            return fail(Errc::BadInput, where + " and must begin at " + std::to_string(at) +
                                            ", where the tensor before it ends.");
        if (entry.end > data.size())
            return fail(Errc::BadInput, where + " and end at " + std::to_string(entry.end) +
                                            ", and the file has " + std::to_string(data.size()) +
                                            " bytes of data.");
        const BytesView own = data.subspan(entry.begin, entry.end - entry.begin);
        entry.tensor.bytes.assign(own.begin(), own.end());
        at = entry.end;
        file.tensors.push_back(std::move(entry.tensor));
    }
    if (at != data.size())
        return bad("its tensors end at " + std::to_string(at) + " and the file has " +
                   std::to_string(data.size()) + " bytes of data");
    return file;
}

Bytes writeSafetensors(const TensorFile& file)
{
    Json header = Json::object();
    Json metadata = Json::object();
    for (const auto& [key, value] : file.metadata)
        metadata[key] = value;
    std::vector<const RawTensor*> tensors;
    for (const RawTensor& tensor : file.tensors) {
        if (tensor.type == ElementType::Text)
            metadata[tensor.name] = Json(tensor.text).dump();
        else
            tensors.push_back(&tensor);
    }
    if (!metadata.empty())
        header["__metadata__"] = metadata;
    std::ranges::sort(tensors, {}, [](const RawTensor* t) {
        return std::pair(-static_cast<int>(typeSize(t->type)), std::string_view(t->name));
    });
    std::size_t at = 0;
    for (const RawTensor* tensor : tensors) {
        const auto named = std::ranges::find(kTypes, tensor->type, &NamedType::type);
        header[tensor->name] = {{"dtype", named->name},
                                {"shape", tensor->shape},
                                {"data_offsets", {at, at + tensor->bytes.size()}}};
        at += tensor->bytes.size();
    }

    std::string text = header.dump(-1, ' ', false, Json::error_handler_t::replace);
    text.append((8 - text.size() % 8) % 8, ' ');
    const std::uint64_t length = text.size();
    Bytes bytes(8);
    std::memcpy(bytes.data(), &length, 8);
    bytes.reserve(8 + text.size() + at);
    const BytesView headerBytes = bytesOf(text);
    bytes.insert(bytes.end(), headerBytes.begin(), headerBytes.end());
    for (const RawTensor* tensor : tensors)
        bytes.insert(bytes.end(), tensor->bytes.begin(), tensor->bytes.end());
    return bytes;
}

} // namespace keyaxis
