#include "tests/paint/figures.h"
#include "ui/paint/heatmap_painter.h"

#include <QFontMetricsF>
#include <QTest>
#include <algorithm>

using namespace keyaxis;
using namespace keyaxis::testing;

/// Names of rows where there is no room for all of them.
class TestThinnedNames : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { registerFonts(); }

    void theLongestNameHasRoomAlsoWhereFewAreLong()
    {
        // 1,100 names of four letters and fewer come before the first of five.
        std::vector<Label> rows;
        for (int n = 0; n < 1100; ++n)
            rows.emplace_back(QStringLiteral("q%1").arg(n));
        HeatmapContent content{1100, 1100, &rows, &rows};
        const HeatmapLayout layout = layoutHeatmap(content, {0, 0, 900, 700});
        const QFontMetricsF metrics(uiFont(layout.labelPx));
        QVERIFY(layout.rowLabels.width() >= metrics.horizontalAdvance(QStringLiteral("q1099")));
    }

    void thoseThatAMarkedRowWouldCrossGiveWay()
    {
        std::vector<Label> rows(200, Label(QStringLiteral("q")));
        HeatmapContent content{200, 200, &rows, &rows};
        const HeatmapLayout layout = layoutHeatmap(content, {0, 0, 500, 400});
        QVERIFY(layout.rowEvery > 1);
        QImage image(500, 400, QImage::Format_RGB32);
        image.fill(Qt::red);
        QPainter painter(&image);
        const Index marked = 10 * layout.rowEvery + 1; // one that was left out
        hideNeighbours(painter, layout, marked, layout.rowLabels, Qt::white);
        painter.end();
        const auto at = [&](Index row) {
            return image.pixel(
                QPointF(layout.rowLabels.center().x(), layout.cell(row, 0).center().y()).toPoint());
        };
        QCOMPARE(at(marked - 1), QColor(Qt::white).rgb()); // its name stood there
        QCOMPARE(at(marked - 1 - 2 * layout.rowEvery), QColor(Qt::red).rgb());
        QCOMPARE(at(marked - 1 + 2 * layout.rowEvery), QColor(Qt::red).rgb());
    }
};

QTEST_MAIN(TestThinnedNames)
#include "tst_thinned_names.moc"
