#include "core/io/npy_header.h"

#include "core/io/python_literal.h"

#include <charconv>

namespace keyaxis {

namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr std::size_t kLongestText = 10000;    // NumPy's own limit for files it does not trust
constexpr std::size_t kLongestItem = 1U << 20; // characters of one text
constexpr Index kMostTexts = 1 << 20;          // each takes far more memory than in the file

tl::unexpected<Error> unreadable(std::string what)
{
    return fail(Errc::BadInput, std::move(what));
}

/// Bytes of elements that NumPy has no type for, such as bfloat16 and float8; 0 for others.
std::size_t opaqueSize(const std::string& descr)
{
    const std::string kind = descr.substr(descr.size() > 1 ? 1 : 0);
    return kind == "V2" ? 2 : kind == "V1" || kind == "f1" ? 1 : 0;
}

/// Ends the sentence "its elements ('descr') are …" for types that are not read.
std::string whyNot(const std::string& descr)
{
    const std::string kind = descr.substr(descr.size() > 1 ? 1 : 0);
    if (kind.starts_with("O"))
        return "objects, which only unpickling could read; save the array with a numeric type";
    if (opaqueSize(descr) == 2)
        return "two bytes without a type; they may be bfloat16 (--opaque bfloat16)";
    if (opaqueSize(descr) == 1)
        return "bytes without a type; they may be a float8 (--opaque float8_e4m3 or --opaque "
               "float8_e5m2)";
    if (kind.starts_with("c"))
        return "complex numbers; save the real part or the absolute value";
    if (kind == "f16" || kind == "f12")
        return "long doubles, whose layout differs between machines; save it as float64";
    if (kind.starts_with("M") || kind.starts_with("m"))
        return "dates or times; save them as numbers";
    return "not numbers that Keyaxis reads";
}

std::optional<ElementType> numberType(char kind, std::size_t size)
{
    switch (kind) {
    case 'b':
        return size == 1 ? std::optional(ElementType::Bool) : std::nullopt;
    case 'i':
        return size == 1   ? std::optional(ElementType::I8)
               : size == 2 ? std::optional(ElementType::I16)
               : size == 4 ? std::optional(ElementType::I32)
               : size == 8 ? std::optional(ElementType::I64)
                           : std::nullopt;
    case 'u':
        return size == 1   ? std::optional(ElementType::U8)
               : size == 2 ? std::optional(ElementType::U16)
               : size == 4 ? std::optional(ElementType::U32)
               : size == 8 ? std::optional(ElementType::U64)
                           : std::nullopt;
    case 'f':
        return size == 2   ? std::optional(ElementType::F16)
               : size == 4 ? std::optional(ElementType::F32)
               : size == 8 ? std::optional(ElementType::F64)
                           : std::nullopt;
    default:
        return std::nullopt;
    }
}

/// "<f4", "|b1", ">U7".
std::optional<NpyType> typeOf(const std::string& descr)
{
    if (descr.size() < 3 || std::string_view("<>|=").find(descr[0]) == std::string_view::npos)
        return std::nullopt;
    std::size_t size = 0;
    const char* stop = descr.data() + descr.size();
    const auto [end, error] = std::from_chars(descr.data() + 2, stop, size);
    if (error != std::errc() || end != stop || size == 0 || size > kLongestItem)
        return std::nullopt;
    const bool isBigEndian = descr[0] == '>';
    if (descr[1] == 'U')
        return NpyType{ElementType::Text, 4 * size, isBigEndian, true};
    if (descr[1] == 'S')
        return NpyType{ElementType::Text, size, false, false};
    const auto type = numberType(descr[1], size);
    return type ? std::optional(NpyType{*type, size, isBigEndian, false}) : std::nullopt;
}

std::size_t littleEndian(BytesView bytes)
{
    std::size_t value = 0;
    for (std::size_t n = bytes.size(); n-- > 0;)
        value = value << 8 | std::to_integer<std::size_t>(bytes[n]);
    return value;
}

/// Where the dictionary lies in the file.
struct Place {
    std::size_t begin = 0;
    std::size_t length = 0;
};

Result<Place> placeOf(BytesView bytes)
{
    if (!looksLikeNpy(bytes))
        return unreadable("it does not begin as a .npy file does");
    if (bytes.size() < kMagic.size() + 4)
        return unreadable("it has " + std::to_string(bytes.size()) +
                          " bytes, too few for a .npy header");
    const int major = std::to_integer<int>(bytes[6]);
    if (major < 1 || major > 3)
        return unreadable("its .npy version is " + std::to_string(major) + "; 1, 2 and 3 are read");
    const std::size_t nLength = major == 1 ? 2 : 4;
    Place place{8 + nLength, 0};
    if (bytes.size() < place.begin)
        return unreadable("its .npy header is cut off after " + std::to_string(bytes.size()) +
                          " bytes");
    place.length = littleEndian(bytes.subspan(8, nLength));
    if (place.length > kLongestText)
        return unreadable("its header claims " + std::to_string(place.length) + " bytes; at most " +
                          std::to_string(kLongestText) + " are read");
    if (place.length > bytes.size() - place.begin)
        return unreadable("its header claims " + std::to_string(place.length) + " bytes and " +
                          std::to_string(bytes.size() - place.begin) + " are there");
    return place;
}

using Entries = std::map<std::string, PythonValue>;

template <typename T>
const T* entry(const Entries& entries, const char* key)
{
    const auto found = entries.find(key);
    return found == entries.end() ? nullptr : std::get_if<T>(&found->second.value);
}

Result<NpyHeader> headerOf(const Entries& entries, std::optional<ElementType> opaqueType)
{
    const bool* fortran = entry<bool>(entries, "fortran_order");
    const auto* sizes = entry<PythonValue::Tuple>(entries, "shape");
    if (entries.size() != 3 || !entries.contains("descr") || !fortran || !sizes)
        return unreadable("its header must have exactly descr, fortran_order and shape");

    NpyHeader header;
    header.isFortran = *fortran;
    for (const PythonValue& size : *sizes) {
        const auto* n = std::get_if<std::int64_t>(&size.value);
        if (!n)
            return unreadable("its shape is not a tuple of whole numbers");
        header.shape.push_back(*n);
    }
    if (const auto* descr = entry<std::string>(entries, "descr")) {
        const std::size_t nOpaque = opaqueSize(*descr);
        header.type = typeOf(*descr);
        if (opaqueType && nOpaque == typeSize(*opaqueType))
            header.type = NpyType{*opaqueType, nOpaque, descr->starts_with('>'), false};
        header.isOpaque = !header.type && nOpaque > 0;
        if (!header.type)
            header.whyUnread = "its elements ('" + *descr + "') are " + whyNot(*descr);
    } else {
        header.whyUnread = "its elements are records of several fields; save one field";
    }

    const auto count = elementCount(header.shape);
    const auto itemSize = static_cast<Index>(header.type ? header.type->itemSize : 1);
    Index nBytes = 0;
    if (!count || __builtin_mul_overflow(*count, itemSize, &nBytes))
        return unreadable("its shape " + shapeText(header.shape) +
                          " is negative or too large for any file");
    if (header.shape.size() > kMostAxes)
        return unreadable("it has " + std::to_string(header.shape.size()) + " axes; at most " +
                          std::to_string(kMostAxes) + " are read");
    header.nElements = *count;
    if (header.type && header.type->type == ElementType::Text && *count > kMostTexts) {
        header.type.reset();
        header.whyUnread = "its elements are " + std::to_string(*count) + " texts; at most " +
                           std::to_string(kMostTexts) + " are read";
    }
    return header;
}

} // namespace

std::size_t NpyHeader::nDataBytes() const
{
    return type ? static_cast<std::size_t>(nElements) * type->itemSize : 0;
}

bool looksLikeNpy(BytesView bytes)
{
    return textOf(bytes).starts_with(kMagic);
}

Result<NpyHeader> parseNpyHeader(BytesView bytes, const std::string& label,
                                 std::optional<ElementType> opaqueType)
{
    return placeOf(bytes)
        .and_then([&](const Place& place) {
            return parsePythonDict(textOf(bytes.subspan(place.begin, place.length)))
                .and_then([&](const Entries& entries) { return headerOf(entries, opaqueType); })
                .map([&](NpyHeader header) {
                    header.size = place.begin + place.length;
                    return header;
                });
        })
        .map_error([&](const Error& error) {
            return Error{error.code, label + ": " + error.message + "."};
        });
}

std::string npyHeader(const std::string& descr, const std::vector<Index>& shape)
{
    constexpr std::size_t kBefore = 10;
    std::string text =
        "{'descr': '" + descr + "', 'fortran_order': False, 'shape': " + shapeText(shape) + ", }";
    text.append(63 - (kBefore + text.size()) % 64, ' ');
    text += '\n';
    std::string header(kMagic);
    header += '\x01';
    header += '\0';
    header += static_cast<char>(text.size() & 0xFF);
    header += static_cast<char>(text.size() >> 8);
    return header + text;
}

} // namespace keyaxis
