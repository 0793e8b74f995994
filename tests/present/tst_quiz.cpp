// Questions about any document, with computed answers.

#include "core/attention/attention.h"
#include "core/proof/certificate.h"
#include "ui/present/quiz.h"

#include <QRegularExpression>
#include <QSet>
#include <QTest>

using namespace keyaxis;

namespace {

StepState stateOf(const char* toml)
{
    return readStepSettings(QString::fromUtf8(toml), {"l.md", 1}, {}).value().state;
}

const char* const kSentence = "sentence = \"the cat sat on the mat\"\nseed = 1\ncausal = true\n"
                              "sizes = {examples = 2, heads = 6}";

} // namespace

class TestQuiz : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyQuestionHasOneAnswer()
    {
        for (std::uint64_t seed = 0; seed < 20; ++seed) {
            const Lesson quiz = quizAbout(stateOf(kSentence), seed, 12).value();
            QCOMPARE(quiz.nSteps(), 12);
            for (const Step& step : quiz.steps) {
                const auto& choices = step.question->choices;
                QCOMPARE(std::count_if(choices.begin(), choices.end(),
                                       [](const Choice& choice) { return choice.isRight; }),
                         1);
            }
        }
    }

    void theAnswerIsThatOfTheStep()
    {
        int nAxis = 0;
        int nMask = 0;
        int nSlope = 0;
        int nRow = 0;
        QSet<char> slopeLetters;
        for (std::uint64_t seed = 0; seed < 10; ++seed) {
            const Lesson quiz = quizAbout(stateOf(kSentence), seed, 12).value();
            for (const Step& step : quiz.steps) {
                const Choice& right = step.question->right();
                if (step.title.startsWith("Along")) {
                    ++nAxis;
                    QCOMPARE(right.text,
                             QString::fromUtf8(names(step.state.settings.axis).title.data()));
                } else if (step.title.startsWith("Is the")) {
                    ++nMask;
                    QCOMPARE(right.text, QString(step.state.settings.causal ? "on" : "off"));
                } else if (step.title.contains("slope")) {
                    ++nSlope;
                    // Six heads by the authors' rule: 1/4, 1/16, 1/64, 1/256, 1/2, 1/8.
                    static const QStringList steepestFirst{"head 5", "head 1", "head 6",
                                                           "head 2", "head 3", "head 4"};
                    const auto rank = [](const Choice& choice) {
                        return steepestFirst.indexOf(choice.text);
                    };
                    for (const Choice& choice : step.question->choices)
                        QVERIFY(rank(right) <= rank(choice));
                    slopeLetters += right.letter;
                } else {
                    ++nRow;
                    QVERIFY(!right.why.startsWith("sums to 1.00"));
                }
            }
        }
        QVERIFY(nAxis > 0 && nMask > 0 && nSlope > 0 && nRow > 0);
        QVERIFY(slopeLetters.size() > 2); // the first answer is not always the right one
    }

    /// What is said is enough to tell: along the answer's axis alone everything that is defined
    /// sums to 1.
    void theAxisCanBeTold()
    {
        static const QRegularExpression through(
            "through the examples: (\\S+); through the heads: (\\S+)\\.$");
        int nTold = 0;
        for (std::uint64_t seed = 0; seed < 10; ++seed) {
            const Lesson quiz = quizAbout(stateOf(kSentence), seed, 12).value();
            for (const Step& step : quiz.steps) {
                if (!step.title.startsWith("Along"))
                    continue;
                const auto match = through.match(step.body);
                QVERIFY2(match.hasMatch(), qPrintable(step.body));
                ++nTold;
                const Axis axis = step.state.settings.axis;
                QCOMPARE(match.captured(1) == "1.00", axis == Axis::Batch);
                QCOMPARE(match.captured(2) == "1.00", axis == Axis::Head);
            }
        }
        QVERIFY(nTold > 10);
    }

    void aSentenceOfTenWordsHasAllKinds()
    {
        QSet<QString> titles;
        const Lesson quiz = quizAbout(stateOf("sample = \"tiny_lm_layer2\""), 1, 20).value();
        for (const Step& step : quiz.steps)
            titles += step.title.left(12);
        QCOMPARE(titles.size(), 4);
    }

    void aSeedAsksTheSame()
    {
        const auto titles = [](std::uint64_t seed) {
            QStringList all;
            const Lesson quiz = quizAbout(stateOf(kSentence), seed, 8).value();
            for (const Step& step : quiz.steps)
                all += step.title + step.body + step.question->right().letter;
            return all;
        };
        QCOMPARE(titles(3), titles(3));
        QVERIFY(titles(3) != titles(4));
    }

    void whatHasTwoAnswersIsNotAsked()
    {
        // Equal scores on a square map: keys and queries give the same weights.
        const auto quiz = quizAbout(stateOf("pattern = \"uniform\""), 1, 10);
        QVERIFY(quiz);
        for (const Step& step : quiz->steps)
            if (step.title.startsWith("Along"))
                QVERIFY(step.state.settings.axis == Axis::Batch ||
                        step.state.settings.axis == Axis::Head || step.state.settings.causal);
    }

    void aDocumentWithoutQuestionsIsSaid()
    {
        const auto quiz = quizAbout(stateOf("logits = [[0]]"), 1, 5);
        QVERIFY(!quiz);
        QVERIFY(quiz.error().message.find("two queries and two keys") != std::string::npos);
        QVERIFY(!quizAbout({}, 1, 5));
    }
};

QTEST_GUILESS_MAIN(TestQuiz)
#include "tst_quiz.moc"
