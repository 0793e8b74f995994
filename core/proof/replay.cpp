#include "core/proof/replay.h"

#include "core/parallel.h"
#include "core/proof/hypotheses.h"
#include "core/proof/replay_words.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace keyaxis {

namespace {

constexpr double kLargestWork = 3e7; ///< exponentials: about half a second
constexpr std::size_t kMostShown = 5;

std::string text(const Shape& s)
{
    return "[" + std::to_string(s.batch) + ", " + std::to_string(s.heads) + ", " +
           std::to_string(s.rows) + ", " + std::to_string(s.cols) + "]";
}

/// Of two numbers; NaN equals NaN, and a NaN beside a number is as far away as can be.
double difference(double a, double b)
{
    if (std::isnan(a) && std::isnan(b))
        return 0.0;
    if (a == b)
        return 0.0;
    const double d = std::abs(a - b);
    return std::isnan(d) ? std::numeric_limits<double>::infinity() : d;
}

/// Rows and columns that are compared: at most `limit`, spread without a pattern.
std::vector<Index> sample(Index size, double limit)
{
    const Index n = std::min(size, static_cast<Index>(std::max(1.0, limit)));
    std::vector<Index> indices;
    for (Index k = 0; k < n; ++k) {
        // A step by the golden section visits any size evenly.
        const double place = std::fmod(static_cast<double>(k) * 0.6180339887498949, 1.0);
        indices.push_back(n == size ? k : static_cast<Index>(place * static_cast<double>(size)));
    }
    return indices;
}

/// The largest difference of a sample of numbers under each hypothesis.
std::vector<double> rank(const std::vector<Hypothesis>& hypotheses, const Inputs& inputs,
                         const Tensor& scores, const Tensor& given, bool isOutput,
                         const std::stop_token& stop)
{
    const Sizes sizes = sizesOf(inputs);
    const SampledHypotheses sampled(inputs, scores, hypotheses.front().settings.slopes);
    const Index longest = std::max({sizes.Tq, sizes.Tk, sizes.B, sizes.H});
    const double perNumber = double(longest) * double(hypotheses.size());
    const Index nUnits = isOutput ? given.size() / sizes.dv : given.size();
    const std::vector<Index> units =
        sample(nUnits, kLargestWork / (perNumber * (isOutput ? double(sizes.Tk) : 1.0)));

    std::vector<double> largest(hypotheses.size(), 0.0);
    const auto nHypotheses = static_cast<Index>(hypotheses.size());
    forEachBlock(nHypotheses, stop, [&](Index n) {
        const Hypothesis& hypothesis = hypotheses[static_cast<std::size_t>(n)];
        double& own = largest[static_cast<std::size_t>(n)];
        for (const Index unit : units) {
            const Index row = isOutput ? unit : unit / sizes.Tk;
            const Index i = row % sizes.Tq;
            const Index h = row / sizes.Tq % sizes.H;
            const Index b = row / (sizes.Tq * sizes.H);
            if (!isOutput) {
                const Index j = unit % sizes.Tk;
                own = std::max(own, difference(sampled.weight(hypothesis, b, h, i, j),
                                               double{given.at(b, h, i, j)}));
                continue;
            }
            const Eigen::VectorXd output = sampled.output(hypothesis, b, h, i);
            for (Index d = 0; d < sizes.dv; ++d)
                own = std::max(own, difference(output[d], double{given.at(b, h, i, d)}));
        }
    });
    return largest;
}

/// All numbers under one hypothesis held against those of the file.
Replayed compare(const Hypothesis& hypothesis, const Tensor& found, const Tensor& given,
                 double tolerance)
{
    Replayed result;
    result.hypothesis = hypothesis;
    const Shape& shape = given.shape();
    for (Index n = 0; n < given.size(); ++n) {
        const double d = difference(double{found.data()[n]}, double{given.data()[n]});
        result.largestDifference = std::max(result.largestDifference, d);
        if (d > tolerance && !result.firstCell)
            result.firstCell = {n / (shape.heads * shape.sliceSize()),
                                n / shape.sliceSize() % shape.heads, n / shape.cols % shape.rows,
                                n % shape.cols};
    }
    result.fits = !result.firstCell;
    return result;
}

/// A weight is at most 1, an output as large as its largest value.
double toleranceFor(const Tensor& given, bool isOutput, const Inputs& inputs, double tolerance)
{
    if (!isOutput)
        return tolerance;
    double largest = 0.0;
    for (const Tensor* tensor : {&given, inputs.v.get()})
        for (Index n = 0; n < tensor->size(); ++n)
            if (std::isfinite(tensor->data()[n]))
                largest = std::max(largest, std::abs(double{tensor->data()[n]}));
    return tolerance * largest;
}

} // namespace

Result<Replay> replay(const Inputs& inputs, const ScoreSettings& settings, const Tensor& given,
                      bool isOutput, double tolerance, std::stop_token stop)
{
    const Sizes sizes = sizesOf(inputs);
    if (isOutput && !inputs.v)
        return fail(Errc::BadValue, "Without V an output cannot be replayed.");
    const Shape expected = isOutput ? sizes.output() : sizes.weights();
    if (given.shape() != expected)
        return fail(Errc::BadInput, std::string(isOutput ? "output " : "weights ") +
                                        text(given.shape()) + " must be " + text(expected) +
                                        " to belong to q, k and v.");

    Replay result;
    result.isOutput = isOutput;
    result.tolerance = toleranceFor(given, isOutput, inputs, tolerance);
    ScoreSettings own = settings;
    own.axis = Axis::Key;
    // Whoever has 0 in an emptied slice has no NaN anywhere.
    const bool hasNan = Eigen::Map<const Eigen::ArrayXf>(given.data(), given.size()).isNaN().any();
    own.empty = hasNan ? EmptySlice::Nan : EmptySlice::Zero;
    const auto scores = attend(inputs, own, {.scores = true, .output = false}, stop);
    if (!scores)
        return tl::unexpected(scores.error());

    const std::vector<Hypothesis> hypotheses = hypothesesFor(inputs, own);
    const std::vector<double> ranks =
        rank(hypotheses, inputs, scores->scores, given, isOutput, stop);
    std::vector<std::size_t> order(hypotheses.size());
    for (std::size_t n = 0; n < order.size(); ++n)
        order[n] = n;
    // Those that fit stay in their order, the plainest first.
    std::ranges::stable_sort(
        order, {}, [&](std::size_t n) { return ranks[n] <= result.tolerance ? 0.0 : ranks[n]; });
    for (std::size_t n = 0; n < std::min(kMostShown, order.size()); ++n) {
        const Hypothesis& hypothesis = hypotheses[order[n]];
        const auto found = attendUnder(hypothesis, inputs, stop);
        if (!found)
            return tl::unexpected(found.error());
        result.best.push_back(compare(hypothesis, isOutput ? found->output : found->weights, given,
                                      result.tolerance));
    }
    std::ranges::stable_sort(result.best, {},
                             [](const Replayed& r) { return r.fits ? 0.0 : r.largestDifference; });
    result.nFitting = std::ranges::count(result.best, true, &Replayed::fits);
    explain(result, hypotheses.front(), sizes);
    return result;
}

} // namespace keyaxis
