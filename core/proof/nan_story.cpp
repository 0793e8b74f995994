#include "core/proof/nan_story.h"

#include "core/attention/cell_logit.h"
#include "core/attention/scores.h"
#include "core/proof/verdict.h"

#include <cctype>
#include <cmath>
#include <limits>

namespace keyaxis {

namespace {

constexpr float kMasked = -std::numeric_limits<float>::infinity();

float broadcast(const Tensor& tensor, const WeightCell& at)
{
    const Shape& s = tensor.shape();
    return tensor.at(s.batch == 1 ? 0 : at.b, s.heads == 1 ? 0 : at.h, s.rows == 1 ? 0 : at.i,
                     s.cols == 1 ? 0 : at.j);
}

/// The cells that share a denominator with `cell`.
std::vector<WeightCell> membersOf(const WeightCell& cell, Axis axis, const Sizes& sizes)
{
    std::vector<WeightCell> members;
    const auto add = [&](Index WeightCell::*coordinate, Index n) {
        WeightCell member = cell;
        for (member.*coordinate = 0; member.*coordinate < n; ++(member.*coordinate))
            members.push_back(member);
    };
    switch (axis) {
    case Axis::Key:
        add(&WeightCell::j, sizes.Tk);
        break;
    case Axis::Query:
        add(&WeightCell::i, sizes.Tq);
        break;
    case Axis::Batch:
        add(&WeightCell::b, sizes.B);
        break;
    case Axis::Head:
        add(&WeightCell::h, sizes.H);
        break;
    }
    return members;
}

/// "query 'night'", as the window names it.
std::string queryName(const Inputs& inputs, const WeightCell& at)
{
    return "query " + tokenName(inputs.queryTokens, at.b, at.i, 'q');
}
std::string keyName(const Inputs& inputs, const WeightCell& at)
{
    return "key " + tokenName(inputs.keyTokens, at.b, at.j, 'k');
}

std::string capitalised(std::string text)
{
    text.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(text.front())));
    return text;
}

OddSource oddSourceOf(const Inputs& inputs, const WeightCell& at)
{
    const Sizes sizes = sizesOf(inputs);
    if (inputs.scores && !std::isfinite(broadcast(*inputs.scores, at)))
        return OddSource::Score;
    if (inputs.q && !inputs.q->slice(at.b, at.h).row(at.i).allFinite())
        return OddSource::Query;
    if (inputs.k && !inputs.k->slice(at.b, sizes.groupOf(at.h)).row(at.j).allFinite())
        return OddSource::Key;
    if (inputs.bias && !std::isfinite(broadcast(*inputs.bias, at)))
        return OddSource::Bias;
    return OddSource::Overflow;
}

std::string emptySentence(const NanStory& story, const Inputs& inputs, Axis axis)
{
    switch (axis) {
    case Axis::Key:
        return capitalised(queryName(inputs, story.cell)) + " may use no key: 0/0.";
    case Axis::Query:
        return "No query may use " + keyName(inputs, story.cell) +
               ": 0/0 there spoils every output of this head.";
    case Axis::Batch:
        return "This cell is masked in every example: 0/0 spoils its row in each of them.";
    case Axis::Head:
        break;
    }
    return "This cell is masked in every head: 0/0 spoils its row in each of them.";
}

std::string oddSentence(const NanStory& story, const Inputs& inputs, Axis axis)
{
    const NanStory::Odd& odd = story.odd.front();
    std::string where;
    if (axis == Axis::Batch)
        where = " in example " + std::to_string(odd.cell.b + 1);
    if (axis == Axis::Head)
        where = " in head " + std::to_string(odd.cell.h + 1);
    const std::string who = queryName(inputs, odd.cell) + " and " + keyName(inputs, odd.cell);
    std::string why;
    switch (odd.source) {
    case OddSource::Query:
        why = "q of " + queryName(inputs, odd.cell) + " is not finite";
        break;
    case OddSource::Key:
        why = "k of " + keyName(inputs, odd.cell) + " is not finite";
        break;
    case OddSource::Score:
        why = "the loaded score is not finite";
        break;
    case OddSource::Bias:
        why = "the bias is not finite there";
        break;
    case OddSource::Overflow:
        why = "it overflows float32";
        break;
    }
    return "The logit of " + who + where + " is NaN or +inf, for " + why +
           ": it spoils every allowed weight that shares its denominator.";
}

/// What the zero policy leaves of the row, and who does so.
void tellPolicies(NanStory& story, Axis axis)
{
    story.nanSentence = "Policy nan: 0/0 stays NaN, as torch.softmax gives it.";
    story.zeroSentence = "Policy zero: the weight is 0, as fused kernels since PyTorch 2.5 give it";
    if (std::isnan(story.zeroRowSum))
        story.zeroSentence += "; the row stays undefined for another reason.";
    else if (axis == Axis::Key)
        story.zeroSentence += "; the row sums to 0 and its output is 0.";
    else {
        RowCertificate row;
        row.sum = story.zeroRowSum;
        story.zeroSentence += "; the row sums to " + sumText(row) + ".";
    }
}

class Telling {
public:
    Telling(const Inputs& inputs, const ScoreSettings& settings, const SliceStages& slice)
        : m_inputs(inputs), m_settings(settings), m_slice(slice), m_sizes(sizesOf(inputs))
    {
    }

    NanStory ofWeight(const WeightCell& cell) const
    {
        NanStory story;
        story.cell = cell;
        const std::vector<WeightCell> members = membersOf(cell, m_settings.axis, m_sizes);
        for (const WeightCell& member : members) {
            const float logit = logitAt(member, cell);
            if (logit == kMasked)
                story.hidden.push_back({member, hiddenBy(m_inputs, m_settings, member, logit)});
            else if (!std::isfinite(logit))
                story.odd.push_back({member, oddSourceOf(m_inputs, member)});
        }
        const bool isEmpty = story.hidden.size() == members.size();
        story.cause = isEmpty ? NanStory::Cause::EmptySlice : NanStory::Cause::OddLogit;
        story.sentence = isEmpty ? emptySentence(story, m_inputs, m_settings.axis)
                                 : oddSentence(story, m_inputs, m_settings.axis);
        if (m_settings.axis == Axis::Key) {
            story.spoiled.push_back({cell.b, cell.h, cell.i});
            return keepOne(std::move(story));
        }
        for (const WeightCell& member : members)
            if (isEmpty || logitAt(member, cell) != kMasked) // a masked weight beside others is 0
                story.spoiled.push_back({member.b, member.h, member.i});
        return keepOne(std::move(story));
    }

    /// Weights are finite, yet the output is not.
    NanStory ofValues(const OutputRow& row) const
    {
        NanStory story;
        story.cause = NanStory::Cause::OddValue;
        story.cell = {row.b, row.h, row.i, 0};
        const auto values = m_inputs.v->slice(row.b, m_sizes.groupOf(row.h));
        const Matrix& logits = m_slice.before->logits;
        for (Index j = 0; j < m_sizes.Tk; ++j) {
            if (logits(row.i, j) == kMasked || values.row(j).allFinite())
                continue;
            story.cell.j = j;
            for (Index i = 0; i < m_sizes.Tq; ++i)
                if (logits(i, j) != kMasked)
                    story.spoiled.push_back({row.b, row.h, i});
            story.sentence = "The value row of " + keyName(m_inputs, story.cell) +
                             " is not finite: it spoils every output that may use it.";
            return story;
        }
        story.spoiled.push_back(row);
        story.sentence = "The weighted sum of the value rows overflows float32.";
        return story;
    }

private:
    /// An empty slice has no odd logits, and of an odd one nobody asks what hides its other cells.
    static NanStory keepOne(NanStory story)
    {
        if (story.cause == NanStory::Cause::OddLogit)
            story.hidden.clear();
        return story;
    }

    float logitAt(const WeightCell& member, const WeightCell& own) const
    {
        if (member.b == own.b && member.h == own.h)
            return m_slice.before->logits(member.i, member.j);
        return cellLogit(m_inputs, m_settings, member.b, member.h, member.i, member.j);
    }

    const Inputs& m_inputs;
    const ScoreSettings& m_settings;
    const SliceStages& m_slice;
    Sizes m_sizes;
};

/// Fills what the policy zero makes of the row.
Result<void> addZeroPolicy(NanStory& story, const Inputs& inputs, ScoreSettings settings,
                           const OutputRow& row, const std::stop_token& stop)
{
    settings.empty = EmptySlice::Zero;
    const auto zero = attendSlice(inputs, settings, row.b, row.h, stop);
    if (!zero)
        return tl::unexpected(zero.error());
    story.zeroRowSum = zero->weights.row(row.i).cast<double>().sum();
    if (inputs.v)
        story.zeroOutput = zero->output.row(row.i);
    if (story.cause == NanStory::Cause::EmptySlice)
        tellPolicies(story, settings.axis);
    return {};
}

} // namespace

HiddenBy hiddenBy(const Inputs& inputs, const ScoreSettings& settings, const WeightCell& cell,
                  float logit)
{
    if (logit != kMasked)
        return HiddenBy::Nothing;
    if (settings.causal && cell.j > cell.i + offsetOf(settings, sizesOf(inputs)))
        return HiddenBy::Causal;
    if (inputs.mask && broadcast(*inputs.mask, cell) == 0.0F)
        return HiddenBy::Mask;
    if (inputs.bias && broadcast(*inputs.bias, cell) == kMasked)
        return HiddenBy::Bias;
    return HiddenBy::Score;
}

Result<std::optional<NanStory>> storyOfWeight(const Inputs& inputs, const ScoreSettings& settings,
                                              const SliceStages& slice, const WeightCell& cell,
                                              std::stop_token stop)
{
    if (inputs.weights || std::isfinite(slice.weights(cell.i, cell.j)))
        return std::nullopt;
    NanStory story = Telling(inputs, settings, slice).ofWeight(cell);
    const auto added = addZeroPolicy(story, inputs, settings, {cell.b, cell.h, cell.i}, stop);
    if (!added)
        return tl::unexpected(added.error());
    return story;
}

Result<std::optional<NanStory>> storyOfOutput(const Inputs& inputs, const ScoreSettings& settings,
                                              const SliceStages& slice, const OutputRow& row,
                                              std::stop_token stop)
{
    for (Index j = 0; j < slice.weights.cols(); ++j)
        if (!std::isfinite(slice.weights(row.i, j)))
            return storyOfWeight(inputs, settings, slice, {row.b, row.h, row.i, j}, stop);
    if (!inputs.v || slice.output.row(row.i).allFinite())
        return std::nullopt;
    NanStory story = Telling(inputs, settings, slice).ofValues(row);
    const auto added = addZeroPolicy(story, inputs, settings, row, stop);
    if (!added)
        return tl::unexpected(added.error());
    return story;
}

} // namespace keyaxis
