#include "core/io/delimited_text.h"

#include "core/settings.h"

namespace keyaxis {

namespace {

/// One element; integers without a decimal point.
std::string cell(const RawTensor& tensor, const std::vector<double>& numbers, std::size_t n)
{
    if (tensor.type == ElementType::Text) {
        std::string quoted = "\"";
        for (const char c : tensor.text[n])
            quoted += c == '"' ? "\"\"" : std::string(1, c);
        return quoted + "\"";
    }
    // Every type but float64 and the wide integers fits a float32 exactly or is one.
    const bool isDouble = tensor.type == ElementType::F64 || tensor.type == ElementType::I32 ||
                          tensor.type == ElementType::U32 || tensor.type == ElementType::I64 ||
                          tensor.type == ElementType::U64;
    return isDouble ? shortest(numbers[n]) : shortest(static_cast<float>(numbers[n]));
}

} // namespace

std::string writeCsv(const RawTensor& tensor)
{
    const std::vector<double> numbers =
        tensor.type == ElementType::Text ? std::vector<double>() : toDoubles(tensor);
    const auto nItems = static_cast<std::size_t>(tensor.size());
    const std::size_t rank = tensor.shape.size();
    std::string csv;
    if (rank <= 2) {
        const std::size_t nColumns =
            rank == 0 ? 1 : static_cast<std::size_t>(tensor.shape.back());
        for (std::size_t n = 0; n < nItems; ++n) {
            csv += cell(tensor, numbers, n);
            csv += (n + 1) % nColumns == 0 ? '\n' : ',';
        }
        return csv;
    }

    constexpr std::string_view kLetters = "bhij";
    for (std::size_t axis = 0; axis < rank; ++axis)
        csv += (rank == 4 ? std::string(1, kLetters[axis]) : "axis" + std::to_string(axis)) + ",";
    csv += "value\n";
    std::vector<Index> at(rank, 0);
    for (std::size_t n = 0; n < nItems; ++n) {
        for (const Index index : at)
            csv += std::to_string(index) + ",";
        csv += cell(tensor, numbers, n) + "\n";
        for (std::size_t axis = rank; axis-- > 0 && ++at[axis] == tensor.shape[axis];)
            at[axis] = 0;
    }
    return csv;
}

} // namespace keyaxis
