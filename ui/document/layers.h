#pragma once

#include "core/io/attention_file.h"

#include <memory>
#include <string>
#include <vector>

namespace keyaxis {

/// The layers of the file that a document shows one of: the file's own tensors are kept, not the
/// inputs of every layer. *immutable*
struct Layers {
    std::shared_ptr<const TensorFile> file;
    ReadingChoices choices;         ///< how its layers are read
    std::string document;           ///< what a document of one of them is called
    std::vector<std::string> names; ///< "layers.3", or the number in a stack

    /// Layer n, read.
    ///
    /// @errors as `readAttention`.
    Result<Inputs> inputs(std::size_t n) const;

    /// Which layer `inputs` are; nothing where they are none of these.
    std::optional<std::size_t> indexOf(const Inputs& inputs) const;
};

/// The layers of `file`; null where it has one at most.
std::shared_ptr<const Layers> layersOf(std::shared_ptr<const TensorFile> file,
                                       const ReadingChoices& choices, const std::string& document);

/// The layers of the file that a session was made of, where that can still be read and has the
/// session's layer; null otherwise.
std::shared_ptr<const Layers> layersBehind(const AttentionFile& session);

/// `layer` where `now` was: a mask and a bias stay where the layer brings none and they fit.
Inputs inPlaceOf(const Inputs& now, Inputs layer);

} // namespace keyaxis
