#include "tests/desktop/desktop.h"
#include "tests/desktop/screen_reader.h"

#include <QDir>
#include <QFile>
#include <QTest>
#include <memory>

using namespace keyaxis::testing;
using Node = ScreenReader::Node;

/// One window from its opening to its closing, by hand and as a screen reader has it. Each step
/// goes on where the one before has ended.
class TestDesktop : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        if (const QString part = Desktop::missing(); !part.isEmpty())
            QSKIP(qPrintable(part + " is not installed"));
        m_desktop = std::make_unique<Desktop>();
        QVERIFY(m_desktop->isRunning());
        m_reader = std::make_unique<ScreenReader>(m_desktop->sessionBus());
        QVERIFY(m_reader->isConnected());
        m_program.setProcessEnvironment(m_desktop->environment());
        m_program.setProcessChannelMode(QProcess::ForwardedChannels);
        m_program.start(QStringLiteral(KEYAXIS_PROGRAM), {});
        QVERIFY(m_program.waitForStarted());
        QDir().mkpath(QStringLiteral(KEYAXIS_SCREENSHOTS));
    }

    void init()
    {
        if (m_hasFailed)
            QSKIP("a step before this one has failed");
    }
    void cleanup() { m_hasFailed |= QTest::currentTestFailed(); }

    void cleanupTestCase()
    {
        if (m_program.state() != QProcess::NotRunning) {
            m_program.kill();
            m_program.waitForFinished();
        }
    }

    void theWindowComesAndItsMapsAreTables()
    {
        QTRY_VERIFY_WITH_TIMEOUT(!m_reader->programs().empty(), 20000);
        m_root = m_reader->programs().front();
        QCOMPARE(m_reader->name(m_root), QStringLiteral("keyaxis"));
        QTRY_VERIFY_WITH_TIMEOUT(!map("Key axis").isNull(), 20000);
        const QRect screen(QPoint(0, 0), m_desktop->screen().size());
        QTRY_VERIFY(screen.contains(m_reader->box(m_reader->children(m_root).front())));
        const Node key = map("Key axis");
        QCOMPARE(m_reader->tableSize(key), QSize(10, 10));
        QCOMPARE(m_reader->description(key), QStringLiteral("10 of 10 rows sum to 1"));
        QCOMPARE(m_reader->name(m_reader->cell(key, 5, 3)),
                 QStringLiteral("query students, key gave: 0.780"));
        keep("1 opened");
    }

    void everythingThatTakesTheFocusHasAName()
    {
        int nControls = 0;
        m_reader->find(m_root, [&](const Node& node) {
            if (!m_reader->has(node, ScreenReader::Focusable) ||
                !m_reader->has(node, ScreenReader::Showing))
                return false;
            ++nControls;
            const QString name = m_reader->name(node);
            if (name.isEmpty())
                QTest::qFail(qPrintable("no name: " + m_reader->role(node)), __FILE__, __LINE__);
            return false;
        });
        QVERIFY(nControls > 20);
    }

    void theFocusMovesByTab()
    {
        const auto focused = [&] {
            return m_reader->find(m_root, [&](const Node& node) {
                return m_reader->has(node, ScreenReader::Focused);
            });
        };
        m_desktop->press("Tab");
        QTRY_VERIFY(!focused().isNull());
        const Node first = focused();
        m_desktop->press("Tab");
        QTRY_VERIFY(!focused().isNull() && !(focused() == first));
    }

    void anAxisIsChosenByItsRadioButton()
    {
        const Node query = m_reader->find(m_root, "radio button", "Query axis");
        const Node key = m_reader->find(m_root, "radio button", "Key axis");
        QVERIFY(!query.isNull() && !key.isNull());
        QVERIFY(m_reader->has(key, ScreenReader::Checked));
        QVERIFY(m_reader->act(query));
        QTRY_VERIFY(m_reader->has(query, ScreenReader::Checked));
        QVERIFY(!m_reader->has(key, ScreenReader::Checked));
        QTRY_VERIFY(!named("Softmax over: Query").isNull());
        QVERIFY(m_reader->act(key));
        QTRY_VERIFY(m_reader->has(key, ScreenReader::Checked));
    }

    void commandsAreFoundByTheirLettersOneAfterTheOther()
    {
        const auto field = [&] { return m_reader->find(m_root, "text", "Name of the command"); };
        const auto axis = [&](const char* name) {
            return m_reader->find(m_root, "radio button", name);
        };
        for (const char* name : {"Batch axis", "Key axis"}) {
            m_desktop->press("ctrl+shift+p");
            QTRY_VERIFY(!field().isNull());
            m_desktop->type(QString(name).toLower());
            QTRY_VERIFY(m_reader->description(field()).startsWith(name));
            keep(QStringLiteral("2 palette ") + name);
            m_desktop->press("Return");
            QTRY_VERIFY(field().isNull());
            QTRY_VERIFY(m_reader->has(axis(name), ScreenReader::Checked));
        }
        m_desktop->press("ctrl+shift+p");
        QTRY_VERIFY(!field().isNull());
        m_desktop->press("Escape");
        QTRY_VERIFY(field().isNull());
    }

    void theWheelZoomsAtThePointerAndADoubleClickFits()
    {
        m_desktop->press("F7"); // one large map
        QTRY_VERIFY(map("Query axis").isNull());
        const auto cell = [&] { return m_reader->box(m_reader->cell(map("Key axis"), 4, 2)); };
        QTRY_VERIFY(cell().width() > 20);
        const QRect before = cell();
        m_desktop->wheelUp(before.center(), 4);
        QTRY_VERIFY(cell().width() > before.width() * 3 / 2);
        QVERIFY(cell().contains(before.center()));
        keep("2 zoomed");
        m_desktop->doubleClick(before.center());
        QTRY_COMPARE(cell(), before);
        m_desktop->press("F6");
        QTRY_VERIFY(!map("Query axis").isNull());
    }

    void aFileIsOpened()
    {
        const QString path = m_desktop->folder() + "/some.json";
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(R"({"Q": [[1, 0], [0, 1], [1, 1]], "K": [[2, 0], [0, 2], [1, -1]],
                       "V": [[0, 0], [4, 0], [0, 4]]})");
        file.close();
        m_desktop->press("ctrl+o");
        answerFileDialog(path);
        QTRY_COMPARE_WITH_TIMEOUT(m_reader->tableSize(map("Key axis")), QSize(3, 3), 20000);
        QVERIFY(title().startsWith("some"));
        keep("3 another file");
    }

    void aNumberIsTyped()
    {
        const Node weight = m_reader->cell(map("Key axis"), 2, 0);
        const QString before = m_reader->name(weight);
        const Node table = named("Numbers of the tensor");
        const Node number = m_reader->cell(table, 2, 1);
        m_desktop->click(m_reader->box(number).center());
        m_desktop->type("9");
        m_desktop->press("Return");
        QTRY_VERIFY(m_reader->name(m_reader->cell(map("Key axis"), 2, 0)) != before);
        QTRY_COMPARE(m_reader->name(number), QStringLiteral("9.00"));
        QTRY_VERIFY(title().contains('*'));
        keep("4 a number typed");
    }

    void aValueRowIsDragged()
    {
        const QRect plane = m_reader->box(named("Value plane"));
        QVERIFY(plane.isValid());
        const QPoint point = valueRow(plane);
        QVERIFY2(!point.isNull(), "no square of a value row on the screen");
        m_desktop->drag(point, point + QPoint(30, 24));
        QTRY_VERIFY(!m_reader
                         ->find(m_root,
                                [&](const Node& node) {
                                    return m_reader->name(node).contains("Drag value row");
                                })
                         .isNull());
        keep("5 a value row dragged");
    }

    void aValueRowIsMovedByKeys()
    {
        m_desktop->press("ctrl+z"); // the drag of before
        const auto isMoved = [&] {
            return !m_reader
                        ->find(m_root,
                               [&](const Node& node) {
                                   return m_reader->name(node).startsWith("Undo Drag value row");
                               })
                        .isNull();
        };
        QTRY_VERIFY(!isMoved());
        const QRect plane = m_reader->box(named("Value plane"));
        m_desktop->click(valueRow(plane)); // frames it and gives the plane the focus
        QVERIFY(!isMoved());
        m_desktop->press("Right");
        QTRY_VERIFY(isMoved());
        keep("5 a value row moved by keys");
        m_desktop->press("ctrl+z"); // one hold, one step
        QTRY_VERIFY(!isMoved());
        m_desktop->press("ctrl+shift+z");
    }

    void aFigureIsExported_data()
    {
        QTest::addColumn<QString>("ending");
        QTest::addColumn<QByteArray>("begins");
        QTest::newRow("PNG") << ".png" << QByteArray("\x89PNG");
        QTest::newRow("SVG") << ".svg" << QByteArray("<?xml");
        QTest::newRow("PDF") << ".pdf" << QByteArray("%PDF");
    }
    void aFigureIsExported()
    {
        QFETCH(QString, ending);
        QFETCH(QByteArray, begins);
        m_desktop->press("ctrl+e");
        const auto button = [&] { return m_reader->find(m_root, "push button", "Save as"); };
        QTRY_VERIFY_WITH_TIMEOUT(!button().isNull(), 10000);
        keep("6 export" + ending);
        m_desktop->click(m_reader->box(button()).center());
        const QString path = m_desktop->folder() + "/figure" + ending;
        answerFileDialog(path);
        QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(path), 10000);
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QVERIFY(file.readAll().startsWith(begins));
        QTRY_VERIFY(button().isNull());
    }

    void closingAsksAboutUnsavedWork()
    {
        const auto answer = [&](const char* name) {
            return m_reader->find(m_root, [&](const Node& node) {
                return m_reader->role(node) == QLatin1String("push button") &&
                       m_reader->name(node) == QLatin1String(name) &&
                       m_reader->has(node, ScreenReader::Showing);
            });
        };
        m_desktop->press("alt+F4");
        QTRY_VERIFY_WITH_TIMEOUT(!answer("Discard").isNull(), 10000);
        keep("7 a question");
        QVERIFY(m_reader->act(answer("Cancel")));
        QTRY_VERIFY(answer("Discard").isNull());
        QCOMPARE(m_program.state(), QProcess::Running);
        m_desktop->press("alt+F4");
        QTRY_VERIFY_WITH_TIMEOUT(!answer("Discard").isNull(), 10000);
        m_reader->act(answer("Discard"));
        QVERIFY(m_program.waitForFinished(10000));
        QCOMPARE(m_program.exitStatus(), QProcess::NormalExit);
        QCOMPARE(m_program.exitCode(), 0);
    }

private:
    Node named(const char* begins) const
    {
        return m_reader->find(m_root, [&](const Node& node) {
            return m_reader->name(node).startsWith(QLatin1String(begins));
        });
    }

    /// The map of that title.
    Node map(const char* title)
    {
        if (m_maps.isNull())
            m_maps = named("Attention maps");
        for (const Node& map : m_reader->children(m_maps))
            if (m_reader->name(map) == QLatin1String(title))
                return map;
        return {};
    }

    QString title() const { return m_reader->name(m_reader->children(m_root).front()); }

    void answerFileDialog(const QString& path) const
    {
        QTRY_VERIFY_WITH_TIMEOUT(!fileName().isNull(), 10000);
        m_desktop->press("ctrl+a");
        m_desktop->type(path);
        m_desktop->press("Return");
        if (!QTest::qWaitFor([this] { return fileName().isNull(); }, 3000))
            m_desktop->press("Return"); // the first one closed a list of suggestions
    }

    /// Where the name is typed in a dialog for files.
    Node fileName() const
    {
        return m_reader->find(m_root, [this](const Node& node) {
            return m_reader->name(node).startsWith("File name") &&
                   m_reader->has(node, ScreenReader::Showing);
        });
    }

    /// The middle of a square in the colour of ink, as a value row is drawn.
    QPoint valueRow(const QRect& within) const
    {
        const QImage screen = m_desktop->screen();
        const QRgb ink = qRgb(0x1C, 0x21, 0x27);
        constexpr int kInside = 5;
        const auto isSquare = [&](QPoint at) {
            for (int y = 0; y < kInside; ++y)
                for (int x = 0; x < kInside; ++x)
                    if ((screen.pixel(at.x() + x, at.y() + y) & 0xFFFFFF) != (ink & 0xFFFFFF))
                        return false;
            return true;
        };
        const QRect field = within & screen.rect().adjusted(0, 0, -kInside, -kInside);
        for (int y = field.top(); y < field.top() + field.height() * 2 / 3; ++y)
            for (int x = field.left(); x < field.right(); ++x)
                if (isSquare({x, y}))
                    return {x + kInside / 2, y + kInside / 2};
        return {};
    }

    void keep(const QString& name) const
    {
        m_desktop->screen().save(QStringLiteral(KEYAXIS_SCREENSHOTS "/") + name + ".png");
    }

    std::unique_ptr<Desktop> m_desktop;
    std::unique_ptr<ScreenReader> m_reader;
    QProcess m_program;
    bool m_hasFailed = false;
    Node m_root;
    Node m_maps;
};

QTEST_GUILESS_MAIN(TestDesktop)
#include "tst_desktop.moc"
