#include "tests/widgets/window_helpers.h"
#include "ui/widgets/command_palette.h"
#include "ui/widgets/command_row.h"
#include "ui/widgets/user_settings.h"
#include "ui/widgets/window_actions.h"

#include <QLineEdit>
#include <QListWidget>
#include <QMenuBar>
#include <QShortcut>
#include <QTemporaryDir>
#include <QToolButton>

using namespace keyaxis;
using namespace keyaxis::testing;

namespace {

/// The actions of the window that have a text.
QList<QAction*> commandsOf(MainWindow& window)
{
    QList<QAction*> commands;
    for (QAction* action : window.findChildren<QAction*>())
        if (!action->isSeparator() && !action->menu() && !action->text().isEmpty())
            commands += action;
    return commands;
}

CommandPalette* openPalette(MainWindow& window)
{
    window.activateWindow();
    if (!QTest::qWaitForWindowActive(&window))
        return nullptr;
    QTest::keyClick(&window, Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
    auto* palette = window.findChild<CommandPalette*>();
    return palette && QTest::qWaitForWindowActive(palette) ? palette : nullptr;
}

} // namespace

class TestCommandsOfWindow : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        prepareApplication(*qApp);
        QVERIFY(m_settings.isValid());
        QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, m_settings.path());
    }
    void init()
    {
        failOnWarnings();
        userSettings().clear();
    }

    void noTwoCommandsShareAShortcut()
    {
        ShownWindow shown;
        QHash<QString, QString> owners;
        for (const QAction* action : commandsOf(shown.window))
            for (const QKeySequence& keys : action->shortcuts()) {
                const QString text = keys.toString();
                QVERIFY2(!owners.contains(text) || text.isEmpty(),
                         qPrintable(text + ": " + action->text() + ", " + owners.value(text)));
                owners.insert(text, action->text());
            }
        QVERIFY(owners.size() > 20);
        for (const QShortcut* shortcut : shown.window.findChildren<QShortcut*>())
            QVERIFY2(!owners.contains(shortcut->key().toString()),
                     qPrintable(shortcut->key().toString()));
    }

    void everyCommandOfAMenuHasATip()
    {
        ShownWindow shown;
        QList<QMenu*> menus;
        for (QAction* action : shown.window.findChild<QMenuBar*>()->actions())
            menus += action->menu();
        int nCommands = 0;
        for (qsizetype n = 0; n < menus.size(); ++n)
            for (const QAction* action : menus[n]->actions()) {
                if (action->menu())
                    menus += action->menu();
                else if (!action->isSeparator()) {
                    QVERIFY2(!action->statusTip().isEmpty(), qPrintable(action->text()));
                    ++nCommands;
                }
            }
        QVERIFY(nCommands > 30);
    }

    void thePaletteFindsACommandAndRunsIt()
    {
        ShownWindow shown;
        CommandPalette* palette = openPalette(shown.window);
        QVERIFY(palette);
        QVERIFY(palette->shown().size() > 30);
        auto* letters = palette->findChild<QLineEdit*>();
        QTest::keyClicks(letters, "all he");
        QCOMPARE(palette->shown().first(), "All heads");
        QTest::keyClick(letters, Qt::Key_Return);
        QCOMPARE(shown.window.document().view().mode, ViewSettings::Mode::Heads);
        QVERIFY(settle(shown.window));
    }

    void arrowsChooseInThePaletteAndEscLeavesEverything()
    {
        ShownWindow shown;
        CommandPalette* palette = openPalette(shown.window);
        auto* letters = palette->findChild<QLineEdit*>();
        QTest::keyClicks(letters, "axis");
        QCOMPARE(palette->shown().first(4),
                 QStringList({"Query axis", "Key axis", "Batch axis", "Head axis"}));
        QTest::keyClick(letters, Qt::Key_Down);
        QTest::keyClick(letters, Qt::Key_Up);
        QTest::keyClick(letters, Qt::Key_Escape);
        QCOMPARE(shown.window.document().settings().axis, Axis::Key);
        QTRY_VERIFY(!shown.window.findChild<CommandPalette*>());
    }

    void lettersAnswerByWordsFirst()
    {
        const auto score = [](const char* name, const char* letters) {
            return matchOf(name, letters).value_or(CommandMatch{-1, {}}).score;
        };
        QVERIFY(score("All heads", "heads") > score("Ahead", "heads"));
        QVERIFY(score("Head axis", "head") > score("Next head", "head"));
        QVERIFY(score("Next head", "head") > score("Ahead", "head"));
        QVERIFY(score("Ahead", "head") > score("Hurry, each and all", "head"));
        QVERIFY(score("Zoom in", "zi") > score("Azimuth", "zi") - 3000); // scattered, yet there
        QVERIFY(!matchOf("Zoom in", "zx"));
        QVERIFY(!matchOf("in", "inn"));
        QCOMPARE(matchOf("Zoom in", "ZI")->at, QList<qsizetype>({0, 5}));
        QCOMPARE(matchOf("Previous item", "pi")->at, QList<qsizetype>({0, 9})); // begins a word
        QCOMPARE(matchOf("Show everything", "she")->at, QList<qsizetype>({0, 1, 5}));
        QCOMPARE(matchOf("Next head", "head")->at, QList<qsizetype>({5, 6, 7, 8}));
        QCOMPARE(matchOf("anything", "  ")->at, QList<qsizetype>());
    }

    void aMenuHelpsToFindWhatIsInIt()
    {
        ShownWindow shown;
        CommandPalette* palette = openPalette(shown.window);
        auto* letters = palette->findChild<QLineEdit*>();
        QTest::keyClicks(letters, "theme dark");
        QCOMPARE(palette->shown().first(), "Dark");
        const auto row = palette->findChild<QListWidget*>()
                             ->item(0)
                             ->data(CommandRowPainter::kRowRole)
                             .value<CommandRow>();
        QCOMPARE(row.menu, QStringLiteral("View › Theme"));
        QCOMPARE(row.inName, QList<qsizetype>({0, 1, 2, 3}));
        QCOMPARE(row.inMenu.size(), 5);
        QTest::keyClick(letters, Qt::Key_Escape);
    }

    void whatCannotBeRunSaysWhyAndStays()
    {
        ShownWindow shown; // on head 2 of 4, batch 1 of 2
        CommandPalette* palette = openPalette(shown.window);
        auto* letters = palette->findChild<QLineEdit*>();
        auto* list = palette->findChild<QListWidget*>();
        QTest::keyClicks(letters, "previous example");
        QCOMPARE(palette->tip(), "This is the first example of the batch.");
        QVERIFY(list->item(0)->data(Qt::AccessibleTextRole).toString().contains("not available"));
        QVERIFY(letters->accessibleDescription().contains("This is the first example"));
        QTest::keyClick(letters, Qt::Key_Return);
        QVERIFY(palette->isVisible());
        letters->clear();
        QTest::keyClicks(letters, "next example");
        QCOMPARE(palette->tip(), shown.window.actions().nextBatch->statusTip());
        QTest::keyClicks(letters, "qqq");
        QVERIFY(palette->shown().isEmpty());
        QVERIFY(palette->tip().startsWith("No command"));
        QTest::keyClick(letters, Qt::Key_Return); // nothing to run
        QTest::keyClick(letters, Qt::Key_Escape);
    }

    void whatWasRunLastStandsFirst()
    {
        ShownWindow shown;
        for (const char* name : {"zoom in", "batch axis"}) {
            CommandPalette* palette = openPalette(shown.window);
            auto* letters = palette->findChild<QLineEdit*>();
            QTest::keyClicks(letters, name);
            QTest::keyClick(letters, Qt::Key_Return);
            QTRY_VERIFY(!shown.window.findChild<CommandPalette*>());
        }
        QCOMPARE(shown.window.document().settings().axis, Axis::Batch);
        QVERIFY(shown.window.centre().maps().isZoomed());
        CommandPalette* palette = openPalette(shown.window);
        QCOMPARE(palette->shown().first(2), QStringList({"Batch axis", "Zoom in"}));
        QCOMPARE(palette->shown().count("Zoom in"), 1);
        QTest::keyClicks(palette->findChild<QLineEdit*>(), "axis"); // of equals the last run first
        QCOMPARE(palette->shown().first(2), QStringList({"Batch axis", "Query axis"}));
        palette->close();
        QVERIFY(settle(shown.window));
    }

    void aClickElsewhereLeavesEverything()
    {
        ShownWindow shown;
        QVERIFY(openPalette(shown.window));
        shown.window.activateWindow(); // as a click does
        QTRY_VERIFY(!shown.window.findChild<CommandPalette*>());
        QCOMPARE(shown.window.document().settings().axis, Axis::Key);
    }

    void theArrowsGoRoundAndPagesStopAtTheEnd()
    {
        ShownWindow shown;
        CommandPalette* palette = openPalette(shown.window);
        auto* letters = palette->findChild<QLineEdit*>();
        auto* list = palette->findChild<QListWidget*>();
        QTest::keyClick(letters, Qt::Key_Up);
        QCOMPARE(list->currentRow(), list->count() - 1);
        QTest::keyClick(letters, Qt::Key_Down);
        QCOMPARE(list->currentRow(), 0);
        for (int n = 0; n < 30; ++n)
            QTest::keyClick(letters, Qt::Key_PageDown);
        QCOMPARE(list->currentRow(), list->count() - 1);
        QTest::keyClick(letters, Qt::Key_PageUp);
        QCOMPARE(list->currentRow(), list->count() - 11);
        palette->close();
    }

    void thePaletteIsReadInEveryTheme()
    {
        ShownWindow shown;
        for (const ThemeChoice choice : {ThemeChoice::Light, ThemeChoice::Dark}) {
            shown.window.setThemeChoice(choice);
            const Theme theme = themeOf(choice);
            shown.window.setThemeChoice(choice);
            CommandPalette* palette = openPalette(shown.window);
            QTest::keyClicks(palette->findChild<QLineEdit*>(), "head");
            const QImage image = palette->grab().toImage();
            QCOMPARE(image.pixelColor(4, image.height() / 2).name(), theme.panel.name());
            for (const QColor& color : {theme.ink, theme.muted, theme.key}) {
                int n = 0;
                for (int y = 0; y < image.height(); ++y)
                    for (int x = 30; x < image.width(); ++x) // letters, not the bar beside them
                        n += image.pixelColor(x, y) == color ? 1 : 0;
                QVERIFY2(n > 20, qPrintable(color.name()));
            }
            palette->close();
            QTRY_VERIFY(!shown.window.findChild<CommandPalette*>());
        }
        shown.window.setThemeChoice(ThemeChoice::Light);
    }

    void everyControlOfTheCentreHasAName()
    {
        ShownWindow shown;
        for (const QWidget* widget : shown.window.centre().findChildren<QWidget*>())
            if (widget->focusPolicy() != Qt::NoFocus && widget->isVisible()) {
                const auto* button = qobject_cast<const QToolButton*>(widget);
                QVERIFY2(!widget->accessibleName().isEmpty() ||
                             (button && !button->text().isEmpty()),
                         widget->metaObject()->className());
            }
    }

    void highContrastIsATheme()
    {
        ShownWindow shown;
        shown.window.actions().themes[3]->trigger();
        const QImage image = shown.window.centre().grab().toImage();
        QCOMPARE(image.pixelColor(2, 2), QColor(Qt::white));
    }

private:
    QTemporaryDir m_settings;
};

QTEST_MAIN(TestCommandsOfWindow)
#include "tst_commands_of_window.moc"
