#pragma once

#include "core/result.h"
#include "core/tensor.h"

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace keyaxis {

/// Element types that files hold. Text is for token names and settings only.
enum class ElementType {
    Bool,
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    I64,
    U64,
    F8E4M3,
    F8E5M2,
    F16,
    BF16,
    F32,
    F64,
    Text,
};

/// How finely numbers are written in a text.
struct PrintedDigits {
    int nDecimals = 0;    ///< the most places after the decimal sign
    int nSignificant = 0; ///< the most significant digits

    /// Takes in one more number.
    void add(int decimals, int significant)
    {
        nDecimals = decimals > nDecimals ? decimals : nDecimals;
        nSignificant = significant > nSignificant ? significant : nSignificant;
    }
};

/// A tensor as its file has it: nothing is rounded until it becomes Q, K or V.
struct RawTensor {
    std::string name;
    ElementType type = ElementType::F32;
    std::vector<Index> shape;               ///< any rank; {} is a single number
    std::vector<std::byte> bytes;           ///< row-major, little-endian; empty for Text
    std::vector<std::string> text;          ///< UTF-8, row-major; Text only
    std::optional<PrintedDigits> printed{}; ///< only where the numbers come from a text

    Index size() const; ///< number of elements
};

/// How a table is written, where the user says so; what is open is told by the text itself.
struct TableChoices {
    std::optional<char> separator{};   ///< between cells; ' ' is any number of blanks
    std::optional<char> decimalSign{}; ///< '.' or ','

    bool operator==(const TableChoices&) const = default;
};

/// What a file holds.
struct TensorFile {
    std::vector<RawTensor> tensors;              ///< in the order of the file
    std::map<std::string, std::string> metadata; ///< safetensors' __metadata__
    std::vector<std::string> notes;              ///< sentences for the user about what was odd
    /// Tensors that are there and were not read, with the refusal that says why;
    /// Ambiguous where a choice decides.
    std::map<std::string, Error> skipped{};
    std::optional<TableChoices> table{}; ///< of a table: how it was read, nothing left open
    std::string session{}; ///< the text of a session file's session.json; empty: it is none

    /// The tensor called exactly `name`, or else the first that is so in another case; null where
    /// there is none.
    const RawTensor* find(std::string_view name) const;
};

/// "float32", "bfloat16": as NumPy and PyTorch say it.
std::string_view typeName(ElementType type);

/// Bytes of one element; 0 for Text.
std::size_t typeSize(ElementType type);

/// More axes than any format or library that people use has; files with more are refused.
inline constexpr std::size_t kMostAxes = 64;

/// Whether numbers of `type` may have a fraction.
bool isFloating(ElementType type);

/// "(2, 4, 10, 16)", as NumPy prints a shape.
std::string shapeText(const std::vector<Index>& shape);

/// Product of `shape`; nothing where a size is negative or the product overflows.
std::optional<Index> elementCount(const std::vector<Index>& shape);

/// All elements as float64, row-major; exact for every type but 64-bit integers above 2^53.
std::vector<double> toDoubles(const RawTensor& raw);

/// What became of elements on the way to float32.
struct Narrowing {
    Index nChanged = 0;   ///< those that float32 does not hold exactly; NaN is held
    Index nOverflows = 0; ///< of these, finite ones beyond the largest float32: now infinite
};

/// All elements rounded once to float32, row-major. `narrowing` is added to.
std::vector<float> toFloats(const RawTensor& raw, Narrowing& narrowing);

} // namespace keyaxis
