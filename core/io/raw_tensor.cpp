#include "core/io/raw_tensor.h"

#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <bit>
#include <cctype>
#include <cmath>
#include <cstring>
#include <limits>

namespace keyaxis {

namespace {

struct TypeFacts {
    ElementType type;
    std::string_view name;
    std::size_t size;
};

constexpr std::array kTypes{
    TypeFacts{ElementType::Bool, "bool", 1},         TypeFacts{ElementType::I8, "int8", 1},
    TypeFacts{ElementType::U8, "uint8", 1},          TypeFacts{ElementType::I16, "int16", 2},
    TypeFacts{ElementType::U16, "uint16", 2},        TypeFacts{ElementType::I32, "int32", 4},
    TypeFacts{ElementType::U32, "uint32", 4},        TypeFacts{ElementType::I64, "int64", 8},
    TypeFacts{ElementType::U64, "uint64", 8},        TypeFacts{ElementType::F8E4M3, "float8_e4m3", 1},
    TypeFacts{ElementType::F8E5M2, "float8_e5m2", 1}, TypeFacts{ElementType::F16, "float16", 2},
    TypeFacts{ElementType::BF16, "bfloat16", 2},     TypeFacts{ElementType::F32, "float32", 4},
    TypeFacts{ElementType::F64, "float64", 8},       TypeFacts{ElementType::Text, "text", 0},
};

const TypeFacts& factsOf(ElementType type) { return kTypes[static_cast<std::size_t>(type)]; }

template <typename Stored>
Stored stored(const std::byte* from)
{
    Stored value;
    std::memcpy(&value, from, sizeof value);
    return value;
}

/// A small float of the OCP formats: one sign bit, then `nMantissa` mantissa bits at the end.
double smallFloat(std::uint8_t bits, int nMantissa, int bias, bool hasInfinity)
{
    const int nExponents = 1 << (7 - nMantissa);
    const int exponent = (bits & 0x7F) >> nMantissa;
    const int mantissa = bits & ((1 << nMantissa) - 1);
    const double sign = (bits & 0x80) != 0 ? -1.0 : 1.0;
    if (hasInfinity && exponent == nExponents - 1)
        return mantissa == 0 ? sign * INFINITY : std::numeric_limits<double>::quiet_NaN();
    if (!hasInfinity && (bits & 0x7F) == 0x7F)
        return std::numeric_limits<double>::quiet_NaN();
    const double fraction = mantissa / static_cast<double>(1 << nMantissa);
    return exponent == 0 ? sign * std::ldexp(fraction, 1 - bias)
                         : sign * std::ldexp(1.0 + fraction, exponent - bias);
}

double number(ElementType type, const std::byte* from)
{
    switch (type) {
    case ElementType::Bool:
        return std::to_integer<int>(*from) != 0 ? 1.0 : 0.0;
    case ElementType::I8:
        return stored<std::int8_t>(from);
    case ElementType::U8:
        return stored<std::uint8_t>(from);
    case ElementType::I16:
        return stored<std::int16_t>(from);
    case ElementType::U16:
        return stored<std::uint16_t>(from);
    case ElementType::I32:
        return stored<std::int32_t>(from);
    case ElementType::U32:
        return stored<std::uint32_t>(from);
    case ElementType::I64:
        return static_cast<double>(stored<std::int64_t>(from));
    case ElementType::U64:
        return static_cast<double>(stored<std::uint64_t>(from));
    case ElementType::F8E4M3:
        return smallFloat(stored<std::uint8_t>(from), 3, 7, false);
    case ElementType::F8E5M2:
        return smallFloat(stored<std::uint8_t>(from), 2, 15, true);
    case ElementType::F16:
        return static_cast<double>(
            static_cast<float>(Eigen::numext::bit_cast<Eigen::half>(stored<std::uint16_t>(from))));
    case ElementType::BF16:
        return static_cast<double>(static_cast<float>(
            Eigen::numext::bit_cast<Eigen::bfloat16>(stored<std::uint16_t>(from))));
    case ElementType::F32:
        return static_cast<double>(stored<float>(from));
    case ElementType::F64:
        return stored<double>(from);
    case ElementType::Text:
        break;
    }
    return 0.0;
}

} // namespace

static_assert(std::endian::native == std::endian::little, "files are read as little-endian");

Index RawTensor::size() const { return elementCount(shape).value_or(0); }

const RawTensor* TensorFile::find(std::string_view name) const
{
    const auto sameLetter = [](char a, char b) {
        return std::tolower(static_cast<unsigned char>(a)) ==
               std::tolower(static_cast<unsigned char>(b));
    };
    for (const RawTensor& tensor : tensors)
        if (std::ranges::equal(tensor.name, name, sameLetter))
            return &tensor;
    return nullptr;
}

std::string_view typeName(ElementType type) { return factsOf(type).name; }
std::size_t typeSize(ElementType type) { return factsOf(type).size; }

std::string shapeText(const std::vector<Index>& shape)
{
    std::string text = "(";
    for (std::size_t n = 0; n < shape.size(); ++n)
        text += (n > 0 ? ", " : "") + std::to_string(shape[n]);
    return text + (shape.size() == 1 ? ",)" : ")");
}

std::optional<Index> elementCount(const std::vector<Index>& shape)
{
    // The whole product must fit even where another size is 0, as the formats demand.
    Index count = 1;
    bool isEmpty = false;
    for (const Index size : shape) {
        if (size < 0)
            return std::nullopt;
        if (size == 0) {
            isEmpty = true;
            continue;
        }
        if (__builtin_mul_overflow(count, size, &count))
            return std::nullopt;
    }
    return isEmpty ? 0 : count;
}

std::vector<double> toDoubles(const RawTensor& raw)
{
    std::vector<double> numbers(static_cast<std::size_t>(raw.size()));
    const std::size_t step = typeSize(raw.type);
    for (std::size_t n = 0; n < numbers.size(); ++n)
        numbers[n] = number(raw.type, raw.bytes.data() + n * step);
    return numbers;
}

} // namespace keyaxis
