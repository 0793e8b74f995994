#include "core/io/raw_tensor.h"

#include "core/io/ascii.h"

#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

namespace keyaxis {

namespace {

struct TypeFacts {
    ElementType type;
    std::string_view name;
    std::size_t size;
};

constexpr std::array kTypes{
    TypeFacts{ElementType::Bool, "bool", 1},
    TypeFacts{ElementType::I8, "int8", 1},
    TypeFacts{ElementType::U8, "uint8", 1},
    TypeFacts{ElementType::I16, "int16", 2},
    TypeFacts{ElementType::U16, "uint16", 2},
    TypeFacts{ElementType::I32, "int32", 4},
    TypeFacts{ElementType::U32, "uint32", 4},
    TypeFacts{ElementType::I64, "int64", 8},
    TypeFacts{ElementType::U64, "uint64", 8},
    TypeFacts{ElementType::F8E4M3, "float8_e4m3", 1},
    TypeFacts{ElementType::F8E5M2, "float8_e5m2", 1},
    TypeFacts{ElementType::F16, "float16", 2},
    TypeFacts{ElementType::BF16, "bfloat16", 2},
    TypeFacts{ElementType::F32, "float32", 4},
    TypeFacts{ElementType::F64, "float64", 8},
    TypeFacts{ElementType::Text, "text", 0},
};

const TypeFacts& factsOf(ElementType type)
{
    return kTypes[static_cast<std::size_t>(type)];
}

/// A small float of the OCP formats: one sign bit, then `nMantissa` mantissa bits at the end.
float smallFloat(std::uint8_t bits, int nMantissa, int bias, bool hasInfinity)
{
    const int nExponents = 1 << (7 - nMantissa);
    const int exponent = (bits & 0x7F) >> nMantissa;
    const int mantissa = bits & ((1 << nMantissa) - 1);
    const float sign = (bits & 0x80) != 0 ? -1.0F : 1.0F;
    if (hasInfinity && exponent == nExponents - 1)
        return mantissa == 0 ? sign * INFINITY : std::numeric_limits<float>::quiet_NaN();
    if (!hasInfinity && (bits & 0x7F) == 0x7F)
        return std::numeric_limits<float>::quiet_NaN();
    const float fraction = static_cast<float>(mantissa) / static_cast<float>(1 << nMantissa);
    return exponent == 0 ? sign * std::ldexp(fraction, 1 - bias)
                         : sign * std::ldexp(1.0F + fraction, exponent - bias);
}

template <typename Half>
float half(std::uint16_t bits)
{
    return static_cast<float>(Eigen::numext::bit_cast<Half>(bits));
}

/// Calls `use(n, value)` for each element, where `value(stored)` is the number that it stands for.
template <typename Stored, typename Value, typename Use>
void eachStored(const RawTensor& raw, Value value, Use use)
{
    const std::byte* from = raw.bytes.data();
    const auto nElements = static_cast<std::size_t>(raw.size());
    assert(raw.bytes.size() == nElements * sizeof(Stored));
    for (std::size_t n = 0; n < nElements; ++n) {
        Stored stored;
        std::memcpy(&stored, from + n * sizeof(Stored), sizeof(Stored));
        use(n, value(stored));
    }
}

/// Calls `use(n, number)` for each element, with the narrowest C++ type that holds it exactly.
template <typename Use>
void eachNumber(const RawTensor& raw, Use use)
{
    const auto itself = [](auto stored) { return stored; };
    switch (raw.type) {
    case ElementType::Bool:
        return eachStored<std::uint8_t>(
            raw, [](auto b) { return b != 0 ? 1.0F : 0.0F; }, use);
    case ElementType::I8:
        return eachStored<std::int8_t>(raw, itself, use);
    case ElementType::U8:
        return eachStored<std::uint8_t>(raw, itself, use);
    case ElementType::I16:
        return eachStored<std::int16_t>(raw, itself, use);
    case ElementType::U16:
        return eachStored<std::uint16_t>(raw, itself, use);
    case ElementType::I32:
        return eachStored<std::int32_t>(raw, itself, use);
    case ElementType::U32:
        return eachStored<std::uint32_t>(raw, itself, use);
    case ElementType::I64:
        return eachStored<std::int64_t>(raw, itself, use);
    case ElementType::U64:
        return eachStored<std::uint64_t>(raw, itself, use);
    case ElementType::F8E4M3:
        return eachStored<std::uint8_t>(
            raw, [](auto bits) { return smallFloat(bits, 3, 7, false); }, use);
    case ElementType::F8E5M2:
        return eachStored<std::uint8_t>(
            raw, [](auto bits) { return smallFloat(bits, 2, 15, true); }, use);
    case ElementType::F16:
        return eachStored<std::uint16_t>(raw, half<Eigen::half>, use);
    case ElementType::BF16:
        return eachStored<std::uint16_t>(raw, half<Eigen::bfloat16>, use);
    case ElementType::F32:
        return eachStored<float>(raw, itself, use);
    case ElementType::F64:
        return eachStored<double>(raw, itself, use);
    case ElementType::Text:
        return;
    }
}

} // namespace

static_assert(std::endian::native == std::endian::little, "files are read as little-endian");

Index RawTensor::size() const
{
    return elementCount(shape).value_or(0);
}

const RawTensor* TensorFile::find(std::string_view name) const
{
    auto found = std::ranges::find(tensors, name, &RawTensor::name);
    if (found == tensors.end())
        found = std::ranges::find_if(
            tensors, [&](const RawTensor& tensor) { return isSameName(tensor.name, name); });
    return found == tensors.end() ? nullptr : &*found;
}

std::string_view typeName(ElementType type)
{
    return factsOf(type).name;
}

std::size_t typeSize(ElementType type)
{
    return factsOf(type).size;
}

bool isFloating(ElementType type)
{
    return type >= ElementType::F8E4M3 && type <= ElementType::F64;
}

std::string shapeText(const std::vector<Index>& shape)
{
    std::string text = "(";
    for (std::size_t n = 0; n < shape.size(); ++n)
        text += (n > 0 ? ", " : "") + std::to_string(shape[n]);
    return text + (shape.size() == 1 ? ",)" : ")");
}

std::optional<Index> elementCount(const std::vector<Index>& shape)
{
    // The product of the other sizes must fit even where one is 0, as the formats demand.
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
    eachNumber(raw, [&](std::size_t n, auto number) { numbers[n] = static_cast<double>(number); });
    return numbers;
}

std::vector<float> toFloats(const RawTensor& raw, Narrowing& narrowing)
{
    std::vector<float> floats(static_cast<std::size_t>(raw.size()));
    eachNumber(raw, [&](std::size_t n, auto number) {
        using Number = decltype(number);
        floats[n] = static_cast<float>(number);
        if constexpr (sizeof(Number) >= 4 && !std::is_same_v<Number, float>) {
            // long double holds each float64 and each 64-bit integer.
            const auto exact = static_cast<long double>(number);
            const bool isChanged = floats[n] != exact && exact == exact;
            narrowing.nChanged += isChanged ? 1 : 0;
            narrowing.nOverflows += isChanged && std::isinf(floats[n]) ? 1 : 0;
        }
    });
    return floats;
}

} // namespace keyaxis
