#include "ui/present/lesson_run.h"

#include <QRegularExpression>
#include <algorithm>

namespace keyaxis {

LessonRun::LessonRun(std::shared_ptr<const Lesson> lesson, int step)
    : m_lesson(std::move(lesson)), m_progress(m_lesson->steps.size())
{
    goTo(step);
}

const Step* LessonRun::nextStep() const
{
    const auto next = static_cast<std::size_t>(m_index) + 1;
    return next < m_lesson->steps.size() ? &m_lesson->steps[next] : nullptr;
}

bool LessonRun::forward()
{
    return reveal() || goTo(m_index + 1);
}

bool LessonRun::back()
{
    if (progress().isRevealed) {
        present().isRevealed = false;
        return true;
    }
    return goTo(m_index - 1);
}

bool LessonRun::goTo(int index)
{
    const int target = std::clamp(index, 0, m_lesson->nSteps() - 1);
    return std::exchange(m_index, target) != target;
}

bool LessonRun::choose(char letter)
{
    if (!step().question || progress().isRevealed)
        return false;
    const auto& choices = step().question->choices;
    const bool isThere = std::any_of(choices.begin(), choices.end(),
                                     [&](const Choice& choice) { return choice.letter == letter; });
    if (isThere)
        present().chosen = letter;
    return isThere;
}

bool LessonRun::reveal()
{
    if (isRevealed())
        return false;
    present().isRevealed = true;
    return true;
}

void LessonRun::setTally(std::vector<int> hands)
{
    if (step().question && hands.size() == step().question->choices.size())
        present().tally = std::move(hands);
}

void LessonRun::reset()
{
    present() = {};
}

std::optional<std::vector<int>> tallyOf(const QString& text, std::size_t nChoices)
{
    static const QRegularExpression between(QStringLiteral("[\\s,;]+"));
    std::vector<int> hands;
    for (const QString& word : text.split(between, Qt::SkipEmptyParts)) {
        bool isNumber = false;
        const int n = word.toInt(&isNumber);
        if (!isNumber || n < 0)
            return std::nullopt;
        hands.push_back(n);
    }
    return hands.size() == nChoices ? std::optional(hands) : std::nullopt;
}

} // namespace keyaxis
