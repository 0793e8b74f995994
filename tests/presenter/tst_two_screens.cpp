// The class on one screen, the speaker on another.

#include "tests/presenter/presenting.h"
#include "ui/presenter/speaker_window.h"

#include <QApplication>
#include <QFile>
#include <QScreen>
#include <QTemporaryDir>

using namespace keyaxis;
using namespace keyaxis::testing;

class TestTwoScreens : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { registerFonts(); }
    void init()
    {
        failOnWarnings();
        QCOMPARE(QGuiApplication::screens().size(), 2);
        m_speakers = QGuiApplication::screens()[0];
        m_audience = QGuiApplication::screens()[1];
        m_window = std::make_unique<PresenterWindow>(shortLesson(), Theme::dark());
        m_window->canvas().setMorphMs(0);
        m_window->present(m_speakers);
        QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
        QVERIFY(settle(*m_window));
    }
    void cleanup() { m_window.reset(); }

    void theClassHasTheOtherScreenToItself()
    {
        QCOMPARE(m_window->screen(), m_audience);
        QVERIFY(m_window->isFullScreen());
        QCOMPARE(m_window->geometry(), m_audience->geometry());
        QVERIFY(m_window->speaker().isVisible());
        QCOMPARE(m_window->speaker().screen(), m_speakers);
    }

    void theSpeakerSeesNotesAndTurnsThePages()
    {
        QTest::keyClick(&m_window->speaker(), Qt::Key_PageDown);
        QVERIFY(settle(*m_window));
        QCOMPARE(m_window->canvas().page().title, QString("Which axis?"));
        QCOMPARE(m_window->speaker().notes(), QString("Count hands."));
    }

    void aFrozenPictureStaysWhileTheSpeakerGoesOn()
    {
        QTest::keyClick(&m_window->speaker(), Qt::Key_F);
        const QImage before = m_window->canvas().grab().toImage();
        QTest::keyClick(&m_window->speaker(), Qt::Key_Right);
        QVERIFY(settle(*m_window));
        QCOMPARE(m_window->speaker().notes(), QString("Count hands."));
        QCOMPARE(m_window->canvas().grab().toImage(), before);
    }

    void bothWindowsGoTogether()
    {
        QTest::keyClick(&m_window->speaker(), Qt::Key_Escape);
        QVERIFY(!m_window->isVisible());
        QVERIFY(!m_window->speaker().isVisible());
    }

    void aLostScreenLeavesTheLessonOnTheOther()
    {
        m_window->onScreenRemoved(m_audience);
        QCOMPARE(m_window->screen(), QGuiApplication::primaryScreen());
        QVERIFY(m_window->isVisible());
        QVERIFY(!m_window->speaker().isVisible());
        QVERIFY(press(*m_window, Qt::Key_Right));
        QCOMPARE(m_window->run().index(), 1);
    }

private:
    QScreen* m_speakers = nullptr;
    QScreen* m_audience = nullptr;
    std::unique_ptr<PresenterWindow> m_window;
};

/// The offscreen platform takes its screens from a file.
int main(int argc, char** argv)
{
    const QTemporaryDir folder;
    QFile file(folder.filePath("screens.json"));
    if (!file.open(QIODevice::WriteOnly))
        return 1;
    file.write(R"({"screens": [
        {"name": "desk", "x": 0, "y": 0, "width": 1280, "height": 800,
         "logicalDpi": 96, "logicalBaseDpi": 96, "dpr": 1},
        {"name": "wall", "x": 1280, "y": 0, "width": 1920, "height": 1080,
         "logicalDpi": 96, "logicalBaseDpi": 96, "dpr": 1}]})");
    file.close();
    qputenv("QT_QPA_PLATFORM", "offscreen:configfile=" + file.fileName().toLocal8Bit());
    QApplication application(argc, argv);
    TestTwoScreens test;
    return QTest::qExec(&test, argc, argv);
}

#include "tst_two_screens.moc"
