// Each lesson that ships, step by step: it loads, it computes, it fits, and it says nothing that is
// not computed.

#include "ui/present/lesson.h"
#include "ui/present/step_figure.h"
#include "ui/present/step_page.h"

#include <QFile>
#include <QFileInfo>
#include <QRegularExpression>
#include <QTest>

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
                        lesson, n, isRevealed, stepFigure(computedSource(shown).value(), shown));
                    const StepPageLayout layout = layoutStepPage(page, size);
                    QVERIFY2(layout.fits, qPrintable(QStringLiteral("step %1 at %2 × %3")
                                                         .arg(n + 1)
                                                         .arg(size.width())
                                                         .arg(size.height())));
                    QVERIFY(layout.bodyPx >= (size.width() < 1600 ? kSmallestPagePx : 20));
                }
    }

private:
    static void lessons()
    {
        QTest::addColumn<QString>("path");
        for (const QString& path : shippedLessons())
            QTest::newRow(qPrintable(QFileInfo(path).fileName())) << path;
    }
};

QTEST_MAIN(TestShippedLessons)
#include "tst_shipped_lessons.moc"
