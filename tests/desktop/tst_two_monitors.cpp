#include "tests/desktop/desktop.h"
#include "tests/desktop/screen_reader.h"

#include <QDir>
#include <QTest>
#include <memory>

using namespace keyaxis::testing;
using Node = ScreenReader::Node;

namespace {

const QRect kDesk(0, 0, 1280, 1000);
const QRect kWall(1280, 0, 1600, 1000);

} // namespace

/// A lesson on two real monitors: the class's and the speaker's. Each step goes on where the one
/// before has ended.
class TestTwoMonitors : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        if (const QString part = Desktop::missing(); !part.isEmpty())
            QSKIP(qPrintable(part + " is not installed"));
        m_desktop = std::make_unique<Desktop>(std::vector<QRect>{kDesk, kWall});
        if (!m_desktop->hasMonitors())
            QSKIP("this display cannot be cut into monitors");
        QVERIFY(m_desktop->isRunning());
        m_reader = std::make_unique<ScreenReader>(m_desktop->sessionBus());
        QVERIFY(m_reader->isConnected());
        m_program.setProcessEnvironment(m_desktop->environment());
        m_program.setProcessChannelMode(QProcess::ForwardedChannels);
        m_program.start(QStringLiteral(KEYAXIS_PROGRAM), {});
        QVERIFY(m_program.waitForStarted());
        QDir().mkpath(QStringLiteral(KEYAXIS_SCREENSHOTS));
        QTRY_VERIFY_WITH_TIMEOUT(!m_reader->programs().empty(), 20000);
        m_root = m_reader->programs().front();
        QTRY_VERIFY_WITH_TIMEOUT(!named("Attention maps").isNull(), 20000);
        QTRY_VERIFY(kDesk.contains(boxOf("Language model")));
    }

    void init()
    {
        if (m_hasFailed)
            QSKIP("a step before this one has failed");
    }
    void cleanup() { m_hasFailed |= QTest::currentTestFailed(); }

    void cleanupTestCase()
    {
        if (m_program.state() == QProcess::NotRunning)
            return;
        m_program.kill();
        m_program.waitForFinished();
    }

    void theClassHasTheWallAndTheSpeakerTheDesk()
    {
        m_before = boxOf("Language model");
        m_desktop->press("F5");
        QTRY_COMPARE_WITH_TIMEOUT(boxOf("Along which axis?"), kWall, 10000);
        QTRY_VERIFY(kDesk.contains(boxOf("Speaker")));
        QTRY_VERIFY(!text("Next: What a query needs").isNull());
        m_desktop->screen().save(QStringLiteral(KEYAXIS_SCREENSHOTS "/two monitors 1.png"));
    }

    void pagesAreTurnedAndTheClockGoes()
    {
        m_desktop->press("Right");
        QTRY_VERIFY(!text("Next: Along which axis does the softmax run?").isNull());
        m_desktop->press("Next"); // Page Down, as a clicker sends it
        QTRY_VERIFY(!text("Right: B").isNull());
        const QImage before = deskOf(m_desktop->screen());
        QTRY_VERIFY_WITH_TIMEOUT(deskOf(m_desktop->screen()) != before, 5000);
        m_desktop->press("Right"); // the reveal
        QTRY_VERIFY(!text("Next: The flip").isNull());
    }

    void theSpeakersKeysTurnThePagesToo()
    {
        m_desktop->click(kDesk.center());
        m_desktop->press("Right");
        QTRY_VERIFY(!text("Next: the reveal").isNull());
        QTRY_VERIFY(!text("Right: C").isNull());
        m_desktop->screen().save(QStringLiteral(KEYAXIS_SCREENSHOTS "/two monitors 2.png"));
    }

    void leavingReturnsToTheWindowAsItWas()
    {
        m_desktop->press("Escape");
        QTRY_VERIFY(m_reader->children(m_root).size() == 1);
        QCOMPARE(boxOf("Language model"), m_before);
        m_desktop->press("F7"); // it has the keys again: one large map
        QTRY_VERIFY(m_reader->children(named("Attention maps")).size() == 1);
        m_desktop->press("alt+F4");
        QVERIFY(m_program.waitForFinished(10000));
        QCOMPARE(m_program.exitCode(), 0);
    }

private:
    Node named(const char* begins) const { return text(begins); }

    Node text(const char* begins) const
    {
        return m_reader->find(m_root, [&](const Node& node) {
            return m_reader->name(node).startsWith(QLatin1String(begins)) &&
                   m_reader->has(node, ScreenReader::Showing);
        });
    }

    /// Where the window is whose title begins so.
    QRect boxOf(const char* title) const
    {
        for (const Node& window : m_reader->children(m_root))
            if (m_reader->name(window).startsWith(QLatin1String(title)))
                return m_reader->box(window);
        return {};
    }

    static QImage deskOf(const QImage& screen) { return screen.copy(kDesk); }

    std::unique_ptr<Desktop> m_desktop;
    std::unique_ptr<ScreenReader> m_reader;
    QProcess m_program;
    bool m_hasFailed = false;
    Node m_root;
    QRect m_before;
};

QTEST_GUILESS_MAIN(TestTwoMonitors)
#include "tst_two_monitors.moc"
