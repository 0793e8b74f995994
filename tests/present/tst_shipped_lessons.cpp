// Each lesson that ships, step by step: it loads, it computes, it fits, and it says nothing that is
// not computed.

#include "core/proof/hull_count.h"
#include "ui/present/lesson.h"
#include "ui/present/quantity.h"
#include "ui/present/step_figure.h"
#include "ui/present/step_page.h"

#include <QFile>
#include <QFileInfo>
#include <QRegularExpression>
#include <QTest>
#include <cstring>

using namespace keyaxis;

namespace {

/// Numbers that stand in `text` outside of claims, code, settings and formulas.
QStringList uncheckedNumbers(QString text)
{
    static const QRegularExpression checkedParts(QStringLiteral("```.*?```|`[^`]*`|\\{[^}]*\\}"),
                                                 QRegularExpression::DotMatchesEverythingOption);
    static const QRegularExpression number(
        QStringLiteral("\\d+[.,]\\d+|\\d+/[1-9]\\d*|\\d\\d+ ?%"));
    text.remove(checkedParts);
    QStringList found;
    for (auto match = number.globalMatch(text); match.hasNext();)
        found += match.next().captured();
    return found;
}

QString textOf(const QString& path);

/// What a lesson computes, in order: everything in braces of each step, sorted, and its settings.
QStringList claimsIn(const QString& path)
{
    static const QRegularExpression claim(QStringLiteral("\\{[^}]*\\}"));
    QStringList found;
    for (const QString& step : textOf(path).split(QStringLiteral("\n---\n"))) {
        QStringList own;
        for (auto match = claim.globalMatch(step); match.hasNext();)
            own += match.next().captured();
        own.sort();
        found += own.join(QLatin1Char('\n'));
    }
    return found;
}

/// The same weights, bit for bit, under every axis that is shown.
bool isSamePicture(const StepState& a, const StepState& b)
{
    const SliceSource first = computedSource(a).value();
    const SliceSource second = computedSource(b).value();
    const auto isSame = [](const auto& one, const auto& other) {
        return (!one && !other) ||
               (one && other && one->weights.size() == other->weights.size() &&
                std::memcmp(one->weights.data(), other->weights.data(),
                            static_cast<std::size_t>(one->weights.size()) * sizeof(float)) == 0);
    };
    return std::equal(first.axes.begin(), first.axes.end(), second.axes.begin(), isSame);
}

bool isSameState(const StepState& a, const StepState& b)
{
    return isSamePicture(a, b) && a.inputs.queryTokens == b.inputs.queryTokens &&
           a.settings == b.settings && a.batch == b.batch && a.head == b.head &&
           a.picture == b.picture && a.stage == b.stage && a.highlight == b.highlight &&
           a.blanks == b.blanks && a.plane == b.plane;
}

/// Whether `b` shows and asks what `a` does, in other words.
bool isTranslation(const Step& a, const Step& b)
{
    if (!isSameState(a.shownState(false), b.shownState(false)) ||
        !isSameState(a.shownState(true), b.shownState(true)) ||
        a.question.has_value() != b.question.has_value() || a.notes == b.notes)
        return false;
    return !a.question || (a.question->choices.size() == b.question->choices.size() &&
                           a.question->right().letter == b.question->right().letter);
}

QString textOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

} // namespace

class TestShippedLessons : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { registerFonts(); }
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void fiveShip() { QCOMPARE(shippedLessons().size(), 5); }

    void everyStepIsLoadedAndComputed_data() { lessons(); }
    void everyStepIsLoadedAndComputed()
    {
        QFETCH(QString, path);
        const auto lesson = readLesson(path);
        QVERIFY2(lesson, lesson ? "" : lesson.error().message.c_str());
        QVERIFY2(lesson->nSteps() >= 8 && lesson->nSteps() <= 14,
                 qPrintable(QString::number(lesson->nSteps())));
        QVERIFY(!lesson->summary.isEmpty());
        int nQuestions = 0;
        for (const Step& step : lesson->steps) {
            QVERIFY2(!step.notes.isEmpty(), qPrintable(step.title));
            nQuestions += step.question ? 1 : 0;
            for (const bool isRevealed : {false, true})
                QVERIFY2(computedSource(step.shownState(isRevealed)), qPrintable(step.title));
        }
        QVERIFY(nQuestions >= 3);
    }

    void everyValuePlaneSaysWhatTheCoreFinds_data() { lessons(); }
    void everyValuePlaneSaysWhatTheCoreFinds()
    {
        QFETCH(QString, path);
        const Lesson lesson = readLesson(path).value();
        for (const Step& step : lesson.steps)
            for (const bool isRevealed : {false, true}) {
                const StepState state = step.shownState(isRevealed);
                const SliceSource source = computedSource(state).value();
                const ValuePlaneFigure plane = stepPicture(source, state).plane;
                const bool isShown = state.plane && state.picture == StepState::Picture::Map;
                QCOMPARE(!plane.isEmpty(), isShown);
                if (!isShown)
                    continue;
                const auto& slice = *source.axes[static_cast<std::size_t>(state.settings.axis)];
                const Sizes sizes = sizesOf(state.inputs);
                const MatrixView values =
                    state.inputs.v->slice(state.batch, sizes.groupOf(state.head));
                const Certificate certificate =
                    certify(viewOf(slice.weights), viewOf(slice.before->logits));
                const HullCount hulls = hullCount(slice, values, certificate, sizes.Tq).value();
                QCOMPARE(plane.query, *state.plane);
                QCOMPARE(std::ranges::count(plane.isValid, true), certificate.nValid);
                const LessonPlace place{path, step.line};
                QCOMPARE(evaluateQuantity("outside_outputs", state, place).value(),
                         static_cast<double>(hulls.nOutside));
                const double distance =
                    evaluateQuantity(QStringLiteral("hull_distance %1").arg(plane.query), state,
                                     place)
                        .value();
                QCOMPARE(plane.isOutside, distance > 1e-4);
                if (plane.isOutside)
                    QVERIFY2(plane.sentence.contains(QString::number(distance, 'g', 3)),
                             qPrintable(plane.sentence));
            }
    }

    /// What the first lesson shows with it: the weights that the class may trust keep the outputs
    /// in the hull, and at the flip the one that is looked at leaves it.
    void theFlipLeavesTheHull()
    {
        const Lesson lesson = readLesson(lessonPath("1")).value();
        const Step& flip = lesson.steps[3];
        const auto planeOf = [&](bool isRevealed) {
            const StepState state = flip.shownState(isRevealed);
            return stepPicture(computedSource(state).value(), state).plane;
        };
        QVERIFY(!planeOf(false).isEmpty() && !planeOf(false).isOutside);
        QVERIFY(planeOf(true).isOutside);
        QVERIFY(planeOf(true).note.isEmpty()); // two dimensions: nothing is projected away
    }

    void everyQuestionHasOneRightAnswer_data() { lessons(); }
    void everyQuestionHasOneRightAnswer()
    {
        QFETCH(QString, path);
        const Lesson lesson = readLesson(path).value();
        for (const Step& step : lesson.steps) {
            if (!step.question)
                continue;
            const auto& choices = step.question->choices;
            QCOMPARE(std::count_if(choices.begin(), choices.end(),
                                   [](const Choice& choice) { return choice.isRight; }),
                     1);
        }
    }

    void everyNumberOfATextIsComputed_data() { lessons(); }
    void everyNumberOfATextIsComputed()
    {
        QFETCH(QString, path);
        const QString text = textOf(path);
        QVERIFY(!text.isEmpty());
        const QStringList found = uncheckedNumbers(text);
        QVERIFY2(found.isEmpty(), qPrintable(found.join(QStringLiteral(", "))));
    }

    void anUncheckedNumberIsFound()
    {
        QCOMPARE(uncheckedNumbers("it is 0.73 or 2/7, 15 %"), (QStringList{"0.73", "2/7", "15 %"}));
        QCOMPARE(uncheckedNumbers("it is {weight 0 1 = 0.73}, 0/0, `0.5`\n```\n1.5\n```"),
                 QStringList());
    }

    void aTranslationSaysTheSame()
    {
        int nTranslated = 0;
        for (const QString& language : lessonLanguages()) {
            const QStringList originals = shippedLessons();
            const QStringList translated = shippedLessons(language);
            QCOMPARE(translated.size(), originals.size());
            for (qsizetype n = 0; n < originals.size(); ++n) {
                if (translated[n] == originals[n])
                    continue;
                ++nTranslated;
                QCOMPARE(claimsIn(translated[n]), claimsIn(originals[n]));
                const Lesson a = readLesson(originals[n]).value();
                const Lesson b = readLesson(translated[n]).value();
                QCOMPARE(b.language, language);
                QVERIFY(a.title != b.title && a.summary != b.summary);
                QCOMPARE(a.nSteps(), b.nSteps());
                for (std::size_t k = 0; k < a.steps.size(); ++k)
                    QVERIFY2(isTranslation(a.steps[k], b.steps[k]), qPrintable(b.steps[k].title));
            }
        }
        QVERIFY(nTranslated > 0);
    }

    void aLanguageIsThatOfItsReader()
    {
        QCOMPARE(lessonLanguages().first(), QString("en"));
        QCOMPARE(lessonLanguage({"de-AT", "en-GB"}), QString("de"));
        QCOMPARE(lessonLanguage({"xx", "de"}), QString("de"));
        QCOMPARE(lessonLanguage({"xx"}), QString("en"));
        QVERIFY(lessonPath("1", "de").contains("/de/"));
        QCOMPARE(lessonPath("1", "xx"), lessonPath("1"));
    }

    void everyPageFits_data() { lessons(); }
    void everyPageFits()
    {
        QFETCH(QString, path);
        const Lesson lesson = readLesson(path).value();
        for (int n = 0; n < lesson.nSteps(); ++n)
            for (const bool isRevealed : {false, true})
                for (const QSizeF size :
                     {QSizeF(1600, 1000), QSizeF(1280, 800), QSizeF(1600, 1131)}) {
                    const Step& step = lesson.steps[static_cast<std::size_t>(n)];
                    const StepState shown = step.shownState(isRevealed);
                    const StepPage page = makeStepPage(
                        lesson, n, isRevealed, stepPicture(computedSource(shown).value(), shown));
                    const StepPageLayout layout = layoutStepPage(page, size);
                    QVERIFY2(layout.fits, qPrintable(QStringLiteral("step %1 at %2 × %3")
                                                         .arg(n + 1)
                                                         .arg(size.width())
                                                         .arg(size.height())));
                    QVERIFY(layout.bodyPx >= (size.width() < 1600 ? kSmallestPagePx : 20));
                    if (!page.plane.isEmpty()) {
                        const QRectF room(QPointF(0, 0), layout.plane.size() / layout.figureScale);
                        QVERIFY(room.contains(layout.planeParts.box));
                        QVERIFY(layout.planeParts.box.height() >= 90);
                        QVERIFY(room.contains(layout.planeParts.words));
                        QVERIFY(!layout.plane.intersects(layout.picture));
                    }
                }
    }

private:
    static void lessons()
    {
        QTest::addColumn<QString>("path");
        for (const QString& language : lessonLanguages())
            for (const QString& path : shippedLessons(language))
                if (const Lesson lesson = readLesson(path).value_or(Lesson());
                    lesson.language == language)
                    QTest::addRow("%s, %s", qPrintable(QFileInfo(path).fileName()),
                                  qPrintable(language))
                        << path;
    }
};

QTEST_MAIN(TestShippedLessons)
#include "tst_shipped_lessons.moc"
