#include "core/io/session_file.h"

#include "core/io/attention_file.h"
#include "core/io/file_bytes.h"
#include "core/io/npz.h"

#include <span>
#include <utility>

namespace keyaxis {

namespace {

/// A mask as bool: as numbers, one that hides every key would be taken for a bias of zeros.
RawTensor rawMask(const Tensor& mask)
{
    RawTensor raw = rawTensor("mask", mask);
    raw.type = ElementType::Bool;
    raw.bytes.clear();
    for (const float value : std::span(mask.data(), static_cast<std::size_t>(mask.size())))
        raw.bytes.push_back(static_cast<std::byte>(value != 0.0F));
    return raw;
}

} // namespace

TensorFile sessionTensors(const Session& session)
{
    const Inputs& inputs = session.inputs;
    TensorFile file;
    for (const auto& [name, tensor] :
         {std::pair{"q", &inputs.q}, std::pair{"k", &inputs.k}, std::pair{"v", &inputs.v},
          std::pair{"bias", &inputs.bias}, std::pair{"scores", &inputs.scores},
          std::pair{"weights", &inputs.weights}})
        if (*tensor)
            file.tensors.push_back(rawTensor(name, **tensor));
    if (inputs.mask)
        file.tensors.push_back(rawMask(*inputs.mask));
    file.tensors.insert(file.tensors.end(), session.others.begin(), session.others.end());
    file.session = sessionText({session.settings, session.view, inputs.queryTokens,
                                inputs.keyTokens, inputs.layer, session.source});
    return file;
}

Result<Bytes> sessionBytes(const Session& session)
{
    return writeNpz(sessionTensors(session));
}

Result<void> writeSession(const std::filesystem::path& path, const Session& session)
{
    return sessionBytes(session).and_then(
        [&](const Bytes& bytes) { return writeBytes(path, bytes); });
}

} // namespace keyaxis
