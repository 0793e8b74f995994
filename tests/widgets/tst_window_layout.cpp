#include "tests/core/sample_values.h"
#include "tests/widgets/window_helpers.h"
#include "ui/paint/map_painter.h"
#include "ui/paint/stage_words.h"
#include "ui/widgets/inputs_panel.h"
#include "ui/widgets/label_widget.h"
#include "ui/widgets/side_docks.h"
#include "ui/widgets/stage_strip.h"
#include "ui/widgets/table_actions.h"
#include "ui/widgets/tensor_table.h"
#include "ui/widgets/top_bar.h"
#include "ui/widgets/user_settings.h"
#include "ui/widgets/why_panel.h"
#include "ui/widgets/window_actions.h"

#include <QDockWidget>
#include <QLabel>
#include <QLayout>
#include <QMenuBar>
#include <QPushButton>
#include <QScrollArea>
#include <QTabBar>
#include <QTemporaryDir>

using namespace keyaxis;
using namespace keyaxis::testing;

namespace {

QDockWidget& dock(MainWindow& window, const char* name)
{
    return *window.findChild<QDockWidget*>(QLatin1String(name));
}

/// Where a widget is in the window, docks being moved or not.
QRect placeOf(QWidget& widget)
{
    return {widget.mapTo(widget.window(), QPoint(0, 0)), widget.size()};
}

} // namespace

class TestWindowLayout : public QObject {
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

    void theTopBarKeepsEveryControlAtEveryWidth_data()
    {
        QTest::addColumn<int>("width");
        for (const int width : {1024, 1100, 1280, 1400, 1600, 2560})
            QTest::addRow("%d points", width) << width;
    }
    void theTopBarKeepsEveryControlAtEveryWidth()
    {
        QFETCH(int, width);
        ShownWindow shown({width, 800});
        QVERIFY(shown.isReady);
        TopBar& bar = shown.window.topBar();
        int last = 0;
        for (const QPushButton* button : bar.findChildren<QPushButton*>()) {
            QVERIFY2(button->isVisible(), qPrintable(button->text()));
            QVERIFY(button->width() >= button->sizeHint().width());
            QVERIFY(button->geometry().left() > last); // nothing lies over another
            last = button->geometry().right();
        }
        QVERIFY(last < bar.width());
        const QString name = QString::fromStdString(shown.window.document().inputs().name);
        for (const QLabel* label : bar.findChildren<QLabel*>()) {
            if (width >= 1280 && label->toolTip() == name)
                QCOMPARE(label->text(), name); // before the program's own
        }
        QVERIFY(bar.layout()->minimumSize().width() <= bar.width());
    }

    void aSmallWindowGivesItsRoomToTheMaps()
    {
        ShownWindow shown({1024, 700});
        QVERIFY(shown.isReady);
        MainWindow& window = shown.window;
        CentreView& centre = window.centre();
        QVERIFY(centre.maps().height() * 20 >= centre.height() * 17);
        QVERIFY(!centre.maps().figure().settingsLine.isEmpty());
        for (const MapLayout& map : centre.maps().layoutOfFigure().maps) {
            // Numbers fit, and the whole name of the axis.
            QVERIFY(map.heatmap.cellWidth >= 19 && map.heatmap.cellHeight >= 14);
            const MapFigure& figure = centre.maps().figure().maps[static_cast<std::size_t>(
                &map - &centre.maps().layoutOfFigure().maps[0])];
            const QFont font = uiFont(13, QFont::Bold);
            const double pill = paintPill(nullptr, map.header, figure.verdict, 11, Theme::light());
            QVERIFY(headerTitle(figure, font, map.header.width() - pill - 6).contains("axis"));
        }
        // The names of the stages stand beside their thumbnails, whole.
        const StageStrip& strip = centre.strip();
        for (const Stage stage : kAllStages) {
            const QRect box = strip.box(stage);
            QVERIFY(box.right() < strip.width());
            const Label& name =
                stageWords(window.document().inputs(), window.document().settings(), stage).name;
            QVERIFY2(name.width(uiFont(11, QFont::Bold)) + 26 + 12 <= box.width(),
                     qPrintable(name.plain()));
        }
    }

    void panelsOfANarrowWindowShareOneSideUnderTabs()
    {
        ShownWindow shown({1024, 700});
        QVERIFY(shown.isReady);
        MainWindow& window = shown.window;
        QVERIFY(window.docks().areTabbed());
        QVERIFY(!window.docks().areArranged()); // by nobody
        QVERIFY(window.whyPanel().isVisible());
        auto* tabs = window.findChild<QTabBar*>({}, Qt::FindDirectChildrenOnly);
        QVERIFY(tabs && tabs->isVisible());
        // By keys: to the tabs and along them.
        window.centre().setFocus();
        QWidget* const first = QApplication::focusWidget();
        for (int n = 0; n < 100 && QApplication::focusWidget() != tabs; ++n) {
            QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
            QVERIFY(QApplication::focusWidget() != first);
        }
        QCOMPARE(QApplication::focusWidget(), tabs);
        QTest::keyClick(tabs, Qt::Key_Left);
        QCoreApplication::processEvents();
        QVERIFY(!window.inputsPanel().visibleRegion().isEmpty());
        QVERIFY(window.whyPanel().visibleRegion().isEmpty());
        // By the mouse.
        QTest::mouseClick(tabs, Qt::LeftButton, {}, tabs->tabRect(1).center());
        QCoreApplication::processEvents();
        QVERIFY(!window.whyPanel().visibleRegion().isEmpty());

        // What is asked for comes to the front.
        window.inputsPanel().table().setCurrentIndex(
            window.inputsPanel().table().model()->index(1, 1));
        window.inputsPanel().table().actions().insertBelow->trigger();
        QVERIFY(settle(window));
        QVERIFY(!window.inputsPanel().visibleRegion().isEmpty());
        window.actions().axes[static_cast<std::size_t>(Axis::Head)]->trigger();
        QVERIFY(settle(window));
        QTest::mouseClick(&window.centre().maps(), Qt::LeftButton, {},
                          cellCentre(window, 3, {0, 5}));
        QVERIFY(!window.whyPanel().visibleRegion().isEmpty());

        window.resize(1400, 900);
        QVERIFY(settle(window));
        QVERIFY(!window.docks().areTabbed());
        QCOMPARE(window.dockWidgetArea(&dock(window, "why")), Qt::RightDockWidgetArea);
        QVERIFY(!window.whyPanel().visibleRegion().isEmpty());
        QVERIFY(!window.inputsPanel().visibleRegion().isEmpty());
        QVERIFY(!window.docks().areArranged());
    }

    void nothingOfADockIsCut_data()
    {
        QTest::addColumn<QSize>("size");
        QTest::newRow("small") << QSize(1024, 700);
        QTest::newRow("laptop") << QSize(1280, 800);
        QTest::newRow("large") << QSize(1600, 1000);
    }
    void nothingOfADockIsCut()
    {
        QFETCH(QSize, size);
        ShownWindow shown(size);
        QVERIFY(shown.isReady);
        for (const char* name : {"inputs", "why"}) {
            dock(shown.window, name).raise(); // it may lie behind the other
            QVERIFY(settle(shown.window));
            const auto* scroll = dock(shown.window, name).findChild<QScrollArea*>();
            const int needed = scroll->widget()->minimumSizeHint().width();
            const int room = scroll->viewport()->width();
            QVERIFY2(needed <= room,
                     qPrintable(QStringLiteral("%1: %2 > %3").arg(name).arg(needed).arg(room)));
        }
    }

    void aHeadingThatDoesNotFitIsSaidShorter()
    {
        const auto pictureOf = [](const Label& label, const Label& shorter, int width) {
            LabelWidget widget;
            widget.setElides(true);
            widget.setLabel(label, shorter);
            widget.resize(width, 20);
            return widget.grab().toImage();
        };
        const Label whole(QStringLiteral("WHAT MOVES WHEN ONE THING IS NUDGED"));
        const Label brief(QStringLiteral("WHAT A NUDGE MOVES"));
        QCOMPARE(pictureOf(whole, brief, 180), pictureOf(brief, {}, 180));
        QCOMPARE(pictureOf(whole, brief, 400), pictureOf(whole, {}, 400));
    }

    void docksFollowTheWindowUntilTheyAreArrangedByHand()
    {
        ShownWindow shown({1280, 800});
        QVERIFY(shown.isReady);
        MainWindow& window = shown.window;
        const int narrow = dock(window, "why").width();
        window.resize(1600, 1000);
        QVERIFY(settle(window));
        QVERIFY(dock(window, "why").width() > narrow);
        QVERIFY(!window.docks().areArranged());

        dock(window, "inputs").toggleViewAction()->trigger();
        QVERIFY(window.docks().areArranged());
        QVERIFY(dock(window, "inputs").isHidden());
    }

    void aSeparatorThatIsDraggedStaysWhereItIsPut()
    {
        ShownWindow shown({1600, 1000});
        QVERIFY(shown.isReady);
        MainWindow& window = shown.window;
        const QRect why = placeOf(dock(window, "why"));
        const QPoint separator(why.left() - 1, why.center().y());
        QWindow* events = window.windowHandle();
        QTest::mouseMove(events, separator);
        QTest::mousePress(events, Qt::LeftButton, {}, separator);
        QTest::mouseMove(events, separator - QPoint(40, 0));
        QTest::mouseMove(events, separator - QPoint(80, 0));
        QCoreApplication::processEvents();
        QTest::mouseRelease(events, Qt::LeftButton, {}, separator - QPoint(80, 0));
        QVERIFY(settle(window));
        QVERIFY(dock(window, "why").width() > why.width() + 40);
        QVERIFY(window.docks().areArranged());
        const int chosen = dock(window, "why").width();
        window.resize(1700, 1000);
        QVERIFY(settle(window));
        QCOMPARE(dock(window, "why").width(), chosen);
    }

    void docksComeBackWhereTheyWereLeft()
    {
        {
            ShownWindow shown({1500, 900});
            QVERIFY(shown.isReady);
            MainWindow& window = shown.window;
            window.removeDockWidget(&dock(window, "why"));
            window.addDockWidget(Qt::LeftDockWidgetArea, &dock(window, "why"));
            dock(window, "why").show();
            dock(window, "inputs").toggleViewAction()->trigger();
            window.close();
        }
        MainWindow again;
        again.restoreLayout();
        again.show();
        QVERIFY(settle(again));
        QCOMPARE(again.dockWidgetArea(&dock(again, "why")), Qt::LeftDockWidgetArea);
        QVERIFY(dock(again, "inputs").isHidden());
        QCOMPARE(again.size(), QSize(1500, 900));

        again.actions().resetLayout->trigger();
        QVERIFY(settle(again));
        QCOMPARE(again.dockWidgetArea(&dock(again, "why")), Qt::RightDockWidgetArea);
        QCOMPARE(again.dockWidgetArea(&dock(again, "inputs")), Qt::LeftDockWidgetArea);
        QVERIFY(dock(again, "inputs").isVisible());
        QVERIFY(!again.docks().areArranged());
    }

    void docksThatNobodyArrangedGoOnFollowingTheWindow()
    {
        {
            ShownWindow shown({1280, 800});
            shown.window.close();
        }
        MainWindow again;
        again.restoreLayout();
        QVERIFY(!again.docks().areArranged());
    }

    void themeColoursAndMotionAreRemembered()
    {
        MapColors chosen;
        chosen.weights = {Palette::Magma, RangeRule::Logarithmic, {}, true};
        chosen.signedStages.isReversed = true;
        {
            ShownWindow shown;
            shown.window.centre().setAllColors(chosen);
            shown.window.setThemeChoice(ThemeChoice::Dark);
            shown.window.actions().reduceMotion->setChecked(false);
            shown.window.close();
        }
        MainWindow again;
        again.restoreLayout();
        QCOMPARE(again.centre().colors().weights.palette, Palette::Magma);
        QCOMPARE(again.centre().colors().weights.rule, RangeRule::Logarithmic);
        QVERIFY(again.centre().colors().weights.isReversed);
        QVERIFY(again.centre().colors().signedStages.isReversed);
        QVERIFY(again.actions().themes[static_cast<std::size_t>(ThemeChoice::Dark)]->isChecked());
        QVERIFY(!again.actions().reduceMotion->isChecked());
        again.setThemeChoice(ThemeChoice::Light);
    }

    void theViewAndWhatWasZoomedIntoAreRemembered()
    {
        CellWindow seen;
        {
            ShownWindow shown;
            MainWindow& window = shown.window;
            Q_EMIT window.centre().strip().stageChosen(Stage::Scaled);
            QVERIFY(settle(window));
            window.centre().maps().setFocus();
            for (int n = 0; n < 4; ++n)
                QTest::keyClick(&window.centre().maps(), Qt::Key_Plus);
            seen = window.centre().maps().zoomedInto().value();
            window.close();
        }
        const auto zoomOf = [](MainWindow& window) { return window.centre().maps().zoomedInto(); };
        MainWindow again;
        again.restoreLayout();
        again.show();
        QVERIFY(settle(again));
        QCOMPARE(again.document().view().mode, ViewSettings::Mode::Single);
        QCOMPARE(again.document().view().stage, Stage::Scaled);
        QVERIFY(again.actions().single->isChecked());
        QVERIFY(zoomOf(again) == seen);

        MainWindow other; // of another document nothing was zoomed into
        other.restoreLayout();
        other.document().load(keyaxis::testing::randomInputs({1, 1, 1, 12, 12, 4, 2}, 1), {}, {});
        other.show();
        QVERIFY(settle(other));
        QVERIFY(!zoomOf(other));
    }

    void headsStaySortedFromTimeToTime()
    {
        {
            ShownWindow shown;
            ViewSettings view = shown.window.document().view();
            view.mode = ViewSettings::Mode::Heads;
            view.sortsHeads = view.showsMean = true;
            shown.window.document().setView(view);
            shown.window.close();
        }
        MainWindow again;
        again.restoreLayout();
        QCOMPARE(again.document().view().mode, ViewSettings::Mode::Heads);
        QVERIFY(again.document().view().sortsHeads && again.document().view().showsMean);
    }

    void settingsThatNobodyWroteDoNoHarm()
    {
        QSettings settings = userSettings();
        settings.setValue("colours/weights/palette", 99);
        settings.setValue("colours/weights/range", -3);
        settings.setValue("theme", 17);
        settings.setValue("view/mode", 77);
        settings.setValue("view/zoom", QVariantList{"", "x", 1, 2, 3, 0, 0, "nan", -4});
        settings.setValue("docks", "nonsense");
        settings.sync();
        MainWindow window;
        window.restoreLayout();
        window.show();
        QVERIFY(settle(window));
        QVERIFY(!window.centre().maps().isZoomed());
        QCOMPARE(window.document().view().mode, ViewSettings::Mode::Compare);
        QCOMPARE(window.centre().colors().weights, MapColors().weights);
        QVERIFY(!window.docks().areArranged());
    }

private:
    QTemporaryDir m_settings;
};

QTEST_MAIN(TestWindowLayout)
#include "tst_window_layout.moc"
