#include "tests/widgets/window_helpers.h"
#include "ui/widgets/axis_control.h"
#include "ui/widgets/inputs_panel.h"
#include "ui/widgets/stage_strip.h"
#include "ui/widgets/status_strip.h"
#include "ui/widgets/tau_slider.h"
#include "ui/widgets/tensor_table.h"
#include "ui/widgets/top_bar.h"
#include "ui/widgets/verdict_card.h"
#include "ui/widgets/why_panel.h"
#include "ui/widgets/window_actions.h"

#include <QLineEdit>
#include <QMenu>

using namespace keyaxis;
using namespace keyaxis::testing;

class TestMainWindow : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { failOnWarnings(); }

    void opensOnTheDefaultSample()
    {
        ShownWindow shown;
        QVERIFY(shown.isReady);
        const Document& document = shown.window.document();
        QCOMPARE(document.view().head, 1);
        QVERIFY(document.settings().causal);
        QVERIFY(document.settings().alibi);
        QCOMPARE(document.inputs().keyTokens[0][2], std::string("teacher"));
        QVERIFY(!shown.window.isWindowModified());
        QCOMPARE(shown.window.whyPanel().scope(), QStringLiteral("WHY THIS AXIS · ALL 80 ROWS"));
    }

    void anEditInTheTableChangesTheMapAndUndoTakesItBack()
    {
        ShownWindow shown;
        MainWindow& window = shown.window;
        const Matrix before = weights(window, Axis::Key);
        TensorTable& table = window.inputsPanel().table();
        const QModelIndex cell = table.model()->index(2, 1);
        QTest::mouseClick(table.viewport(), Qt::LeftButton, {}, table.visualRect(cell).center());
        QTest::keyClick(&table, Qt::Key_9);
        auto* editor = table.findChild<QLineEdit*>();
        QVERIFY(editor);
        QTest::keyClick(editor, Qt::Key_Return);
        QTRY_COMPARE(window.document().inputs().q->at(0, 1, 2, 1), 9.0F);
        QVERIFY(settle(window));
        QVERIFY(weights(window, Axis::Key).row(2) != before.row(2));
        QVERIFY(weights(window, Axis::Key).row(3) == before.row(3)); // another query's
        QVERIFY(window.isWindowModified());
        QVERIFY(&window.centre().maps().figure().maps[1].stages->weights ==
                &weights(window, Axis::Key)); // what is drawn is what was computed

        window.actions().undo->trigger();
        QVERIFY(settle(window));
        QVERIFY(weights(window, Axis::Key) == before);
        QVERIFY(!window.isWindowModified());
    }

    void eachAxisButtonChangesTheVerdict()
    {
        ShownWindow shown;
        MainWindow& window = shown.window;
        auto* control = window.topBar().findChild<AxisControl*>();
        QStringList sentences;
        for (const Axis axis : {Axis::Query, Axis::Batch, Axis::Head, Axis::Key}) {
            QTest::mouseClick(control, Qt::LeftButton, {}, control->segment(axis).center());
            QVERIFY(settle(window));
            QCOMPARE(window.document().settings().axis, axis);
            QCOMPARE(control->axis(), axis);
            const VerdictCard& verdict = window.whyPanel().verdictCard();
            QCOMPARE(verdict.headline() == QStringLiteral("Every output is a weighted average"),
                     axis == Axis::Key);
            sentences += verdict.sentence();
            const auto& maps = window.centre().maps().figure().maps;
            for (const MapFigure& map : maps)
                QCOMPARE(map.isSelected, map.axis == axis);
        }
        QCOMPARE(sentences.removeDuplicates(), 0);
        for (int n = 0; n < 4; ++n)
            window.actions().undo->trigger();
        QCOMPARE(window.document().settings().axis, Axis::Key);
        QVERIFY(!window.actions().undo->isEnabled());
    }

    void aDragOfTheSliderIsOneUndoStepAndRepaintsAsItMoves()
    {
        ShownWindow shown;
        MainWindow& window = shown.window;
        auto* slider = window.topBar().findChild<TauSlider*>();
        const Matrix before = weights(window, Axis::Key);
        const QPoint middle(slider->width() / 2, slider->height() / 2);
        QWindow* events = window.windowHandle();
        QTest::mousePress(events, Qt::LeftButton, {}, inWindow(*slider, middle));
        for (int step = 1; step <= 20; ++step)
            QTest::mouseMove(events, inWindow(*slider, middle + QPoint(step, 0)));
        QVERIFY(settle(window));
        QVERIFY(window.document().settings().temperature > 1.2F);
        QVERIFY(weights(window, Axis::Key) != before); // while the button is still down
        QTest::mouseRelease(events, Qt::LeftButton, {}, inWindow(*slider, middle + QPoint(20, 0)));
        QCOMPARE(window.document().undoStack().count(), 1);

        QTest::mouseClick(slider, Qt::LeftButton, {}, middle + QPoint(20, 0));
        QTest::mouseDClick(slider, Qt::LeftButton, {}, middle + QPoint(20, 0));
        QCOMPARE(window.document().settings().temperature, 1.0F);
        window.actions().undo->trigger();
        QVERIFY(window.document().settings().temperature > 1.2F);
        window.actions().undo->trigger();
        QCOMPARE(window.document().settings().temperature, 1.0F);
        QVERIFY(!window.actions().undo->isEnabled());
    }

    void theTemperatureCanBeTyped_data()
    {
        QTest::addColumn<QString>("typed");
        QTest::addColumn<float>("tau");
        QTest::newRow("a number") << QStringLiteral("0.125") << 0.125F;
        QTest::newRow("a comma") << QStringLiteral("2,5") << 2.5F;
        QTest::newRow("beyond the slider") << QStringLiteral("100") << 100.0F;
        QTest::newRow("the limit") << QStringLiteral("0") << 0.0F;
        QTest::newRow("negative is refused") << QStringLiteral("-1") << 1.0F;
        QTest::newRow("infinite is refused") << QStringLiteral("inf") << 1.0F;
        QTest::newRow("no number") << QStringLiteral("warm") << 1.0F;
    }
    void theTemperatureCanBeTyped()
    {
        QFETCH(QString, typed);
        QFETCH(float, tau);
        ShownWindow shown;
        auto* number = shown.window.topBar().findChild<QLineEdit*>();
        number->setFocus();
        number->selectAll();
        QTest::keyClicks(number, typed);
        QTest::keyClick(number, Qt::Key_Return);
        QCOMPARE(shown.window.document().settings().temperature, tau);
        QCOMPARE(number->text().toFloat(), tau);
    }

    void hoveringOutlinesTheSliceInAllMapsAndSaysItsFormula()
    {
        ShownWindow shown;
        MainWindow& window = shown.window;
        HeatmapView& maps = window.centre().maps();
        const Cell cell{6, 2};
        const QString restingFormula = window.statusStrip().formulaText();
        std::array<QImage, 4> before;
        for (std::size_t n = 0; n < 4; ++n)
            before[n] = maps.grab(maps.layoutOfFigure().maps[n].card.toRect()).toImage();
        hover(maps, cellCentre(window, 1, cell));
        QCOMPARE(maps.highlighted(), std::optional(cell));
        for (std::size_t n = 0; n < 4; ++n)
            QVERIFY(maps.grab(maps.layoutOfFigure().maps[n].card.toRect()).toImage() != before[n]);
        QVERIFY(window.statusStrip().formulaText() != restingFormula);
        const QString expected = QString::number(weights(window, Axis::Key)(6, 2), 'f', 3);
        QVERIFY(window.statusStrip().formulaText().endsWith(expected));
    }

    void aClickLocksTheSliceAndEscapeLetsGo()
    {
        ShownWindow shown;
        MainWindow& window = shown.window;
        HeatmapView& maps = window.centre().maps();
        const Cell resting = window.cursor().cell();
        QTest::mouseClick(&maps, Qt::LeftButton, {}, cellCentre(window, 0, {7, 3}));
        QVERIFY(window.cursor().isLocked());
        hover(maps, cellCentre(window, 1, {8, 1}));
        QCOMPARE(window.cursor().cell(), (Cell{8, 1})); // hovering previews
        hover(maps, QPoint(2, maps.height() - 2));
        QCOMPARE(window.cursor().cell(), (Cell{7, 3}));
        QTest::keyClick(&maps, Qt::Key_Down);
        QCOMPARE(window.cursor().cell(), (Cell{8, 3}));
        QTest::keyClick(&maps, Qt::Key_Escape);
        QCOMPARE(window.cursor().cell(), resting);
    }

    void aClickOnACardsTitleChoosesItsAxis()
    {
        ShownWindow shown;
        MainWindow& window = shown.window;
        HeatmapView& maps = window.centre().maps();
        QTest::mouseClick(&maps, Qt::LeftButton, {},
                          maps.layoutOfFigure().maps[3].header.center().toPoint());
        QCOMPARE(window.document().settings().axis, Axis::Head);
    }

    void aStageIsShownByTheSingleMap()
    {
        ShownWindow shown;
        MainWindow& window = shown.window;
        StageStrip& strip = window.centre().strip();
        QTest::mouseClick(&strip, Qt::LeftButton, {}, strip.box(Stage::Logits).center());
        QCOMPARE(window.centre().maps().figure().maps.size(), 1U);
        QCOMPARE(window.centre().maps().figure().maps[0].stage, Stage::Logits);
        QVERIFY(window.actions().single->isChecked());
        window.actions().compare->trigger();
        QCOMPARE(window.centre().maps().figure().maps.size(), 4U);
    }

    void stagesThatAreOffAreMarked()
    {
        ShownWindow shown;
        MainWindow& window = shown.window;
        StageStrip& strip = window.centre().strip();
        QVERIFY(strip.isOff(Stage::Tempered));
        QVERIFY(!strip.isOff(Stage::Biased));
        QVERIFY(!strip.isOff(Stage::Logits));
        window.actions().alibi->trigger();
        window.actions().causal->trigger();
        QVERIFY(settle(window));
        QVERIFY(strip.isOff(Stage::Biased));
        QVERIFY(strip.isOff(Stage::Logits));
        QCOMPARE(strip.caption(Stage::Biased), QStringLiteral("+ ALiBi, off"));
    }

    void keysOfTheCentreLeaveTablesAlone()
    {
        ShownWindow shown;
        MainWindow& window = shown.window;
        HeatmapView& maps = window.centre().maps();
        maps.setFocus();
        QTest::keyClick(&maps, Qt::Key_1);
        QCOMPARE(window.document().settings().axis, Axis::Query);
        QTest::keyClick(&maps, Qt::Key_M);
        QVERIFY(!window.document().settings().causal);
        QTest::keyClick(&maps, Qt::Key_L);
        QVERIFY(!window.document().settings().alibi);

        TensorTable& table = window.inputsPanel().table();
        table.setFocus();
        table.setCurrentIndex(table.model()->index(0, 0));
        QTest::keyClick(&table, Qt::Key_3);
        QCOMPARE(window.document().settings().axis, Axis::Query); // the table took it
        auto* editor = table.findChild<QLineEdit*>();
        QVERIFY(editor);
        QTest::keyClick(editor, Qt::Key_Escape);
        QTest::keyClick(&table, Qt::Key_4, Qt::ControlModifier); // this one is for everywhere
        QCOMPARE(window.document().settings().axis, Axis::Head);
    }

    void everyActionHasATextATipAndAShortcutOfItsOwn()
    {
        MainWindow window;
        QSet<QKeySequence> taken;
        int nActions = 0;
        for (const QAction* action : window.findChildren<QAction*>()) {
            if (action->isSeparator() || action->menu() || action->text().isEmpty())
                continue;
            ++nActions;
            const QByteArray name = action->text().toUtf8();
            QVERIFY2(!action->statusTip().isEmpty() || !action->isVisible(), name);
            for (const QKeySequence& shortcut : action->shortcuts()) {
                QVERIFY2(!taken.contains(shortcut), name);
                taken.insert(shortcut);
            }
        }
        QVERIFY(nActions > 20);
        QVERIFY(taken.contains(QKeySequence(Qt::CTRL | Qt::Key_1)));
    }

    void theThemeReachesEveryPart()
    {
        ShownWindow shown;
        MainWindow& window = shown.window;
        for (const ThemeChoice choice : {ThemeChoice::Dark, ThemeChoice::Light}) {
            window.setThemeChoice(choice);
            const Theme theme = themeOf(choice);
            window.setThemeChoice(choice);
            QVERIFY(settle(window));
            const QImage image = window.grab().toImage();
            const auto at = [&](QWidget& part, QPoint point) {
                return image.pixelColor(part.mapTo(&window, point));
            };
            QCOMPARE(at(window.topBar(), {3, 3}), theme.panel);
            QCOMPARE(at(window.centre(), {2, window.centre().height() / 2}), theme.paper);
            QCOMPARE(at(window.whyPanel(), {2, 2}), theme.panel);
            QCOMPARE(at(window.inputsPanel(), {2, 2}), theme.panel);
            QCOMPARE(at(window.statusStrip(), {3, 10}), theme.panel);
        }
    }

    void nothingIsCutAtTheSizesPeopleHave_data()
    {
        QTest::addColumn<QSize>("size");
        QTest::newRow("a laptop") << QSize(1280, 800);
        QTest::newRow("a projector") << QSize(1600, 1000);
        QTest::newRow("the smallest") << QSize(1024, 700);
    }
    void nothingIsCutAtTheSizesPeopleHave()
    {
        QFETCH(QSize, size);
        ShownWindow shown(size);
        QCOMPARE(shown.window.size(), size);
        QCoreApplication::sendPostedEvents(); // layouts of what has just been shown
        for (const QWidget* widget : shown.window.findChildren<QWidget*>()) {
            if (!widget->isVisible() || widget->isWindow())
                continue;
            const QByteArray name =
                widget->metaObject()->className() + QByteArray(" ") + widget->objectName().toUtf8();
            const bool isElastic = widget->sizePolicy().horizontalPolicy() == QSizePolicy::Ignored;
            if (!isElastic && widget->minimumSizeHint().isValid())
                QVERIFY2(widget->width() >= widget->minimumSizeHint().width(), name);
            // Inside its parent, unless that scrolls.
            const QWidget* parent = widget->parentWidget();
            if (parent && parent->objectName() != QStringLiteral("qt_scrollarea_viewport"))
                QVERIFY2(widget->geometry().right() <= parent->width(), name);
        }
    }
};

QTEST_MAIN(TestMainWindow)
#include "tst_main_window.moc"
