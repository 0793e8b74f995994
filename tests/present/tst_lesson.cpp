// Texts become steps.

#include "ui/present/lesson.h"
#include "ui/present/step_figure.h"
#include "ui/present/step_page.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace keyaxis;

namespace {

const QString kLesson = QStringLiteral(R"(# Which axis?

What it is about.
---
## First

Scores of *two* queries.

```toml
logits = [["ln 1", "ln 3"], [0, 0]]
tokens = ["the", "cat"]
causal = true
highlight = [1, 0]
```
---
## Which?

Guess.

```question
ask = "How much does the first query give?"
value = "weight 0 1 causal=off"
[[choice]]
text = "a quarter"
number = 0.25
[[choice]]
text = "{weight 0 1 causal=off}"
number = 0.75
why = "ln 3"
```
Reveal:
It is {weight 0 1 causal=off = 3/4}.

Note: Wait.
Then ask again.
---
## Flip

```toml
axis = "query"
view = "compare"
[before]
axis = "key"
view = "map"
```
```python
softmax(scores, dim=-1)
---
```
)");

Lesson lessonOf(const QString& text)
{
    auto lesson = parseLesson(text, "l.md");
    Lesson refused;
    if (!lesson)
        refused.title = QString::fromStdString(lesson.error().message);
    return lesson ? *lesson : refused;
}

} // namespace

class TestLesson : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// A line of code cannot be broken: it is set smaller, or it is said that it does not fit.
    void codeThatIsTooWideDoesNotRunIntoThePicture()
    {
        registerFonts();
        const auto pageWith = [](int nLetters) {
            const Lesson lesson =
                parseLesson("# L\n---\n## S\n```text\n" + QString(nLetters, 'x') +
                                "\n```\n```toml\npattern = \"random\"\nview = \"compare\"\n```\n",
                            "l.md")
                    .value();
            const Step& step = lesson.steps.front();
            return layoutStepPage(
                makeStepPage(lesson, 0, true,
                             stepPicture(computedSource(step.state).value(), step.state)),
                {1600, 1000});
        };
        QVERIFY(pageWith(20).fits);
        QCOMPARE(pageWith(20).bodyPx, 23);
        QVERIFY(pageWith(38).fits);
        QVERIFY(pageWith(38).bodyPx < 23);
        QVERIFY(!pageWith(80).fits);
    }

    void aTextBecomesSteps()
    {
        const Lesson lesson = lessonOf(kLesson);
        QCOMPARE(lesson.title, QString("Which axis?"));
        QCOMPARE(lesson.summary, QString("What it is about."));
        QCOMPARE(lesson.nSteps(), 3);
        QCOMPARE(lesson.steps[0].title, QString("First"));
        QCOMPARE(lesson.steps[0].body, QString("Scores of *two* queries."));
        QCOMPARE(lesson.steps[1].hidden, QString("It is 3/4."));
        QCOMPARE(lesson.steps[1].notes, QString("Wait.\nThen ask again."));
        QCOMPARE(lesson.steps[1].line, 16);
        QVERIFY(lesson.steps[2].body.contains("dim=-1)\n---")); // a line of a fence
    }

    void settingsMakeALiveDocument()
    {
        const StepState state = lessonOf(kLesson).steps[0].state;
        QCOMPARE(sizesOf(state.inputs), (Sizes{1, 1, 1, 2, 2, 2, 2}));
        QCOMPARE(state.inputs.keyTokens[0][1], std::string("cat"));
        QVERIFY(state.settings.causal);
        QCOMPARE(state.settings.scale, std::optional(1.0));
        QCOMPARE(state.highlight, std::optional(Cell{1, 0}));
        QCOMPARE(int(state.picture), int(StepState::Picture::Map));
    }

    void aStepKeepsWhatItDoesNotChange()
    {
        const Lesson lesson = lessonOf(kLesson);
        QCOMPARE(lesson.steps[2].state.inputs, lesson.steps[0].state.inputs);
        QVERIFY(lesson.steps[2].state.settings.causal);
        QCOMPARE(lesson.steps[2].state.settings.axis, Axis::Query);
        QVERIFY(!lesson.steps[2].state.highlight);
    }

    void newInputsStartFromTheDefaults()
    {
        const Lesson lesson =
            lessonOf(kLesson + "---\n## New\n```toml\npattern = \"uniform\"\n```\n");
        QVERIFY(!lesson.steps[3].state.settings.causal);
        QVERIFY(!lesson.steps[3].state.settings.scale);
        const Lesson sample =
            lessonOf(kLesson + "---\n## New\n```toml\nsample = \"tiny_lm_layer2\"\n```\n");
        QVERIFY(sample.steps[3].state.settings.alibi); // as the sample says itself
        QCOMPARE(sample.steps[3].state.head, 1);
    }

    void theCoreFindsTheRightAnswer()
    {
        const Question question = *lessonOf(kLesson).steps[1].question;
        QCOMPARE(question.ask, QString("How much does the first query give?"));
        QCOMPARE(question.right().letter, 'B');
        QCOMPARE(question.right().text, QString("0.75"));
        QString changed = kLesson;
        changed.replace("\"ln 1\", \"ln 3\"", "\"ln 3\", \"ln 1\"").replace("= 3/4}", "= 1/4}");
        QCOMPARE(lessonOf(changed).steps[1].question->right().letter, 'A');
    }

    void aQuestionHidesThePictureUntilItIsRevealed()
    {
        const Lesson lesson = lessonOf(kLesson);
        using Picture = StepState::Picture;
        QCOMPARE(int(lesson.steps[0].shownState(false).picture), int(Picture::Map));
        QCOMPARE(int(lesson.steps[1].shownState(false).picture), int(Picture::None));
        QCOMPARE(int(lesson.steps[1].shownState(true).picture), int(Picture::Map));
        QCOMPARE(int(lesson.steps[2].shownState(false).picture), int(Picture::Map));
        QCOMPARE(lesson.steps[2].shownState(false).settings.axis, Axis::Key);
        QCOMPARE(int(lesson.steps[2].shownState(true).picture), int(Picture::Compare));
        QString text = kLesson;
        text.replace("ask = ", "shows_map = true\nask = ");
        QCOMPARE(int(lessonOf(text).steps[1].shownState(false).picture), int(Picture::Map));
        text = kLesson;
        text.replace("Guess.", "```toml\nblank = [[0, 0]]\n```");
        QCOMPARE(int(lessonOf(text).steps[1].shownState(false).picture), int(Picture::Map));
        QVERIFY(!lesson.steps[0].hasSecret());
        QVERIFY(lesson.steps[1].hasSecret());
        QVERIFY(lesson.steps[2].hasSecret());
    }

    void linesMayEndAsOnWindows()
    {
        QString text = kLesson;
        QCOMPARE(lessonOf(text.replace("\n", "\r\n")).nSteps(), 3);
    }

    void aFileThatIsNoLessonIsRefused()
    {
        const QTemporaryDir folder;
        const auto refusal = [&](const char* name, const QByteArray& bytes) {
            QFile file(folder.filePath(name));
            if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size())
                return QString();
            file.close();
            const auto lesson = readLesson(file.fileName());
            return lesson ? QString() : QString::fromStdString(lesson.error().message);
        };
        QVERIFY(refusal("a.md", "\xff\xfe\x00").endsWith("is not UTF-8 text."));
        QVERIFY(refusal("b.md", QByteArray(2 << 20, 'x')).contains("larger than 1 MiB"));
        QVERIFY(refusal("c.md", "x").startsWith("c.md, line 1: "));
        const auto missing = readLesson(folder.filePath("none.md"));
        QVERIFY(!missing &&
                missing.error().message.find("none.md cannot be read") != std::string::npos);
    }
};

QTEST_MAIN(TestLesson)
#include "tst_lesson.moc"
