#pragma once

#include "core/io/file_bytes.h"
#include "core/io/raw_tensor.h"

namespace keyaxis {

/// How the elements of a .npy file are stored.
struct NpyType {
    ElementType type = ElementType::F32;
    std::size_t itemSize = 4;
    bool isBigEndian = false;
    bool isWide = false; ///< text of four bytes a character (NumPy's 'U')
};

/// What a .npy file says about its array, consistent in itself.
struct NpyHeader {
    std::optional<NpyType> type; ///< none: elements that are not read, see `whyUnread`
    std::string whyUnread;       ///< "its elements ('|O') are objects, which …"
    bool isOpaque = false;       ///< unread, and a choice of its type would change that
    bool isFortran = false;
    std::vector<Index> shape;
    Index nElements = 0;
    std::size_t size = 0; ///< bytes before the data

    std::size_t nDataBytes() const; ///< 0 without a type
};

/// Whether `bytes` begin as a .npy file does.
bool looksLikeNpy(BytesView bytes);

/// Reads the header at the front of `bytes`, versions 1 to 3. The data need not be there yet.
///
/// @param label       what messages call the file or the member.
/// @param opaqueType  what elements are that NumPy has no type for ('V2'); none: they are not read.
/// @errors BadInput: no such header, a shape that is negative or overflows.
/// @source NumPy Enhancement Proposal 1, A Simple File Format for NumPy Arrays.
Result<NpyHeader> parseNpyHeader(BytesView bytes, const std::string& label,
                                 std::optional<ElementType> opaqueType = {});

/// A version 1.0 header for C order; the data after it are aligned to 64 bytes.
///
/// @param descr  "<f4"
std::string npyHeader(const std::string& descr, const std::vector<Index>& shape);

} // namespace keyaxis
