#include "core/patterns.h"
#include "tests/widgets/window_helpers.h"
#include "ui/widgets/window_actions.h"

#include <QInputDialog>
#include <QMenuBar>
#include <QTimer>

using namespace keyaxis;
using namespace keyaxis::testing;

namespace {

/// The action whose text begins with `text`, anywhere in the menus.
QAction* actionNamed(MainWindow& window, const QString& text)
{
    for (QAction* action : window.findChildren<QAction*>())
        if (action->text().startsWith(text))
            return action;
    return nullptr;
}

} // namespace

class TestAttentionMenu : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { failOnWarnings(); }

    void eachFinerSettingChangesTheNumbersAndIsOneUndoStep_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("line"); // what the settings line says then
        QTest::newRow("slopes") << "One geometric series"
                                << "ALiBi (geometric)";
        QTest::newRow("scale") << "Off: 1"
                               << "scale off";
        QTest::newRow("empty") << "0, as fused kernels"
                               << "empty 0";
        QTest::newRow("limit") << "τ = 0"
                               << "τ = 0";
    }
    void eachFinerSettingChangesTheNumbersAndIsOneUndoStep()
    {
        QFETCH(QString, text);
        QFETCH(QString, line);
        ShownWindow shown;
        MainWindow& window = shown.window;
        // Six heads: there the two rules for slopes differ. The batch axis has empty slices.
        Sizes sizes = window.document().sizes();
        sizes.H = sizes.G = 6;
        window.document().setInputs(resized(window.document().inputs(), sizes));
        window.actions().axes[2]->trigger();
        QVERIFY(settle(window));
        const ScoreSettings before = window.document().settings();
        const int nSteps = window.document().undoStack().count();

        QAction* action = actionNamed(window, text);
        QVERIFY(action);
        action->trigger();
        QVERIFY(settle(window));
        QVERIFY(window.document().settings() != before);
        QCOMPARE(window.document().undoStack().count(), nSteps + 1);
        const QString said = window.centre().figure().settingsLine;
        QVERIFY2(said.contains(line), qPrintable(said));
        if (action->isCheckable())
            QVERIFY(action->isChecked());
        window.actions().undo->trigger();
        QCOMPARE(window.document().settings(), before);
        if (action->isCheckable())
            QVERIFY(!action->isChecked());
    }

    void theMaskCanEndAtTheLastKey()
    {
        ShownWindow shown;
        MainWindow& window = shown.window;
        Sizes sizes = window.document().sizes();
        sizes.Tq = 4; // of 10 keys
        window.document().setInputs(resized(window.document().inputs(), sizes));
        QVERIFY(settle(window));
        QCOMPARE(weights(window, Axis::Key)(0, 5), 0.0F);
        actionNamed(window, QStringLiteral("So that it ends"))->trigger();
        QVERIFY(settle(window));
        QVERIFY(weights(window, Axis::Key)(0, 5) > 0.0F);
        QCOMPARE(weights(window, Axis::Key)(0, 7), 0.0F);
    }

    void aScaleOfOnesOwnIsAskedFor()
    {
        ShownWindow shown;
        MainWindow& window = shown.window;
        QTimer::singleShot(50, [&] {
            auto* dialog = window.findChild<QInputDialog*>();
            if (!dialog)
                return;
            dialog->setDoubleValue(0.125);
            dialog->accept();
        });
        actionNamed(window, QStringLiteral("Another number"))->trigger();
        QCOMPARE(window.document().settings().scale, std::optional(0.125));
    }
};

QTEST_MAIN(TestAttentionMenu)
#include "tst_attention_menu.moc"
