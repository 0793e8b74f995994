// Arrows point down only: which room may include which.

#include "tests/house/source_files.h"

#include <QFileInfo>
#include <QLibraryInfo>
#include <QRegularExpression>
#include <QTest>

using namespace keyaxis::testing;

namespace {

/// A room and what its files may include.
struct Room {
    QString folder;
    QStringList mayInclude; ///< folders of ours
    QStringList qtModules;  ///< none: the room builds where Qt is absent
};

/// From the inside out. The innermost folder that holds a file is its room.
const std::vector<Room>& rooms()
{
    static const std::vector<Room> all{
        {"core", {"core"}, {}},
        {"core/attention", {"core", "core/attention"}, {}},
        {"core/proof", {"core", "core/attention", "core/proof"}, {}},
        {"core/io", {"core", "core/attention", "core/io"}, {}},
        {"ui/paint",
         {"core", "core/attention", "core/proof", "core/io", "ui/paint"},
         {"QtCore", "QtGui", "QtSvg"}},
        {"ui/document",
         {"core", "core/attention", "core/proof", "core/io", "ui/document"},
         {"QtCore", "QtGui"}},
        {"ui/present",
         {"core", "core/attention", "core/proof", "core/io", "ui/paint", "ui/document",
          "ui/present"},
         {"QtCore", "QtGui"}},
        {"ui/presenter",
         {"core", "core/attention", "core/proof", "core/io", "ui/paint", "ui/document",
          "ui/present", "ui/presenter"},
         {"QtCore", "QtGui", "QtWidgets"}},
        {"ui/widgets",
         {"core", "core/attention", "core/proof", "core/io", "ui/paint", "ui/document",
          "ui/present", "ui/presenter", "ui/widgets"},
         {"QtCore", "QtGui", "QtSvg", "QtWidgets"}},
        {"app",
         {"core", "core/attention", "core/proof", "core/io", "ui/paint", "ui/document",
          "ui/present", "ui/presenter", "ui/widgets", "app"},
         {"QtCore", "QtGui", "QtSvg", "QtWidgets"}},
    };
    return all;
}

const Room* roomOf(const QString& path)
{
    const Room* found = nullptr;
    for (const Room& room : rooms())
        if (path.startsWith(room.folder + '/') &&
            (!found || room.folder.size() > found->folder.size()))
            found = &room;
    return found;
}

/// The module that `header` comes from, empty where Qt has no such header. Debian keeps the headers
/// of all modules under one root, so that the compiler finds widgets from a room that does not link
/// them.
QString qtModuleOf(const QString& header)
{
    const QString headers = QLibraryInfo::path(QLibraryInfo::HeadersPath);
    for (const char* module : {"QtCore", "QtGui", "QtSvg", "QtWidgets", "QtPrintSupport",
                               "QtNetwork", "QtTest", "QtConcurrent", "QtDBus", "QtXml", "QtSql",
                               "QtOpenGL", "QtOpenGLWidgets", "QtSvgWidgets"}) {
        const QString name = QLatin1String(module);
        if (header == name || header.startsWith(name + '/') ||
            QFileInfo::exists(headers + '/' + name + '/' + header))
            return name;
    }
    static const QRegularExpression looksLikeQt(QStringLiteral("^(Qt?[A-Z]|q[a-z]+\\.h$|Qt\\w*/)"));
    return looksLikeQt.match(header).hasMatch() ? QStringLiteral("an unknown module of Qt")
                                                : QString();
}

/// What is wrong with the includes of the file `path`, one sentence each.
QStringList complaints(const QString& path, const QString& text)
{
    const Room* room = roomOf(path);
    if (!room)
        return {};
    static const QRegularExpression include(
        QStringLiteral("^[ \\t]*#[ \\t]*include[ \\t]*([<\"])([^>\"]+)[>\"]"),
        QRegularExpression::MultilineOption);
    QStringList found;
    for (auto match = include.globalMatch(text); match.hasNext();) {
        const auto one = match.next();
        const QString header = one.captured(2);
        const QString module = qtModuleOf(header);
        const Room* other = roomOf(header);
        if (!module.isEmpty()) {
            if (!room->qtModules.contains(module))
                found += path + " includes " + header + " of " + module;
        } else if (other || header.startsWith(QLatin1String("tests/"))) {
            if (!other || !room->mayInclude.contains(other->folder))
                found += path + " includes " + header + ", which is above or beside it";
        } else if (one.captured(1) == QLatin1String("\"") &&
                   !header.endsWith(QLatin1String(".moc"))) {
            found += path + " includes " + header + ", which does not start at the root";
        }
    }
    return found;
}

} // namespace

class TestIncludes : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyFileIncludesDownwardsOnly()
    {
        const auto files = sourceFiles({".h", ".cpp"});
        QVERIFY(files.size() > 60); // the walk itself works
        QStringList all;
        for (const SourceFile& file : files)
            all += complaints(file.path, file.text);
        QVERIFY2(all.isEmpty(), qPrintable(all.join('\n')));
    }

    void everySourceIsInARoom()
    {
        for (const SourceFile& file : sourceFiles({".h", ".cpp"}))
            QVERIFY2(roomOf(file.path) || file.path.startsWith("tests/"), qPrintable(file.path));
    }

    void headersOfQtAreFoundByTheirModule()
    {
        QCOMPARE(qtModuleOf("QLabel"), QString("QtWidgets"));
        QCOMPARE(qtModuleOf("qlabel.h"), QString("QtWidgets"));
        QCOMPARE(qtModuleOf("QUndoStack"), QString("QtGui"));
        QCOMPARE(qtModuleOf("QObject"), QString("QtCore"));
        QCOMPARE(qtModuleOf("vector"), QString());
        QCOMPARE(qtModuleOf("QNoSuchThing"), QString("an unknown module of Qt"));
    }

    void aPlantedIncludeIsFound_data()
    {
        QTest::addColumn<QString>("path");
        QTest::addColumn<QString>("line");
        QTest::addColumn<bool>("isBad");
        const auto row = [](const char* name, const char* path, const char* line, bool isBad) {
            QTest::newRow(name) << path << line << isBad;
        };
        row("Qt in core", "core/axis.h", "#include <QString>", true);
        row("Qt in core, spelled out", "core/axis.h", "#include <QtCore/QString>", true);
        row("Qt in core, lower case", "core/io/npy.cpp", "  #  include <qstring.h>", true);
        row("a room of ui in core", "core/proof/verdict.cpp", "#include \"ui/paint/theme.h\"",
            true);
        row("files in proofs", "core/proof/verdict.cpp", "#include \"core/io/npy.h\"", true);
        row("proofs in attention", "core/attention/alibi.cpp", "#include \"core/proof/verdict.h\"",
            true);
        row("the document in paint", "ui/paint/figure.h", "#include \"ui/document/document.h\"",
            true);
        row("paint in the document", "ui/document/document.h", "#include \"ui/paint/figure.h\"",
            true);
        row("a widget in paint", "ui/paint/figure.cpp", "#include <QLabel>", true);
        row("a widget in the document", "ui/document/commands.cpp", "#include <QtWidgets>", true);
        row("a widget in lessons", "ui/present/lesson.cpp", "#include <QLabel>", true);
        row("the app in widgets", "ui/widgets/top_bar.cpp", "#include \"app/report.h\"", true);
        row("tests in the product", "app/main.cpp", "#include \"tests/core/sample_values.h\"",
            true);
        row("not from the root", "core/axis.cpp", "#include \"axis.h\"", true);
        row("down", "ui/widgets/top_bar.cpp", "#include \"ui/document/document.h\"", false);
        row("the standard library", "core/axis.h", "#include <optional>", false);
        row("an undo command in the document", "ui/document/commands.h", "#include <QUndoCommand>",
            false);
        row("everything in tests", "tests/core/tst_x.cpp", "#include <QLabel>", false);
        row("said in a comment", "core/axis.h", "// never #include <QString> here", false);
    }
    void aPlantedIncludeIsFound()
    {
        QFETCH(QString, path);
        QFETCH(QString, line);
        QFETCH(bool, isBad);
        QCOMPARE(complaints(path, "#pragma once\n\n" + line + "\n").size(), isBad ? 1 : 0);
    }
};

QTEST_APPLESS_MAIN(TestIncludes)
#include "tst_includes.moc"
