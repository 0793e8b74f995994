// A lesson from the window and back.

#include "tests/widgets/window_helpers.h"
#include "ui/presenter/presenter_window.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/lesson_menu.h"
#include "ui/widgets/top_bar.h"
#include "ui/widgets/window_actions.h"

#include <QFile>
#include <QTemporaryDir>

using namespace keyaxis;
using namespace keyaxis::testing;

class TestLessonMenu : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { failOnWarnings(); }

    void everyLessonIsInTheMenu()
    {
        ShownWindow shown;
        QStringList texts;
        for (const QAction* action : shown.window.actions().lessons->actions())
            texts += action->text();
        for (const QString& path : shippedLessons())
            QVERIFY(texts.contains(readLesson(path).value().title));
    }

    void leavingReturnsToTheWindowAsItWas()
    {
        ShownWindow shown;
        MainWindow& window = shown.window;
        QVERIFY(shown.isReady);
        window.actions().axes[0]->trigger();
        QVERIFY(settle(window));
        const Inputs inputs = window.document().inputs();
        const ScoreSettings settings = window.document().settings();
        const QRect geometry = window.geometry();

        PresenterWindow* presenter = start(window);
        QVERIFY(presenter && presenter->isVisible());
        QVERIFY(presenter->isFullScreen());
        QCOMPARE(presenter->run().lesson().title, QString("Along which axis?"));
        for (const Qt::Key key : {Qt::Key_Right, Qt::Key_1, Qt::Key_M, Qt::Key_Right}) {
            QTest::keyClick(presenter, key);
            QVERIFY(QTest::qWaitFor([&] { return presenter->isSettled(); }));
        }
        QTest::keyClick(presenter, Qt::Key_Escape);
        QTRY_VERIFY(!window.actions().lessons->presenter());
        QVERIFY(window.isVisible());
        QCOMPARE(window.geometry(), geometry);
        QVERIFY(window.document().inputs() == inputs);
        QVERIFY(window.document().settings() == settings);
        QVERIFY(window.document().undoStack().canUndo());
    }

    void theLessonGoesOnWhereItWasLeft()
    {
        ShownWindow shown;
        PresenterWindow* presenter = start(shown.window);
        QTest::keyClick(presenter, Qt::Key_Right);
        QTest::keyClick(presenter, Qt::Key_Right);
        QTest::keyClick(presenter, Qt::Key_Escape);
        QTRY_VERIFY(!shown.window.actions().lessons->presenter());
        Q_EMIT shown.window.topBar().presentAsked(); // the button; F5 is the action of the same
        presenter = shown.window.actions().lessons->presenter();
        QVERIFY(presenter);
        QCOMPARE(presenter->run().index(), 2);
        QTest::keyClick(presenter, Qt::Key_Escape);
        QTRY_VERIFY(!shown.window.actions().lessons->presenter());
    }

    void aLessonMovesOnlyWhereTheWindowDoes()
    {
        ShownWindow shown;
        for (const bool moves : {false, true}) {
            shown.window.actions().reduceMotion->setChecked(!moves);
            PresenterWindow* presenter = start(shown.window);
            for (const Qt::Key key : {Qt::Key_Home, Qt::Key_Right, Qt::Key_1}) {
                QTest::keyClick(presenter, key);
                QVERIFY(QTest::qWaitFor([&] { return presenter->isSettled(); }));
            }
            QCOMPARE(presenter->canvas().isMorphing(), moves);
            QTest::keyClick(presenter, Qt::Key_Escape);
            QTRY_VERIFY(!shown.window.actions().lessons->presenter());
        }
    }

    void lessonsAreReadInTheChosenLanguage()
    {
        ShownWindow shown;
        LessonMenu& lessons = *shown.window.actions().lessons;
        QVERIFY(textsOf(lessons).contains("Along which axis?"));
        lessons.setLanguage("de");
        QVERIFY(textsOf(lessons).contains("Entlang welcher Achse?"));
        QVERIFY(!textsOf(lessons).contains("Along which axis?"));
        PresenterWindow* presenter = start(shown.window);
        QCOMPARE(presenter->run().lesson().title, QString("Entlang welcher Achse?"));
        QVERIFY(presenter->canvas().page().kicker.contains("Schritt 1 von 12"));
        QVERIFY(presenter->canvas().page().keys.contains("weiter"));
        QTest::keyClick(presenter, Qt::Key_Right);
        QTest::keyClick(presenter, Qt::Key_Escape);
        QTRY_VERIFY(!lessons.presenter());
        lessons.setLanguage("en");
        presenter = start(shown.window); // where it was left, in the other language
        QCOMPARE(presenter->run().lesson().title, QString("Along which axis?"));
        QCOMPARE(presenter->run().index(), 1);
        QTest::keyClick(presenter, Qt::Key_Escape);
        QTRY_VERIFY(!lessons.presenter());
        lessons.setLanguage("xx");
        QCOMPARE(lessons.language(), QString("en"));
    }

    void aBrokenLessonIsSaidInTheWindow()
    {
        ShownWindow shown;
        const QTemporaryDir folder;
        QFile file(folder.filePath("broken.md"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("# L\n---\nno title\n");
        file.close();
        QVERIFY(!shown.window.actions().lessons->start(file.fileName()));
        QVERIFY(shown.window.banner().isVisible());
        QVERIFY(shown.window.banner().sentence().contains("broken.md, line 3"));
        QVERIFY(!shown.window.actions().lessons->presenter());
    }

    void aQuizHasNoEnd()
    {
        ShownWindow shown;
        LessonMenu& lessons = *shown.window.actions().lessons;
        QVERIFY(lessons.startQuiz(1));
        PresenterWindow* presenter = lessons.presenter();
        const auto titleAndBody = [&] {
            return presenter->canvas().page().title + presenter->canvas().page().body;
        };
        QTRY_VERIFY(presenter->isSettled());
        const QString first = titleAndBody();
        for (const Qt::Key key : {Qt::Key_End, Qt::Key_Right, Qt::Key_Right}) {
            QTest::keyClick(presenter, key);
            QTRY_VERIFY(presenter->isSettled());
        }
        QCOMPARE(lessons.presenter(), presenter);
        QCOMPARE(presenter->run().index(), 0);
        QVERIFY(!presenter->run().isRevealed());
        QVERIFY(titleAndBody() != first);
    }

    void aQuizAsksAboutWhatTheWindowShows()
    {
        ShownWindow shown;
        LessonMenu& lessons = *shown.window.actions().lessons;
        QVERIFY(lessons.startQuiz(1));
        PresenterWindow* presenter = lessons.presenter();
        QVERIFY(QTest::qWaitFor([&] { return presenter->isSettled(); }));
        QCOMPARE(presenter->run().lesson().nSteps(), 20);
        QVERIFY(presenter->run().step().state.inputs == shown.window.document().inputs());
        QTest::keyClick(presenter, Qt::Key_Escape);
        QTRY_VERIFY(!lessons.presenter());
        QVERIFY(start(shown.window)->run().lesson().title == "Along which axis?"); // not the quiz
    }

    void theStateOfTheWindowBecomesAStep()
    {
        ShownWindow shown;
        MainWindow& window = shown.window;
        window.actions().axes[2]->trigger();
        window.actions().single->trigger();
        QVERIFY(settle(window));
        const QTemporaryDir folder;
        const QString path = folder.filePath("mine.md");
        LessonMenu& lessons = *window.actions().lessons;
        QVERIFY(lessons.saveStep(path, "As it is"));
        QVERIFY(window.banner().isVisible());
        QCOMPARE(window.banner().sentence(),
                 QString("Added to mine.md as its last step: As it is"));
        QVERIFY(lessons.start(path));
        PresenterWindow* presenter = lessons.presenter();
        QVERIFY(QTest::qWaitFor([&] { return presenter->isSettled(); }));
        QCOMPARE(presenter->canvas().page().title, QString("As it is"));
        const MapFigure& map = presenter->canvas().page().figure.maps.front();
        QCOMPARE(map.axis, Axis::Batch);
        QCOMPARE(map.stages->weights.row(3)[2],
                 window.document().results()->axes[2]->weights.row(3)[2]);
        QVERIFY(!lessons.saveStep(folder.filePath("no/such.md"), "As it is"));
        QVERIFY(window.banner().sentence().contains("no/such.md"));
    }

    void theWindowBecomesAWebPage()
    {
        ShownWindow shown;
        const QTemporaryDir folder;
        const QString path = folder.filePath("page.html");
        LessonMenu& lessons = *shown.window.actions().lessons;
        QVERIFY(lessons.saveWebPage(path));
        QCOMPARE(shown.window.banner().sentence(), QString("Written: page.html"));
        QFile page(path);
        QVERIFY(page.open(QIODevice::ReadOnly));
        QVERIFY(page.readAll().contains("\"teacher\""));
        QVERIFY(!lessons.saveWebPage(folder.filePath("no/such.html")));
        QVERIFY(shown.window.banner().sentence().contains("no/such.html"));
    }

    void aWindowThatClosesTakesItsLessonAlong()
    {
        auto shown = std::make_unique<ShownWindow>();
        QPointer<PresenterWindow> presenter = start(shown->window);
        QVERIFY(presenter);
        shown.reset();
        QVERIFY(!presenter);
    }

private:
    static QStringList textsOf(const LessonMenu& lessons)
    {
        QStringList texts;
        for (const QAction* action : lessons.actions())
            texts += action->text();
        return texts;
    }

    /// F5, by a real key.
    static PresenterWindow* start(MainWindow& window)
    {
        QTest::keyClick(&window, Qt::Key_F5);
        PresenterWindow* presenter = window.actions().lessons->presenter();
        const auto isSettled = [&] { return presenter && presenter->isSettled(); };
        return QTest::qWaitFor(isSettled) ? presenter : nullptr;
    }
};

QTEST_MAIN(TestLessonMenu)
#include "tst_lesson_menu.moc"
