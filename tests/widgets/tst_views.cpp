#include "tests/core/sample_values.h"
#include "tests/widgets/window_helpers.h"
#include "ui/widgets/inputs_panel.h"
#include "ui/widgets/stage_strip.h"
#include "ui/widgets/window_actions.h"

#include <QComboBox>
#include <QToolButton>

using namespace keyaxis;
using namespace keyaxis::testing;

class TestViews : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { failOnWarnings(); }

    void allHeadsAreComputedAndAClickGoesIntoOne()
    {
        ShownWindow shown;
        MainWindow& window = shown.window;
        HeatmapView& maps = window.centre().maps();
        window.actions().heads->trigger();
        QVERIFY(settle(window));
        QCOMPARE(maps.figure().maps.size(), std::size_t{8});
        for (const MapFigure& map : maps.figure().maps)
            QCOMPARE(map.isSelected, map.batch == 0 && map.head == 1);
        const MapFigure& last = maps.figure().maps[6];
        ScoreSettings settings = window.document().settings();
        const SliceStages fresh = attendSlice(window.document().inputs(), settings, 1, 2).value();
        QCOMPARE(last.numbers.shown().values(9, 3), fresh.weights(9, 3));

        const QPoint at = maps.layoutOfFigure().maps[6].heatmap.cells.center().toPoint();
        QTest::mouseClick(&maps, Qt::LeftButton, {}, at);
        QVERIFY(settle(window));
        QCOMPARE(window.document().view().mode, ViewSettings::Mode::Single);
        QCOMPARE(window.document().view().batch, 1);
        QCOMPARE(window.document().view().head, 2);
        QCOMPARE(maps.figure().maps[0].numbers.shown().values(9, 3), fresh.weights(9, 3));
    }

    void allHeadsFollowTheAxis()
    {
        ShownWindow shown;
        MainWindow& window = shown.window;
        window.actions().heads->trigger();
        QVERIFY(settle(window));
        const auto weight = [&] {
            return window.centre().maps().figure().maps[0].numbers.shown().values(5, 2);
        };
        const float before = weight();
        window.actions().axes[static_cast<std::size_t>(Axis::Query)]->trigger();
        QVERIFY(settle(window));
        QVERIFY(weight() != before);
        QVERIFY(!window.centre().maps().figure().maps[0].verdict.valid);
    }

    void spaceShowsTheStateBeforeTheLastChangeWhileItIsHeld()
    {
        ShownWindow shown;
        MainWindow& window = shown.window;
        HeatmapView& maps = window.centre().maps();
        maps.setFocus();
        const auto weight = [&] { return maps.figure().maps[1].numbers.shown().values(6, 3); };
        const float before = weight();
        window.actions().causal->trigger();
        QVERIFY(settle(window));
        const float after = weight();
        QVERIFY(before != after);
        QTest::keyPress(&maps, Qt::Key_Space);
        QCOMPARE(weight(), before);
        QVERIFY(maps.figure().settingsLine.startsWith("Before: softmax"));
        QTest::keyRelease(&maps, Qt::Key_Space);
        QCOMPARE(weight(), after);
        QTest::keyPress(&maps, Qt::Key_Space);
        window.inputsPanel().setFocus(); // the key is let go elsewhere
        QCOMPARE(weight(), after);
    }

    void theAxisTurnsInPlaceUnlessMotionIsReduced()
    {
        ShownWindow shown;
        MainWindow& window = shown.window;
        HeatmapView& maps = window.centre().maps();
        window.actions().single->trigger();
        window.actions().axes[0]->trigger();
        QVERIFY(settle(window));
        QVERIFY(!maps.isMoving());
        const QImage query = maps.grab().toImage();

        window.actions().reduceMotion->setChecked(false);
        QCOMPARE(maps.motion(), 250);
        maps.setMotion(60000); // long enough for the slowest machine to look at
        window.actions().axes[1]->trigger();
        QVERIFY(settle(window));
        QVERIFY(maps.isMoving());
        QTRY_VERIFY(maps.grab().toImage() != query);
        window.actions().reduceMotion->setChecked(true);
        window.actions().axes[0]->trigger();
        QVERIFY(settle(window));
        QVERIFY(!maps.isMoving());
        QCOMPARE(maps.grab().toImage(), query);
    }

    void theFrameTravelsAndCellsRecolourInTheComparison()
    {
        ShownWindow shown;
        MainWindow& window = shown.window;
        HeatmapView& maps = window.centre().maps();
        window.setThemeChoice(ThemeChoice::Light);
        window.actions().reduceMotion->setChecked(false);
        maps.setMotion(60000);
        const auto frameIs = [&](std::size_t map, Axis axis) {
            const QRect card = maps.layoutOfFigure().maps[map].card.toRect();
            const QPoint edge(card.center().x(), card.top() + 1);
            return maps.grab().toImage().pixelColor(edge) == Theme::light().axisColor(axis);
        };
        QVERIFY(frameIs(1, Axis::Key));
        window.actions().axes[static_cast<std::size_t>(Axis::Head)]->trigger();
        QVERIFY(settle(window));
        QVERIFY(maps.isMoving());
        QVERIFY(!frameIs(3, Axis::Head)); // it has not arrived
        maps.setFigure(maps.figure());    // the end of the way
        QVERIFY(frameIs(3, Axis::Head) && !frameIs(1, Axis::Key));

        window.actions().causal->trigger();
        QVERIFY(settle(window));
        QVERIFY(maps.isMoving());
        ScoreSettings settings = window.document().settings();
        settings.temperature = 2; // a slider is followed at once
        window.document().setSettings(settings);
        QVERIFY(settle(window));
        QVERIFY(!maps.isMoving());
        window.actions().reduceMotion->setChecked(true);
    }

    void aStageUnderThePointerIsPreviewedAndAClickChoosesIt()
    {
        ShownWindow shown;
        MainWindow& window = shown.window;
        StageStrip& strip = window.centre().strip();
        const auto maps = [&]() -> const std::vector<MapFigure>& {
            return window.centre().maps().figure().maps;
        };
        const auto over = [&](Stage stage) { hover(strip, strip.box(stage).center()); };
        QCOMPARE(maps().size(), std::size_t{4});
        over(Stage::Scaled);
        QVERIFY(QTest::qWaitFor([&] { return maps().size() == 1; }));
        QCOMPARE(maps()[0].stage, Stage::Scaled);
        QCOMPARE(window.document().view().mode, ViewSettings::Mode::Compare); // only looked at
        over(Stage::Logits);
        QVERIFY(QTest::qWaitFor([&] { return maps()[0].stage == Stage::Logits; }));
        hover(window.centre().maps(), {5, 5});
        QVERIFY(QTest::qWaitFor([&] { return maps().size() == 4; }));

        QTest::mouseClick(window.windowHandle(), Qt::LeftButton, {},
                          inWindow(strip, strip.box(Stage::Biased).center()));
        hover(window.centre().maps(), {5, 5});
        QVERIFY(settle(window));
        QCOMPARE(window.document().view().mode, ViewSettings::Mode::Single);
        QCOMPARE(maps()[0].stage, Stage::Biased);
    }

    void theDifferenceOfTwoAxesCanBeChosen()
    {
        ShownWindow shown;
        MainWindow& window = shown.window;
        window.actions().difference->trigger();
        auto* references = window.centre().findChild<QComboBox*>();
        QVERIFY(references && references->isVisible());
        const auto value = [&] {
            return window.centre().maps().figure().maps[0].numbers.shown().values(6, 3);
        };
        QCOMPARE(value(), weights(window, Axis::Key)(6, 3) - weights(window, Axis::Query)(6, 3));
        QTest::keyClick(references, Qt::Key_End); // the kept state: there is none
        QVERIFY(window.centre().maps().figure().maps.empty());
        QTest::keyClick(references, Qt::Key_Up);
        QCOMPARE(value(), weights(window, Axis::Key)(6, 3) - weights(window, Axis::Head)(6, 3));
    }

    void theDifferenceFromAKeptStateShowsWhatChanged()
    {
        ShownWindow shown;
        MainWindow& window = shown.window;
        const Matrix before = weights(window, Axis::Key);
        window.actions().keepState->trigger();
        ScoreSettings settings = window.document().settings();
        settings.temperature = 3;
        window.document().setSettings(settings);
        QVERIFY(settle(window));
        window.actions().difference->trigger();
        ViewSettings view = window.document().view();
        view.reference.reset();
        window.document().setView(view);
        const auto& maps = window.centre().maps().figure().maps;
        QCOMPARE(maps.size(), std::size_t{1});
        QCOMPARE(maps[0].numbers.shown().values(6, 3),
                 weights(window, Axis::Key)(6, 3) - before(6, 3));
        window.actions().keepState->trigger(); // now nothing differs
        QCOMPARE(window.centre().maps().figure().maps[0].numbers.shown().values(6, 3), 0.0F);
    }
};

QTEST_MAIN(TestViews)
#include "tst_views.moc"
