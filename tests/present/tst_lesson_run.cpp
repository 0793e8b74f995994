// A class walks through a lesson.

#include "ui/present/lesson_run.h"

#include <QTest>

using namespace keyaxis;

namespace {

std::shared_ptr<const Lesson> lesson()
{
    const QString text = QStringLiteral(R"(# L
---
## One
```toml
logits = [[0, 1], [1, 0]]
```
---
## Two
```question
[[choice]]
text = "yes"
right_if = "row_sum 0 == 1"
[[choice]]
text = "no"
right_if = "row_sum 0 != 1"
```
Reveal: so it is
---
## Three
)");
    return std::make_shared<const Lesson>(parseLesson(text, "l.md").value());
}

} // namespace

class TestLessonRun : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void forwardRevealsBeforeItGoesOn()
    {
        LessonRun run(lesson());
        QVERIFY(run.isRevealed()); // nothing is hidden
        QVERIFY(run.forward());
        QCOMPARE(run.index(), 1);
        QVERIFY(!run.isRevealed());
        QCOMPARE(int(run.shownState().picture), int(StepState::Picture::None));
        QVERIFY(run.forward());
        QCOMPARE(run.index(), 1);
        QVERIFY(run.isRevealed());
        QCOMPARE(int(run.shownState().picture), int(StepState::Picture::Map));
        QVERIFY(run.forward());
        QCOMPARE(run.index(), 2);
        QVERIFY(!run.forward());
        QVERIFY(!run.nextStep());
    }

    void backHidesBeforeItGoesBack()
    {
        LessonRun run(lesson(), 1);
        run.reveal();
        QVERIFY(run.back());
        QCOMPARE(run.index(), 1);
        QVERIFY(!run.isRevealed());
        QVERIFY(run.back());
        QCOMPARE(run.index(), 0);
        QVERIFY(!run.back());
    }

    void anAnswerIsLockedByTheReveal()
    {
        LessonRun run(lesson(), 1);
        QVERIFY(!run.choose('C')); // there are two
        QVERIFY(run.choose('B'));
        QVERIFY(run.choose('A'));
        run.reveal();
        QVERIFY(!run.choose('B'));
        QCOMPARE(run.progress().chosen, std::optional('A'));
        run.goTo(0);
        QVERIFY(!run.choose('A'));
        run.goTo(1);
        QCOMPARE(run.progress().chosen, std::optional('A')); // kept while the class is elsewhere
        run.reset();
        QVERIFY(!run.progress().chosen && !run.isRevealed());
    }

    void handsAreCountedForEachChoice()
    {
        LessonRun run(lesson(), 1);
        run.setTally({3});
        QVERIFY(run.progress().tally.empty());
        run.setTally({3, 12});
        QCOMPARE(run.progress().tally, (std::vector<int>{3, 12}));
        QCOMPARE(tallyOf("3, 12", 2), std::optional(std::vector<int>{3, 12}));
        QCOMPARE(tallyOf(" 3 12 ", 2), std::optional(std::vector<int>{3, 12}));
        for (const char* text : {"3", "3 12 1", "3 -1", "3 x", ""})
            QVERIFY(!tallyOf(text, 2));
    }

    void aPlaceOutsideTheLessonIsItsNearestStep()
    {
        LessonRun run(lesson(), 99);
        QCOMPARE(run.index(), 2);
        QVERIFY(run.goTo(-5));
        QCOMPARE(run.index(), 0);
        QVERIFY(!run.goTo(0));
    }
};

QTEST_GUILESS_MAIN(TestLessonRun)
#include "tst_lesson_run.moc"
