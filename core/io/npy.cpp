#include "core/io/npy.h"

#include "core/io/text_items.h"

#include <algorithm>
#include <cassert>
#include <cstring>

namespace keyaxis {

namespace {

/// Column-major bytes in row-major order.
Bytes rowMajor(BytesView from, const std::vector<Index>& shape, std::size_t itemSize)
{
    Bytes to(from.size());
    for (std::size_t target = 0; target < to.size(); target += itemSize) {
        std::size_t rest = target / itemSize; // its last index runs fastest
        std::size_t source = 0;
        std::size_t nInside = to.size() / itemSize;
        for (std::size_t axis = shape.size(); axis-- > 0;) {
            const auto size = static_cast<std::size_t>(shape[axis]);
            nInside /= size; // elements from one index of this axis to the next, column-major
            source += rest % size * nInside;
            rest /= size;
        }
        std::memcpy(to.data() + target, from.data() + source * itemSize, itemSize);
    }
    return to;
}

void swapBytes(Bytes& bytes, std::size_t wordSize)
{
    for (auto word = bytes.begin(); word != bytes.end();
         word += static_cast<std::ptrdiff_t>(wordSize))
        std::reverse(word, word + static_cast<std::ptrdiff_t>(wordSize));
}

/// NumPy's name of `type`; empty where it has no such type.
std::string descrOf(ElementType type)
{
    switch (type) {
    case ElementType::Bool:
        return "|b1";
    case ElementType::I8:
        return "|i1";
    case ElementType::U8:
        return "|u1";
    case ElementType::I16:
        return "<i2";
    case ElementType::U16:
        return "<u2";
    case ElementType::I32:
        return "<i4";
    case ElementType::U32:
        return "<u4";
    case ElementType::I64:
        return "<i8";
    case ElementType::U64:
        return "<u8";
    case ElementType::F16:
        return "<f2";
    case ElementType::F32:
        return "<f4";
    case ElementType::F64:
        return "<f8";
    case ElementType::F8E4M3:
    case ElementType::F8E5M2:
    case ElementType::BF16:
    case ElementType::Text: // its name has a length
        break;
    }
    return {};
}

Bytes file(const std::string& header, BytesView data)
{
    Bytes bytes;
    bytes.reserve(header.size() + data.size());
    for (const BytesView part : {bytesOf(header), data})
        bytes.insert(bytes.end(), part.begin(), part.end());
    return bytes;
}

} // namespace

Result<RawTensor> readNpy(BytesView bytes, const std::string& label,
                          std::vector<std::string>& notes, std::optional<ElementType> opaqueType)
{
    const auto header = parseNpyHeader(bytes, label, opaqueType);
    if (!header)
        return tl::unexpected(header.error());
    if (!header->type)
        return fail(header->isOpaque ? Errc::Ambiguous : Errc::BadInput,
                    label + ": " + header->whyUnread + ".");
    const BytesView data = bytes.subspan(header->size);
    const std::size_t nBytes = header->nDataBytes();
    if (data.size() < nBytes)
        return fail(Errc::BadInput, label + ": its shape " + shapeText(header->shape) + " needs " +
                                        std::to_string(nBytes) + " bytes of data and " +
                                        std::to_string(data.size()) + " are there.");
    if (data.size() > nBytes)
        notes.push_back(label + ": " + std::to_string(data.size() - nBytes) +
                        " bytes after the array were passed over.");
    const BytesView used = data.first(nBytes);
    return npyTensor(*header, Bytes(used.begin(), used.end()));
}

RawTensor npyTensor(const NpyHeader& header, Bytes data)
{
    assert(header.type && data.size() == header.nDataBytes());
    const NpyType& type = *header.type;
    RawTensor tensor;
    tensor.type = type.type;
    tensor.shape = header.shape;
    if (header.isFortran && header.shape.size() > 1)
        data = rowMajor(data, header.shape, type.itemSize);
    if (type.isBigEndian)
        swapBytes(data, type.isWide ? 4 : type.itemSize);
    if (type.type == ElementType::Text)
        tensor.text = textItems(data, type.itemSize, type.isWide);
    else
        tensor.bytes = std::move(data);
    return tensor;
}

Bytes writeNpy(const RawTensor& tensor)
{
    if (tensor.type == ElementType::Text) {
        const WideItems items = wideItems(tensor.text);
        return file(npyHeader("<U" + std::to_string(items.nCharacters), tensor.shape), items.bytes);
    }
    const std::string descr = descrOf(tensor.type);
    if (!descr.empty())
        return file(npyHeader(descr, tensor.shape), tensor.bytes);
    Narrowing none;
    const std::vector<float> floats = toFloats(tensor, none);
    return file(npyHeader("<f4", tensor.shape), std::as_bytes(std::span(floats)));
}

} // namespace keyaxis
