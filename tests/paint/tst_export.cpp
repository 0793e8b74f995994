#include "tests/paint/figures.h"
#include "ui/paint/export.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <cmath>

using namespace keyaxis;
using namespace keyaxis::testing;

namespace {

QByteArray contents(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace

class TestExport : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        registerFonts();
        ScoreSettings settings;
        settings.causal = true;
        m_figure = compareFigure(
            worded({2, 2, 2, 6, 6, 4, 2}, {"the", "cat", "sat", "on", "the", "mat"}), settings);
    }
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void pngHasTheSizeAndResolutionAskedFor()
    {
        const QString path = m_folder.filePath("a.png");
        QVERIFY(exportFigure(m_figure, Theme::light(), {{1200, 900}, 192}, path.toStdString()));
        const QImage image(path);
        QCOMPARE(image.size(), QSize(1200, 900));
        QCOMPARE(qRound(image.dotsPerMeterX() * 0.0254), 192);
        // Twice the resolution is the same layout at twice the scale.
        const FigureLayout layout = layoutFigure(m_figure, QSizeF(600 - 24, 450 - 24));
        const QPointF centre = layout.maps[1].heatmap.cell(5, 0).center() * 2 + QPointF(24, 24);
        const QPointF low = centre + QPointF(0, layout.maps[1].heatmap.cellHeight * 0.7);
        QCOMPARE(image.pixelColor(low.toPoint()).name(),
                 m_figure.maps[1].colors.color(m_figure.maps[1].stages->weights(5, 0)).name());
    }

    void svgKeepsTextAsTextAndCellsCrisp()
    {
        const QString path = m_folder.filePath("a.svg");
        QVERIFY(exportFigure(m_figure, Theme::light(), {{900, 700}, 96}, path.toStdString()));
        const QByteArray svg = contents(path);
        // Each cell is a crisp rectangle; curves are not rough.
        QVERIFY(svg.count("<rect shape-rendering=\"crispEdges\"") >= 4 * 36);
        QCOMPARE(svg.count("crispEdges"), svg.count("<rect "));
        QVERIFY(svg.contains(">cat</text>"));
        QVERIFY(svg.contains("row sum"));
        // Viewers without the font squeeze its replacement into the same width.
        QCOMPARE(svg.count("textLength="), svg.count("<text "));
        QVERIFY(!svg.contains("&amp;lt;"));
        QVERIFY(svg.contains("viewBox=\"0 0 900 700\""));
    }

    void pdfIsOnePageOfItsSizeWithoutJpeg()
    {
        const QString path = m_folder.filePath("a.pdf");
        QVERIFY(exportFigure(m_figure, Theme::light(), {{600, 450}, 96}, path.toStdString()));
        QVERIFY(contents(path).startsWith("%PDF"));
        QVERIFY(!contents(path).contains("/DCTDecode"));
        if (QStandardPaths::findExecutable("pdftotext").isEmpty())
            QSKIP("poppler-utils is not installed");
        QProcess tool;
        tool.start("pdfinfo", {path});
        QVERIFY(tool.waitForFinished());
        const QString info = tool.readAllStandardOutput();
        QVERIFY2(info.contains("600 x 450 pts") && info.contains(QRegularExpression("Pages: +1")),
                 qPrintable(info));
        tool.start("pdftotext", {"-layout", path, "-"});
        QVERIFY(tool.waitForFinished());
        const QString text = QString::fromUtf8(tool.readAllStandardOutput());
        QVERIFY(text.contains("row sum") && text.contains("softmax over each axis"));
    }

    void aLargeMapIsALosslessImageInAPdf()
    {
        const Figure figure = compareFigure(randomInputs({1, 1, 1, 90, 90, 4, 2}, 3), {});
        const QString path = m_folder.filePath("large.pdf");
        QVERIFY(exportFigure(figure, Theme::light(), {{600, 450}, 96}, path.toStdString()));
        QVERIFY(!contents(path).contains("/DCTDecode"));
        QVERIFY(contents(path).contains("/Image"));
    }

    void pixelsNearACellsCentreHaveItsColourInEveryViewer_data()
    {
        QTest::addColumn<int>("nTokens");
        QTest::addColumn<QString>("ending");
        QTest::addColumn<bool>("asPaths");
        for (const int nTokens : {30, 90}) // cells one by one, and one image
            for (const char* ending : {".svg", ".pdf"})
                for (const bool asPaths : {false, true})
                    QTest::addRow("%d tokens in a %s%s", nTokens, ending + 1,
                                  asPaths ? ", outlines" : "")
                        << nTokens << ending << asPaths;
    }
    void pixelsNearACellsCentreHaveItsColourInEveryViewer()
    {
        QFETCH(int, nTokens);
        QFETCH(QString, ending);
        QFETCH(bool, asPaths);
        const bool isSvg = ending == ".svg";
        const QString viewer = isSvg ? "rsvg-convert" : "pdftoppm";
        if (QStandardPaths::findExecutable(viewer).isEmpty())
            QSKIP("this viewer is not installed");
        Figure figure = compareFigure(randomInputs({1, 1, 1, nTokens, nTokens, 4, 2}, 3), {});
        figure.maps = {figure.maps[1]};
        const QString path = m_folder.filePath("viewed" + ending);
        ExportOptions options{{500, 400}, 96};
        options.textAsPaths = asPaths;
        QVERIFY(exportFigure(figure, Theme::light(), options, path.toStdString()));
        const QString png = m_folder.filePath("viewed.png");
        QCOMPARE(isSvg ? QProcess::execute(viewer, {"-w", "2000", path, "-o", png})
                       : QProcess::execute(viewer, {"-png", "-singlefile", "-r", "288", path,
                                                    m_folder.filePath("viewed")}),
                 0);
        const QImage image(png);
        QCOMPARE(image.width(), 2000);
        const HeatmapLayout heatmap = layoutFigure(figure, {476, 376}).maps[0].heatmap;
        const MapFigure& map = figure.maps[0];
        for (Index i = 0; i < nTokens; ++i)
            for (Index j = 0; j < nTokens; ++j) {
                const QRectF cell = heatmap.cell(i, j).translated(12, 12);
                const QColor expected = map.colors.color(map.stages->weights(i, j));
                for (const double dx : {-0.3, 0.0, 0.3})
                    for (const double dy : {-0.3, 0.0, 0.3}) {
                        const QPointF at =
                            (cell.center() + QPointF(dx * cell.width(), dy * cell.height())) * 4;
                        QCOMPARE(
                            image.pixelColor(static_cast<int>(at.x()), static_cast<int>(at.y()))
                                .name(),
                            expected.name());
                    }
            }
    }

    void outlinesNeedNoFont()
    {
        ExportOptions options{{900, 700}, 96};
        options.textAsPaths = true;
        const QString svg = m_folder.filePath("outlines.svg");
        QVERIFY(exportFigure(m_figure, Theme::light(), options, svg.toStdString()));
        QVERIFY(!contents(svg).contains("<text"));
        QVERIFY(contents(svg).count("<path fill=") > 100);
        const QString pdf = m_folder.filePath("outlines.pdf");
        QVERIFY(exportFigure(m_figure, Theme::light(), options, pdf.toStdString()));
        QVERIFY(!contents(pdf).contains("/FontFile"));
    }

    void aLargerScaleMakesTypeLargerOnTheSamePage()
    {
        ExportOptions options{{900, 700}, 96};
        options.scale = 2;
        const QString path = m_folder.filePath("scaled.png");
        QVERIFY(exportFigure(m_figure, Theme::light(), options, path.toStdString()));
        const QImage image(path);
        QCOMPARE(image.size(), QSize(900, 700));
        const HeatmapLayout heatmap = layoutFigure(m_figure, {426, 326}).maps[1].heatmap;
        const QRectF cell = heatmap.cell(5, 0).translated(12, 12);
        const QPointF low(cell.center().x() * 2, (cell.bottom() - cell.height() * 0.12) * 2);
        QCOMPARE(image.pixelColor(low.toPoint()).name(),
                 m_figure.maps[1].colors.color(m_figure.maps[1].stages->weights(5, 0)).name());
    }

    void hatchingStaysInItsBoxInASvg()
    {
        // Qt's writer drops clips, so every line must end at its cell by its own coordinates.
        const QString path = m_folder.filePath("hatched.svg");
        QVERIFY(exportFigure(m_figure, Theme::light(), {{900, 700}, 96}, path.toStdString()));
        const QString svg = QString::fromUtf8(contents(path));
        const QRectF cells = layoutFigure(m_figure, {876, 676}).maps[2].heatmap.cells;
        const QRectF page(QPointF(0, 0), QSizeF(876, 676));
        static const QRegularExpression polyline(QStringLiteral(
            "<polyline [^>]*points=\"([-0-9.]+),([-0-9.]+) ([-0-9.]+),([-0-9.]+) *\""));
        int nInMap = 0;
        for (auto lines = polyline.globalMatch(svg); lines.hasNext();) {
            const auto line = lines.next();
            const QPointF from(line.captured(1).toDouble(), line.captured(2).toDouble());
            const QPointF to(line.captured(3).toDouble(), line.captured(4).toDouble());
            QVERIFY(page.contains(from) && page.contains(to));
            if (cells.contains((from + to) / 2)) {
                ++nInMap;
                QVERIFY(cells.adjusted(-0.5, -0.5, 0.5, 0.5).contains(from));
                QVERIFY(cells.adjusted(-0.5, -0.5, 0.5, 0.5).contains(to));
            }
        }
        QVERIFY(nInMap > 15 * 3); // fifteen undefined cells
    }

    void refusesBeforePainting_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QSizeF>("size");
        QTest::addColumn<int>("code");
        QTest::newRow("pixels") << "x.png" << QSizeF(40000, 40000) << int(Errc::BadValue);
        QTest::newRow("points") << "x.pdf" << QSizeF(20000, 100) << int(Errc::BadValue);
        QTest::newRow("points of an SVG") << "x.svg" << QSizeF(40000, 100) << int(Errc::BadValue);
        QTest::newRow("too small") << "x.png" << QSizeF(10, 10) << int(Errc::BadValue);
        QTest::newRow("ending") << "x.gif" << QSizeF(400, 400) << int(Errc::BadValue);
        QTest::newRow("folder") << "no/such/x.png" << QSizeF(400, 400) << int(Errc::BadOutput);
    }
    void refusesBeforePainting()
    {
        QFETCH(QString, name);
        QFETCH(QSizeF, size);
        QFETCH(int, code);
        const auto result = exportFigure(m_figure, Theme::light(), {size, 96},
                                         m_folder.filePath(name).toStdString());
        QVERIFY(!result);
        QCOMPARE(int(result.error().code), code);
        QVERIFY(!QFile::exists(m_folder.filePath(name)));
    }

    void aFullDiskLeavesNothingBehind()
    {
        QCOMPARE(exportFigure(m_figure, Theme::light(), {{400, 400}, 96}, "/dev/full").error().code,
                 Errc::BadOutput);
    }

    void theSettingsLineCountsFromOne()
    {
        QVERIFY(m_figure.settingsLine.endsWith("batch 1, head 1"));
    }

private:
    QTemporaryDir m_folder;
    Figure m_figure;
};

QTEST_MAIN(TestExport)
#include "tst_export.moc"
