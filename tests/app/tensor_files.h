#pragma once

#include "core/attention/attention.h"
#include "core/io/attention_file.h"
#include "core/io/tensor_file.h"
#include "tests/core/sample_values.h"

#include <QTest>

namespace keyaxis::testing {

/// `inputs` as a file: q, k and what else there is.
inline TensorFile fileOf(const Inputs& inputs)
{
    TensorFile file;
    file.tensors = {rawTensor("q", *inputs.q), rawTensor("k", *inputs.k)};
    if (inputs.v)
        file.tensors.push_back(rawTensor("v", *inputs.v));
    if (inputs.mask)
        file.tensors.push_back(rawTensor("mask", *inputs.mask));
    return file;
}

/// `tensor` with another name and shape, the same numbers.
inline RawTensor reshaped(const Tensor& tensor, const char* name, std::vector<Index> shape)
{
    RawTensor raw = rawTensor(name, tensor);
    raw.shape = std::move(shape);
    return raw;
}

/// Everything may be used, but the first query may use no key.
inline Tensor maskWithAnEmptyRow(const Sizes& sizes)
{
    Tensor mask = Tensor::filled({1, 1, sizes.Tq, sizes.Tk}, 1.0F);
    mask.slice(0, 0).row(0).setZero();
    return mask;
}

inline void write(const char* name, const TensorFile& file)
{
    QVERIFY(writeTensorFile(name, file).has_value());
}

/// The bytes of `name` in out.npz; none where it is not there.
inline std::vector<std::byte> writtenBytes(const char* name)
{
    const auto file = readTensorFile("out.npz");
    const RawTensor* tensor = file ? file->find(name) : nullptr;
    return tensor ? tensor->bytes : std::vector<std::byte>();
}

/// Number n of the weights in out.npz.
inline double writtenWeight(std::size_t n)
{
    return toDoubles(*readTensorFile("out.npz")->find("weights")).at(n);
}

inline std::vector<std::byte> bytesOf(const Tensor& tensor)
{
    return rawTensor("", tensor).bytes;
}

} // namespace keyaxis::testing
