#include "tests/app/program.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace keyaxis::testing;

namespace {

QByteArray contentOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace

/// `keyaxis present` under an empty environment: no display, no platform, no home.
class TestPresent : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QVERIFY(QDir::setCurrent(m_folder.path())); }

    void aHandoutNeedsNoDisplay_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::newRow("by number") << QStringList{"4"};
        QTest::newRow("by name") << QStringList{"by-hand", "--answers"};
        QTest::newRow("a file") << QStringList{KEYAXIS_SOURCE_DIR "/resources/lessons/4-by-hand.md",
                                               "--notes", "--per-page", "2"};
    }
    void aHandoutNeedsNoDisplay()
    {
        QFETCH(QStringList, arguments);
        QFile::remove("out.pdf");
        const Run run =
            runProgram(QStringList{"present"} + arguments + QStringList{"-o", "out.pdf"});
        QVERIFY2(run.exitCode == 0, qPrintable(run.errors));
        QCOMPARE(run.errors, QString());
        QVERIFY(contentOf("out.pdf").startsWith("%PDF"));
    }

    void questionsAreWrittenAsText()
    {
        const Run run = runProgram({"present", "1", "-o", "q.txt"});
        QVERIFY2(run.exitCode == 0, qPrintable(run.errors));
        QVERIFY(contentOf("q.txt").contains("\nANSWER: B\n"));
    }

    void aTranslationIsAskedFor()
    {
        const Run run = runProgram({"present", "1", "--language", "de", "-o", "de.txt"});
        QVERIFY2(run.exitCode == 0, qPrintable(run.errors));
        QVERIFY(contentOf("de.txt").contains("Entlang welcher Achse"));
        runProgram({"present", "1", "-o", "own.txt"}, {"LANG=de_DE.UTF-8", "LC_ALL=de_DE.UTF-8"});
        QVERIFY(contentOf("own.txt").contains("Entlang welcher Achse"));
    }

    void aMistakeIsOneSentence_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<int>("exitCode");
        QTest::addColumn<QString>("sentence");
        const auto row = [](const char* name, const QStringList& arguments, int exitCode,
                            const char* sentence) {
            QTest::newRow(name) << arguments << exitCode << sentence;
        };
        row("no lesson", {}, 2, "One lesson is needed");
        row("two lessons", {"1", "2"}, 2, "One lesson is needed");
        row("no such file", {"none.md", "-o", "a.pdf"}, 3, "none.md cannot be read");
        row("a broken lesson", {"broken.md", "-o", "a.pdf"}, 3,
            "broken.md, line 6: there is no setting axs; was axis meant?");
        row("another format", {"1", "-o", "a.pptx"}, 2, "may be .pdf, .txt");
        row("three on a page", {"1", "-o", "a.pdf", "--per-page", "3"}, 2, "3 steps a page");
        row("five on a page", {"1", "-o", "a.pdf", "--per-page", "5"}, 2, "--per-page");
        row("answers on a screen", {"1", "--answers"}, 2, "need -o OUT.pdf");
        row("a theme on paper", {"1", "--theme", "dark", "-o", "a.pdf"}, 2, "--theme is of the");
        row("no folder", {"1", "-o", "no/such/a.pdf"}, 4, "a.pdf");
        row("a language that nobody wrote", {"1", "--language", "xx", "-o", "a.pdf"}, 2, "en, de");
        row("no display", {"1"}, 2, "There is no display to present on");
    }
    void aMistakeIsOneSentence()
    {
        QFETCH(QStringList, arguments);
        QFETCH(int, exitCode);
        QFETCH(QString, sentence);
        QFile broken("broken.md");
        QVERIFY(broken.open(QIODevice::WriteOnly));
        broken.write("# L\n---\n## S\n\n```toml\naxs = \"key\"\n```\n");
        broken.close();
        const Run run = runProgram(QStringList{"present"} + arguments);
        QCOMPARE(run.exitCode, exitCode);
        QVERIFY2(run.errors.contains(sentence), qPrintable(run.errors));
        QCOMPARE(run.errors.trimmed().count('\n'), 0);
        QVERIFY(!QFile::exists("a.pdf"));
    }

private:
    QTemporaryDir m_folder;
};

QTEST_GUILESS_MAIN(TestPresent)
#include "tst_present.moc"
