#pragma once

#include "core/inputs.h"
#include "core/io/raw_tensor.h"

#include <initializer_list>
#include <optional>
#include <string>

namespace keyaxis {

/// Whether `name` is one under which token names are looked for.
bool isTokenName(std::string_view name);

/// What a file says about itself beside its tensors, under any of the names people use: metadata of
/// .safetensors (strings, lists as JSON in a string) or small arrays of .npz. A name is looked for
/// as `keyaxis.NAME` first, then plain; the first of several names that is there counts. A view:
/// the file must outlive it.
class FileMetadata {
public:
    using Names = std::initializer_list<std::string_view>;

    explicit FileMetadata(const TensorFile& file) : m_file(file) {}

    std::optional<std::string> text(Names names) const;
    std::optional<bool> flag(Names names) const;     ///< "true", "1", or an array of one element
    std::optional<double> number(Names names) const; ///< likewise
    /// [batch][token], or one list for all examples; empty where there is none or it is no list.
    TokenNames tokens(Names names) const;

private:
    const RawTensor* array(std::string_view name) const;

    const TensorFile& m_file;
};

} // namespace keyaxis
