#pragma once

#include "core/io/raw_tensor.h"

#include <QString>
#include <QStringList>
#include <cmath>
#include <cstring>
#include <utility>

namespace keyaxis::testing {

/// A tensor of `type`, whose elements have the C++ type `Stored`.
template <typename Stored>
RawTensor tensorOf(std::string name, ElementType type, std::vector<Index> shape,
                   const std::vector<Stored>& values)
{
    RawTensor raw{std::move(name), type, std::move(shape), {}, {}};
    raw.bytes.resize(values.size() * sizeof(Stored));
    if (!values.empty())
        std::memcpy(raw.bytes.data(), values.data(), raw.bytes.size());
    return raw;
}

inline RawTensor floats(std::string name, std::vector<Index> shape,
                        const std::vector<float>& values)
{
    return tensorOf(std::move(name), ElementType::F32, std::move(shape), values);
}

/// float64 numbers that count up from `first`.
inline RawTensor counting(std::string name, std::vector<Index> shape, double first = 0)
{
    std::vector<double> values(static_cast<std::size_t>(elementCount(shape).value()));
    for (std::size_t n = 0; n < values.size(); ++n)
        values[n] = first + static_cast<double>(n);
    return tensorOf(std::move(name), ElementType::F64, std::move(shape), values);
}

inline TensorFile fileOf(std::vector<RawTensor> tensors)
{
    TensorFile file;
    file.tensors = std::move(tensors);
    return file;
}

inline RawTensor texts(std::string name, std::vector<Index> shape, std::vector<std::string> items)
{
    return {std::move(name), ElementType::Text, std::move(shape), {}, std::move(items)};
}

/// Type, shape and the values in the order of memory, as one comparable line.
inline QString line(const RawTensor& raw)
{
    QStringList words;
    if (raw.type != ElementType::Text)
        for (const double value : toDoubles(raw))
            words << (std::signbit(value) && value == 0 ? QStringLiteral("-0")
                                                        : QString::number(value, 'g', 17));
    for (const std::string& text : raw.text)
        words << QString::fromStdString(text);
    return QString::fromUtf8(typeName(raw.type).data()) + " " +
           QString::fromStdString(shapeText(raw.shape)) + ": " + words.join(' ');
}

/// The sentence of a refusal; "read" where there is none.
template <typename T>
QString sentence(const Result<T>& result)
{
    return result ? QStringLiteral("read") : QString::fromStdString(result.error().message);
}

} // namespace keyaxis::testing
