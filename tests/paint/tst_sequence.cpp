// Pictures that follow one another, in files.

#include "tests/paint/figures.h"
#include "ui/paint/compositions.h"
#include "ui/paint/gif.h"
#include "ui/paint/sequence.h"

#include <QBuffer>
#include <QDir>
#include <QImageReader>
#include <QRegularExpression>
#include <QSet>
#include <QTemporaryDir>
#include <QTest>

using namespace keyaxis;
using namespace keyaxis::testing;

namespace {

const std::vector<std::string> kWords{"she", "wrote", "a", "letter"};

Figure mapUnder(float temperature, Axis axis = Axis::Key, Stage stage = Stage::Weights)
{
    const Inputs inputs = worded({1, 2, 2, 4, 4, 4, 2}, kWords);
    ScoreSettings settings;
    settings.temperature = temperature;
    settings.axis = axis;
    SliceSource source{inputs, settings, 0, 0, {}, nullptr, {}};
    source.axes[static_cast<std::size_t>(axis)] =
        std::make_shared<const SliceStages>(attendSlice(inputs, settings, 0, 0).value());
    return singleFigure(source, stage);
}

struct ReadFrame {
    QImage image;
    int milliseconds = 0;
};

std::vector<ReadFrame> framesOf(const QByteArray& gif)
{
    QBuffer buffer;
    buffer.setData(gif);
    QImageReader reader(&buffer, "gif");
    std::vector<ReadFrame> frames;
    for (QImage image = reader.read(); !image.isNull(); image = reader.read())
        frames.push_back({image.convertToFormat(QImage::Format_RGB32), reader.nextImageDelay()});
    return frames;
}

QByteArray contentOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

ExportOptions page()
{
    ExportOptions options;
    options.size = QSizeF(500, 400);
    return options;
}

} // namespace

class TestSequence : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { registerFonts(); }
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void stepsHaveEqualFactorsAndExactEnds()
    {
        const std::vector<float> steps = geometricSteps(0.1F, 10, 5);
        QCOMPARE(steps.size(), std::size_t(5));
        QCOMPARE(steps.front(), 0.1F);
        QCOMPARE(steps[2], 1.0F);
        QCOMPARE(steps.back(), 10.0F);
        QCOMPARE(geometricSteps(4, 1, 3), (std::vector<float>{4, 2, 1}));
    }

    void aGifKeepsUpTo256ColoursAsTheyAre()
    {
        QImage first(40, 30, QImage::Format_RGB32);
        for (int y = 0; y < 30; ++y)
            for (int x = 0; x < 40; ++x)
                first.setPixel(x, y, qRgb((x * 40 + y) % 256, 7, 11));
        QImage second = first;
        second.setPixel(12, 20, qRgb(1, 2, 3));
        GifWriter writer(first.size());
        writer.add(first, 1500);
        writer.add(second, 40);
        writer.add(second, 250); // nothing changes
        const auto frames = framesOf(writer.finish());
        QCOMPARE(frames.size(), std::size_t(3));
        QCOMPARE(frames[0].image, first);
        QCOMPARE(frames[1].image, second);
        QCOMPARE(frames[2].image, second);
        QCOMPARE(frames[0].milliseconds, 1500);
        QCOMPARE(frames[1].milliseconds, 40);
    }

    void ofMoreColoursTheOnesOfMostPixelsStay()
    {
        QImage image(400, 2, QImage::Format_RGB32);
        for (int x = 0; x < 400; ++x) {
            image.setPixel(x, 0, x < 200 ? qRgb(0, 90, 200) : qRgb(x % 256, x / 2, 30));
            image.setPixel(x, 1, x < 100 ? qRgb(240, 1, 2) : qRgb(x / 2, x % 256, 90));
        }
        GifWriter writer(image.size());
        writer.add(image, 100);
        const QImage read = framesOf(writer.finish())[0].image;
        QCOMPARE(read.pixel(20, 0), qRgb(0, 90, 200));
        QCOMPARE(read.pixel(20, 1), qRgb(240, 1, 2));
        QSet<QRgb> before;
        QSet<QRgb> after;
        for (int x = 0; x < 400; ++x)
            for (int y = 0; y < 2; ++y) {
                before.insert(image.pixel(x, y));
                after.insert(read.pixel(x, y));
            }
        QVERIFY(before.size() > 256);
        QCOMPARE(after.size(), 256);
        QVERIFY(before.contains(after)); // nothing is blended
    }

    void aSweepIsAnAnimationOfItsPictures()
    {
        const QTemporaryDir folder;
        const QString path = folder.filePath("sweep.gif");
        const Theme theme = Theme::light();
        const Sequence sweep =
            stepSequence({mapUnder(0.5F), mapUnder(1), mapUnder(4)}, MapColors(), theme);
        QVERIFY(exportSequence(sweep, theme, page(), path.toStdString()).has_value());
        const QByteArray gif = contentOf(path);
        QVERIFY(gif.startsWith("GIF89a") && gif.contains("NETSCAPE2.0"));
        const auto frames = framesOf(gif);
        QCOMPARE(frames.size(), std::size_t(3));
        QVERIFY(frames[0].milliseconds > frames[1].milliseconds);
        const float temperatures[] = {0.5F, 1, 4};
        for (std::size_t n = 0; n < 3; ++n) {
            const QImage still =
                pictureImage(pictureOf(mapUnder(temperatures[n]), theme), theme, page());
            QCOMPARE(frames[n].image.size(), still.size());
            // The cells are exact; the edges of letters may be the nearest colour.
            const HeatmapLayout cells = layoutFigure(mapUnder(1), QSizeF(476, 376)).maps[0].heatmap;
            for (Index i = 0; i < 4; ++i) {
                const QPoint at = (cells.cell(i, i).topLeft() + QPointF(12 + 5, 12 + 5)).toPoint();
                QCOMPARE(frames[n].image.pixel(at), still.pixel(at));
            }
        }
        QVERIFY(frames[0].image != frames[2].image);
    }

    void aSweepHasOneColourScale()
    {
        const Sequence sweep = stepSequence(
            {mapUnder(0.25F, Axis::Key, Stage::Logits), mapUnder(4, Axis::Key, Stage::Logits)},
            MapColors(), Theme::light());
        ExportOptions options = page();
        const QImage hot = pictureImage(sweep.picture(1), Theme::light(), options);
        const QImage alone =
            pictureImage(pictureOf(mapUnder(4, Axis::Key, Stage::Logits), Theme::light()),
                         Theme::light(), options);
        QVERIFY(hot != alone); // paler beside the cold one than by itself
    }

    void aFlipStartsAndEndsWithTheMapsThemselves()
    {
        const Theme theme = Theme::light();
        Figure from = mapUnder(1);
        Figure to = mapUnder(1, Axis::Query);
        from.maps[0].highlighted = to.maps[0].highlighted = Cell{1, 2};
        const Sequence flip = flipSequence(from, to, 9, theme);
        QCOMPARE(flip.nFrames, Index(9));
        const auto image = [&](const Picture& picture) {
            return pictureImage(picture, theme, page());
        };
        QCOMPARE(image(flip.picture(0)), image(pictureOf(from, theme)));
        QCOMPARE(image(flip.picture(8)), image(pictureOf(to, theme)));
        QVERIFY(image(flip.picture(4)) != image(flip.picture(0)));
        QVERIFY(image(flip.picture(4)) != image(flip.picture(8)));
        QVERIFY(flip.milliseconds(0) > flip.milliseconds(4));
    }

    void numberedPicturesSortByName()
    {
        const QTemporaryDir folder;
        const Theme theme = Theme::dark();
        const Sequence flip = flipSequence(mapUnder(1), mapUnder(1, Axis::Query), 10, theme);
        const QString path = folder.filePath("flip.png");
        QVERIFY(exportSequence(flip, theme, page(), path.toStdString()).has_value());
        const QStringList names = QDir(folder.path()).entryList(QDir::Files, QDir::Name);
        QCOMPARE(names.size(), 10);
        QCOMPARE(names.first(), QString("flip-01.png"));
        QCOMPARE(names.last(), QString("flip-10.png"));
        QCOMPARE(QImage(folder.filePath("flip-05.png")).size(), QSize(500, 400));
    }

    void whatCannotBeWrittenIsSaid()
    {
        const QTemporaryDir folder;
        const Theme theme = Theme::light();
        const Sequence flip = flipSequence(mapUnder(1), mapUnder(1, Axis::Query), 3, theme);
        const auto said = [&](const QString& name, const ExportOptions& options,
                              std::stop_token stop = {}) {
            const auto done =
                exportSequence(flip, theme, options, folder.filePath(name).toStdString(), stop);
            return done ? QString() : QString::fromStdString(done.error().message);
        };
        QVERIFY(said("a.svg", page()).contains("'.svg'"));
        ExportOptions large;
        large.size = QSizeF(5000, 4000);
        QVERIFY(said("a.gif", large).contains("16 million"));
        QVERIFY(!said("no/a.gif", page()).isEmpty());
        std::stop_source source;
        source.request_stop();
        QVERIFY(!said("a.gif", page(), source.get_token()).isEmpty());
        QVERIFY(!said("a.png", page(), source.get_token()).isEmpty());
        QVERIFY(QDir(folder.path()).entryList(QDir::Files).isEmpty());
    }
};

QTEST_MAIN(TestSequence)
#include "tst_sequence.moc"
