// Rules of the window that no other test drives through it, by real events.
#include "tests/core/sample_values.h"
#include "tests/paint/recorder.h"
#include "tests/widgets/window_helpers.h"
#include "ui/widgets/axis_control.h"
#include "ui/widgets/inputs_panel.h"
#include "ui/widgets/stage_strip.h"
#include "ui/widgets/status_strip.h"
#include "ui/widgets/tau_slider.h"
#include "ui/widgets/tensor_table.h"
#include "ui/widgets/top_bar.h"
#include "ui/widgets/window_actions.h"

#include <QLineEdit>
#include <QToolButton>
#include <QWheelEvent>
#include <cmath>
#include <set>

using namespace keyaxis;
using namespace keyaxis::testing;

namespace {

const HeatmapLayout& heatmap(MainWindow& window, std::size_t n = 0)
{
    return window.centre().maps().layoutOfFigure().maps[n].heatmap;
}

/// The numbers that stand in cells of map n, as the window paints them.
std::set<QString> numbersIn(MainWindow& window, std::size_t n)
{
    HeatmapView& maps = window.centre().maps();
    Recorder paper(maps.size());
    QPainter painter(&paper);
    paintFigure(painter, maps.figure(), maps.layoutOfFigure(), Theme::light());
    painter.end();
    std::set<QString> numbers;
    for (const DrawnText& text : paper.texts())
        if (heatmap(window, n).view.contains(text.ink.boundingRect().center()))
            numbers.insert(text.text);
    return numbers;
}

void wheel(QWidget& widget, QPointF at)
{
    QWheelEvent event(at, widget.mapToGlobal(at), {}, {0, 60}, Qt::NoButton, {}, Qt::NoScrollPhase,
                      false);
    QCoreApplication::sendEvent(&widget, &event);
}

} // namespace

class TestWindowRules : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { prepareApplication(*qApp); }
    void init() { failOnWarnings(); }

    void oneToFourChooseTheAxisWhileTheCentreHasTheFocus_data()
    {
        QTest::addColumn<Qt::Key>("key");
        QTest::addColumn<Axis>("axis");
        QTest::newRow("1") << Qt::Key_1 << Axis::Query;
        QTest::newRow("2") << Qt::Key_2 << Axis::Key;
        QTest::newRow("3") << Qt::Key_3 << Axis::Batch;
        QTest::newRow("4") << Qt::Key_4 << Axis::Head;
    }
    void oneToFourChooseTheAxisWhileTheCentreHasTheFocus()
    {
        QFETCH(Qt::Key, key);
        QFETCH(Axis, axis);
        ShownWindow shown;
        MainWindow& window = shown.window;
        const Axis other = axis == Axis::Key ? Axis::Head : Axis::Key;
        for (QWidget* focused : {static_cast<QWidget*>(&window.centre().maps()),
                                 static_cast<QWidget*>(&window.centre().strip())}) {
            window.actions().axes[static_cast<std::size_t>(other)]->trigger();
            focused->setFocus();
            QTest::keyClick(focused, key);
            QCOMPARE(window.document().settings().axis, axis);
        }
        TensorTable& table = window.inputsPanel().table(); // with Ctrl from everywhere
        window.actions().axes[static_cast<std::size_t>(other)]->trigger();
        table.setFocus();
        QTest::keyClick(&table, key, Qt::ControlModifier);
        QCOMPARE(window.document().settings().axis, axis);
        QVERIFY(settle(window));
        // The segment is filled with the colour of its axis, in every one of the four.
        auto* control = window.topBar().findChild<AxisControl*>();
        const QImage image = control->grab().toImage();
        const QRect box = control->choice(static_cast<int>(axis)).box;
        QCOMPARE(image.pixelColor(box.left() + 8, box.center().y()),
                 themeOf(ThemeChoice::System).axisColor(axis));
    }

    void cellsShowTheirNumbersFrom22PointsAndInFullFrom34()
    {
        ShownWindow shown({1600, 1000});
        MainWindow& window = shown.window;
        HeatmapView& maps = window.centre().maps();
        // Numbers from 0 to 1 in cells too small for them.
        window.document().load(randomInputs({1, 1, 1, 60, 60, 4, 2}, 3), {}, {});
        window.actions().single->trigger();
        QVERIFY(settle(window));
        QVERIFY(heatmap(window).cellWidth < 16);
        QVERIFY(numbersIn(window, 0).empty());
        const QPoint at = heatmap(window).view.center().toPoint();
        int nShort = 0;
        int nFull = 0;
        for (int n = 0; n < 24; ++n) {
            wheel(maps, at);
            const std::set<QString> numbers = numbersIn(window, 0);
            const bool isFull =
                !numbers.empty() && std::ranges::all_of(numbers, [](const QString& number) {
                    return number.size() == 4 && number.startsWith("0.");
                });
            const double cell = std::min(heatmap(window).cellWidth, heatmap(window).cellHeight);
            const QByteArray where = QByteArray::number(cell) + " points";
            if (cell >= 34) {
                QVERIFY2(isFull, where);
                ++nFull;
            } else if (cell >= 22) {
                QVERIFY2(!numbers.empty(), where);
                ++nShort;
                QVERIFY2(isFull || numbers.contains(".02") || numbers.contains(".01"), where);
            }
        }
        QVERIFY(nShort >= 2 && nFull >= 4);
    }

    void theDefaultSampleShowsItsNumbersInASmallWindow_data()
    {
        QTest::addColumn<QSize>("size");
        QTest::newRow("1280 x 800") << QSize(1280, 800);
        QTest::newRow("1024 x 700") << QSize(1024, 700);
    }
    void theDefaultSampleShowsItsNumbersInASmallWindow()
    {
        QFETCH(QSize, size);
        ShownWindow shown(size);
        for (std::size_t n = 0; n < 4; ++n) {
            const std::set<QString> numbers = numbersIn(shown.window, n);
            QVERIFY2(numbers.size() > 10, QByteArray::number(int(numbers.size())));
        }
    }

    void theSteppersOfTheInputsGoThroughExamplesAndHeads()
    {
        ShownWindow shown; // on example 1 of 2, head 2 of 4
        MainWindow& window = shown.window;
        const auto press = [&](const char* name) {
            for (QToolButton* arrow : window.inputsPanel().findChildren<QToolButton*>())
                if (arrow->accessibleName() == QLatin1String(name))
                    QTest::mouseClick(arrow, Qt::LeftButton);
            return settle(window);
        };
        const ViewSettings& view = window.document().view();
        QVERIFY(press("next head"));
        QCOMPARE(view.head, 2);
        QVERIFY(press("next head"));
        QVERIFY(press("next head")); // there is none
        QCOMPARE(view.head, 3);
        QVERIFY(press("previous head"));
        QCOMPARE(view.head, 2);
        QVERIFY(press("next batch"));
        QCOMPARE(view.batch, 1);
        QCOMPARE(window.document().results()->batch, 1);
        QCOMPARE(window.document().results()->head, 2);
    }

    void escLetsGoWhereverTheFocusIs()
    {
        ShownWindow shown;
        MainWindow& window = shown.window;
        HeatmapView& maps = window.centre().maps();
        const auto lock = [&] {
            QTest::mouseClick(&maps, Qt::LeftButton, {}, cellCentre(window, 1, {4, 3}));
            return window.cursor().isLocked();
        };
        for (QWidget* focused :
             {static_cast<QWidget*>(&maps), static_cast<QWidget*>(&window.inputsPanel().table()),
              static_cast<QWidget*>(window.topBar().findChild<TauSlider*>())}) {
            QVERIFY(lock());
            focused->setFocus();
            QTest::keyClick(focused, Qt::Key_Escape);
            QVERIFY2(!window.cursor().isLocked(), focused->metaObject()->className());
        }
        // An open edit is left first.
        QVERIFY(lock());
        TensorTable& table = window.inputsPanel().table();
        table.setFocus();
        table.setCurrentIndex(table.model()->index(0, 0));
        QVERIFY(lock());
        table.setFocus();
        QTest::keyClick(&table, Qt::Key_3);
        auto* editor = table.findChild<QLineEdit*>();
        QVERIFY(editor);
        QTest::keyClick(editor, Qt::Key_Escape);
        QVERIFY(window.cursor().isLocked());
    }

    void theSliderIsLogarithmicAndADoubleClickResetsIt()
    {
        ShownWindow shown;
        MainWindow& window = shown.window;
        auto* slider = window.topBar().findChild<TauSlider*>();
        const auto tau = [&] { return window.document().settings().temperature; };
        const auto press = [&](int x) {
            QTest::mouseClick(slider, Qt::LeftButton, {}, {x, slider->height() / 2});
        };
        press(0);
        QCOMPARE(tau(), 0.05F);
        press(slider->width() - 1);
        QCOMPARE(tau(), 20.0F);
        constexpr int kKnob = 7; // the groove ends half a knob from either side
        const int quarter = kKnob + (slider->width() - 2 * kKnob) / 4;
        press(quarter); // half of the way to 1, by its logarithm
        QVERIFY2(std::abs(std::log(tau()) - std::log(0.05F) / 2) < 0.15F,
                 QByteArray::number(double(tau())));
        QTest::mouseDClick(slider, Qt::LeftButton, {}, {quarter, slider->height() / 2});
        QCOMPARE(tau(), 1.0F);
    }

    void theStatusBarSaysNamesFormulaSumSizesAndTime()
    {
        ShownWindow shown({1600, 1000});
        MainWindow& window = shown.window;
        hover(window.centre().maps(), cellCentre(window, 1, {7, 2}));
        Recorder paper(window.statusStrip().size());
        window.statusStrip().render(&paper, {}, {}, QWidget::DrawChildren);
        QString words;
        for (const DrawnText& text : paper.texts())
            words += text.text;
        words.remove(' ');
        for (const char* part : {"new", "teacher", "w=e", "rowsum", "1.000000", "2×4×10×10", "ms"})
            QVERIFY2(words.contains(part), qPrintable(words));
    }
};

QTEST_MAIN(TestWindowRules)
#include "tst_window_rules.moc"
