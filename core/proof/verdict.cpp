#include "core/proof/verdict.h"

#include <array>
#include <charconv>
#include <cmath>

namespace keyaxis {

namespace {

std::string fixed(double value, int nDecimals)
{
    std::array<char, 64> buffer{};
    const auto [end, error] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                            std::chars_format::fixed, nDecimals);
    return error == std::errc() ? std::string(buffer.data(), end) : shortest(value);
}

/// Two decimals; more where they would read as a plain 1 although the sum is not.
std::string sumText(double sum, bool isOne)
{
    if (!std::isfinite(sum))
        return std::isnan(sum) ? "NaN" : sum > 0 ? "inf" : "-inf";
    if (std::abs(sum) >= 1e6)
        return shortest(static_cast<float>(sum));
    for (int nDecimals = 2; nDecimals < 9; ++nDecimals) {
        std::string text = fixed(sum, nDecimals);
        if (isOne || std::stoi(text) != 1 || text.find_first_not_of("0.", 1) != std::string::npos)
            return text;
    }
    return fixed(sum, 9);
}

bool isOne(double sum) { return std::abs(sum - 1.0) <= kRowSumTolerance; }
std::string sumText(double sum) { return sumText(sum, isOne(sum)); }

std::string range(const Certificate& certificate)
{
    const std::string smallest = sumText(certificate.smallestSum);
    const std::string largest = sumText(certificate.largestSum);
    return smallest == largest ? smallest : smallest + " … " + largest;
}

std::string count(Index n, const std::string& noun)
{
    return std::to_string(n) + " " + noun + (n == 1 ? "" : "s");
}

/// "5 undefined, 1 sums to 3.31", "5 undefined, 2 sum to 1, 3 sum to 0.20 … 0.90".
std::string pillOf(const Certificate& c)
{
    if (c.nRows() == 0)
        return "no rows";
    if (c.nUndefined == 0)
        return std::to_string(c.nValid) + " of " + count(c.nRows(), "row") +
               (c.nRows() == 1 && c.nValid == 1 ? " sums to 1" : " sum to 1");
    std::string pill = std::to_string(c.nUndefined) + " undefined";
    if (c.nValid > 0)
        pill += ", " + std::to_string(c.nValid) + (c.nValid == 1 ? " sums" : " sum") + " to 1";
    const Index nOff = c.nRows() - c.nUndefined - c.nValid;
    if (nOff > 0) {
        Certificate off; // the range of those that are neither
        off.smallestSum = INFINITY;
        off.largestSum = -INFINITY;
        for (const RowCertificate& row : c.rows)
            if (row.isDefined() && !row.isValid()) {
                off.smallestSum = std::min(off.smallestSum, row.sum);
                off.largestSum = std::max(off.largestSum, row.sum);
            }
        pill += ", " + std::to_string(nOff) + (nOff == 1 ? " sums to " : " sum to ") + range(off);
    }
    return pill;
}

/// Axes of length 1 have one plain reason that goes before all others.
std::string lengthOneSentence(Axis axis, const Sizes& sizes)
{
    switch (axis) {
    case Axis::Key:
        return sizes.Tk == 1 ? "One key: the output is its value row." : "";
    case Axis::Query:
        return sizes.Tq == 1
                   ? "One query: every allowed weight is 1, the output is a sum, not an average."
                   : "";
    case Axis::Batch:
        return sizes.B == 1 ? "One example: every allowed weight is 1, whatever Q and K say." : "";
    case Axis::Head:
        break;
    }
    return sizes.H == 1 ? "One head: every allowed weight is 1, whatever Q and K say." : "";
}

/// Why rows are undefined: 0/0 in an empty slice, or NaN and infinities that came with the numbers.
std::string undefinedSentence(Axis axis, Index nUndefined)
{
    const std::string rows = count(nUndefined, "row");
    switch (axis) {
    case Axis::Key:
        return rows + (nUndefined == 1 ? " is" : " are") +
               " undefined: the query may use no key (0/0), or its scores are not finite.";
    case Axis::Query:
        return "No query may use some key, or a score is not finite: 0/0 there spoils " + rows +
               " of weights.";
    case Axis::Batch:
        return "The mask hides cells in every example, or a score is not finite: 0/0 spoils " +
               rows + ".";
    case Axis::Head:
        break;
    }
    return "The mask hides cells in every head, or a score is not finite: 0/0 spoils " + rows + ".";
}

std::string offSentence(Axis axis, const Certificate& c, const ScoreSettings& settings)
{
    switch (axis) {
    case Axis::Key:
        if (settings.empty == EmptySlice::Zero && c.smallestSum == 0.0 &&
            (isOne(c.largestSum) || c.largestSum == 0.0))
            return "A query that may use no key keeps weights of 0 under this policy: its row sums "
                   "to 0 and its output is 0.";
        return "Rows sum to " + range(c) + ": this is not a softmax over the keys.";
    case Axis::Query:
        return "Each key hands out 1; no query is owed 1: rows sum to " + range(c) +
               ". The result has the right shape, so no error is raised.";
    case Axis::Batch:
        return "Weights sum to 1 over the examples, so nothing makes a row sum to 1: rows sum to " +
               range(c) + ".";
    case Axis::Head:
        break;
    }
    return "Weights sum to 1 over the heads, so nothing makes a row sum to 1: rows sum to " +
           range(c) + ".";
}

} // namespace

std::string sumText(const RowCertificate& row) { return sumText(row.sum, row.isValid()); }

Verdict verdictOf(const Certificate& certificate, const ScoreSettings& settings,
                  const Sizes& sizes)
{
    const Axis axis = settings.axis;
    Verdict verdict;
    verdict.pill = pillOf(certificate);
    if (certificate.nRows() == 0) {
        verdict.headline = "Nothing to average";
        verdict.sentence = "There are no queries, so there are no rows.";
        return verdict;
    }

    verdict.valid = certificate.isValid();
    const std::string single = lengthOneSentence(axis, sizes);
    if (verdict.valid) {
        verdict.headline = axis == Axis::Key ? "Every output is a weighted average"
                                             : "Valid here, but by coincidence";
        if (!single.empty())
            verdict.sentence = single;
        else if (axis == Axis::Key)
            verdict.sentence = "Weights are ≥ 0 and sum to 1 over the keys: each output is a "
                               "weighted average of the value rows it may use.";
        else
            verdict.sentence = "Valid here by coincidence: change a score and it can break.";
        return verdict;
    }

    verdict.headline = certificate.nUndefined > 0 ? "Some rows are undefined"
                                                  : "Rows are not distributions over keys";
    if (certificate.nUndefined > 0)
        verdict.sentence = undefinedSentence(axis, certificate.nUndefined);
    if (certificate.nUndefined + certificate.nValid < certificate.nRows()) {
        if (!verdict.sentence.empty())
            verdict.sentence += " ";
        verdict.sentence += single.empty() ? offSentence(axis, certificate, settings)
                                           : single + " Rows sum to " + range(certificate) + ".";
    }
    return verdict;
}

std::string axisGloss(Axis axis)
{
    switch (axis) {
    case Axis::Query:
        return "each key spreads 1 over the queries";
    case Axis::Key:
        return "each query spreads 1 over the keys";
    case Axis::Batch:
        return "examples share a denominator";
    case Axis::Head:
        break;
    }
    return "heads share a denominator";
}

} // namespace keyaxis
