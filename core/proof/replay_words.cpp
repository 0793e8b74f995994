#include "core/proof/replay_words.h"

#include <cctype>
#include <cmath>

namespace keyaxis {

namespace {

/// What is wrong with a hypothesis, in words, and the line that would be right.
struct Fault {
    std::string words;
    std::string code;
};

Fault axisFault(Axis axis)
{
    std::string words = "the softmax ran over the " + std::string(names(axis).members);
    if (axis == Axis::Head)
        words += ", as happens on four dimensions when dim is omitted";
    if (axis == Axis::Batch)
        words += ", as happens on three dimensions when dim is omitted";
    return {words, "weights = torch.softmax(scores, dim=-1)"};
}

Fault scaleFault(const ScoreSettings& settings, const ScoreSettings& right, const Sizes& sizes)
{
    const auto width = static_cast<double>(sizes.dk);
    const double scale = settings.scale.value_or(1.0 / std::sqrt(width));
    std::string words = "the scores were multiplied by " + shortest(static_cast<float>(scale));
    if (!settings.scale)
        words = "the scores were divided by √dk";
    else if (scale == 1.0)
        words = "the scores were not scaled";
    else if (scale == 1.0 / std::sqrt(static_cast<double>(sizes.H) * width))
        words = "the scores were divided by the square root of all heads' width, not of one head's";
    const std::string factor = right.scale
                                   ? "scores = q @ k.transpose(-2, -1) * " + shortest(*right.scale)
                                   : "scores = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))";
    return {words, factor};
}

Fault causalFault(const ScoreSettings& settings, const ScoreSettings& right)
{
    const bool atEnd = right.align == Align::End;
    return {settings.causal ? "the causal diagonal starts at the other end"
                            : "no causal mask was applied",
            std::string("scores = scores.masked_fill(torch.ones_like(scores, dtype=torch.bool)"
                        ".triu(1") +
                (atEnd ? " + scores.size(-1) - scores.size(-2)" : "") + "), float('-inf'))"};
}

Fault alibiFault(const Hypothesis& hypothesis)
{
    return {hypothesis.isAlibiFlipped ? "ALiBi was added with the wrong sign"
                                      : "ALiBi was left out",
            "scores = scores - slopes[:, None, None] * (torch.arange(scores.size(-2))[:, None] - "
            "torch.arange(scores.size(-1))).abs()"};
}

/// What differs from what should have been. A causal mask or ALiBi of which a file does not speak
/// is no fault.
std::vector<Fault> faultsOf(const Hypothesis& found, const Hypothesis& right, const Sizes& sizes)
{
    const ScoreSettings& a = found.settings;
    const ScoreSettings& b = right.settings;
    std::vector<Fault> faults;
    if (a.scale != b.scale)
        faults.push_back(scaleFault(a, b, sizes));
    if ((b.alibi && !a.alibi) || found.isAlibiFlipped)
        faults.push_back(alibiFault(found));
    if (right.usesBias && !found.usesBias)
        faults.push_back({"the file's bias was not added", "scores = scores + bias"});
    if (right.usesMask && !found.usesMask)
        faults.push_back({"the file's mask was not applied",
                          "scores = scores.masked_fill(~mask.bool(), float('-inf'))"});
    if (b.causal && (!a.causal || a.align != b.align))
        faults.push_back(causalFault(a, b));
    if (found.masksAfter)
        faults.push_back({"the mask was applied after the softmax",
                          "weights = torch.softmax(scores.masked_fill(hidden, float('-inf')), "
                          "dim=-1)"});
    if (a.axis != b.axis)
        faults.push_back(axisFault(a.axis));
    return faults;
}

std::string joined(const std::vector<Fault>& faults)
{
    std::string text;
    for (std::size_t n = 0; n < faults.size(); ++n)
        text += (n == 0 ? "" : n + 1 < faults.size() ? "; " : "; and ") + faults[n].words;
    text.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(text.front())));
    return text;
}

} // namespace

std::string hypothesisText(const Hypothesis& hypothesis, const Sizes& sizes)
{
    std::string text =
        settingsLine(hypothesis.settings, sizes.dk, hypothesis.usesMask && !hypothesis.masksAfter,
                     hypothesis.usesBias);
    if (hypothesis.isAlibiFlipped)
        text += " · ALiBi's sign flipped";
    if (hypothesis.masksAfter)
        text += " · masked after the softmax";
    return text;
}

void explain(Replay& replay, const Hypothesis& right, const Sizes& sizes)
{
    const std::string what = replay.isOutput ? "output" : "weights";
    const Replayed& best = replay.best.front();
    const std::string gap = shortest(static_cast<float>(best.largestDifference));
    if (!best.fits) {
        replay.sentence =
            "No hypothesis explains the " + what + ": the nearest, " +
            hypothesisText(best.hypothesis, sizes) + ", differs by " + gap +
            ". A dump often misses rotary positions applied after it, dropout or a padding mask.";
        return;
    }
    const std::vector<Fault> faults = faultsOf(best.hypothesis, right, sizes);
    if (faults.empty()) {
        replay.sentence = "The " + what + (replay.isOutput ? " is" : " are") + " as " +
                          (replay.isOutput ? "it" : "they") +
                          " should be: " + hypothesisText(best.hypothesis, sizes) +
                          "; the largest difference is " + gap + ".";
    } else {
        replay.sentence = joined(faults) + ". The " + what + (replay.isOutput ? " is" : " are") +
                          " explained by " + hypothesisText(best.hypothesis, sizes) +
                          "; the largest difference is " + gap + ".";
        for (const Fault& fault : faults)
            replay.code.push_back(fault.code);
    }
    if (replay.nFitting > 1)
        replay.sentence += " Other hypotheses fit as well; this is the plainest.";
}

} // namespace keyaxis
