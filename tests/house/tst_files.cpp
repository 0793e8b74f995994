// What holds for every file: its length, and that it stands on its own.

#include "tests/house/source_files.h"

#include <QRegularExpression>
#include <QTest>

using namespace keyaxis::testing;

namespace {

constexpr int kMostLines = 400;

/// Files that may be longer, each with its reason. Empty is best.
const QMap<QString, QString>& longFiles()
{
    static const QMap<QString, QString> reasons{};
    return reasons;
}

QStringList tooLong(const QString& path, const QString& text)
{
    const auto nLines = text.count('\n');
    if (nLines <= kMostLines || longFiles().contains(path))
        return {};
    return {QStringLiteral("%1 has %2 lines").arg(path).arg(nLines)};
}

/// Paths of a workplace: whoever clones the project does not have them.
QStringList foreignPaths(const QString& path, const QString& text)
{
    static const QRegularExpression outside(QStringLiteral("\\.\\./sha"
                                                           "red|(?<![\\w.])/wo"
                                                           "rk(?![\\w])|(?<![\\w.])/ho"
                                                           "me/"));
    QStringList found;
    for (auto match = outside.globalMatch(text); match.hasNext();) {
        const auto one = match.next();
        const auto line = text.left(one.capturedStart()).count('\n') + 1;
        found += QStringLiteral("%1:%2 names %3").arg(path).arg(line).arg(one.captured());
    }
    return found;
}

} // namespace

class TestFiles : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void noFileOutgrowsItsReader()
    {
        QStringList all;
        for (const SourceFile& file : sourceFiles({".h", ".cpp", "CMakeLists.txt", ".py", "dev"}))
            all += tooLong(file.path, file.text);
        QVERIFY2(all.isEmpty(), qPrintable(all.join('\n')));
    }

    void everyExceptionIsStillOne()
    {
        QMap<QString, qsizetype> nLines;
        for (const SourceFile& file : sourceFiles({".h", ".cpp"}))
            nLines[file.path] = file.text.count('\n');
        for (auto one = longFiles().begin(); one != longFiles().end(); ++one) {
            QVERIFY2(nLines.value(one.key()) > kMostLines, qPrintable(one.key()));
            QVERIFY(!one.value().isEmpty());
        }
    }

    void noFileNamesAPlaceOutsideTheProject()
    {
        QStringList all;
        for (const SourceFile& file : sourceFiles(
                 {".h", ".cpp", ".txt", ".py", ".md", ".json", ".qrc", ".sh", "dev", "run"}))
            all += foreignPaths(file.path, file.text);
        QVERIFY2(all.isEmpty(), qPrintable(all.join('\n')));
    }

    void aPlantedLongFileIsFound()
    {
        QCOMPARE(tooLong("core/long.cpp", QString(kMostLines, '\n')).size(), 0);
        QCOMPARE(tooLong("core/long.cpp", QString(kMostLines + 1, '\n')).size(), 1);
    }

    void aPlantedForeignPathIsFound_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<int>("nFound");
        QTest::newRow("a folder beside the project") << "see ../sha"
                                                        "red/MATH.md"
                                                     << 1;
        QTest::newRow("an absolute path") << "x = \"/wo"
                                             "rk/main\""
                                          << 1;
        QTest::newRow("alone") << "cd /wo"
                                  "rk"
                               << 1;
        QTest::newRow("two") << "/wo"
                                "rk/a\n/wo"
                                "rk/b"
                             << 2;
        QTest::newRow("somebody's home") << "/ho"
                                            "me/ada/x.npy"
                                         << 1;
        QTest::newRow("part of a word") << "core/worker /working frame/wo"
                                           "rk"
                                        << 0;
        QTest::newRow("a thing shared") << "shared/x ..\\shared" << 0;
    }
    void aPlantedForeignPathIsFound()
    {
        QFETCH(QString, text);
        QFETCH(int, nFound);
        QCOMPARE(foreignPaths("core/a.cpp", text).size(), nFound);
    }
};

QTEST_APPLESS_MAIN(TestFiles)
#include "tst_files.moc"
