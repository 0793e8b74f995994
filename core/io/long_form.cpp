#include "core/io/long_form.h"

#include "core/io/raw_tensor.h"
#include "core/io/text_number.h"

#include <algorithm>
#include <cmath>

namespace keyaxis {

namespace {

tl::unexpected<Error> bad(std::size_t line, const std::string& what)
{
    return fail(Errc::BadInput, "row " + std::to_string(line) + what);
}

/// Sizes that hold every index.
Result<std::vector<Index>> shapeOf(const std::vector<double>& values, std::size_t nColumns,
                                   const std::vector<std::size_t>& lines)
{
    constexpr double kLargest = 9007199254740992.0; // 2^53: whole numbers are exact up to here
    std::vector<Index> shape(nColumns - 1, 0);
    for (std::size_t n = 0; n < values.size(); ++n) {
        const std::size_t axis = n % nColumns;
        if (axis == nColumns - 1)
            continue;
        if (!(values[n] >= 0 && values[n] < kLargest) || values[n] != std::floor(values[n]))
            return bad(lines[n / nColumns], ", column " + std::to_string(axis + 1) +
                                                ": an index is a whole number from 0 on");
        shape[axis] = std::max(shape[axis], static_cast<Index>(values[n]) + 1);
    }
    return shape;
}

} // namespace

std::vector<std::string> longFormHeader(std::size_t nAxes)
{
    std::vector<std::string> names{"b", "h", "i", "j"};
    if (nAxes != 4) {
        names.clear();
        for (std::size_t axis = 0; axis < nAxes; ++axis)
            names.push_back("axis" + std::to_string(axis));
    }
    names.emplace_back("value");
    return names;
}

bool isLongForm(const std::vector<std::string>& cells)
{
    const std::vector<std::string> header = longFormHeader(cells.size() - 1);
    return cells.size() > 1 && std::ranges::equal(cells, header, [](const auto& a, const auto& b) {
               return trimmed(a) == b;
           });
}

Result<std::vector<Index>> arrangeLongForm(std::vector<double>& values, std::size_t nColumns,
                                           const std::vector<std::size_t>& lines)
{
    auto shape = shapeOf(values, nColumns, lines);
    if (!shape)
        return shape;
    const std::size_t nRows = lines.size();
    if (elementCount(*shape) != static_cast<Index>(nRows))
        return fail(Errc::BadInput, "the indices reach over a tensor " + shapeText(*shape) +
                                        ", and " + std::to_string(nRows) +
                                        " elements of it are there");
    std::vector<double> arranged(nRows);
    std::vector<bool> isThere(nRows);
    for (std::size_t row = 0; row < nRows; ++row) {
        std::size_t at = 0;
        for (std::size_t axis = 0; axis + 1 < nColumns; ++axis)
            at = at * static_cast<std::size_t>((*shape)[axis]) +
                 static_cast<std::size_t>(values[row * nColumns + axis]);
        if (isThere[at])
            return bad(lines[row], ": this element is there twice");
        isThere[at] = true;
        arranged[at] = values[row * nColumns + nColumns - 1];
    }
    values = std::move(arranged);
    return shape;
}

} // namespace keyaxis
