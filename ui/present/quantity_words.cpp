#include "ui/present/quantity_words.h"

#include "core/attention/alibi.h"
#include "core/attention/attention.h"
#include "core/patterns.h"
#include "core/proof/certificate.h"
#include "core/proof/hull.h"
#include "core/proof/hull_count.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace keyaxis {

namespace {

constexpr double kSame = 1e-5; ///< what counts as equal, as in a certificate

/// The slice that is looked at.
struct Slice {
    SliceStages stages;
    Certificate certificate;
};

Result<Slice> sliceOf(const StepState& state, const LessonPlace& place)
{
    auto stages = attendSlice(state.inputs, state.settings, state.batch, state.head);
    if (!stages)
        return failAt(place, QString::fromStdString(stages.error().message));
    Certificate certificate = certify(viewOf(stages->weights), viewOf(stages->before->logits));
    return Slice{std::move(*stages), std::move(certificate)};
}

Index nMovedRows(const Matrix& a, const Matrix& b, Index nRows)
{
    Index nMoved = 0;
    for (Index i = 0; i < nRows; ++i) {
        bool hasMoved = false;
        for (Index d = 0; d < a.cols(); ++d)
            hasMoved =
                hasMoved || !areSame(static_cast<double>(a(i, d)), static_cast<double>(b(i, d)));
        nMoved += hasMoved ? 1 : 0;
    }
    return nMoved;
}

/// The outputs of the looked-at head, from other inputs.
Result<Matrix> outputOf(const Quantity& q, const Inputs& inputs)
{
    if (!inputs.v)
        return failAt(q.place, QStringLiteral("%1 speaks of outputs; expected v.").arg(q.name));
    auto stages = attendSlice(inputs, q.state.settings, q.state.batch, q.state.head);
    if (!stages)
        return failAt(q.place, QString::fromStdString(stages.error().message));
    return stages->output;
}

Result<double> movedByLastToken(const Quantity& q)
{
    const Sizes sizes = sizesOf(q.state.inputs);
    if (sizes.Tq != sizes.Tk || sizes.Tq < 2 || q.state.inputs.mask || q.state.inputs.bias)
        return failAt(q.place, QStringLiteral("moved_by_last_token needs as many queries as keys, "
                                              "and no mask or bias of its own."));
    Sizes shorter = sizes;
    --shorter.Tq;
    --shorter.Tk;
    const auto with = outputOf(q, q.state.inputs);
    const auto without = outputOf(q, resized(q.state.inputs, shorter));
    if (!with || !without)
        return tl::unexpected((with ? without : with).error());
    return static_cast<double>(nMovedRows(*with, *without, shorter.Tq));
}

/// How many outputs move when the queries of another head or example are turned the other way.
Result<double> movedByQueriesOf(const Quantity& q, Index b, Index h)
{
    Inputs inputs = q.state.inputs;
    Tensor queries = *inputs.q;
    queries.slice(b, h) *= -1.5F;
    inputs.q = share(std::move(queries));
    const auto before = outputOf(q, q.state.inputs);
    const auto after = outputOf(q, inputs);
    if (!before || !after)
        return tl::unexpected((before ? after : before).error());
    return static_cast<double>(nMovedRows(*before, *after, before->rows()));
}

/// The value rows that the looked-at head reads, [Tk, dv].
Result<MatrixView> valuesOf(const Quantity& q)
{
    const Inputs& inputs = q.state.inputs;
    if (!inputs.v)
        return failAt(q.place, QStringLiteral("%1 speaks of outputs; expected v.").arg(q.name));
    return inputs.v->slice(q.state.batch, sizesOf(inputs).groupOf(q.state.head));
}

/// How many outputs lie outside the hull of the value rows that they may use.
Result<double> outsideOutputs(const Quantity& q)
{
    const auto values = valuesOf(q);
    const auto slice = sliceOf(q.state, q.place);
    if (!values || !slice)
        return tl::unexpected((values ? slice.error() : values.error()));
    return hullCount(slice->stages, *values, slice->certificate, sizesOf(q.state.inputs).Tq)
        .map([](const HullCount& count) { return static_cast<double>(count.nOutside); });
}

/// How far the output of a query lies from that hull.
Result<double> hullDistance(const Quantity& q)
{
    const auto values = valuesOf(q);
    const auto slice = sliceOf(q.state, q.place);
    if (!values || !slice)
        return tl::unexpected((values ? slice.error() : values.error()));
    const Index i = q.indices[0];
    std::vector<Index> allowed;
    for (Index j = 0; j < values->rows(); ++j)
        if (slice->stages.before->logits(i, j) != -std::numeric_limits<float>::infinity())
            allowed.push_back(j);
    const Eigen::VectorXd output = viewOf(slice->stages.output).row(i).cast<double>();
    return distanceToHull(output, *values, allowed).distance;
}

Result<double> largestChange(const Quantity& q)
{
    const auto before = sliceOf(q.original, q.place);
    const auto after = sliceOf(q.state, q.place);
    if (!before || !after)
        return tl::unexpected((before ? after : before).error());
    const Matrix& a = before->stages.weights;
    const Matrix& b = after->stages.weights;
    double largest = 0;
    for (Index n = 0; n < a.size(); ++n) {
        const double change =
            std::abs(static_cast<double>(a.data()[n]) - static_cast<double>(b.data()[n]));
        if (std::isnan(change) && std::isnan(a.data()[n]) != std::isnan(b.data()[n]))
            return std::numeric_limits<double>::quiet_NaN();
        largest = std::isnan(change) ? largest : std::max(largest, change);
    }
    return largest;
}

Index topKey(const Matrix& weights, Index row)
{
    Index top = 0;
    for (Index j = 1; j < weights.cols(); ++j)
        if (weights(row, j) > weights(row, top))
            top = j;
    return top;
}

Index nUndefinedOutputs(const Matrix& output)
{
    Index n = 0;
    for (Index i = 0; i < output.rows(); ++i)
        n += output.row(i).allFinite() ? 0 : 1;
    return n;
}

Result<double> cell(const Quantity& q, Stage stage)
{
    if (stage == Stage::Output && !q.state.inputs.v)
        return failAt(q.place, QStringLiteral("output cannot be computed; expected v."));
    return sliceOf(q.state, q.place).map([&](const Slice& slice) {
        return static_cast<double>(slice.stages.of(stage)(q.indices[0], q.indices[1]));
    });
}

using Indices = std::vector<Index>;

QuantityWord ofCell(Stage stage)
{
    return {{Counts::Query, stage == Stage::Output ? Counts::Feature : Counts::Key},
            [stage](const Quantity& q) { return cell(q, stage); }};
}

QuantityWord ofSlice(std::vector<Counts> indices, double (*value)(const Slice&, const Indices&))
{
    return {std::move(indices), [value](const Quantity& q) {
                return sliceOf(q.state, q.place).map([&](const Slice& slice) {
                    return value(slice, q.indices);
                });
            }};
}

QuantityWord countOfSlice(Index (*value)(const Slice&))
{
    return {{},
            [value](const Quantity& q) {
                return sliceOf(q.state, q.place).map([&](const Slice& slice) {
                    return static_cast<double>(value(slice));
                });
            },
            true};
}

QuantityWord ofSizes(Index Sizes::*size)
{
    return {{},
            [size](const Quantity& q) -> Result<double> {
                return static_cast<double>(sizesOf(q.state.inputs).*size);
            },
            true};
}

Result<double> slope(const Quantity& q)
{
    const Index nHeads = sizesOf(q.state.inputs).H;
    const auto slopes = alibiSlopes(nHeads, q.state.settings.slopes);
    return static_cast<double>(slopes[static_cast<std::size_t>(q.indices[0])]);
}

Result<double> movedByHead(const Quantity& q)
{
    return movedByQueriesOf(q, q.state.batch, q.indices[0]);
}

Result<double> movedByExample(const Quantity& q)
{
    return movedByQueriesOf(q, q.indices[0], q.state.head);
}

double rowSum(const Slice& slice, const Indices& indices)
{
    return slice.certificate.rows[static_cast<std::size_t>(indices[0])].sum;
}

double topWeight(const Slice& slice, const Indices& indices)
{
    const Matrix& weights = slice.stages.weights;
    return static_cast<double>(weights(indices[0], topKey(weights, indices[0])));
}

double partSum(const Slice& slice, const Indices& indices)
{
    double sum = 0;
    for (Index j = indices[1]; j < indices[2]; ++j)
        sum += static_cast<double>(slice.stages.weights(indices[0], j));
    return sum;
}

double columnSum(const Slice& slice, const Indices& indices)
{
    return columnSums(viewOf(slice.stages.weights))[static_cast<std::size_t>(indices[0])];
}

Index nMasked(const Slice& slice)
{
    return (slice.stages.before->logits.array() == -std::numeric_limits<float>::infinity()).count();
}

} // namespace

const std::map<QString, QuantityWord>& quantityWords()
{
    using enum Counts;
    static const std::map<QString, QuantityWord> words{
        {"score", ofCell(Stage::Scores)},
        {"scaled", ofCell(Stage::Scaled)},
        {"biased", ofCell(Stage::Biased)},
        {"tempered", ofCell(Stage::Tempered)},
        {"logit", ofCell(Stage::Logits)},
        {"weight", ofCell(Stage::Weights)},
        {"output", ofCell(Stage::Output)},
        {"row_sum", ofSlice({Query}, rowSum)},
        {"top_key",
         {{Query},
          [](const Quantity& q) {
              return sliceOf(q.state, q.place).map([&](const Slice& slice) {
                  return static_cast<double>(topKey(slice.stages.weights, q.indices[0]));
              });
          },
          true}},
        {"top_weight", ofSlice({Query}, topWeight)},
        {"part_sum", ofSlice({Query, Key, KeyEnd}, partSum)},
        {"column_sum", ofSlice({Key}, columnSum)},
        {"smallest_sum", ofSlice({}, [](const Slice& slice,
                                        const Indices&) { return slice.certificate.smallestSum; })},
        {"largest_sum", ofSlice({}, [](const Slice& slice,
                                       const Indices&) { return slice.certificate.largestSum; })},
        {"largest_weight", ofSlice({},
                                   [](const Slice& slice, const Indices&) {
                                       return static_cast<double>(slice.stages.weights.maxCoeff());
                                   })},
        {"valid_rows", countOfSlice([](const Slice& slice) { return slice.certificate.nValid; })},
        {"undefined_rows",
         countOfSlice([](const Slice& slice) { return slice.certificate.nUndefined; })},
        {"empty_cells",
         countOfSlice([](const Slice& slice) { return slice.certificate.nEmptyCells; })},
        {"masked_cells", countOfSlice(nMasked)},
        {"undefined_outputs",
         countOfSlice([](const Slice& slice) { return nUndefinedOutputs(slice.stages.output); })},
        {"outside_outputs", {{}, outsideOutputs, true}},
        {"hull_distance", {{Query}, hullDistance}},
        {"queries", ofSizes(&Sizes::Tq)},
        {"keys", ofSizes(&Sizes::Tk)},
        {"heads", ofSizes(&Sizes::H)},
        {"examples", ofSizes(&Sizes::B)},
        {"width", ofSizes(&Sizes::dk)},
        {"slope", {{Head}, slope}},
        {"largest_change", {{}, largestChange}},
        {"moved_by_last_token", {{}, movedByLastToken, true}},
        {"moved_by_head", {{Head}, movedByHead, true}},
        {"moved_by_example", {{Example}, movedByExample, true}},
    };
    return words;
}

Index countOf(Counts what, const Sizes& sizes)
{
    switch (what) {
    case Counts::Query:
        return sizes.Tq;
    case Counts::Key:
        return sizes.Tk;
    case Counts::KeyEnd:
        return sizes.Tk + 1;
    case Counts::Feature:
        return sizes.dv;
    case Counts::Head:
        return sizes.H;
    case Counts::Example:
        break;
    }
    return sizes.B;
}

bool areSame(double a, double b)
{
    if (!std::isfinite(a) || !std::isfinite(b))
        return a == b || (std::isnan(a) && std::isnan(b));
    return std::abs(a - b) <= kSame * std::max({1.0, std::abs(a), std::abs(b)});
}

} // namespace keyaxis
