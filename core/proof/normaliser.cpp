#include "core/proof/normaliser.h"

#include "core/proof/verdict.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace keyaxis {

namespace {

using Kind = Normaliser::Kind;

constexpr float kMasked = -std::numeric_limits<float>::infinity();

AxisSet setOf(Axis axis)
{
    switch (axis) {
    case Axis::Query:
        return AxisSet(1U << AxisSet::Query);
    case Axis::Key:
        return AxisSet(1U << AxisSet::Key);
    case Axis::Batch:
        return AxisSet(1U << AxisSet::Batch);
    case Axis::Head:
        break;
    }
    return AxisSet(1U << AxisSet::Head);
}

/// The axes that a denominator runs over.
AxisSet denominatorOf(const Normaliser& normaliser, Axis axis)
{
    switch (normaliser.kind) {
    case Kind::Joint:
        return normaliser.joint;
    case Kind::Sigmoid:
        return AxisSet();
    case Kind::Plain:
    case Kind::Renormalised:
    case Kind::Sink:
        break;
    }
    return setOf(axis);
}

/// Largest logit and sum of the powers of one denominator.
struct Denominator {
    double largest = double{kMasked};
    double sum = 0.0;
};

/// Softmax of `own` over the entries of `members` along `axes`; its denominators may hold a sink.
Matrix weightsOver(const Matrix& own, const std::vector<MatrixView>& members, AxisSet axes,
                   bool hasSink, EmptySlice empty)
{
    const Index nRows = axes.has(AxisSet::Query) ? 1 : own.rows();
    const Index nColumns = axes.has(AxisSet::Key) ? 1 : own.cols();
    std::vector<Denominator> all(static_cast<std::size_t>(nRows * nColumns));
    const auto of = [&](Index i, Index j) -> Denominator& {
        return all[static_cast<std::size_t>((nRows == 1 ? 0 : i) * nColumns +
                                            (nColumns == 1 ? 0 : j))];
    };
    const auto forEach = [&](auto body) {
        for (const MatrixView& member : members)
            for (Index i = 0; i < own.rows(); ++i)
                for (Index j = 0; j < own.cols(); ++j)
                    body(of(i, j), double{member(i, j)});
    };
    forEach([](Denominator& d, double z) {
        if (z > d.largest || std::isnan(z)) // NaN stays
            d.largest = z;
    });
    for (Denominator& d : all)
        if (hasSink) {
            d.largest = std::isnan(d.largest) ? d.largest : std::max(0.0, d.largest);
            d.sum = std::exp(-d.largest);
        }
    forEach([](Denominator& d, double z) {
        if (z != double{kMasked})
            d.sum += std::exp(z - d.largest);
    });
    Matrix weights(own.rows(), own.cols());
    for (Index i = 0; i < own.rows(); ++i)
        for (Index j = 0; j < own.cols(); ++j) {
            const Denominator& d = of(i, j);
            const bool isEmpty = d.sum == 0.0;
            if (own(i, j) == kMasked)
                weights(i, j) = isEmpty && empty == EmptySlice::Nan
                                    ? std::numeric_limits<float>::quiet_NaN()
                                    : 0.0F;
            else
                weights(i, j) = static_cast<float>(std::exp(double{own(i, j)} - d.largest) / d.sum);
        }
    return weights;
}

Matrix sigmoid(const Matrix& logits)
{
    return logits.unaryExpr([](float z) {
        return z == kMasked ? 0.0F : static_cast<float>(1.0 / (1.0 + std::exp(-double{z})));
    });
}

/// Each row divided by its sum; a row of zeros is an empty slice.
Matrix renormalised(const Matrix& weights, EmptySlice empty)
{
    Matrix result = weights;
    for (Index i = 0; i < result.rows(); ++i) {
        const double sum = weights.row(i).cast<double>().sum();
        if (sum == 0.0 && empty == EmptySlice::Zero)
            continue;
        result.row(i) = (weights.row(i).cast<double>() / sum).cast<float>();
    }
    return result;
}

/// Masked keys add nothing, even where their value row is NaN.
Matrix outputOf(const Matrix& weights, const Matrix& logits, const MatrixView& values)
{
    Matrix output(weights.rows(), values.cols());
    for (Index i = 0; i < weights.rows(); ++i) {
        Eigen::RowVectorXd sum = Eigen::RowVectorXd::Zero(values.cols());
        for (Index j = 0; j < weights.cols(); ++j)
            if (logits(i, j) != kMasked)
                sum += double{weights(i, j)} * values.row(j).cast<double>();
            else if (std::isnan(weights(i, j)))
                sum.setConstant(std::numeric_limits<double>::quiet_NaN());
        output.row(i) = sum.cast<float>();
    }
    return output;
}

/// Logits of everything that shares a denominator with (b, h), and of (b, h) itself.
struct Gathered {
    Tensor all; ///< kept for the views below; empty where (b, h) is alone
    SliceStages slice;
    std::vector<MatrixView> members;
};

Result<Gathered> gather(const Inputs& inputs, const ScoreSettings& settings, AxisSet axes, Index b,
                        Index h, const std::stop_token& stop)
{
    auto slice = attendSlice(inputs, settings, b, h, stop);
    if (!slice)
        return tl::unexpected(slice.error());
    Gathered result;
    result.slice = std::move(*slice);
    if (!axes.has(AxisSet::Batch) && !axes.has(AxisSet::Head)) {
        result.members.push_back(viewOf(result.slice.before->logits));
        return result;
    }
    auto all = attend(inputs, settings, {.logits = true, .output = false}, stop);
    if (!all)
        return tl::unexpected(all.error());
    result.all = std::move(all->logits);
    const Sizes sizes = sizesOf(inputs);
    for (Index batch = 0; batch < sizes.B; ++batch)
        for (Index head = 0; head < sizes.H; ++head)
            if ((batch == b || axes.has(AxisSet::Batch)) && (head == h || axes.has(AxisSet::Head)))
                result.members.push_back(std::as_const(result.all).slice(batch, head));
    return result;
}

/// "Queries, and heads" that sit in each other's denominators; empty where nobody does.
std::string coupledIn(AxisSet axes, const Sizes& sizes)
{
    std::string text;
    const auto add = [&](AxisSet::Member axis, Index n, const char* noun) {
        if (axes.has(axis) && n > 1)
            text += (text.empty() ? "" : " and ") + std::string(noun);
    };
    add(AxisSet::Query, sizes.Tq, "queries");
    add(AxisSet::Batch, sizes.B, "examples");
    add(AxisSet::Head, sizes.H, "heads");
    return text;
}

std::string rangeOf(const Certificate& certificate)
{
    RowCertificate smallest;
    RowCertificate largest;
    smallest.sum = certificate.smallestSum;
    largest.sum = certificate.largestSum;
    const std::string from = sumText(smallest);
    const std::string to = sumText(largest);
    return from == to ? from : from + " … " + to;
}

std::string reasonOf(const Normaliser& normaliser, Axis axis)
{
    switch (normaliser.kind) {
    case Kind::Plain:
        return axisGloss(axis);
    case Kind::Renormalised:
        return "each row was divided by its sum, as Slot Attention does";
    case Kind::Joint:
        return "one softmax runs over " + normaliser.joint.name();
    case Kind::Sink:
        return "a sink takes what the +1 in the denominator leaves";
    case Kind::Sigmoid:
        break;
    }
    return "each weight is on its own";
}

std::string sentenceOf(const NormalisedSlice& slice, const Normaliser& normaliser, Axis axis,
                       const std::string& coupled)
{
    const Certificate& c = slice.certificate;
    if (c.nRows() == 0)
        return "There are no rows.";
    std::string text = slice.isConvex      ? "Convex: "
                       : slice.isSubConvex ? "Sub-convex: "
                                           : "Not convex: ";
    text += reasonOf(normaliser, axis);
    if (c.nUndefined < c.nRows())
        text += "; rows sum to " + rangeOf(c);
    text += ".";
    if (c.nUndefined > 0)
        text += " " + std::to_string(c.nUndefined) +
                (c.nUndefined == 1 ? " row is undefined." : " rows are undefined.");
    if (coupled.empty())
        return text + " Nothing is coupled.";
    return text + " Coupled: " + coupled + " sit in each other's denominators.";
}

Result<void> checkedNormaliser(const Normaliser& normaliser, const ScoreSettings& settings)
{
    if (normaliser.kind == Kind::Joint && normaliser.joint.bits() == 0)
        return fail(Errc::BadValue, "A joint softmax needs at least one axis.");
    const bool hasLimit = normaliser.kind == Kind::Plain || normaliser.kind == Kind::Renormalised;
    if (settings.temperature == 0.0F && !hasLimit)
        return fail(Errc::BadValue, "τ = 0 is the limit of the plain softmax only; a joint "
                                    "softmax, a sink and a sigmoid need a temperature above 0.");
    return {};
}

} // namespace

Result<NormalisedSlice> normalisedSlice(const Inputs& inputs, const ScoreSettings& settings,
                                        const Normaliser& normaliser, Index b, Index h,
                                        std::stop_token stop)
{
    if (const auto valid = checkedNormaliser(normaliser, settings); !valid)
        return tl::unexpected(valid.error());
    const AxisSet axes = denominatorOf(normaliser, settings.axis);
    const bool isFromPlain =
        normaliser.kind == Kind::Plain || normaliser.kind == Kind::Renormalised;
    const auto gathered = gather(inputs, settings, isFromPlain ? AxisSet() : axes, b, h, stop);
    if (!gathered)
        return tl::unexpected(gathered.error());

    NormalisedSlice result;
    const Matrix& logits = gathered->slice.before->logits;
    switch (normaliser.kind) {
    case Kind::Plain:
        result.weights = gathered->slice.weights;
        break;
    case Kind::Renormalised:
        result.weights = renormalised(gathered->slice.weights, settings.empty);
        break;
    case Kind::Joint:
    case Kind::Sink:
        result.weights = weightsOver(logits, gathered->members, axes, normaliser.kind == Kind::Sink,
                                     settings.empty);
        break;
    case Kind::Sigmoid:
        result.weights = sigmoid(logits);
        break;
    }
    const Sizes sizes = sizesOf(inputs);
    if (inputs.v)
        result.output =
            normaliser.kind == Kind::Plain
                ? gathered->slice.output
                : outputOf(result.weights, logits, inputs.v->slice(b, sizes.groupOf(h)));
    result.certificate = certify(viewOf(result.weights), viewOf(logits));
    result.isConvex = result.certificate.isValid();
    result.isSubConvex =
        std::ranges::all_of(result.certificate.rows, [](const RowCertificate& row) {
            return row.isDefined() && row.smallest >= 0.0F && row.sum <= 1.0 + kRowSumTolerance;
        });
    const std::string coupled = coupledIn(axes, sizes);
    result.isCoupled = !coupled.empty();
    result.sentence = sentenceOf(result, normaliser, settings.axis, coupled);
    return result;
}

} // namespace keyaxis
