#include "tests/app/program.h"

#include <QFile>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTest>

using namespace keyaxis::testing;

namespace {

/// Everything in `text` that looks like an option.
QSet<QString> optionsIn(const QString& text)
{
    static const QRegularExpression option(QStringLiteral("(?<![\\w-])--[a-z][a-z-]*"));
    QSet<QString> found;
    for (auto match = option.globalMatch(text); match.hasNext();)
        found += match.next().captured();
    return found;
}

} // namespace

/// The manual page, as the build makes it.
class TestManual : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        QFile file(QStringLiteral(KEYAXIS_MANUAL));
        QVERIFY(file.open(QIODevice::ReadOnly));
        m_page = QString::fromUtf8(file.readAll());
    }

    void hasEveryOptionOfEveryHelp_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("section");
        QTest::newRow("window") << QStringList{"--help"} << "DESCRIPTION";
        for (const char* name : {"compute", "convert", "render", "check", "present"})
            QTest::newRow(name) << QStringList{name, "--help"}
                                << QStringLiteral("\"KEYAXIS %1\"").arg(QString(name).toUpper());
    }
    void hasEveryOptionOfEveryHelp()
    {
        QFETCH(QStringList, arguments);
        QFETCH(QString, section);
        const QString head = ".SH " + section + '\n';
        QVERIFY2(m_page.contains(head), qPrintable(section));
        QString lines = m_page.section(head, 1).section("\n.SH ", 0, 0);
        static const QRegularExpression face(QStringLiteral("\\\\f[BIR]"));
        lines.remove(face).replace("\\-", "-");
        const QString help = runProgram(arguments).output;
        QVERIFY(!help.isEmpty());
        QCOMPARE(optionsIn(lines), optionsIn(help));
    }

    void isUnderstoodByMan()
    {
        if (QStandardPaths::findExecutable(QStringLiteral("man")).isEmpty())
            QSKIP("man is not installed");
        QProcess man;
        man.setProcessEnvironment([] {
            auto environment = QProcessEnvironment::systemEnvironment();
            environment.insert("MANROFFSEQ", "");
            environment.insert("MANWIDTH", "80");
            environment.insert("LC_ALL", "C.UTF-8");
            return environment;
        }());
        man.start("man", {"--warnings", "-l", QStringLiteral(KEYAXIS_MANUAL)});
        QVERIFY(man.waitForFinished());
        QCOMPARE(QString::fromUtf8(man.readAllStandardError()), "");
        const QString text = QString::fromUtf8(man.readAllStandardOutput());
        QVERIFY2(text.contains("--mask-axes"), qPrintable(text.left(400)));
    }

private:
    QString m_page;
};

QTEST_APPLESS_MAIN(TestManual)
#include "tst_manual.moc"
