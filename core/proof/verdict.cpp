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

/// In so many digits, with an exponent where that is shorter: "0.0042", "1.2e-07".
std::string general(double value, int nDigits)
{
    std::array<char, 64> buffer{};
    const auto result = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                      std::chars_format::general, nDigits);
    return {buffer.data(), result.ptr};
}

/// Two decimals; more where they would read as a plain 1 or 0 although the sum is neither.
std::string sumText(double sum, bool isOne)
{
    if (!std::isfinite(sum))
        return std::isnan(sum) ? "NaN" : sum > 0 ? "inf" : "-inf";
    if (std::abs(sum) >= 1e6)
        return general(sum, 7);
    if (sum != 0 && std::abs(sum) < 0.005)
        return general(sum, 2);
    for (int nDecimals = 2; nDecimals < 9; ++nDecimals) {
        std::string text = fixed(sum, nDecimals);
        if (isOne || std::stoi(text) != 1 || text.find_first_not_of("0.", 1) != std::string::npos)
            return text;
    }
    return fixed(sum, 9);
}

bool isOne(double sum)
{
    return std::abs(sum - 1.0) <= kRowSumTolerance;
}
std::string sumText(double sum)
{
    return sumText(sum, isOne(sum));
}

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

std::string sums(Index n)
{
    return n == 1 ? "sums" : "sum";
}

/// "5 undefined, 1 sums to 3.31", "5 undefined, 2 sum to 1, 3 sum to 0.20 … 0.90".
std::string pillOf(const Certificate& c)
{
    if (c.nRows() == 0)
        return "no rows";
    Certificate off; // those that are defined and do not sum to 1
    off.smallestSum = INFINITY;
    off.largestSum = -INFINITY;
    Index nOne = 0;
    Index nOff = 0;
    for (const RowCertificate& row : c.rows) {
        nOne += row.sumsToOne() ? 1 : 0;
        if (!row.isDefined() || row.sumsToOne())
            continue;
        ++nOff;
        off.smallestSum = std::min(off.smallestSum, row.sum);
        off.largestSum = std::max(off.largestSum, row.sum);
    }
    std::string pill;
    if (c.nUndefined == 0) {
        pill = std::to_string(nOne) + " of " + count(c.nRows(), "row") + " " +
               (c.nRows() == 1 && nOne == 1 ? "sums" : "sum") + " to 1";
    } else {
        pill = std::to_string(c.nUndefined) + " undefined";
        if (nOne > 0)
            pill += ", " + std::to_string(nOne) + " " + sums(nOne) + " to 1";
        if (nOff > 0)
            pill += ", " + std::to_string(nOff) + " " + sums(nOff) + " to " + range(off);
    }
    if (c.nNegative > 0)
        pill += ", " + std::to_string(c.nNegative) +
                (c.nNegative == 1 ? " has negative weights" : " have negative weights");
    return pill;
}

/// What a slice along `axis` runs over, and how many of them there are.
struct Members {
    std::string one;
    std::string many;
    Index n;
};

Members membersOf(Axis axis, const Sizes& sizes)
{
    switch (axis) {
    case Axis::Key:
        return {"key", "keys", sizes.Tk};
    case Axis::Query:
        return {"query", "queries", sizes.Tq};
    case Axis::Batch:
        return {"example", "examples", sizes.B};
    case Axis::Head:
        break;
    }
    return {"head", "heads", sizes.H};
}

/// On an axis of length 1 every allowed weight is 1; the key axis has its own sentence.
std::string lengthOneSentence(Axis axis)
{
    switch (axis) {
    case Axis::Key:
        return "One key: the output is its value row.";
    case Axis::Query:
        return "One query: every allowed weight is 1, the output is a sum, not an average.";
    case Axis::Batch:
        return "One example: every allowed weight is 1, whatever Q and K say.";
    case Axis::Head:
        break;
    }
    return "One head: every allowed weight is 1, whatever Q and K say.";
}

/// Whether every allowed weight is 1 / n, as equal scores make it.
bool isEven(const Certificate& c, const Members& members)
{
    return std::abs(static_cast<double>(c.evenWeight) * static_cast<double>(members.n) - 1.0) <
           1e-6;
}

std::string validSentence(Axis axis, const Certificate& c, const Members& members)
{
    if (axis == Axis::Key) {
        if (members.n == 1)
            return lengthOneSentence(axis);
        if (c.isEvenInRows)
            return "The weights of each row are equal: each output is the plain average of the "
                   "allowed value rows.";
        return "Weights are ≥ 0 and sum to 1 over the keys: each output is a weighted average of "
               "the value rows it may use.";
    }
    if (members.n == 1)
        return "One " + members.one +
               ": every allowed weight is 1. Valid here by coincidence: each query may use one key "
               "only.";
    if (axis == Axis::Query && isEven(c, members) && !c.isMasked)
        return "Valid here by coincidence: equal weights sum to Tk / Tq, which is 1 because the "
               "map "
               "is square.";
    return "Valid here by coincidence: change a score or the mask and it can break.";
}

/// Rows that are undefined because the mask emptied slices.
///
/// @param isOneMap  whether the rows are those of one (batch, head).
std::string emptySentence(Axis axis, const Certificate& c, const Members& members, bool isOneMap)
{
    switch (axis) {
    case Axis::Key:
        return c.nEmptyRows == 1
                   ? "One query may use no key: 0/0, so its output is undefined."
                   : std::to_string(c.nEmptyRows) +
                         " queries may use no key: 0/0, so their outputs are undefined.";
    case Axis::Query: {
        if (!isOneMap)
            return "Some keys may be used by no query: 0/0 there spoils " +
                   count(c.nEmptyRows, "row") + ".";
        const Index nKeys = c.rows.front().nEmpty; // the same in every row
        return "No query may use " + (nKeys == 1 ? "one" : std::to_string(nKeys)) +
               " of the keys: 0/0 there spoils every output of this head.";
    }
    case Axis::Batch:
    case Axis::Head:
        break;
    }
    // Over all maps the emptied slice shows up once in each of its members.
    const Index nCells = isOneMap ? c.nEmptyCells : c.nEmptyCells / members.n;
    // "Masked" and not "the mask": a logit of -inf is masked, wherever it comes from.
    const std::string cells =
        nCells == 1 ? "One cell is masked" : std::to_string(nCells) + " cells are masked";
    const std::string where = members.n == 1 ? "" : " in every " + members.one;
    return cells + where + ": 0/0 there spoils " + count(c.nEmptyRows, "row") + ".";
}

std::string undefinedSentence(Axis axis, const Certificate& c, const Members& members,
                              bool isOneMap)
{
    const auto spoiled = [](Index nRows) {
        return "A score that is NaN or +inf spoils " + count(nRows, "row") + ".";
    };
    if (c.hasCauses) {
        std::string sentence;
        if (c.nEmptyRows > 0)
            sentence = emptySentence(axis, c, members, isOneMap);
        if (c.nUndefined == c.nEmptyRows)
            return sentence;
        if (!sentence.empty())
            sentence += ' ';
        return sentence + spoiled(c.nUndefined - c.nEmptyRows);
    }
    const std::string rows = count(c.nUndefined, "row");
    return "A slice without an allowed entry (0/0), or a score that is NaN or +inf, spoils " +
           rows + ".";
}

std::string offSentence(Axis axis, const Certificate& c, const ScoreSettings& settings,
                        const Members& members)
{
    const std::string sumTo = "rows sum to " + range(c) + ".";
    if (axis == Axis::Key) {
        if (settings.empty == EmptySlice::Zero && c.nNegative == 0 && c.smallestSum == 0.0 &&
            (isOne(c.largestSum) || c.largestSum == 0.0))
            return "A query that may use no key keeps weights of 0 under this policy: its row sums "
                   "to 0 and its output is 0.";
        if (c.nNegative > 0)
            return count(c.nNegative, "row") + (c.nNegative == 1 ? " has" : " have") +
                   " negative weights: this is not a softmax over the keys.";
        return "Rows sum to " + range(c) + ": this is not a softmax over the keys.";
    }
    // Where a score is not finite its weight is not 1 either, so the reason does not hold for all.
    if (members.n == 1 && (c.nUndefined == 0 || (c.hasCauses && c.nUndefined == c.nEmptyRows)))
        return lengthOneSentence(axis) + " Rows sum to " + range(c) + ".";
    if (axis == Axis::Query) {
        if (isEven(c, members) && !c.isMasked)
            return "Equal weights without a mask: rows sum to Tk / Tq, here " + range(c) +
                   ", and to 1 only if the map is square.";
        return "Each key hands out 1; no query is owed 1: " + sumTo;
    }
    if (isEven(c, members))
        return "Equal weights: rows sum to the number of allowed keys divided by " +
               std::string(axis == Axis::Batch ? "B" : "H") + ", here " + range(c) + ".";
    return "Weights sum to 1 over the " + members.many +
           ", so nothing makes a row sum to 1: " + sumTo;
}

} // namespace

std::string sumText(const RowCertificate& row)
{
    return sumText(row.sum, row.sumsToOne());
}

Verdict verdictOf(const Certificate& certificate, const ScoreSettings& settings, const Sizes& sizes)
{
    const Axis axis = settings.axis;
    const Members members = membersOf(axis, sizes);
    Verdict verdict;
    verdict.pill = pillOf(certificate);
    verdict.hasRows = certificate.nRows() > 0;
    if (!verdict.hasRows) {
        verdict.headline = "Nothing to average";
        verdict.sentence = "There are no queries, so there are no rows.";
        return verdict;
    }
    verdict.valid = certificate.isValid();
    if (verdict.valid) {
        verdict.headline = axis == Axis::Key ? "Every output is a weighted average"
                                             : "Valid here, but by coincidence";
        verdict.sentence = validSentence(axis, certificate, members);
        return verdict;
    }
    const std::string which = certificate.nUndefined == certificate.nRows() ? "All" : "Some";
    verdict.headline = certificate.nUndefined > 0 ? which + " rows are undefined"
                       : certificate.nValid > 0   ? "Some rows are not distributions over keys"
                                                  : "Rows are not distributions over keys";
    if (certificate.nUndefined > 0)
        verdict.sentence =
            undefinedSentence(axis, certificate, members, certificate.nRows() == sizes.Tq);
    if (certificate.nUndefined + certificate.nValid < certificate.nRows()) {
        if (!verdict.sentence.empty())
            verdict.sentence += " ";
        verdict.sentence += offSentence(axis, certificate, settings, members);
    }
    return verdict;
}

Verdict verdictOf(const Certificate& certificate, const Inputs& inputs,
                  const ScoreSettings& settings)
{
    if (!inputs.weights)
        return verdictOf(certificate, settings, sizesOf(inputs));
    Verdict verdict = verdictOf(certificate, ScoreSettings(), sizesOf(inputs));
    if (certificate.nUndefined > 0)
        verdict.sentence =
            count(certificate.nUndefined, "row") +
            (certificate.nUndefined == 1 ? " holds" : " hold") +
            " NaN or an infinity: the loaded weights are undefined there." +
            (certificate.nUndefined + certificate.nValid < certificate.nRows()
                 ? " " + offSentence(Axis::Key, certificate, {}, membersOf(Axis::Key, {}))
                 : std::string());
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

std::string shortAxisGloss(Axis axis)
{
    switch (axis) {
    case Axis::Query:
        return "each key spreads 1";
    case Axis::Key:
        return "each query spreads 1";
    case Axis::Batch:
        return "examples share 1";
    case Axis::Head:
        break;
    }
    return "heads share 1";
}

} // namespace keyaxis
