#include "core/io/delimited_text.h"

#include "core/io/file_bytes.h"
#include "core/settings.h"

#include <Eigen/Core>
#include <array>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <span>

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

std::string quoted(const std::string& text)
{
    std::string result = "\"";
    for (const char c : text)
        result += c == '"' ? "\"\"" : std::string(1, c);
    return result + "\"";
}

std::string number(double value)
{
    return value == value ? shortest(value) : "nan"; // never "-nan"
}

std::string number(float value)
{
    return value == value ? shortest(value) : "nan";
}

/// The fewest digits that come back as the same value of a type with fewer bits than float32.
template <typename Half>
std::string number(Half half)
{
    const auto value = static_cast<float>(half);
    for (int precision = 1; precision < 9; ++precision) {
        std::array<char, 32> text{};
        const auto [end, error] = std::to_chars(text.data(), text.data() + text.size(), value,
                                                std::chars_format::general, precision);
        float back = 0;
        std::from_chars(text.data(), end, back);
        if (static_cast<float>(static_cast<Half>(back)) == value)
            return {text.data(), end};
    }
    return number(value); // nan
}

std::string cell(const RawTensor& tensor, std::size_t n)
{
    switch (tensor.type) {
    case ElementType::Bool:
        return tensor.bytes[n] == std::byte{0} ? "0" : "1";
    case ElementType::I8:
        return std::to_string(stored<std::int8_t>(tensor, n));
    case ElementType::U8:
    case ElementType::F8E4M3: // become float32 before
    case ElementType::F8E5M2:
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
    case ElementType::F16:
        return number(Eigen::numext::bit_cast<Eigen::half>(stored<std::uint16_t>(tensor, n)));
    case ElementType::BF16:
        return number(Eigen::numext::bit_cast<Eigen::bfloat16>(stored<std::uint16_t>(tensor, n)));
    case ElementType::F32:
        return number(stored<float>(tensor, n));
    case ElementType::F64:
        return number(stored<double>(tensor, n));
    case ElementType::Text:
        break;
    }
    return quoted(tensor.text[n]);
}

/// Rows of a table with up to two axes; one axis is one row.
std::string table(const RawTensor& tensor)
{
    const auto nItems = static_cast<std::size_t>(tensor.size());
    const std::size_t nColumns =
        tensor.shape.empty() ? 1 : static_cast<std::size_t>(tensor.shape.back());
    std::string csv;
    for (std::size_t n = 0; n < nItems; ++n) {
        csv += cell(tensor, n);
        csv += (n + 1) % nColumns == 0 ? '\n' : ',';
    }
    return csv;
}

/// One line an element, with its indices in front.
std::string longForm(const RawTensor& tensor)
{
    constexpr std::string_view kLetters = "bhij";
    const std::size_t rank = tensor.shape.size();
    std::string csv;
    for (std::size_t axis = 0; axis < rank; ++axis)
        csv += (rank == 4 ? std::string(1, kLetters[axis]) : "axis" + std::to_string(axis)) + ",";
    csv += "value\n";
    std::vector<Index> at(rank, 0);
    const auto nItems = static_cast<std::size_t>(tensor.size());
    for (std::size_t n = 0; n < nItems; ++n) {
        for (const Index index : at)
            csv += std::to_string(index) + ",";
        csv += cell(tensor, n) + "\n";
        for (std::size_t axis = rank; axis-- > 0 && ++at[axis] == tensor.shape[axis];)
            at[axis] = 0;
    }
    return csv;
}

/// `tensor` with its numbers in float32.
RawTensor widened(const RawTensor& tensor)
{
    Narrowing none;
    const std::vector<float> floats = toFloats(tensor, none);
    const BytesView bytes = std::as_bytes(std::span(floats));
    return {tensor.name, ElementType::F32, tensor.shape, {bytes.begin(), bytes.end()}, {}};
}

} // namespace

std::string writeCsv(const RawTensor& tensor)
{
    if (tensor.type == ElementType::F8E4M3 || tensor.type == ElementType::F8E5M2)
        return writeCsv(widened(tensor));
    return tensor.shape.size() <= 2 ? table(tensor) : longForm(tensor);
}

} // namespace keyaxis
