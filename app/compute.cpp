#include "app/compute.h"

#include "app/attention_source.h"
#include "app/report.h"
#include "core/attention/attention.h"
#include "core/io/session_file.h"
#include "core/io/tensor_file.h"
#include "core/proof/certificate.h"

#include <algorithm>
#include <cstring>
#include <string_view>

namespace keyaxis {

namespace {

/// The row sums as a file holds them: [B, H, Tq], float64.
RawTensor rowSums(const Tensor& weights)
{
    const Certificate certificate = certify(weights);
    const Shape& shape = weights.shape();
    RawTensor sums;
    sums.name = "row_sums";
    sums.type = ElementType::F64;
    sums.shape = {shape.batch, shape.heads, shape.rows};
    sums.bytes.resize(certificate.rows.size() * sizeof(double));
    for (std::size_t row = 0; row < certificate.rows.size(); ++row)
        std::memcpy(&sums.bytes[row * sizeof(double)], &certificate.rows[row].sum, sizeof(double));
    return sums;
}

const Tensor& stageOf(const Attention& attention, std::string_view name)
{
    if (name == "scores")
        return attention.scores;
    if (name == "logits")
        return attention.logits;
    return name == "output" ? attention.output : attention.weights;
}

/// The tensors called `names`, in the order of the stages.
TensorFile tensorsOf(const Attention& attention, const std::vector<std::string>& names)
{
    TensorFile file;
    for (const std::string& name : names)
        file.tensors.push_back(name == "row_sums" ? rowSums(attention.weights)
                                                  : rawTensor(name, stageOf(attention, name)));
    return file;
}

} // namespace

Result<void> compute(const ComputeCommand& command, std::stop_token stop)
{
    const Result<AttentionFile> file = readAttention(command.attention);
    if (!file)
        return tl::unexpected(file.error());
    const auto isWanted = [&](const char* name) {
        return std::ranges::find(command.tensors, name) != command.tensors.end();
    };
    if (isWanted("output"))
        if (const auto hasValues = requireValues(*file, command.attention); !hasValues)
            return hasValues;
    if (isWanted("scores") || isWanted("logits"))
        if (const auto hasScores = requireScores(*file, command.attention); !hasScores)
            return hasScores;
    printSettings(*file, command.output);

    const Keep keep{
        .scores = isWanted("scores"), .logits = isWanted("logits"), .output = isWanted("output")};
    const Result<Attention> attention = attend(file->inputs, file->settings, keep, stop);
    if (!attention)
        return tl::unexpected(attention.error());
    TensorFile written = tensorsOf(*attention, command.tensors);
    if (command.output.extension() == ".keyaxis") {
        const char* given = file->inputs.weights ? "weights" : file->inputs.scores ? "scores" : "";
        std::erase_if(written.tensors,
                      [&](const RawTensor& tensor) { return tensor.name == given; });
        written = sessionTensors({file->inputs, file->settings, file->view,
                                  command.attention.file.string(), std::move(written.tensors)});
    }
    return writeTensorFile(command.output, written);
}

} // namespace keyaxis
