#include "tests/widgets/window_helpers.h"
#include "ui/widgets/axis_control.h"
#include "ui/widgets/influence_view.h"
#include "ui/widgets/inputs_panel.h"
#include "ui/widgets/stage_strip.h"
#include "ui/widgets/top_bar.h"
#include "ui/widgets/why_panel.h"
#include "ui/widgets/window_actions.h"

#include <QAbstractButton>
#include <QAccessible>
#include <QMenuBar>
#include <set>

using namespace keyaxis;
using namespace keyaxis::testing;

namespace {

/// What the Tab key can reach.
std::set<QWidget*> controlsOf(MainWindow& window)
{
    std::set<QWidget*> controls;
    for (QWidget* widget : window.findChildren<QWidget*>())
        if ((widget->focusPolicy() & Qt::TabFocus) == Qt::TabFocus && widget->isVisible() &&
            widget->isEnabled() && !widget->focusProxy() && widget->window() == &window)
            controls.insert(widget);
    return controls;
}

QByteArray nameOf(QWidget* widget)
{
    return QByteArray(widget->metaObject()->className()) + ' ' +
           QAccessible::queryAccessibleInterface(widget)->text(QAccessible::Name).toUtf8();
}

} // namespace

class TestKeyboard : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { prepareApplication(*qApp); }
    void init() { failOnWarnings(); }

    void everyControlHasAName()
    {
        ShownWindow shown({1600, 1000});
        const std::set<QWidget*> controls = controlsOf(shown.window);
        QVERIFY(controls.size() > 25);
        for (QWidget* widget : controls) {
            QAccessibleInterface* spoken = QAccessible::queryAccessibleInterface(widget);
            QVERIFY2(spoken && !spoken->text(QAccessible::Name).isEmpty(),
                     widget->metaObject()->className());
        }
    }

    void tabReachesEveryControlAndComesBack_data()
    {
        QTest::addColumn<Qt::Key>("key");
        QTest::newRow("forwards") << Qt::Key_Tab;
        QTest::newRow("backwards") << Qt::Key_Backtab;
    }
    void tabReachesEveryControlAndComesBack()
    {
        QFETCH(Qt::Key, key);
        ShownWindow shown({1600, 1000});
        MainWindow& window = shown.window;
        window.centre().setFocus();
        QWidget* first = QApplication::focusWidget();
        std::set<QWidget*> missing = controlsOf(window);
        const auto nSteps = 2 * missing.size();
        for (std::size_t n = 0; n < nSteps; ++n) {
            missing.erase(QApplication::focusWidget());
            QTest::keyClick(QApplication::focusWidget(), key);
            if (QApplication::focusWidget() == first)
                break;
        }
        QCOMPARE(QApplication::focusWidget(), first);
        QVERIFY2(missing.empty(), missing.empty() ? "" : nameOf(*missing.begin()).constData());
    }

    void arrowsGoThroughTheTabsOfTheInputs()
    {
        ShownWindow shown({1600, 1000});
        InputsPanel& panel = shown.window.inputsPanel();
        for (QAbstractButton* tab : panel.findChildren<QAbstractButton*>())
            if (tab->text() == QLatin1String("Q"))
                tab->setFocus(Qt::TabFocusReason);
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Right);
        QCOMPARE(panel.shownTensor(), InputTensor::K);
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Right);
        QCOMPARE(panel.shownTensor(), InputTensor::V);
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Left);
        QCOMPARE(panel.shownTensor(), InputTensor::K);
    }

    void whereTheFocusIsCanBeSeen()
    {
        ShownWindow shown({1600, 1000});
        MainWindow& window = shown.window;
        for (QWidget* widget : controlsOf(window)) {
            const auto picture = [&] {
                QCoreApplication::processEvents();
                return widget->grab().toImage();
            };
            window.findChild<QMenuBar*>()->setFocus();
            const QImage before = picture();
            widget->setFocus(Qt::TabFocusReason);
            QVERIFY2(picture() != before, nameOf(widget).constData());
        }
    }

    void aThingIsNudgedByKeys()
    {
        ShownWindow shown({1600, 1000});
        MainWindow& window = shown.window;
        InfluenceView& influence = window.whyPanel().influence();
        const SharedTensor before = window.document().inputs().q;
        influence.setFocus();
        for (int n = 0; n < 6; ++n)
            QTest::keyClick(&influence, Qt::Key_Right);
        QVERIFY(influence.choice(6).isChosen);
        QVERIFY(influence.choice(6).name.startsWith("Nudge a "));
        QTest::keyClick(&influence, Qt::Key_Return);
        QVERIFY(settle(window));
        QCOMPARE(window.document().view().mode, ViewSettings::Mode::Difference);
        const Tensor& after = *window.document().inputs().q;
        for (Index token = 0; token < 10; ++token)
            QCOMPARE(after.at(0, 1, token, 0) != before->at(0, 1, token, 0), token == 6);
    }

    void axesAndStagesAreChosenByAssistiveTechnology()
    {
        ShownWindow shown({1600, 1000});
        MainWindow& window = shown.window;
        auto* axes =
            QAccessible::queryAccessibleInterface(window.topBar().findChild<AxisControl*>());
        QCOMPARE(axes->childCount(), 4);
        QAccessibleInterface* query = axes->child(0);
        QCOMPARE(query->text(QAccessible::Name), QStringLiteral("Query axis, dim=-2"));
        QCOMPARE(query->role(), QAccessible::RadioButton);
        QVERIFY(!query->state().checked && axes->child(1)->state().checked);
        query->actionInterface()->doAction(QAccessibleActionInterface::toggleAction());
        QCOMPARE(window.document().settings().axis, Axis::Query);
        QVERIFY(query->state().checked && !axes->child(1)->state().checked);
        const QPoint middle = query->rect().center();
        QCOMPARE(axes->childAt(middle.x(), middle.y()), query);
        QCOMPARE(axes->indexOfChild(query), 0);
        QCOMPARE(query->parent(), axes);

        QVERIFY(settle(window));
        auto* stages = QAccessible::queryAccessibleInterface(&window.centre().strip());
        QCOMPARE(stages->childCount(), 7);
        stages->child(0)->actionInterface()->doAction(QAccessibleActionInterface::toggleAction());
        QCOMPARE(window.document().view().stage, Stage::Scores);
        QVERIFY(stages->child(0)->state().checked);
    }
};

QTEST_MAIN(TestKeyboard)
#include "tst_keyboard.moc"
