#include "tests/paint/all_figures.h"
#include "ui/paint/export.h"

#include <QProcess>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <cmath>

using namespace keyaxis;
using namespace keyaxis::testing;

namespace {

constexpr int kZoom = 2;       ///< pixels of the viewer's picture a point of the page
constexpr double kMargin = 12; ///< around the figure on its page

/// The colours of a cell in a viewer's picture, beside and below its number and its mark.
std::vector<QColor> samples(const QImage& image, const QRectF& cell)
{
    std::vector<QColor> colors;
    for (const auto& [dx, dy] :
         {std::pair{-0.36, 0.36}, std::pair{0.0, 0.38}, std::pair{0.36, 0.36},
          std::pair{-0.36, -0.36}, std::pair{0.0, -0.38}}) {
        const QPointF at = (cell.center() + QPointF(dx * cell.width(), dy * cell.height())) * kZoom;
        colors.push_back(image.pixelColor(static_cast<int>(at.x()), static_cast<int>(at.y())));
    }
    return colors;
}

/// How much of a cell has a colour.
double share(const QImage& image, const QRectF& cell, const QColor& color)
{
    const QRect box = QRectF(cell.topLeft() * kZoom, cell.size() * kZoom).toRect();
    int n = 0;
    for (int y = box.top(); y < box.bottom(); ++y)
        for (int x = box.left(); x < box.right(); ++x)
            n += image.pixelColor(x, y) == color ? 1 : 0;
    return static_cast<double>(n) / (box.width() * box.height());
}

} // namespace

/// What poppler and librsvg make of PDF and SVG.
class TestViewers : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { registerFonts(); }
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void cellsOfEveryCompositionHaveTheirColour_data()
    {
        QTest::addColumn<QString>("ending");
        QTest::addColumn<bool>("isDark");
        for (const char* ending : {".svg", ".pdf"})
            for (const bool isDark : {false, true})
                QTest::addRow("%s, %s", ending + 1, isDark ? "dark" : "light") << ending << isDark;
    }
    void cellsOfEveryCompositionHaveTheirColour()
    {
        QFETCH(QString, ending);
        QFETCH(bool, isDark);
        const QString viewer = ending == ".svg" ? "rsvg-convert" : "pdftoppm";
        if (QStandardPaths::findExecutable(viewer).isEmpty())
            QSKIP("this viewer is not installed");
        const Theme theme = isDark ? Theme::dark() : Theme::light();
        MapColors colors; // a range that clips on both sides
        colors.weights.fixed = {0.1F, 0.4F};
        ScoreSettings settings = causalAndAlibi();
        settings.axis = Axis::Batch; // a causal mask empties slices along it: NaN
        int nClipped = 0;
        int nNan = 0;
        int nMasked = 0;
        for (const auto& [name, figure, size] : compositions(nasty(6, 6), settings, colors)) {
            const QImage image = viewed(figure, theme, size, ending);
            QCOMPARE(image.width(), size.width() * kZoom);
            const FigureLayout layout =
                layoutFigure(figure, QSizeF(size) - QSizeF(2 * kMargin, 2 * kMargin));
            for (std::size_t n = 0; n < figure.maps.size(); ++n) {
                const MapFigure& map = figure.maps[n];
                if (map.isDimmed)
                    continue;
                for (Index i = 0; i < map.numbers.nRows; ++i)
                    for (Index j = 0; j < map.numbers.nCols; ++j) {
                        const QRectF cell =
                            layout.maps[n].heatmap.cell(i, j).translated(kMargin, kMargin);
                        const QColor ground = groundOf(map, {i, j}, theme);
                        const QString where = QStringLiteral("%1, map %2, cell %3, %4")
                                                  .arg(QString::fromLatin1(name))
                                                  .arg(n)
                                                  .arg(i)
                                                  .arg(j);
                        if (isNumber(map, {i, j})) {
                            for (const QColor& color : samples(image, cell))
                                QVERIFY2(color == ground, qPrintable(where));
                            nClipped +=
                                map.colors.isClipped(map.numbers.shown().values(i, j)) ? 1 : 0;
                            continue;
                        }
                        const bool isNan = std::isnan(map.numbers.shown().values(i, j));
                        (isNan ? nNan : nMasked) += 1;
                        // Lines cover part of a hatched cell; of a masked one all but its dot is
                        // paper.
                        QVERIFY2(share(image, cell, ground) > (isNan ? 0.3 : 0.9),
                                 qPrintable(where));
                        QVERIFY2(share(image, cell, ground) < (isNan ? 0.9 : 0.999),
                                 qPrintable(where));
                    }
            }
        }
        QVERIFY(nClipped > 20 && nNan > 20 && nMasked > 20);
    }

    void rowsOfAnIdentityAreOfOneHeight_data()
    {
        QTest::addColumn<QString>("ending");
        QTest::newRow("PNG") << ".png";
        QTest::newRow("SVG") << ".svg";
        QTest::newRow("PDF") << ".pdf";
    }
    void rowsOfAnIdentityAreOfOneHeight()
    {
        QFETCH(QString, ending);
        const QString viewer = ending == ".svg" ? "rsvg-convert" : "pdftoppm";
        if (ending != ".png" && QStandardPaths::findExecutable(viewer).isEmpty())
            QSKIP("this viewer is not installed");
        const Inputs inputs = nasty(5, 5);
        auto stages = std::make_shared<SliceStages>(attendSlice(inputs, {}, 0, 0).value());
        stages->weights = Matrix::Identity(5, 5);
        Figure figure;
        figure.maps = {makeMapFigure(inputs, {}, 0, stages, Stage::Weights)};
        const QSize size(500, 400);
        const QImage image = viewed(figure, Theme::light(), size, ending);
        const double zoom = static_cast<double>(image.width()) / size.width();
        const HeatmapLayout heatmap = layoutFigure(figure, {476, 376}).maps[0].heatmap;
        const QRgb one = figure.maps[0].colors.rgb(1.0F);
        int lowest = image.height();
        int highest = 0;
        for (Index i = 0; i < 5; ++i) {
            const QRectF cell = heatmap.cell(i, i).translated(kMargin, kMargin);
            const int x = static_cast<int>((cell.left() + cell.width() * 0.12) * zoom);
            int height = 0;
            for (int y = 0; y < image.height(); ++y)
                height += image.pixel(x, y) == one ? 1 : 0;
            lowest = std::min(lowest, height);
            highest = std::max(highest, height);
        }
        QVERIFY(lowest > 20 * zoom);
        QVERIFY2(highest - lowest <= std::ceil(zoom),
                 qPrintable(QStringLiteral("%1 to %2").arg(lowest).arg(highest)));
    }

private:
    /// The figure as its viewer shows the file: twice as large, or as it is for a PNG.
    QImage viewed(const Figure& figure, const Theme& theme, QSize size, const QString& ending)
    {
        const QString path = m_folder.filePath("figure" + ending);
        const QString picture = m_folder.filePath("viewed.png");
        if (!exportFigure(figure, theme, {QSizeF(size), 96}, path.toStdString()))
            return {};
        if (ending == ".svg")
            QProcess::execute("rsvg-convert",
                              {"-w", QString::number(size.width() * kZoom), path, "-o", picture});
        else if (ending == ".pdf")
            QProcess::execute("pdftoppm", {"-png", "-singlefile", "-r", QString::number(72 * kZoom),
                                           path, m_folder.filePath("viewed")});
        return QImage(ending == ".png" ? path : picture);
    }

    QTemporaryDir m_folder;
};

QTEST_MAIN(TestViewers)
#include "tst_viewers.moc"
