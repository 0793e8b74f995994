#include "app/checked_tensor.h"

#include "core/io/arrangement.h"
#include "core/io/layers.h"
#include "core/io/tensor_file.h"
#include "core/proof/precision.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace keyaxis {

namespace {

constexpr std::string_view kLetters = "bhqk";

Result<const RawTensor*> chosenTensor(const TensorFile& file, const std::string& path,
                                      const std::string& wanted,
                                      const std::optional<ReplayedDump>& replayed)
{
    const std::string& name = wanted.empty() && replayed ? replayed->dump.name : wanted;
    std::string names;
    for (const RawTensor& tensor : file.tensors)
        names += (names.empty() ? "" : ", ") + tensor.name;
    const RawTensor* tensor = file.find(name.empty() ? "weights" : name);
    if (!tensor && name.empty() && file.tensors.size() == 1)
        tensor = &file.tensors.front();
    if (!tensor && !name.empty())
        return fail(Errc::BadInput,
                    path + " has no tensor '" + name + "'; it holds " + names + ".");
    if (!tensor && names.empty())
        return fail(Errc::BadInput, path + " holds no tensor.");
    if (!tensor)
        return fail(Errc::BadValue, path + " holds " + names + "; choose one with --tensor.");
    if (tensor->type == ElementType::Text)
        return fail(Errc::BadInput, path + ": " + tensor->name + " holds text, not numbers.");
    return tensor;
}

/// What the axes of `tensor` are: `dims`, or the last letters of "bhqk".
Result<std::string> dimsOf(const RawTensor& tensor, const std::string& path,
                           const std::string& dims)
{
    const std::size_t rank = tensor.shape.size();
    if (!dims.empty() && dims.size() != rank)
        return fail(Errc::BadValue, "--dims " + dims + " names " + std::to_string(dims.size()) +
                                        " axes, but " + tensor.name + " of " + path + " has " +
                                        std::to_string(rank) + ".");
    if (rank == 0 || rank > kLetters.size())
        return fail(Errc::BadInput, path + ": " + tensor.name + " " + shapeText(tensor.shape) +
                                        " has " + std::to_string(rank) +
                                        " axes; one to four can be checked.");
    return dims.empty() ? std::string(kLetters.substr(kLetters.size() - rank)) : dims;
}

/// `tensor` as [B, H, Tq, Tk]; an axis that it lacks has length 1.
ArrangedDoubles arranged(const RawTensor& tensor, const std::string& dims)
{
    AxisPlaces places{-1, -1, -1, -1};
    for (std::size_t axis = 0; axis < dims.size(); ++axis)
        places[kLetters.find(dims[axis])] = static_cast<int>(axis);
    return arrangedDoubles(tensor, places);
}

/// What the numbers of `tensor` can be held to.
Precision precisionOf(const RawTensor& tensor, const ArrangedDoubles& arrangement)
{
    if (!tensor.printed)
        return narrowestPrecision(arrangement.numbers);
    const Shape& s = arrangement.shape;
    return printedPrecision(tensor.printed->nDecimals, tensor.printed->nSignificant,
                            std::max({s.batch, s.heads, s.rows, s.cols}));
}

bool hasCausalZeros(const Findings& findings, const Shape& shape, std::optional<Align> align)
{
    const bool isSquare = shape.rows == shape.cols;
    const bool isStart = findings.triangle == Triangle::Start;
    const bool isEnd = findings.triangle == Triangle::End || (isStart && isSquare);
    if (!align)
        return isStart || isEnd;
    return *align == Align::Start ? isStart : isEnd;
}

/// Whether the weights are what `command` expects: an expected axis must give every slice a
/// distribution, so that NaN and negative weights do not pass.
bool isAsExpected(const Findings& findings, const Shape& shape, const CheckCommand& command)
{
    if (command.causal && !hasCausalZeros(findings, shape, command.align))
        return false;
    if (command.expect) {
        const AxisSums& sums = findings.along(*command.expect);
        return sums.holds && sums.nUndefined == 0 && findings.nNegative == 0;
    }
    return findings.nNegative == 0 &&
           std::ranges::any_of(findings.sums, [](const AxisSums& sums) { return sums.holds; });
}

/// What an output tells of the weights behind it: nothing about their sums.
Findings findingsFrom(const ReplayedDump& replayed)
{
    Findings findings;
    findings.smallest = findings.largest = std::numeric_limits<double>::quiet_NaN();
    const Tensor& values = replayed.dump.values;
    findings.nNan = std::count_if(values.data(), values.data() + values.size(),
                                  [](float value) { return std::isnan(value); });
    const Replayed& best = replayed.replay.best.front();
    const ScoreSettings& settings = best.hypothesis.settings;
    if (best.fits && settings.causal)
        findings.triangle = settings.align == Align::Start ? Triangle::Start : Triangle::End;
    return findings;
}

} // namespace

Result<CheckedTensor> checkedTensor(const std::string& file, const CheckCommand& command)
{
    const bool isStandardInput = file == "-";
    Result<TensorFile> content =
        readTensorFile(isStandardInput ? "/dev/stdin" : file, command.reading);
    if (!content)
        return tl::unexpected(content.error());
    content = onlyLayer(std::move(*content), command.layer);
    if (!content)
        return fail(content.error().code, file + ": " + content.error().message + ".");
    CheckedTensor result;
    auto dump = replayed(*content, file, command);
    if (dump)
        result.replayed = std::move(*dump);
    else
        result.notReplayed = dump.error().message;
    const auto tensor = chosenTensor(*content, file, command.tensor, result.replayed);
    if (!tensor)
        return tl::unexpected(tensor.error());
    // Of several tensors the replay may be about another one than what --tensor means.
    if (result.replayed && result.replayed->dump.name != (*tensor)->name)
        result.replayed.reset();
    result.file = file;
    result.tensor = (*tensor)->name;
    result.shape = (*tensor)->shape;
    result.dtype = typeName((*tensor)->type);
    if (result.replayed && result.replayed->dump.isOutput) {
        result.holds = isAsExpected(*result.replayed, command);
        result.findings = findingsFrom(*result.replayed);
        return result;
    }
    const auto dims = dimsOf(**tensor, file, command.dims);
    if (!dims)
        return tl::unexpected(dims.error());
    result.dims = *dims;
    const ArrangedDoubles arrangement = arranged(**tensor, *dims);
    const Precision precision = precisionOf(**tensor, arrangement);
    if (!command.tolerance)
        result.toleranceOf = precision.type;
    result.findings = investigate(arrangement.numbers, arrangement.shape,
                                  command.tolerance.value_or(precision.tolerance), *dims);
    result.holds = isAsExpected(result.findings, arrangement.shape, command);
    return result;
}

} // namespace keyaxis
