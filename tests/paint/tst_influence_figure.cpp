#include "ui/paint/influence_figure.h"

#include <QImage>
#include <QRegularExpression>
#include <QTest>
#include <cmath>
#include <numeric>

using namespace keyaxis;

namespace {

InfluenceMap mapOf(Nudged nudged, const Matrix& norms)
{
    InfluenceMap map;
    map.nudged = nudged;
    map.influence.norms = norms;
    const auto fill = [](std::vector<Index>& which, std::vector<Label>& names, Index n) {
        which.resize(static_cast<std::size_t>(n));
        std::iota(which.begin(), which.end(), Index(0));
        for (Index i = 0; i < n; ++i)
            names.emplace_back(QStringLiteral("t%1").arg(i));
    };
    fill(map.influence.rows, map.rowNames, norms.rows());
    fill(map.influence.columns, map.columnNames, norms.cols());
    return map;
}

QImage painted(const InfluenceFigure& figure, QSize size)
{
    QImage image(size, QImage::Format_RGB32);
    image.fill(Qt::white);
    QPainter painter(&image);
    paintInfluence(painter, figure, layoutInfluence(figure, size), Theme::light());
    return image;
}

/// The colour of a cell, beside its middle where a leak has its dot.
QColor colorAt(const InfluenceFigure& figure, const QImage& image, Index row, Index column)
{
    const QRectF box = layoutInfluence(figure, image.size()).boxes[0];
    const Matrix& norms = figure.maps[0].influence.norms;
    const QPointF at(box.left() + (double(column) + 0.25) * box.width() / double(norms.cols()),
                     box.top() + (double(row) + 0.25) * box.height() / double(norms.rows()));
    return image.pixelColor(at.toPoint());
}

} // namespace

class TestInfluenceFigure : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { registerFonts(); }
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void laterTokensLeakAndEarlierOnesDoNot()
    {
        InfluenceMap map = mapOf(Nudged::Token, Matrix::Ones(3, 3));
        QVERIFY(map.isLeak(0, 1));
        QVERIFY(!map.isLeak(1, 1));
        QVERIFY(!map.isLeak(2, 0));
        map.offset = 1; // the first query stands at position 1
        QVERIFY(!map.isLeak(0, 1));
        QVERIFY(map.isLeak(0, 2));
        QVERIFY(map.words(0, 2).contains(QStringLiteral("later token")));
    }

    void independentThingsLeakOffTheDiagonal()
    {
        for (const Nudged nudged : {Nudged::QueryVector, Nudged::Example, Nudged::Head}) {
            const InfluenceMap map = mapOf(nudged, Matrix::Ones(2, 2));
            QVERIFY(map.isLeak(0, 1) && map.isLeak(1, 0));
            QVERIFY(!map.isLeak(0, 0) && !map.isLeak(1, 1));
        }
        QVERIFY(!mapOf(Nudged::KeyToken, Matrix::Ones(2, 2)).isLeak(0, 1));
    }

    void zeroIsGreyAMoveGreenALeakOrangeAndUndefinedHatched()
    {
        Matrix norms = Matrix::Zero(4, 4);
        norms(1, 0) = 2;
        norms(0, 3) = 2;
        norms(2, 2) = std::nanf("");
        const InfluenceFigure figure{{mapOf(Nudged::Token, norms)}, {}};
        const QImage image = painted(figure, {120, 200});
        const Theme theme = Theme::light();
        QCOMPARE(colorAt(figure, image, 3, 0), theme.hairline);
        QCOMPARE(colorAt(figure, image, 1, 0), theme.valid);
        QCOMPARE(colorAt(figure, image, 0, 3), theme.invalid);
        QVERIFY(colorAt(figure, image, 2, 2) != theme.hairline);
        QVERIFY(figure.maps[0].words(3, 0).contains(QStringLiteral("exactly 0")));
        QVERIFY(figure.maps[0].words(2, 2).contains(QStringLiteral("undefined")));
    }

    void oneLeakAmongAMillionCellsIsSeen()
    {
        Matrix norms = Matrix::Zero(1000, 1000);
        norms(300, 900) = 1;
        const InfluenceFigure figure{{mapOf(Nudged::Token, norms)}, {}};
        const QImage image = painted(figure, {120, 200});
        int nOrange = 0;
        for (int y = 0; y < image.height(); ++y)
            for (int x = 0; x < image.width(); ++x)
                nOrange += image.pixelColor(x, y).red() > 180 && image.pixelColor(x, y).blue() < 90;
        QVERIFY(nOrange > 0);
    }

    void pointsAreFoundWhereTheCellsAre()
    {
        const InfluenceFigure figure{
            {mapOf(Nudged::Token, Matrix::Ones(5, 5)), mapOf(Nudged::Head, Matrix::Ones(2, 2))},
            {}};
        const InfluenceLayout layout = layoutInfluence(figure, {220, 200});
        for (std::size_t m = 0; m < 2; ++m) {
            const QRectF& box = layout.boxes[m];
            const auto hit =
                hitInfluence(figure, layout, box.topLeft() + QPointF(1, box.height() - 1));
            QVERIFY(hit);
            QCOMPARE(*hit, (InfluenceHit{m, figure.maps[m].influence.norms.rows() - 1, 0}));
        }
        QVERIFY(!hitInfluence(figure, layout, {110, 199}));
    }
};

QTEST_MAIN(TestInfluenceFigure)
#include "tst_influence_figure.moc"
