// What a broken lesson says: file, line and what was expected, and never a crash.

#include "ui/present/lesson.h"

#include <QTest>

using namespace keyaxis;

namespace {

/// A lesson of one step whose settings block, from line 6 on, holds `lines`.
QString withSettings(const QString& lines)
{
    return "# L\n---\n## S\n\n```toml\n" + lines + "\n```\n";
}

/// The same with an ordinary document, and a question from line 9 on.
QString withQuestion(const QString& lines)
{
    return withSettings("logits = [[0, 1], [1, 0]]") + "```question\n" + lines + "\n```\n";
}

/// The same whose text, in line 8, is `text`.
QString withText(const QString& text)
{
    return withSettings("logits = [[0, 1], [1, 0]]") + text + '\n';
}

const QString kChoices = "[[choice]]\ntext = \"a\"\nright_if = \"row_sum 0 == 1\"\n"
                         "[[choice]]\ntext = \"b\"\nright_if = \"row_sum 0 == 2\"";

} // namespace

class TestBrokenLessons : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theTableStartsFromLessonsThatAreRight()
    {
        QVERIFY(parseLesson(withSettings("logits = [[0, 1]]"), "l.md"));
        QVERIFY(parseLesson(withQuestion(kChoices), "l.md"));
        QVERIFY(parseLesson(withText("{row_sum 0 = 1}"), "l.md"));
    }

    void aMistakeNamesItsLineAndWhatWasExpected_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<int>("line");
        QTest::addColumn<QString>("words");
        const auto row = [](const char* name, const QString& text, int line, const char* words) {
            QTest::newRow(name) << text << line << words;
        };
        row("empty file", "", 1, "expected the lesson's title");
        row("no title", "Hello\n---\n## S\n", 1, "expected the lesson's title");
        row("no steps", "# L\n\nText\n", 4, "no steps; expected ---");
        row("step without a title", "# L\n---\nText\n", 3, "expected the step's title");
        row("empty step", "# L\n---\n## S\n---\n", 5, "expected the step's title");
        row("two titles in a step", "# L\n---\n## S\n\n## T\n", 5, "expected ---");
        row("two notes", "# L\n---\n## S\nNote: a\nNote: b\n", 5, "second Note");
        row("block without an end", "# L\n---\n## S\n```toml\ncausal = true\n", 4, "expected ```");
        row("unknown block", "# L\n---\n## S\n```run\nrm\n```\n", 4, "expected toml, question");
        row("two settings blocks", withSettings("") + "```toml\n```\n", 8, "second settings block");
        row("no TOML", withSettings("axis = = 3"), 6, "this is no TOML");
        row("a key twice", withSettings("causal = true\ncausal = true"), 7, "this is no TOML");
        row("misspelled setting", withSettings("causl = true"), 6, "was causal meant?");
        row("unknown setting", withSettings("colour = 3"), 6, "expected one of before");
        row("unknown axis", withSettings("logits = [[0]]\naxis = \"keys\""), 7,
            "expected one of query, key, batch, head");
        row("a text for a switch", withSettings("logits = [[0]]\ncausal = \"yes\""), 7,
            "true or false was expected");
        row("negative temperature", withSettings("logits = [[0]]\ntau = -1"), 7, "temperature");
        row("unknown sample", withSettings("sample = \"gpt\""), 6,
            "expected one of tiny_lm_layer2");
        row("two sources", withSettings("logits = [[0]]\nsentence = \"a b\""), 5, "one source");
        row("nothing to show", withSettings("view = \"map\""), 6, "expected inputs");
        row("q without k", withSettings("q = [[1]]"), 6, "expected k too");
        row("widths that differ", withSettings("q = [[1, 2]]\nk = [[1]]"), 5, "2 wide");
        row("ragged rows", withSettings("logits = [[0, 1],\n[2]]"), 7, "has 1 entries");
        row("a word among numbers", withSettings("logits = [[0, \"x\"]]"), 6, "\"ln 4\"");
        row("one list only", withSettings("logits = [0, 1]"), 6, "list of rows");
        row("too deep", withSettings("logits = [[[[[0]]]]]"), 6, "number");
        row("empty list", withSettings("logits = [[]]"), 6, "no empty list");
        row("infinite logit", withSettings("logits = [[-inf]]"), 6, "expected a mask");
        row("mask of another size", withSettings("logits = [[0, 1]]\nmask = [[1, 1, 1]]"), 5,
            "mask");
        row("tokens of another number", withSettings("logits = [[0, 1]]\nkey_tokens = [\"a\"]"), 7,
            "expected 2");
        row("names of too many examples",
            withSettings("logits = [[0, 1]]\nkey_tokens = [[\"a\", \"b\"], [\"a\", \"b\"]]"), 7,
            "has 2 lists");
        row("highlight outside", withSettings("logits = [[0, 1]]\nhighlight = [0, 2]"), 7,
            "expected 0 to 1");
        row("plane outside", withSettings("logits = [[0, 1]]\nplane = 1"), 7,
            "expected a query, 0 to 0");
        row("plane of a cell", withSettings("logits = [[0, 1]]\nplane = [0, 1]"), 7, "plane");
        row("plane of a comparison",
            withSettings("logits = [[0, 1]]\nview = \"compare\"\nplane = 0"), 8,
            "expected view = \"map\"");
        row("plane without values", withSettings("q = [[1]]\nk = [[1]]\nplane = 0"), 8,
            "expected v");
        row("highlight of one number", withSettings("logits = [[0, 1]]\nhighlight = [0]"), 7,
            "expected");
        row("head outside", withSettings("logits = [[0, 1]]\nhead = 1"), 7, "expected 0 to 0");
        row("seed without a pattern", withSettings("logits = [[0, 1]]\nseed = 3"), 7,
            "goes with a sentence");
        row("sizes without end", withSettings("pattern = \"random\"\nsizes = {keys = 99999}"), 7,
            "expected 1 to 256");
        row("inputs before the reveal", withSettings("logits = [[0, 1]]\n[before]\nlogits = [[0]]"),
            8, "no setting logits");
        row("claim that is not so", withText("{row_sum 0 = 2}"), 8, "but expected 1");
        row("claim in a later line", withText("so\n\n{weight 0 0 = 0.51}"), 10,
            "but expected 0.26");
        row("claim of an unknown quantity", withText("{rowsum 0}"), 8, "no quantity rowsum");
        row("claim without an end", withText("a set {1, 2"), 8, "expected a }");
        row("claim with too few indices", withText("{weight 0}"), 8, "expected 2");
        row("claim outside the map", withText("{weight 0 2}"), 8, "expected 0 to 1");
        row("claim of another head", withText("{weight 0 0 head=3}"), 8, "expected 0 to 0");
        row("claim with an unknown setting", withText("{row_sum 0 colour=2}"), 8,
            "no setting colour");
        row("claim without inputs", "# L\n---\n## S\n\n{row_sum 0}\n", 5, "nothing to be computed");
        row("claim in the notes", withText("Note: {row_sum 0 = 0.5}"), 8, "but expected 1");
        row("question without choices", withQuestion("ask = \"?\""), 8, "2 to 6 choices");
        row("choice without a condition", withQuestion("[[choice]]\ntext = \"a\"\n" + kChoices), 9,
            "expected right_if");
        row("condition that is none",
            withQuestion("[[choice]]\ntext = \"a\"\nright_if = \"row_sum 0\"\n" + kChoices), 11,
            "is no comparison");
        row("no right choice", withQuestion(QString(kChoices).replace("== 1", "== 3")), 8,
            "no choice is right");
        row("two right choices", withQuestion(QString(kChoices).replace("== 2", "== 1")), 8,
            "A and B are right");
        row("a title without words", "#  \n---\n## S\n", 1, "expected the lesson's title");
        row("a step title without words", "# L\n---\n## \n", 3, "expected the step's title");
        row("a step of three signs", "# L\n---\n### S\n", 3, "expected the step's title");
        row("two reveals", "# L\n---\n## S\nReveal: a\nReveal: b\n", 5, "second Reveal");
        row("two questions", withQuestion(kChoices) + "```question\n```\n", 16,
            "second question block");
        row("a list for a number", withSettings("logits = [[0]]\ntau = [1]"), 7, "tau");
        row("a word for an index", withSettings("logits = [[0]]\nhead = \"first\""), 7, "head");
        row("a fraction for an index", withSettings("logits = [[0]]\nbatch = 0.5"), 7, "batch");
        row("a negative index", withSettings("logits = [[0]]\nhead = -1"), 7, "head");
        row("temperature of no number", withSettings("logits = [[0]]\ntau = \"warm\""), 7, "tau");
        row("temperature NaN", withSettings("logits = [[0]]\ntau = nan"), 7, "temperature");
        row("unknown stage", withSettings("logits = [[0]]\nstage = \"probs\""), 7,
            "expected one of scores");
        row("unknown view", withSettings("logits = [[0]]\nview = \"all\""), 7,
            "expected one of none");
        row("output without v", withSettings("q = [[1]]\nk = [[1]]\nstage = \"output\""), 8,
            "expected v");
        row("an empty sentence", withSettings("sentence = \"  \""), 6, "no words");
        row("unknown pattern", withSettings("pattern = \"noise\""), 6, "expected one of random");
        row("blank outside", withSettings("logits = [[0, 1]]\nblank = [[1, 0]]"), 7,
            "expected 0 to 0");
        row("blank of one cell", withSettings("logits = [[0, 1]]\nblank = [0, 1]"), 7, "blank");
        row("before that is no table", withSettings("logits = [[0]]\nbefore = 3"), 7,
            "expected a table");
        row("misspelled before", withSettings("logits = [[0]]\n[before]\naxes = \"key\""), 8,
            "was axis meant?");
        row("before of another head", withSettings("logits = [[0]]\n[before]\nhead = 2"), 8,
            "expected 0 to 0");
        row("an unknown size", withSettings("pattern = \"random\"\nsizes = {query = 3}"), 7,
            "expected one of examples");
        row("size of nothing", withSettings("pattern = \"random\"\nsizes = {keys = 0}"), 7,
            "expected 1 to 256");
        row("a claim of no number", withText("{row_sum 0 = one}"), 8, "expected a number");
        row("a claim of nothing", withText("{}"), 8, "expected a quantity");
        row("a claim of NaN as a number", withText("{row_sum 0 causal=on axis=head = 1}"), 8,
            "but expected nan");
        row("seven choices",
            withQuestion(QString(kChoices) + QString("\n[[choice]]\ntext = \"c\"\n"
                                                     "right_if = \"row_sum 0 == 2\"")
                                                 .repeated(5)),
            8, "2 to 6 choices");
        row("a choice without a text",
            withQuestion("[[choice]]\nright_if = \"row_sum 0 == 1\"\n" + kChoices), 9, "text");
        row("a number without a value",
            withQuestion("[[choice]]\ntext = \"a\"\nnumber = 1\n" + kChoices), 9, "expected");
        row("a value of an unknown quantity",
            withQuestion("value = \"rowsum 0\"\n[[choice]]\ntext = \"a\"\nnumber = 1\n"
                         "[[choice]]\ntext = \"b\"\nnumber = 2"),
            9, "no quantity rowsum");
        row("misspelled choice", withQuestion(QString(kChoices).replace("right_if", "right")), 11,
            "no setting right");
    }
    void aMistakeNamesItsLineAndWhatWasExpected()
    {
        QFETCH(QString, text);
        QFETCH(int, line);
        QFETCH(QString, words);
        const auto lesson = parseLesson(text, "l.md");
        QVERIFY(!lesson);
        const QString message = QString::fromStdString(lesson.error().message);
        QVERIFY2(message.startsWith(QStringLiteral("l.md, line %1: ").arg(line)),
                 qPrintable(message));
        QVERIFY2(message.contains(words), qPrintable(message));
        QCOMPARE(lesson.error().code, Errc::BadInput);
    }

    void aTextCutAnywhereIsReadOrRefused()
    {
        const QString whole = withQuestion(kChoices) + "{row_sum 0 = 1}\nReveal: x\nNote: y\n";
        QVERIFY(parseLesson(whole, "l.md"));
        for (qsizetype n = 0; n < whole.size(); ++n) {
            const auto lesson = parseLesson(whole.left(n), "l.md");
            QVERIFY(lesson || !lesson.error().message.empty());
        }
    }
};

QTEST_GUILESS_MAIN(TestBrokenLessons)
#include "tst_broken_lessons.moc"
