#include "tests/widgets/window_helpers.h"
#include "ui/widgets/command_palette.h"
#include "ui/widgets/window_actions.h"

#include <QLineEdit>
#include <QMenuBar>
#include <QShortcut>
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
    QTest::keyClick(&window, Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
    return window.findChild<CommandPalette*>();
}

} // namespace

class TestCommandsOfWindow : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { failOnWarnings(); }

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
        QVERIFY(answerOf("All heads", "heads") > answerOf("Ahead", "heads"));
        QVERIFY(answerOf("Head axis", "head") > answerOf("Next head", "head"));
        QVERIFY(answerOf("Zoom in", "zi") > 0);
        QCOMPARE(answerOf("Zoom in", "zx"), 0);
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
};

QTEST_MAIN(TestCommandsOfWindow)
#include "tst_commands_of_window.moc"
