#include "ui/present/quiz.h"

#include "core/attention/alibi.h"
#include "core/attention/attention.h"
#include "core/proof/certificate.h"
#include "core/proof/verdict.h"
#include "ui/present/quantity_words.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

namespace keyaxis {

namespace {

constexpr qsizetype kMostShown = 8; ///< numbers of a line that a class reads
constexpr Index kMostChoices = 4;
constexpr int kTriesPerStep = 30; ///< questions that turn out to have two answers are not asked

/// A stream of random numbers, the same on every machine: the standard's distributions are not.
class Chance {
public:
    explicit Chance(std::uint64_t seed) : m_engine(seed) {}
    Index below(Index n) { return static_cast<Index>(m_engine() % static_cast<std::uint64_t>(n)); }

private:
    std::mt19937_64 m_engine;
};

/// A question, or none where this one would not have exactly one answer.
using MaybeStep = Result<std::optional<Step>>;

Result<Matrix> weightsOf(const StepState& state)
{
    return attendSlice(state.inputs, state.settings, state.batch, state.head)
        .map([](const SliceStages& stages) { return stages.weights; });
}

bool areSameWeights(const Matrix& a, const Matrix& b)
{
    for (Index n = 0; n < a.size(); ++n)
        if (!areSame(static_cast<double>(a.data()[n]), static_cast<double>(b.data()[n])))
            return false;
    return true;
}

QString numberText(double value)
{
    return std::isnan(value) ? QStringLiteral("NaN") : QString::number(value, 'f', 2);
}

/// "0.12, 0.88, NaN, …"
QString listOf(const std::vector<double>& values)
{
    QStringList shown;
    for (const double value : values)
        shown += numberText(value);
    if (shown.size() > kMostShown)
        shown = shown.mid(0, kMostShown) + QStringList{QStringLiteral("…")};
    return shown.join(QStringLiteral(", "));
}

std::vector<double> rowOf(const Matrix& weights, Index row)
{
    std::vector<double> values;
    for (Index j = 0; j < weights.cols(); ++j)
        values.push_back(static_cast<double>(weights(row, j)));
    return values;
}

void addChoice(Step& step, const QString& text, const QString& why, bool isRight)
{
    if (!step.question)
        step.question.emplace();
    const auto letter = static_cast<char>('A' + step.question->choices.size());
    step.question->choices.push_back({letter, text, why, isRight});
}

/// A look at some example and head.
StepState somewhere(const StepState& state, Chance& chance)
{
    const Sizes sizes = sizesOf(state.inputs);
    StepState look = state;
    look.picture = StepState::Picture::Map;
    look.stage = Stage::Weights;
    look.highlight.reset();
    look.blanks.clear();
    look.batch = chance.below(sizes.B);
    look.head = chance.below(sizes.H);
    return look;
}

/// What one cell sums to through the examples and through the heads: rows and columns do not tell
/// these two axes apart.
Result<QString> sumsThroughMaps(const StepState& state, const Matrix& shown)
{
    const Index row = shown.rows() - 1; // the last query may use the most keys
    Index col = 0;
    while (col < shown.cols() && !(shown(row, col) > 0))
        ++col;
    if (col == shown.cols())
        return QString();
    const Sizes sizes = sizesOf(state.inputs);
    const auto sumOver = [&](Index n, Index StepState::*which) -> Result<double> {
        double sum = 0;
        StepState look = state;
        for (look.*which = 0; look.*which < n; ++(look.*which)) {
            const auto weights = weightsOf(look);
            if (!weights)
                return tl::unexpected(weights.error());
            sum += static_cast<double>((*weights)(row, col));
        }
        return sum;
    };
    const auto examples = sumOver(sizes.B, &StepState::batch);
    const auto heads = sumOver(sizes.H, &StepState::head);
    if (!examples || !heads)
        return tl::unexpected((examples ? heads : examples).error());
    return QStringLiteral("The cell of query %1 and key %2 through the examples: %3; through the "
                          "heads: %4.")
        .arg(row + 1)
        .arg(col + 1)
        .arg(numberText(*examples), numberText(*heads));
}

MaybeStep axisQuestion(const StepState& state, Chance& chance)
{
    Step step;
    step.state = somewhere(state, chance);
    step.state.settings.axis = kAllAxes[static_cast<std::size_t>(chance.below(kAllAxes.size()))];
    const auto shown = weightsOf(step.state);
    if (!shown)
        return tl::unexpected(shown.error());
    std::vector<double> rows;
    for (const RowCertificate& row : certify(viewOf(*shown)).rows)
        rows.push_back(row.sum);
    step.title = QStringLiteral("Along which axis did the softmax run?");
    step.body = QStringLiteral("Row sums: %1\n\nColumn sums: %2")
                    .arg(listOf(rows), listOf(columnSums(viewOf(*shown))));
    const auto others = sumsThroughMaps(step.state, *shown);
    if (!others)
        return tl::unexpected(others.error());
    step.body += QStringLiteral("\n\n") + *others;
    for (const Axis axis : kAllAxes) {
        StepState other = step.state;
        other.settings.axis = axis;
        const auto weights = weightsOf(other);
        if (!weights)
            return tl::unexpected(weights.error());
        addChoice(step, QString::fromUtf8(names(axis).title.data()),
                  QString::fromStdString(axisGloss(axis)), areSameWeights(*weights, *shown));
    }
    return step;
}

MaybeStep maskQuestion(const StepState& state, Chance& chance)
{
    Step step;
    step.state = somewhere(state, chance);
    step.state.settings.axis = Axis::Key;
    step.state.settings.causal = chance.below(2) == 0;
    const auto shown = weightsOf(step.state);
    StepState other = step.state;
    other.settings.causal = !other.settings.causal;
    const auto otherwise = weightsOf(other);
    if (!shown || !otherwise)
        return tl::unexpected((shown ? otherwise : shown).error());
    if (areSameWeights(*shown, *otherwise))
        return std::nullopt;
    const Index row = chance.below(shown->rows() - 1); // the last one may differ in nothing
    step.title = QStringLiteral("Is the causal mask on?");
    step.body =
        QStringLiteral("The weights of query %1: %2").arg(row + 1).arg(listOf(rowOf(*shown, row)));
    if (row + 1 >= kMostShown)
        return std::nullopt; // what tells is not shown
    addChoice(step, QStringLiteral("on"), QStringLiteral("later keys have exactly 0"),
              step.state.settings.causal);
    addChoice(step, QStringLiteral("off"), QStringLiteral("later keys have a share"),
              !step.state.settings.causal);
    return step;
}

MaybeStep slopeQuestion(const StepState& state, Chance& chance)
{
    Step step;
    step.state = somewhere(state, chance);
    step.state.settings.alibi = true;
    const Index nHeads = sizesOf(state.inputs).H;
    const std::vector<float> slopes = alibiSlopes(nHeads, step.state.settings.slopes);
    std::vector<Index> heads(static_cast<std::size_t>(nHeads));
    std::iota(heads.begin(), heads.end(), 0);
    for (std::size_t n = heads.size(); n > 1; --n) // in any order: the first is not the answer
        std::swap(heads[n - 1], heads[static_cast<std::size_t>(chance.below(std::ssize(heads)))]);
    // One at least is left out where there are three or more, so that it is not always head 1.
    heads.resize(static_cast<std::size_t>(std::min(std::max<Index>(2, nHeads - 1), kMostChoices)));
    const auto slopeOf = [&](Index h) { return slopes[static_cast<std::size_t>(h)]; };
    const float steepest = slopeOf(*std::ranges::max_element(heads, {}, slopeOf));
    step.title = QStringLiteral("Which of these heads has the steepest ALiBi slope?");
    step.body = QStringLiteral("The slope is what a key pays for each step of distance.");
    for (const Index h : heads) {
        addChoice(step, QStringLiteral("head %1").arg(h + 1),
                  QStringLiteral("slope %1").arg(static_cast<double>(slopeOf(h)), 0, 'g', 4),
                  slopeOf(h) == steepest);
        if (slopeOf(h) == steepest)
            step.state.head = h;
    }
    return step;
}

/// Rows of weights over the keys, and one over the queries among them.
MaybeStep rowQuestion(const StepState& state, Chance& chance)
{
    Step step;
    step.state = somewhere(state, chance);
    step.state.settings.axis = Axis::Key;
    StepState wrong = step.state;
    wrong.settings.axis = Axis::Query;
    const auto right = weightsOf(step.state);
    const auto other = weightsOf(wrong);
    if (!right || !other)
        return tl::unexpected((right ? other : right).error());
    const Index nRows = std::min<Index>(right->rows(), kMostShown);
    const Index count = std::min<Index>(kMostChoices, nRows);
    const Index first = chance.below(nRows - count + 1);
    const Index nHidden = std::max<Index>(0, right->cols() - kMostShown);
    for (const Matrix* weights : {&*right, &*other}) // what is not shown cannot be added up
        if ((weights->middleRows(first, count).rightCols(nHidden).array() != 0).any())
            return std::nullopt;
    const Index odd = first + chance.below(count);
    step.title = QStringLiteral("Which row is not a distribution over the keys?");
    for (Index i = first; i < first + count; ++i) {
        const Matrix& weights = i == odd ? *other : *right;
        const Matrix row = weights.row(i);
        const RowCertificate certificate = certify(viewOf(row)).rows.front();
        addChoice(step, listOf(rowOf(weights, i)),
                  QStringLiteral("sums to %1").arg(QString::fromStdString(sumText(certificate))),
                  !certificate.isValid());
    }
    return step;
}

bool hasOneAnswer(const Step& step)
{
    const auto& choices = step.question->choices;
    return choices.size() > 1 &&
           std::count_if(choices.begin(), choices.end(),
                         [](const Choice& choice) { return choice.isRight; }) == 1;
}

} // namespace

Result<Lesson> quizAbout(const StepState& state, std::uint64_t seed, int nSteps)
{
    using Make = MaybeStep (*)(const StepState&, Chance&);
    const Sizes sizes = state.hasInputs() ? sizesOf(state.inputs) : Sizes{};
    std::vector<Make> kinds;
    if (sizes.Tq > 1 && sizes.Tk > 1)
        kinds = {axisQuestion, rowQuestion, maskQuestion};
    if (sizes.H > 1)
        kinds.push_back(slopeQuestion);

    Lesson lesson;
    lesson.title = QStringLiteral("Quiz");
    lesson.summary =
        QStringLiteral("Questions about %1.").arg(QString::fromStdString(state.inputs.name));
    Chance chance(seed);
    for (int n = 0; n < nSteps * kTriesPerStep && lesson.nSteps() < nSteps && !kinds.empty(); ++n) {
        const Make make = kinds[static_cast<std::size_t>(n) % kinds.size()];
        auto step = make(state, chance);
        if (!step)
            return tl::unexpected(step.error());
        if (*step && hasOneAnswer(**step))
            lesson.steps.push_back(std::move(**step));
    }
    if (lesson.steps.empty())
        return fail(Errc::BadInput, "No question fits this document: it needs two queries and two "
                                    "keys at least, and numbers that differ.");
    return lesson;
}

} // namespace keyaxis
