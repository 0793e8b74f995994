#pragma once

#include "core/io/attention_file.h"
#include "core/io/file_bytes.h"
#include "core/io/npz.h"

#include <cmath>
#include <cstdlib>
#include <cstring>

namespace keyaxis::fuzz {

/// The bytes that libFuzzer makes up.
inline BytesView input(const unsigned char* data, std::size_t size)
{
    return std::as_bytes(std::span(data, size));
}

/// Ends the program where something holds that never may.
inline void require(bool holds)
{
    if (!holds)
        std::abort();
}

/// What must hold of everything that a reader returns: a tensor has as many elements as its shape
/// says, a refusal is a sentence, and attention can be looked for in it.
inline void checkRead(const Result<TensorFile>& file)
{
    if (!file) {
        require(!file.error().message.empty());
        return;
    }
    for (const RawTensor& tensor : file->tensors) {
        const auto count = elementCount(tensor.shape);
        require(count.has_value());
        const auto size = static_cast<std::size_t>(*count);
        require(tensor.bytes.size() == size * typeSize(tensor.type));
        require(tensor.text.size() == (tensor.type == ElementType::Text ? size : 0));
    }
    static_cast<void>(readAttention(*file, "fuzzed"));
}

/// Whether two tensors hold the same, NaN for NaN.
inline void requireSameNumbers(const RawTensor& a, const RawTensor& b)
{
    require(a.shape == b.shape && a.text == b.text);
    const std::vector<double> first = toDoubles(a);
    const std::vector<double> second = toDoubles(b);
    for (std::size_t n = 0; n < first.size(); ++n)
        require(std::isnan(first[n]) ? std::isnan(second[n])
                                     : std::memcmp(&first[n], &second[n], sizeof(double)) == 0);
}

} // namespace keyaxis::fuzz
