#include "ui/document/diagnosis.h"

#include "core/proof/detective.h"
#include "core/proof/precision.h"
#include "core/proof/replay.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace keyaxis {

namespace {

bool isNumeric(const RawTensor& tensor)
{
    return tensor.type != ElementType::Text && !tensor.shape.empty() && tensor.shape.size() <= 4;
}

/// Whether numbers can be weights: none is below 0 or well above 1.
bool mayBeWeights(const RawTensor& tensor)
{
    return isFloating(tensor.type) &&
           std::ranges::all_of(toDoubles(tensor), [](double x) { return !(x < 0 || x > 1.001); });
}

/// The tensor that is meant where nobody chose: weights, or the only one there is, if it may be.
const RawTensor* theTensor(const TensorFile& file)
{
    if (const RawTensor* weights = file.find("weights"); weights && isNumeric(*weights))
        return weights;
    const bool isAlone = file.tensors.size() == 1 && isNumeric(file.tensors.front());
    return isAlone && mayBeWeights(file.tensors.front()) ? &file.tensors.front() : nullptr;
}

/// Three digits, whatever the locale.
std::string rounded(double value)
{
    std::array<char, 32> text{};
    const auto end =
        std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::general, 3);
    return {text.data(), end.ptr};
}

std::string differenceOf(const Replayed& candidate)
{
    return std::isfinite(candidate.largestDifference)
               ? "largest difference " + rounded(candidate.largestDifference)
               : "NaN stands where there should be a number";
}

} // namespace

std::optional<Diagnosis> diagnosisBeside(const AttentionFile& attention, const TensorFile& file,
                                         std::stop_token stop)
{
    const std::optional<Dump> dump = dumpIn(file, attention);
    if (!dump)
        return std::nullopt;
    const auto found = replay(attention.inputs, attention.settings, dump->values, dump->isOutput,
                              narrowestPrecision(dump->values).tolerance, stop);
    if (!found)
        return std::nullopt;
    Diagnosis diagnosis{dump->name, found->sentence, {}, {}};
    const Sizes sizes = sizesOf(attention.inputs);
    constexpr std::size_t kMost = 3;
    for (std::size_t n = 0; n < std::min(kMost, found->best.size()); ++n)
        diagnosis.evidence.push_back(hypothesisText(found->best[n].hypothesis, sizes) + ": " +
                                     differenceOf(found->best[n]));
    for (const Replayed& candidate : found->best) {
        if (!candidate.firstCell)
            continue;
        const auto& cell = *candidate.firstCell;
        diagnosis.evidence.push_back(
            "Under " + hypothesisText(candidate.hypothesis, sizes) +
            " the first number that differs is at batch " + std::to_string(cell[0] + 1) +
            ", head " + std::to_string(cell[1] + 1) + ", query " +
            tokenName(attention.inputs.queryTokens, cell[0], cell[2], 'q') +
            (dump->isOutput
                 ? ", feature " + std::to_string(cell[3])
                 : ", key " + tokenName(attention.inputs.keyTokens, cell[0], cell[3], 'k')) +
            ".");
        break;
    }
    diagnosis.code = found->code;
    return diagnosis;
}

std::optional<Diagnosis> diagnosisOfWeights(const TensorFile& file)
{
    const RawTensor* tensor = theTensor(file);
    if (!tensor)
        return std::nullopt;
    std::array<Index, 4> sizes{1, 1, 1, 1};
    std::copy_backward(tensor->shape.begin(), tensor->shape.end(), sizes.end());
    const Shape shape{sizes[0], sizes[1], sizes[2], sizes[3]};
    const std::vector<double> values = toDoubles(*tensor);
    if (values.empty())
        return std::nullopt;
    const Findings findings = investigate(values, shape, narrowestPrecision(values).tolerance,
                                          std::string("bhqk").substr(4 - tensor->shape.size()));
    Diagnosis diagnosis{tensor->name, {}, {}, {}};
    if (!findings.sentences.empty())
        diagnosis.sentence = findings.sentences.front();
    for (std::size_t n = 1; n < findings.sentences.size(); ++n)
        diagnosis.evidence.push_back(findings.sentences[n]);
    for (const AxisSums& sums : findings.sums) {
        const bool isSingle = sums.axes.name().find('+') == std::string::npos;
        if (isSingle || sums.holds)
            diagnosis.evidence.push_back((sums.holds ? "✓ " : "✗ ") + sums.axes.name() + ": " +
                                         sumsText(sums));
    }
    return diagnosis;
}

} // namespace keyaxis
