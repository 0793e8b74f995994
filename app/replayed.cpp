#include "app/replayed.h"

#include "core/io/attention_names.h"
#include "core/proof/precision.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

namespace keyaxis {

namespace {

using Json = nlohmann::ordered_json;

/// What the axes of the checked tensor tell about those of q, k and v.
std::optional<Layout> layoutFor(const std::string& dims)
{
    if (dims == "hqk")
        return Layout::HTD;
    if (dims == "bqk")
        return Layout::BTD;
    return std::nullopt;
}

const char* maskWord(const Hypothesis& hypothesis)
{
    if (hypothesis.masksAfter)
        return "after";
    return hypothesis.settings.causal || hypothesis.usesMask ? "before" : "none";
}

const char* alibiWord(const Hypothesis& hypothesis)
{
    if (hypothesis.isAlibiFlipped)
        return "flipped";
    return hypothesis.settings.alibi ? "on" : "off";
}

std::string cellText(const std::array<Index, 4>& cell, bool isOutput)
{
    return "batch " + std::to_string(cell[0]) + ", head " + std::to_string(cell[1]) + ", query " +
           std::to_string(cell[2]) + (isOutput ? ", feature " : ", key ") + std::to_string(cell[3]);
}

} // namespace

Result<std::optional<ReplayedDump>> replayed(const TensorFile& content, const std::string& file,
                                             const CheckCommand& command)
{
    if (std::ranges::none_of(attentionsIn(content), &AttentionNames::hasQueriesAndKeys))
        return std::nullopt;
    ReadingChoices choices;
    choices.file = command.reading;
    choices.layout = layoutFor(command.dims);
    const auto named = withFoundNames(choices, content);
    if (!named)
        return fail(named.error().code, named.error().message + ".");
    const RawTensor* q = content.find(named->q);
    if (q && q->shape.size() == 3 && !named->layout)
        return fail(Errc::Ambiguous,
                    q->name + " has three axes; --dims hqk or --dims bqk says which.");
    auto attention =
        readAttention(content, std::filesystem::path(file).filename().string(), *named);
    if (!attention)
        return tl::unexpected(attention.error());
    auto dump = dumpIn(content, *attention, command.tensor);
    if (!dump)
        return std::nullopt;
    auto found = replay(attention->inputs, attention->settings, dump->values, dump->isOutput,
                        command.tolerance.value_or(narrowestPrecision(dump->values).tolerance));
    if (!found)
        return tl::unexpected(found.error());
    return ReplayedDump{std::move(*dump), sizesOf(attention->inputs), std::move(*found)};
}

bool isAsExpected(const ReplayedDump& replayed, const CheckCommand& command)
{
    const bool isSquare = replayed.sizes.Tq == replayed.sizes.Tk; // both alignments are one
    return std::ranges::any_of(replayed.replay.best, [&](const Replayed& candidate) {
        const ScoreSettings& settings = candidate.hypothesis.settings;
        const bool hasAxis = !command.expect || command.expect->name() == names(settings.axis).name;
        const bool isCausal =
            settings.causal && (!command.align || isSquare || *command.align == settings.align);
        return candidate.fits && hasAxis && (!command.causal || isCausal);
    });
}

Json jsonOf(const ReplayedDump& replayed)
{
    Json all = Json::array();
    for (const Replayed& candidate : replayed.replay.best) {
        const Hypothesis& hypothesis = candidate.hypothesis;
        const ScoreSettings& settings = hypothesis.settings;
        const double scale =
            settings.scale.value_or(1.0 / std::sqrt(static_cast<double>(replayed.sizes.dk)));
        all.push_back(
            {{"axis", std::string(names(settings.axis).name)},
             {"causal", settings.causal},
             {"align", settings.causal || settings.alibi
                           ? Json(settings.align == Align::Start ? "start" : "end")
                           : Json(nullptr)},
             {"scale", scale},
             {"alibi", alibiWord(hypothesis)},
             {"mask", maskWord(hypothesis)},
             {"bias", hypothesis.usesBias},
             {"max_difference", std::isfinite(candidate.largestDifference)
                                    ? Json(candidate.largestDifference)
                                    : Json(nullptr)},
             {"fits", candidate.fits},
             {"first_cell", candidate.firstCell ? Json(*candidate.firstCell) : Json(nullptr)}});
    }
    return all;
}

std::vector<std::string> wordsOf(const ReplayedDump& replayed)
{
    const Replay& replay = replayed.replay;
    std::vector<std::string> lines{replay.sentence};
    if (!replay.best.empty() && replay.best.front().firstCell)
        lines.push_back("The first number that differs: " +
                        cellText(*replay.best.front().firstCell, replay.isOutput) + ".");
    for (const std::string& code : replay.code)
        lines.push_back("Right would be: " + code);
    return lines;
}

} // namespace keyaxis
