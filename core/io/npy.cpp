#include "core/io/npy.h"

#include "core/io/python_literal.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <optional>
#include <tuple>

namespace keyaxis {

namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr std::size_t kLongestHeader = 10000; // NumPy's own limit for files it does not trust

struct Descr {
    ElementType type;
    std::size_t itemSize;
    bool isBigEndian;
    bool isWide = false; ///< text of four bytes a character
};

struct Header {
    Descr descr;
    bool isFortran;
    std::vector<Index> shape;
    std::size_t size; ///< where the data begin
};

/// Sentence ends for the types that are not read.
std::string whyNot(const std::string& descr)
{
    const std::string kind = descr.substr(descr.size() > 1 ? 1 : 0);
    if (kind.starts_with("O"))
        return "objects, which only unpickling could read; save the array with a numeric type";
    if (kind.starts_with("V2"))
        return "two bytes without a meaning; it may be bfloat16: save it as float32, or as "
               "safetensors, which keeps the type";
    if (kind.starts_with("V") || kind == "f1")
        return "bytes without a meaning; it may be a float8: save it as float32, or as "
               "safetensors, which keeps the type";
    if (kind.starts_with("c"))
        return "complex numbers; save the real part or the absolute value";
    if (kind == "f16" || kind == "f12")
        return "long doubles, whose layout differs between machines; save it as float64";
    return "not numbers that Keyaxis reads";
}

std::optional<Descr> descrOf(const std::string& text)
{
    if (text.size() < 3 || std::string_view("<>|=").find(text[0]) == std::string_view::npos)
        return std::nullopt;
    std::size_t n = 0;
    const auto [end, error] = std::from_chars(text.data() + 2, text.data() + text.size(), n);
    if (error != std::errc() || end != text.data() + text.size())
        return std::nullopt;
    const bool isBig = text[0] == '>';
    const auto sized = [&](ElementType type) { return Descr{type, n, isBig}; };
    switch (text[1]) {
    case 'b':
        return n == 1 ? std::optional(sized(ElementType::Bool)) : std::nullopt;
    case 'i':
        return n == 1   ? std::optional(sized(ElementType::I8))
               : n == 2 ? std::optional(sized(ElementType::I16))
               : n == 4 ? std::optional(sized(ElementType::I32))
               : n == 8 ? std::optional(sized(ElementType::I64))
                        : std::nullopt;
    case 'u':
        return n == 1   ? std::optional(sized(ElementType::U8))
               : n == 2 ? std::optional(sized(ElementType::U16))
               : n == 4 ? std::optional(sized(ElementType::U32))
               : n == 8 ? std::optional(sized(ElementType::U64))
                        : std::nullopt;
    case 'f':
        return n == 2   ? std::optional(sized(ElementType::F16))
               : n == 4 ? std::optional(sized(ElementType::F32))
               : n == 8 ? std::optional(sized(ElementType::F64))
                        : std::nullopt;
    case 'U':
        return Descr{ElementType::Text, 4 * n, isBig, true};
    case 'S':
        return Descr{ElementType::Text, n, false};
    default:
        return std::nullopt;
    }
}

std::size_t littleEndian(BytesView bytes)
{
    std::size_t value = 0;
    for (std::size_t n = bytes.size(); n-- > 0;)
        value = value << 8 | std::to_integer<std::size_t>(bytes[n]);
    return value;
}

Result<Header> parseHeader(BytesView bytes, const std::string& label)
{
    const auto bad = [&](const std::string& what) {
        return fail(Errc::BadInput, label + ": " + what + ".");
    };
    if (bytes.size() < 10)
        return bad("the file has " + std::to_string(bytes.size()) +
                   " bytes, too few for a .npy header");
    const int major = std::to_integer<int>(bytes[6]);
    if (major < 1 || major > 3)
        return bad("its .npy version is " + std::to_string(major) + "; 1, 2 and 3 exist");
    const std::size_t nLength = major == 1 ? 2 : 4;
    const std::size_t before = 8 + nLength;
    if (bytes.size() < before)
        return bad("the .npy header is cut off");
    const std::size_t length = littleEndian(bytes.subspan(8, nLength));
    if (length > kLongestHeader)
        return bad("its header claims " + std::to_string(length) + " bytes; at most " +
                   std::to_string(kLongestHeader) + " are read");
    if (length > bytes.size() - before)
        return bad("its header claims " + std::to_string(length) + " bytes and " +
                   std::to_string(bytes.size() - before) + " are there");

    const auto entries = parsePythonDict(textOf(bytes.subspan(before, length)));
    if (!entries)
        return bad(entries.error().message);
    const auto entry = [&]<typename T>(const char* key, const T*) -> const T* {
        const auto found = entries->find(key);
        return found == entries->end() ? nullptr : std::get_if<T>(&found->second.value);
    };
    const auto* fortran = entry("fortran_order", static_cast<bool*>(nullptr));
    const auto* sizes = entry("shape", static_cast<PythonValue::Tuple*>(nullptr));
    if (entries->size() != 3 || !entries->contains("descr") || !fortran || !sizes)
        return bad("its header must have exactly descr, fortran_order and shape");
    const auto* descrText = entry("descr", static_cast<std::string*>(nullptr));
    if (!descrText)
        return bad("its elements are records of several fields; save one field");

    Header header{{}, *fortran, {}, before + length};
    const auto descr = descrOf(*descrText);
    if (!descr)
        return bad("its elements ('" + *descrText + "') are " + whyNot(*descrText));
    header.descr = *descr;
    for (const PythonValue& size : *sizes) {
        const auto* n = std::get_if<std::int64_t>(&size.value);
        if (!n)
            return bad("its shape is not a tuple of whole numbers");
        header.shape.push_back(*n);
    }
    return header;
}

/// Column-major bytes in row-major order.
Bytes rowMajor(BytesView from, const std::vector<Index>& shape, std::size_t itemSize)
{
    Bytes to(from.size());
    std::vector<Index> at(shape.size(), 0);
    const std::size_t nItems = itemSize == 0 ? 0 : from.size() / itemSize;
    for (std::size_t n = 0; n < nItems; ++n) {
        Index source = 0;
        for (std::size_t axis = shape.size(); axis-- > 0;)
            source = source * shape[axis] + at[axis];
        std::memcpy(to.data() + n * itemSize,
                    from.data() + static_cast<std::size_t>(source) * itemSize, itemSize);
        for (std::size_t axis = shape.size(); axis-- > 0 && ++at[axis] == shape[axis];)
            at[axis] = 0;
    }
    return to;
}

void appendUtf8(std::string& text, std::uint32_t code)
{
    if (code > 0x10FFFF || (code >= 0xD800 && code < 0xE000))
        code = 0xFFFD;
    if (code < 0x80) {
        text += static_cast<char>(code);
        return;
    }
    const int nMore = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    constexpr std::array<std::uint32_t, 4> kLead{0, 0xC0, 0xE0, 0xF0};
    text += static_cast<char>(kLead[static_cast<std::size_t>(nMore)] | code >> (6 * nMore));
    for (int n = nMore - 1; n >= 0; --n)
        text += static_cast<char>(0x80 | (code >> (6 * n) & 0x3F));
}

/// Elements of NumPy's 'U' (four bytes a character) and 'S' arrays, without their padding.
std::vector<std::string> texts(BytesView bytes, std::size_t itemSize, bool isWide, std::size_t n)
{
    std::vector<std::string> result(n);
    for (std::size_t item = 0; item < n; ++item) {
        const BytesView own = bytes.subspan(item * itemSize, itemSize);
        for (std::size_t at = 0; at < itemSize; at += isWide ? 4 : 1) {
            if (isWide)
                appendUtf8(result[item], static_cast<std::uint32_t>(littleEndian(own.subspan(at, 4))));
            else
                result[item] += std::to_integer<char>(own[at]);
        }
        while (!result[item].empty() && result[item].back() == '\0')
            result[item].pop_back();
    }
    return result;
}

std::string descrText(ElementType type)
{
    switch (type) {
    case ElementType::Bool:
        return "|b1";
    case ElementType::I8:
        return "|i1";
    case ElementType::U8:
        return "|u1";
    case ElementType::I16:
        return "<i2";
    case ElementType::U16:
        return "<u2";
    case ElementType::I32:
        return "<i4";
    case ElementType::U32:
        return "<u4";
    case ElementType::I64:
        return "<i8";
    case ElementType::U64:
        return "<u8";
    case ElementType::F16:
        return "<f2";
    case ElementType::F64:
        return "<f8";
    default:
        return "<f4";
    }
}

/// Token names as NumPy stores them: four bytes a character, all of one length.
std::pair<std::string, Bytes> wideTexts(const std::vector<std::string>& items)
{
    std::vector<std::u32string> wide;
    std::size_t longest = 1;
    for (const std::string& item : items) {
        std::u32string text;
        for (std::size_t n = 0; n < item.size();) {
            const auto lead = static_cast<unsigned char>(item[n]);
            const int nMore = lead < 0xC0 ? 0 : lead < 0xE0 ? 1 : lead < 0xF0 ? 2 : 3;
            char32_t code = nMore == 0 ? lead : lead & (0x3F >> nMore);
            for (int m = 0; m < nMore && n + 1 < item.size(); ++m)
                code = code << 6 | (static_cast<unsigned char>(item[++n]) & 0x3F);
            text += code;
            ++n;
        }
        longest = std::max(longest, text.size());
        wide.push_back(std::move(text));
    }
    Bytes bytes(items.size() * longest * 4);
    for (std::size_t n = 0; n < wide.size(); ++n)
        std::memcpy(bytes.data() + n * longest * 4, wide[n].data(), wide[n].size() * 4);
    return {"<U" + std::to_string(longest), std::move(bytes)};
}

} // namespace

bool looksLikeNpy(BytesView bytes) { return textOf(bytes).starts_with(kMagic); }

Result<RawTensor> readNpy(BytesView bytes, const std::string& label,
                          std::vector<std::string>& notes)
{
    const auto header = parseHeader(bytes, label);
    if (!header)
        return tl::unexpected(header.error());
    const auto bad = [&](const std::string& what) {
        return fail(Errc::BadInput, label + ": " + what + ".");
    };
    const std::string shape = shapeText(header->shape);
    const auto count = elementCount(header->shape);
    Index nBytes = 0;
    if (!count || __builtin_mul_overflow(*count, static_cast<Index>(header->descr.itemSize), &nBytes))
        return bad("its shape " + shape + " is negative or too large for any file");
    const BytesView data = bytes.subspan(header->size);
    if (data.size() < static_cast<std::size_t>(nBytes))
        return bad("its shape " + shape + " needs " + std::to_string(nBytes) +
                   " bytes of data and " + std::to_string(data.size()) + " are there");
    if (data.size() > static_cast<std::size_t>(nBytes))
        notes.push_back(label + ": " + std::to_string(data.size() - static_cast<std::size_t>(nBytes)) +
                        " bytes after the array were passed over.");

    RawTensor tensor;
    tensor.type = header->descr.type;
    tensor.shape = header->shape;
    const BytesView used = data.first(static_cast<std::size_t>(nBytes));
    tensor.bytes = header->isFortran && tensor.shape.size() > 1
                       ? rowMajor(used, tensor.shape, header->descr.itemSize)
                       : Bytes(used.begin(), used.end());
    if (header->descr.isBigEndian) {
        const std::size_t word = tensor.type == ElementType::Text ? 4 : header->descr.itemSize;
        for (std::size_t at = 0; at + word <= tensor.bytes.size(); at += word)
            std::reverse(tensor.bytes.begin() + static_cast<std::ptrdiff_t>(at),
                         tensor.bytes.begin() + static_cast<std::ptrdiff_t>(at + word));
    }
    if (tensor.type == ElementType::Text) {
        tensor.text = texts(tensor.bytes, header->descr.itemSize, header->descr.isWide,
                            static_cast<std::size_t>(*count));
        tensor.bytes.clear();
    }
    return tensor;
}

Bytes writeNpy(const RawTensor& tensor)
{
    std::string descr = descrText(tensor.type);
    Bytes converted;
    BytesView data = tensor.bytes;
    if (tensor.type == ElementType::Text) {
        std::tie(descr, converted) = wideTexts(tensor.text);
        data = converted;
    } else if (descr == "<f4" && tensor.type != ElementType::F32) {
        const std::vector<double> numbers = toDoubles(tensor);
        const std::vector<float> floats(numbers.begin(), numbers.end());
        const BytesView view = std::as_bytes(std::span(floats));
        converted.assign(view.begin(), view.end());
        data = converted;
    }

    std::string header = "{'descr': '" + descr + "', 'fortran_order': False, 'shape': " +
                         shapeText(tensor.shape) + ", }";
    constexpr std::size_t kBefore = 10;
    header.append(63 - (kBefore + header.size()) % 64, ' ');
    header += '\n';
    std::string start(kMagic);
    start += '\x01';
    start += '\0';
    start += static_cast<char>(header.size() & 0xFF);
    start += static_cast<char>(header.size() >> 8);

    Bytes bytes;
    bytes.reserve(start.size() + header.size() + data.size());
    for (const BytesView part : {bytesOf(start), bytesOf(header), data})
        bytes.insert(bytes.end(), part.begin(), part.end());
    return bytes;
}

} // namespace keyaxis
