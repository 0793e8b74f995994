#include "ui/widgets/one_slice.h"

#include "core/attention/cell_logit.h"
#include "core/attention/masked.h"
#include "core/attention/softmax.h"
#include "ui/paint/heatmap_image.h"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>
#include <limits>

namespace keyaxis {

namespace {

QString tr(const char* text)
{
    return QCoreApplication::translate("OneSlice", text);
}

/// The same cell of every example or head: only one of them was computed in full.
void fillAcross(OneSlice& slice, const Results& from)
{
    const bool isBatch = slice.axis == Axis::Batch;
    const Sizes sizes = sizesOf(from.inputs);
    const Index n = isBatch ? sizes.B : sizes.H;
    slice.at = isBatch ? from.batch : from.head;
    if (slice.isGiven) {
        for (Index m = 0; m < n; ++m)
            slice.weights.push_back(from.inputs.weights->at(
                isBatch ? m : from.batch, isBatch ? from.head : m, slice.cell.row, slice.cell.col));
        slice.logits.assign(slice.weights.size(), 0.0F);
        return;
    }

    // The softmax subtracts the largest logit before it divides by τ, so it is given what is
    // undivided.
    ScoreSettings undivided = from.settings;
    undivided.temperature = 1.0F;
    Tensor logits({n, 1, 1, 1});
    for (Index m = 0; m < n; ++m)
        logits.data()[m] = cellLogit(from.inputs, undivided, isBatch ? m : from.batch,
                                     isBatch ? from.head : m, slice.cell.row, slice.cell.col);
    const float temperature = from.settings.temperature;
    const auto weights = softmax(logits, Axis::Batch, {temperature, from.settings.empty});
    slice.logits.assign(logits.data(), logits.data() + n);
    for (float& logit : slice.logits)
        logit /= temperature > 0.0F ? temperature : 1.0F;
    slice.weights.assign(weights->data(), weights->data() + n);
}

/// Members of the denominator that are written out: the first ones, the cell's own, the last.
std::vector<Index> writtenMembers(const OneSlice& slice, int nTerms)
{
    std::vector<Index> allowed;
    for (Index m = 0; m < static_cast<Index>(slice.logits.size()); ++m)
        if (slice.isAllowed(m))
            allowed.push_back(m);
    const auto nWritten = static_cast<std::size_t>(std::max(2, nTerms));
    if (allowed.size() <= nWritten)
        return allowed;

    std::vector<Index> written(allowed.begin(),
                               allowed.begin() + static_cast<std::ptrdiff_t>(nWritten) - 1);
    const bool isThere = std::find(written.begin(), written.end(), slice.at) != written.end();
    written.push_back(isThere ? allowed.back() : slice.at);
    return written;
}

Label quotient(const OneSlice& slice, int nTerms)
{
    const auto logit = [&](Index m) {
        return shortNumber(slice.logits[static_cast<std::size_t>(m)]);
    };
    Label label(QStringLiteral("w = e"));
    label.super(logit(slice.at)).add(QStringLiteral(" / ("));
    Index previous = -1;
    const std::vector<Index> written = writtenMembers(slice, nTerms);
    for (const Index m : written) {
        if (previous >= 0)
            label.add(QStringLiteral(" + "));
        const bool leavesOut =
            std::any_of(slice.logits.begin() + previous + 1, slice.logits.begin() + m,
                        [](float z) { return !isMasked(z); });
        if (leavesOut)
            label.add(QStringLiteral("… + "));
        label.add(QStringLiteral("e")).super(logit(m));
        previous = m;
    }
    if (std::any_of(slice.logits.begin() + previous + 1, slice.logits.end(),
                    [](float z) { return !isMasked(z); }))
        label.add(QStringLiteral(" + …"));
    return label.add(QStringLiteral(") = "))
        .bold(weightNumber(slice.weights[static_cast<std::size_t>(slice.at)]));
}

} // namespace

ShownResults::ShownResults(std::shared_ptr<const Results> from)
    : results(std::move(from)),
      queries(tokenLabels(results->inputs.queryTokens, results->batch, sizesOf(results->inputs).Tq,
                          'q')),
      keys(tokenLabels(results->inputs.keyTokens, results->batch, sizesOf(results->inputs).Tk, 'k'))
{
}

std::shared_ptr<const MapDigest> ShownResults::digest(Axis axis, Stage stage) const
{
    if (stage == Stage::Weights)
        return results->digests[static_cast<std::size_t>(axis)];
    if (const auto& known = results->stageDigests[static_cast<std::size_t>(stage)];
        known && axis == results->settings.axis)
        return known;
    auto& kept = m_digests[{axis, stage}];
    if (!kept)
        kept = std::make_shared<const MapDigest>(digestOf(stages(axis), stage));
    return kept;
}

bool ShownResults::contains(Cell cell) const
{
    return cell.row >= 0 && cell.col >= 0 && cell.row < static_cast<Index>(queries.size()) &&
           cell.col < static_cast<Index>(keys.size());
}

bool OneSlice::isAllowed(Index member) const
{
    return !isMasked(logits[static_cast<std::size_t>(member)]);
}

Index OneSlice::nAllowed() const
{
    return std::count_if(logits.begin(), logits.end(), [](float z) { return !isMasked(z); });
}

OneSlice sliceThrough(const ShownResults& shown, Axis axis, Cell cell)
{
    const Results& results = *shown.results;
    OneSlice slice;
    slice.axis = axis;
    slice.cell = cell;
    slice.temperature = results.settings.temperature;
    slice.isGiven = results.inputs.weights != nullptr;
    const SliceStages& stages = shown.stages(axis);
    const auto copy = [](const auto& line) { return std::vector<float>(line.begin(), line.end()); };
    switch (axis) {
    case Axis::Key:
        slice.at = cell.col;
        slice.logits = copy(stages.before->logits.row(cell.row));
        slice.weights = copy(stages.weights.row(cell.row));
        break;
    case Axis::Query:
        slice.at = cell.row;
        slice.logits = copy(stages.before->logits.col(cell.col));
        slice.weights = copy(stages.weights.col(cell.col));
        break;
    case Axis::Batch:
    case Axis::Head:
        fillAcross(slice, results);
        break;
    }
    return slice;
}

Label memberName(const ShownResults& shown, const OneSlice& slice, Index member)
{
    switch (slice.axis) {
    case Axis::Key:
        return shown.keys[static_cast<std::size_t>(member)];
    case Axis::Query:
        return shown.queries[static_cast<std::size_t>(member)];
    case Axis::Batch:
        return Label(tr("example %1").arg(member + 1));
    case Axis::Head:
        break;
    }
    return Label(tr("head %1").arg(member + 1));
}

SliceTitle sliceTitle(const ShownResults& shown, const OneSlice& slice)
{
    const Label& query = shown.queries[static_cast<std::size_t>(slice.cell.row)];
    const Label& key = shown.keys[static_cast<std::size_t>(slice.cell.col)];
    if (slice.axis == Axis::Key)
        return {query, tr("over its keys")};
    if (slice.axis == Axis::Query)
        return {key, tr("over its queries")};
    Label both = query;
    both.add(QStringLiteral(" → "));
    both.runs.insert(both.runs.end(), key.runs.begin(), key.runs.end());
    return {both, slice.axis == Axis::Batch ? tr("over the examples") : tr("over the heads")};
}

Label substitutedFormula(const OneSlice& slice, int nTerms)
{
    const float weight = slice.weights[static_cast<std::size_t>(slice.at)];
    if (slice.isGiven)
        return Label(tr("loaded, not computed: w = ")).bold(weightNumber(weight));
    const Index nAllowed = slice.nAllowed();
    if (nAllowed == 0)
        return std::isnan(weight)
                   ? Label(tr("0/0: nothing is allowed in this slice, w = ")).bold(tr("NaN"))
                   : Label(tr("0/0: nothing is allowed in this slice; the policy makes it "))
                         .bold(QStringLiteral("0"));
    if (!slice.isAllowed(slice.at))
        return Label(tr("masked: e"))
            .super(QStringLiteral("-∞"))
            .add(QStringLiteral(" = 0, w = "))
            .bold(QStringLiteral("0"));
    if (std::isnan(weight))
        return Label(tr("a logit of this slice is NaN or +∞, w = ")).bold(tr("NaN"));
    if (slice.temperature == 0.0F) {
        const QString share = weightNumber(weight);
        return weight > 0
                   ? Label(tr("τ = 0, the arg-max limit: the largest logits share, w = "))
                         .bold(share)
                   : Label(tr("τ = 0, the arg-max limit: not the largest logit, w = ")).bold(share);
    }
    return quotient(slice, nTerms);
}

QString shortNumber(double value)
{
    if (std::isnan(value))
        return QStringLiteral("NaN");
    if (std::isinf(value))
        return value > 0 ? QStringLiteral("∞") : QStringLiteral("-∞");
    const double size = std::abs(value);
    if (size >= 10000)
        return QString::number(value, 'g', 3);
    return QString::number(value, 'f', size >= 100 ? 1 : 2);
}

QString weightNumber(double value)
{
    if (std::isnan(value))
        return QStringLiteral("NaN");
    if (value != 0 && std::abs(value) < 0.0005)
        return QString::number(value, 'e', 1);
    return QString::number(value, 'f', 3);
}

} // namespace keyaxis
