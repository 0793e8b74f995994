// Lessons on paper.

#include "ui/paint/theme.h"
#include "ui/present/handout.h"
#include "ui/present/step_figure.h"
#include "ui/present/step_page.h"

#include <QFile>
#include <QImage>
#include <QProcess>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

using namespace keyaxis;

namespace {

QByteArray contentOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// What a tool says of a file; empty where it is not installed.
QString said(const QString& tool, const QStringList& arguments)
{
    QProcess process;
    process.start(tool, arguments);
    process.waitForFinished(60'000);
    return QString::fromUtf8(process.readAllStandardOutput());
}

bool hasPoppler()
{
    return !QStandardPaths::findExecutable("pdftotext").isEmpty();
}

} // namespace

class TestHandout : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        registerFonts();
        m_lesson = readLesson(lessonPath("1")).value();
    }
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void aWorksheetGivesNoSumAway()
    {
        const Lesson lesson = readLesson(lessonPath("by-hand")).value();
        int nWorksheets = 0;
        for (int n = 0; n < lesson.nSteps(); ++n) {
            const Step& step = lesson.steps[static_cast<std::size_t>(n)];
            if (step.state.blanks.empty())
                continue;
            ++nWorksheets;
            for (const bool isRevealed : {false, true}) {
                const StepState state = step.shownState(isRevealed);
                const StepPage page = makeStepPage(
                    lesson, n, isRevealed, stepPicture(computedSource(state).value(), state));
                const MapFigure& map = page.figure.maps.front();
                QCOMPARE(map.certificate.nRows() > 0, isRevealed);
                QCOMPARE(map.columnSums.empty(), !isRevealed);
            }
        }
        QVERIFY(nWorksheets >= 4);
    }

    void aPageHasOneStepOrSeveral_data()
    {
        QTest::addColumn<int>("nPerPage");
        QTest::addColumn<int>("nPages");
        QTest::newRow("one") << 1 << m_lesson.nSteps();
        QTest::newRow("two") << 2 << (m_lesson.nSteps() + 1) / 2;
        QTest::newRow("four") << 4 << (m_lesson.nSteps() + 3) / 4;
    }
    void aPageHasOneStepOrSeveral()
    {
        QFETCH(int, nPerPage);
        QFETCH(int, nPages);
        const QString path = written({.nPerPage = nPerPage});
        QVERIFY(contentOf(path).startsWith("%PDF"));
        QVERIFY(!contentOf(path).contains("/DCTDecode"));
        if (!hasPoppler())
            QSKIP("poppler-utils is not installed");
        const QString pages = said("pdfinfo", {path});
        QVERIFY2(pages.contains(QRegularExpression(QStringLiteral("Pages: +%1\\n").arg(nPages))),
                 qPrintable(pages));
    }

    void textIsText()
    {
        if (!hasPoppler())
            QSKIP("poppler-utils is not installed");
        const QString text = said("pdftotext", {"-layout", written({}), "-"});
        for (const Step& step : m_lesson.steps)
            QVERIFY2(text.contains(step.title.section(' ', 0, 1)), qPrintable(step.title));
        QVERIFY(text.contains("Query axis"));
    }

    void answersAreOnlyThereWhereAsked()
    {
        if (!hasPoppler())
            QSKIP("poppler-utils is not installed");
        const auto textOf = [&](const HandoutOptions& options) {
            return said("pdftotext", {"-layout", written(options), "-"}).simplified();
        };
        const QString open = textOf({});
        const QString solved = textOf({.hasAnswers = true});
        const QString secret = "1 is shared by unrelated examples";
        QVERIFY(!open.contains(secret));
        QVERIFY(solved.contains(secret));
        QVERIFY(!open.contains(m_lesson.steps[2].notes.left(20)));
        QVERIFY(textOf({.hasNotes = true}).contains(m_lesson.steps[2].notes.left(20)));
    }

    void aWorksheetHasBlankCells()
    {
        if (!hasPoppler())
            QSKIP("poppler-utils is not installed");
        m_lesson = parseLesson("# L\n---\n## S\n```toml\nlogits = [[\"ln 1\", \"ln 3\"], [0, 0]]\n"
                               "blank = [[0, 1]]\n```\n",
                               "l.md")
                       .value();
        const QString open = written({});
        QVERIFY(said("pdftoppm", {"-r", "60", "-singlefile", open, open}).isEmpty());
        const QString solved = written({.hasAnswers = true});
        QVERIFY(said("pdftoppm", {"-r", "60", "-singlefile", solved, solved}).isEmpty());
        // In print the filled cell has a colour and the blank one is white: darker altogether.
        const auto darkness = [](const QString& path) {
            const QImage image(path + ".ppm");
            qint64 sum = 0;
            for (int y = 0; y < image.height(); ++y)
                for (int x = 0; x < image.width(); ++x)
                    sum += 255 - qGray(image.pixel(x, y));
            return sum;
        };
        QVERIFY(darkness(solved) > darkness(open) * 11 / 10);
        m_lesson = readLesson(lessonPath("1")).value();
    }

    void questionsAreWrittenForALearningPlatform()
    {
        const QString text = questionsAsText(m_lesson);
        QVERIFY2(text.startsWith("Along which axis does the softmax run? – Scores have shape "
                                 "(queries, keys).\nA. Query axis\nB. Key axis\nC. Batch axis\n"
                                 "D. Head axis\nANSWER: B\n\n"),
                 qPrintable(text.left(300)));
        // Aiken: every block is a line, choices, and the answer.
        static const QRegularExpression block(
            QStringLiteral("^[^\\n]+\\n([A-F]\\. [^\\n]+\\n){2,6}ANSWER: [A-F]\\n?$"));
        for (const QString& one : text.split("\n\n"))
            QVERIFY2(block.match(one).hasMatch(), qPrintable(one));
        const QString path = m_folder.filePath("q.txt");
        QVERIFY(writeHandout(m_lesson, {}, path.toStdString()));
        QCOMPARE(QString::fromUtf8(contentOf(path)), text);
    }

    void whatCannotBeWrittenIsSaid()
    {
        const auto refusal = [&](const Lesson& lesson, const HandoutOptions& options,
                                 const QString& name) {
            const auto done = writeHandout(lesson, options, m_folder.filePath(name).toStdString());
            return done ? QString() : QString::fromStdString(done.error().message);
        };
        QVERIFY(refusal(m_lesson, {}, "a.docx").contains("'.docx' is not a format"));
        QVERIFY(refusal(m_lesson, {.nPerPage = 3}, "a.pdf").contains("3 steps a page"));
        QVERIFY(refusal(m_lesson, {}, "no/such/a.pdf").contains("a.pdf"));
        const Lesson silent = parseLesson("# L\n---\n## S\n", "l.md").value();
        QVERIFY(refusal(silent, {}, "a.txt").contains("no questions"));
        QVERIFY(!QFile::exists(m_folder.filePath("a.txt")));
    }

    void aCancelWritesNothing()
    {
        std::stop_source source;
        source.request_stop();
        const QString path = m_folder.filePath("cancelled.pdf");
        const auto done = writeHandout(m_lesson, {}, path.toStdString(), source.get_token());
        QVERIFY(!done);
        QCOMPARE(done.error().code, Errc::Cancelled);
        QVERIFY(!QFile::exists(path));
    }

private:
    /// The path of a PDF with `options`.
    QString written(const HandoutOptions& options)
    {
        const QString path = m_folder.filePath(QStringLiteral("%1.pdf").arg(++m_nWritten));
        return writeHandout(m_lesson, options, path.toStdString()) ? path : QString();
    }

    QTemporaryDir m_folder;
    Lesson m_lesson;
    int m_nWritten = 0;
};

QTEST_MAIN(TestHandout)
#include "tst_handout.moc"
