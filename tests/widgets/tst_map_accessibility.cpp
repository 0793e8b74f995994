#include "tests/widgets/window_helpers.h"
#include "ui/widgets/map_accessibility.h"
#include "ui/widgets/window_actions.h"

#include <QAccessible>

using namespace keyaxis;
using namespace keyaxis::testing;

namespace {

QAccessibleTableInterface* table(MainWindow& window, int map)
{
    return QAccessible::queryAccessibleInterface(&window.centre().maps())
        ->child(map)
        ->tableInterface();
}

} // namespace

class TestMapAccessibility : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { installMapAccessibility(); }
    void init() { failOnWarnings(); }

    void eachMapIsATableWithItsVerdict()
    {
        ShownWindow shown;
        QAccessibleInterface* view =
            QAccessible::queryAccessibleInterface(&shown.window.centre().maps());
        QCOMPARE(view->childCount(), 4);
        QAccessibleInterface* key = view->child(1);
        QCOMPARE(key->role(), QAccessible::Table);
        QCOMPARE(key->text(QAccessible::Name), "Key axis");
        QCOMPARE(key->text(QAccessible::Description), "10 of 10 rows sum to 1");
        QCOMPARE(view->indexOfChild(key), 1);
        QCOMPARE(key->parent(), view);
        QCOMPARE(key->tableInterface()->rowCount(), 10);
        QCOMPARE(key->tableInterface()->columnCount(), 10);
    }

    void aCellSaysItsNamesAndItsValueInWords()
    {
        ShownWindow shown;
        QAccessibleTableInterface* key = table(shown.window, 1);
        QCOMPARE(key->rowDescription(5), "students");
        QCOMPARE(key->columnDescription(3), "gave");
        QCOMPARE(key->cellAt(5, 3)->text(QAccessible::Name), "query students, key gave: 0.780");
        QCOMPARE(key->cellAt(2, 5)->text(QAccessible::Value), "masked");
        QCOMPARE(table(shown.window, 2)->cellAt(2, 5)->text(QAccessible::Value), "undefined");
        QVERIFY(!key->cellAt(10, 0));
        QCOMPARE(key->cellAt(5, 3), key->cellAt(5, 3));
    }

    void aCellIsWhereItIsPaintedAndIsFoundThere()
    {
        ShownWindow shown;
        HeatmapView& maps = shown.window.centre().maps();
        const QPoint at = maps.mapToGlobal(cellCentre(shown.window, 1, {4, 2}));
        QAccessibleInterface* view = QAccessible::queryAccessibleInterface(&maps);
        QAccessibleInterface* cell = view->childAt(at.x(), at.y())->childAt(at.x(), at.y());
        QVERIFY(cell && cell->rect().contains(at));
        QCOMPARE(cell->tableCellInterface()->rowIndex(), 4);
        QCOMPARE(cell->tableCellInterface()->columnIndex(), 2);
    }

    void theOutlinedCellIsTheSelectedOne()
    {
        ShownWindow shown;
        shown.window.cursor().lock({7, 4});
        const auto selected = table(shown.window, 1)->selectedCells();
        QCOMPARE(selected.size(), 1);
        QCOMPARE(selected[0]->tableCellInterface()->rowIndex(), 7);
        QVERIFY(selected[0]->state().selected);
    }

    void theTableFollowsTheNumbers()
    {
        ShownWindow shown;
        QAccessibleInterface* cell = table(shown.window, 1)->cellAt(5, 3);
        const QString before = cell->text(QAccessible::Value);
        ScoreSettings settings = shown.window.document().settings();
        settings.temperature = 4;
        shown.window.document().setSettings(settings);
        QVERIFY(settle(shown.window));
        QVERIFY(cell->text(QAccessible::Value) != before);
        shown.window.actions().single->trigger();
        QVERIFY(settle(shown.window));
        QCOMPARE(QAccessible::queryAccessibleInterface(&shown.window.centre().maps())->childCount(),
                 1);
    }
};

QTEST_MAIN(TestMapAccessibility)
#include "tst_map_accessibility.moc"
