// A state becomes a step, and the step the same state.

#include "core/attention/attention.h"
#include "ui/document/samples.h"
#include "ui/present/step_writer.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <cstring>
#include <limits>

using namespace keyaxis;

namespace {

StepState stateOf(const QString& toml)
{
    return readStepSettings(toml, {"l.md", 1}, {}).value().state;
}

bool sameBits(const SharedTensor& a, const SharedTensor& b)
{
    if (!a || !b)
        return a == b;
    return a->shape() == b->shape() &&
           std::memcmp(a->data(), b->data(), std::size_t(a->size()) * sizeof(float)) == 0;
}

QByteArray contentOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace

class TestStepWriter : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whatIsWrittenReadsBackTheSame_data()
    {
        QTest::addColumn<QString>("toml");
        QTest::newRow("a sentence") << "sentence = \"say \\\"hi\\\" \\\\ now\"\nseed = 4";
        QTest::newRow("two examples with names of their own")
            << "sample = \"tiny_lm_layer2\"\nbatch = 1\nhead = 2\nview = \"compare\"";
        QTest::newRow("grouped heads") << "sample = \"tiny_lm_gqa_layer1\"";
        QTest::newRow("logits") << "logits = [[\"ln 2\", \"ln 3\"], [0, 0.1]]\naxis = \"query\"";
        QTest::newRow("everything unusual")
            << "pattern = \"random\"\nsizes = {examples = 2, heads = 2, queries = 3, keys = 5}\n"
               "mask = [[1, 0, 1, 1, 1], [1, 1, 1, 1, 0], [1, 1, 1, 1, 1]]\n"
               "bias = [[0, -inf, 0.1, 1, 2], [0, 0, 0, 0, 0], [1e-30, 0, 0, 0, 0]]\n"
               "axis = \"head\"\ncausal = true\nalign = \"end\"\nalibi = true\n"
               "slopes = \"geometric\"\ntau = 0.3\nscale = 0.7\nempty = \"zero\"\nbatch = 1\n"
               "head = 1\nstage = \"logits\"\nhighlight = [2, 4]\nplane = 1";
    }
    void whatIsWrittenReadsBackTheSame()
    {
        QFETCH(QString, toml);
        const StepState state = stateOf(toml);
        const QString text = "# L\n---\n" + stepText(state, "State").value();
        const auto lesson = parseLesson(text, "l.md");
        QVERIFY2(lesson, lesson ? "" : lesson.error().message.c_str());
        const StepState& read = lesson->steps.front().state;
        QVERIFY(sameBits(read.inputs.q, state.inputs.q));
        QVERIFY(sameBits(read.inputs.k, state.inputs.k));
        QVERIFY(sameBits(read.inputs.v, state.inputs.v));
        QVERIFY(sameBits(read.inputs.mask, state.inputs.mask));
        QVERIFY(sameBits(read.inputs.bias, state.inputs.bias));
        QCOMPARE(read.inputs.queryTokens, state.inputs.queryTokens);
        QCOMPARE(read.inputs.keyTokens, state.inputs.keyTokens);
        QVERIFY(read.settings == state.settings);
        QCOMPARE(read.batch, state.batch);
        QCOMPARE(read.head, state.head);
        QCOMPARE(int(read.picture), int(state.picture));
        QCOMPARE(int(read.stage), int(state.stage));
        QCOMPARE(read.highlight, state.highlight);
        QCOMPARE(read.plane, state.plane);
    }

    void aStepIsAddedToALesson()
    {
        const QTemporaryDir folder;
        const QString path = folder.filePath("mine.md");
        const StepState state = stateOf("logits = [[0, 1]]");
        QVERIFY(saveAsStep(path, state, "One"));
        QVERIFY(saveAsStep(path, state, "Two"));
        const Lesson lesson = readLesson(path).value();
        QCOMPARE(lesson.title, QString("mine"));
        QCOMPARE(lesson.nSteps(), 2);
        QCOMPARE(lesson.steps[1].title, QString("Two"));
    }

    void whatIsNoLessonStaysAsItIs()
    {
        const QTemporaryDir folder;
        const QString path = folder.filePath("letter.md");
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("Dear Ada,\n");
        file.close();
        const auto saved = saveAsStep(path, stateOf("logits = [[0, 1]]"), "One");
        QVERIFY(!saved);
        QVERIFY(saved.error().message.find("letter.md, line 1") != std::string::npos);
        QCOMPARE(contentOf(path), QByteArray("Dear Ada,\n"));
        const auto nowhere =
            saveAsStep(folder.filePath("no/such.md"), stateOf("logits = [[0]]"), "S");
        QCOMPARE(nowhere.error().code, Errc::BadOutput);
    }

    void whatIsTooLargeIsSaid()
    {
        StepState state;
        state.inputs.q = share(Tensor::zeros({1, 1, 100, 100}));
        state.inputs.k = state.inputs.q;
        const auto text = stepText(state, "Large");
        QVERIFY(!text);
        QVERIFY(text.error().message.find("10000 numbers") != std::string::npos);
    }
};

QTEST_GUILESS_MAIN(TestStepWriter)
#include "tst_step_writer.moc"
