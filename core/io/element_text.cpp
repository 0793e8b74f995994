#include "core/io/element_text.h"

#include "core/settings.h"

#include <cassert>
#include <cstdint>
#include <cstring>

namespace keyaxis {

namespace {

/// Element n of `tensor` as its C++ type.
template <typename Stored>
Stored stored(const RawTensor& tensor, std::size_t n)
{
    Stored value;
    std::memcpy(&value, tensor.bytes.data() + n * sizeof value, sizeof value);
    return value;
}

/// Element n of a tensor of small floats.
float widened(const RawTensor& tensor, std::size_t n)
{
    const std::size_t size = typeSize(tensor.type);
    const auto first = tensor.bytes.begin() + static_cast<std::ptrdiff_t>(n * size);
    Narrowing none;
    return toFloats({{}, tensor.type, {1}, {first, first + static_cast<std::ptrdiff_t>(size)}, {}},
                    none)
        .front();
}

std::string number(double value)
{
    return value == value ? shortest(value) : "nan"; // never "-nan"
}

std::string number(float value)
{
    return value == value ? shortest(value) : "nan";
}

} // namespace

std::string elementText(const RawTensor& tensor, std::size_t n)
{
    switch (tensor.type) {
    case ElementType::Bool:
        return tensor.bytes[n] == std::byte{0} ? "0" : "1";
    case ElementType::I8:
        return std::to_string(stored<std::int8_t>(tensor, n));
    case ElementType::U8:
        return std::to_string(stored<std::uint8_t>(tensor, n));
    case ElementType::I16:
        return std::to_string(stored<std::int16_t>(tensor, n));
    case ElementType::U16:
        return std::to_string(stored<std::uint16_t>(tensor, n));
    case ElementType::I32:
        return std::to_string(stored<std::int32_t>(tensor, n));
    case ElementType::U32:
        return std::to_string(stored<std::uint32_t>(tensor, n));
    case ElementType::I64:
        return std::to_string(stored<std::int64_t>(tensor, n));
    case ElementType::U64:
        return std::to_string(stored<std::uint64_t>(tensor, n));
    case ElementType::F32:
        return number(stored<float>(tensor, n));
    case ElementType::F64:
        return number(stored<double>(tensor, n));
    case ElementType::F8E4M3:
    case ElementType::F8E5M2:
    case ElementType::F16:
    case ElementType::BF16:
        return number(widened(tensor, n));
    case ElementType::Text:
        break;
    }
    assert(false && "texts are quoted by the rules of each format");
    return {};
}

} // namespace keyaxis
