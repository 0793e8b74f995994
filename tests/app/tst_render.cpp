#include "tests/app/program.h"
#include "tests/app/tensor_files.h"
#include "ui/paint/color_map.h"
#include "ui/paint/theme.h"

#include <QDir>
#include <QFile>
#include <QImage>
#include <QImageReader>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>
#include <cmath>

using namespace keyaxis;
using namespace keyaxis::testing;

namespace {

const QString kSample = samplePath("tiny_lm_layer2");

QByteArray contentOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace

/// `keyaxis render` under an empty environment: no display, no platform, no home.
class TestRender : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QVERIFY(QDir::setCurrent(m_folder.path())); }

    void aPngHasTheAskedPixels_data()
    {
        QTest::addColumn<QStringList>("options");
        QTest::addColumn<QSize>("size");
        QTest::newRow("map") << QStringList{} << QSize(1000, 800);
        QTest::newRow("four axes") << QStringList{"--figure", "compare"} << QSize(1600, 1000);
        QTest::newRow("stages") << QStringList{"--figure", "strip"} << QSize(1600, 320);
        QTest::newRow("all heads") << QStringList{"--figure", "heads"} << QSize(1200, 900);
        QTest::newRow("value plane") << QStringList{"--figure", "plane"} << QSize(560, 460);
        QTest::newRow("chosen") << QStringList{"--size", "640x480"} << QSize(640, 480);
        QTest::newRow("larger at a higher resolution")
            << QStringList{"--dpi", "192"} << QSize(2000, 1600);
        QTest::newRow("chosen at a higher resolution")
            << QStringList{"--dpi", "192", "--size", "640x480"} << QSize(640, 480);
    }
    void aPngHasTheAskedPixels()
    {
        QFETCH(QStringList, options);
        QFETCH(QSize, size);
        const QImage image = rendered(options);
        QCOMPARE(image.size(), size);
    }

    void aSignThatNoFontHasIsACodePointAndNoBox()
    {
        QFile fonts("none.conf"); // a system without any
        QVERIFY(fonts.open(QIODevice::WriteOnly));
        fonts.write(
            "<?xml version=\"1.0\"?><!DOCTYPE fontconfig SYSTEM \"fonts.dtd\"><fontconfig/>");
        fonts.close();
        QFile tensors("signs.json");
        QVERIFY(tensors.open(QIODevice::WriteOnly));
        tensors.write(R"({"Q": [[1, 0], [0, 1]], "K": [[2, 0], [0, 2]], "V": [[1], [2]],
                          "tokens": ["中", "\n"]})");
        tensors.close();
        const Run run = runProgram({"render", "signs.json", "-o", "signs.svg"},
                                   {"FONTCONFIG_FILE=" + QDir::current().filePath("none.conf")},
                                   m_folder.path());
        QVERIFY2(run.exitCode == 0, qPrintable(run.errors));
        const QString svg = QString::fromUtf8(contentOf("signs.svg"));
        QVERIFY(svg.contains("U+4E2D"));
        QVERIFY(!svg.contains(QString::fromUtf8("中</text>")));
    }

    void aVectorPictureHasTheAskedPoints()
    {
        QCOMPARE(render({"--size", "400x300"}, "out.svg").errors, "");
        QVERIFY(contentOf("out.svg").contains("viewBox=\"0 0 400 300\""));
        QCOMPARE(render({"--size", "400x300"}, "out.pdf").errors, "");
        const QRegularExpression box(R"(/MediaBox \[0 0 400(\.0*)? 300(\.0*)?\])");
        QVERIFY(QString::fromLatin1(contentOf("out.pdf")).contains(box));
    }

    void everyOptionChangesThePicture_data()
    {
        QTest::addColumn<QStringList>("options");
        for (const char* options : {"--head 2",
                                    "--batch 1",
                                    "--stage scores",
                                    "--stage logits",
                                    "--stage output",
                                    "--figure compare --size "
                                    "1000x800",
                                    "--figure strip --size 1000x800",
                                    "--figure heads --size 1000x800",
                                    "--theme dark",
                                    "--axis query",
                                    "--no-causal",
                                    "--no-alibi",
                                    "--temperature 3",
                                    "--scale none",
                                    "--figure difference",
                                    "--figure difference --against batch",
                                    "--queries 2-9",
                                    "--keys 0-3",
                                    "--palette greys",
                                    "--range 0:0.5",
                                    "--range auto",
                                    "--range symmetric",
                                    "--range log",
                                    "--reversed",
                                    "--ignore-first-key",
                                    "--dpi 120 --size 1000x800"})
            QTest::newRow(options) << QString(options).split(' ');
    }
    void everyOptionChangesThePicture()
    {
        QFETCH(QStringList, options);
        QVERIFY(rendered(options) != rendered({}));
    }

    void theValuePlaneIsThatOfTheChosenQuery()
    {
        const QStringList plane{"--figure", "plane"};
        QVERIFY(rendered(plane + QStringList{"--query", "7"}) != rendered(plane));
        QVERIFY(rendered(plane + QStringList{"--query", "5"}) == rendered(plane)); // the middle
        QCOMPARE(render(plane, "out.svg").errors, "");
        QVERIFY(contentOf("out.svg").contains("students"));
        QVERIFY(contentOf("out.svg").contains("softmax over keys"));
        QVERIFY(render(plane + QStringList{"--query", "10"}, "out.svg").errors.contains("0 to 9"));
        QVERIFY(render({"--query", "1"}, "out.svg").errors.contains("--figure plane"));
    }

    void theSamePictureComesOutTwice()
    {
        QVERIFY(rendered({}) == rendered({}));
        QVERIFY(rendered({"--head", "0"}) == rendered({}));
    }

    void theThemeIsTheChosenOne()
    {
        QCOMPARE(rendered({}).pixelColor(0, 0), Theme::light().paper);
        QCOMPARE(rendered({"--theme", "light"}).pixelColor(0, 0), Theme::light().paper);
        QCOMPARE(rendered({"--theme", "dark"}).pixelColor(0, 0), Theme::dark().paper);
    }

    void indicesCountFromZeroWhereTheyAreTyped()
    {
        const QStringList lines = render({"--head", "1"}, "out.svg").output.split('\n');
        QCOMPARE(lines[0], "softmax over keys · causal (start) · ALiBi (authors) · τ = 1 · scale "
                           "1/√16 · empty NaN · batch 0, head 1");
        QVERIFY(contentOf("out.svg").contains("batch 1, head 2"));
    }

    void theVerdictOfEachAxisIsTold()
    {
        const QString table = render({"--figure", "compare", "--head", "1"}, "out.png").output;
        QVERIFY2(table.contains("\nquery ✗ 0 of 10 rows sum to 1. "), qPrintable(table));
        QVERIFY(table.contains("\nkey   ✓ 10 of 10 rows sum to 1. "));
        QVERIFY(table.contains("\nbatch ✗ 9 undefined, 1 sums to 4.40. "));
        QVERIFY(table.contains("\nhead  ✗ 9 undefined, 1 sums to 2.56. "));
        const QString one = render({"--axis", "batch", "--head", "1"}, "out.png").output;
        QVERIFY(one.contains("\nbatch ✗ "));
        QVERIFY(!one.contains("\nkey "));
    }

    void theUsersPlatformIsRespected()
    {
        QCOMPARE(render({}, "out.png", {"QT_QPA_PLATFORM=minimal"}).exitCode, 0);
        const Run run = render({}, "out.png", {"QT_QPA_PLATFORM=nosuch"});
        QVERIFY(run.crashed || run.exitCode != 0);
        QVERIFY2(run.errors.contains("nosuch"), qPrintable(run.errors));
    }

    void aDisplayIsNotLookedFor()
    {
        const Run run = render({}, "out.png", {"DISPLAY=:99", "WAYLAND_DISPLAY=none"});
        QCOMPARE(run.errors, "");
        QCOMPARE(run.exitCode, 0);
    }

    void theWindowNeedsADisplay()
    {
        const Run run = runProgram({kSample});
        QCOMPARE(run.exitCode, 2);
        QCOMPARE(run.errors, "keyaxis: There is no display to open a window on; keyaxis render "
                             "draws without one.\n");
    }

    void aSweepIsAnAnimationOrNumberedPictures()
    {
        const QStringList sweep{"--sweep", "temperature=0.1:10:4", "--size", "400x320"};
        QCOMPARE(render(sweep, "sweep.gif").errors, "");
        QImageReader gif("sweep.gif");
        QCOMPARE(gif.imageCount(), 4);
        QCOMPARE(gif.size(), QSize(400, 320));
        QCOMPARE(render(sweep, "sweep.png").errors, "");
        QVERIFY(rendered({"--temperature", "0.1", "--size", "400x320"}) == QImage("sweep-1.png"));
        QVERIFY(rendered({"--temperature", "10", "--size", "400x320"}) == QImage("sweep-4.png"));
        QVERIFY(!QFile::exists("sweep.png") && !QFile::exists("sweep-5.png"));
    }

    void aFlipTurnsTheMapToTheOtherAxis()
    {
        QCOMPARE(render({"--flip", "query", "--size", "400x320"}, "flip.gif").errors, "");
        QImageReader gif("flip.gif");
        QCOMPARE(gif.imageCount(), 21);
        const QImage first = gif.read();
        QCOMPARE(
            render({"--flip", "query", "--axis", "head", "--size", "400x320"}, "flip.gif").errors,
            "");
        QVERIFY(QImageReader("flip.gif").read() != first);
    }

    void aSequenceThatMakesNoSenseIsRefused_data()
    {
        QTest::addColumn<QStringList>("options");
        QTest::addColumn<QString>("output");
        QTest::addColumn<QString>("sentence");
        const QString form = "temperature=LOW:HIGH:N";
        QTest::newRow("no numbers") << QStringList{"--sweep", "temperature"} << "a.gif" << form;
        QTest::newRow("something else") << QStringList{"--sweep", "scale=1:2:3"} << "a.gif" << form;
        QTest::newRow("zero") << QStringList{"--sweep", "temperature=0:2:3"} << "a.gif" << form;
        QTest::newRow("endless") << QStringList{"--sweep", "temperature=1:inf:3"} << "a.gif"
                                 << form;
        QTest::newRow("one picture") << QStringList{"--sweep", "temperature=1:2:1"} << "a.gif"
                                     << "2 to 500 pictures";
        QTest::newRow("too many") << QStringList{"--sweep", "temperature=1:2:501"} << "a.gif"
                                  << "2 to 500 pictures";
        QTest::newRow("both") << QStringList{"--sweep", "temperature=1:2:3", "--flip", "query"}
                              << "a.gif"
                              << "one of them";
        QTest::newRow("a flip of all axes")
            << QStringList{"--flip", "query", "--figure", "compare"} << "a.gif"
            << "--figure map";
        QTest::newRow("a plane") << QStringList{"--flip", "query", "--figure", "plane"} << "a.gif"
                                 << "need maps";
        QTest::newRow("an axis that is none") << QStringList{"--flip", "rows"} << "a.gif"
                                              << "key";
        QTest::newRow("a format for one picture") << QStringList{"--flip", "query"} << "a.pdf"
                                                  << ".gif, .png";
        QTest::newRow("one picture as an animation") << QStringList{} << "a.gif"
                                                     << ".png, .svg";
    }
    void aSequenceThatMakesNoSenseIsRefused()
    {
        QFETCH(QStringList, options);
        QFETCH(QString, output);
        QFETCH(QString, sentence);
        const Run run = render(options, output);
        QVERIFY2(run.errors.contains(sentence), qPrintable(run.errors));
        QCOMPARE(run.exitCode, 2);
        QVERIFY(!QFile::exists(output));
    }

    void aWebPageShowsTheDocument()
    {
        QCOMPARE(render({"--head", "1", "--axis", "query"}, "page.html").errors, "");
        const QByteArray page = contentOf("page.html");
        QVERIFY(page.contains("\"axis\":\"query\"") && page.contains("\"head\":1"));
        QVERIFY(page.contains("\"teacher\""));
        const Run heads = render({"--figure", "heads"}, "heads.html");
        QVERIFY2(heads.errors.contains("every axis by itself"), qPrintable(heads.errors));
        QCOMPARE(heads.exitCode, 2);
    }

    void saysWhyThePictureCannotBeWritten()
    {
        const Run full = render({}, "/dev/full");
        QCOMPARE(full.errors, "keyaxis: /dev/full cannot be written: No space left on device.\n");
        QCOMPARE(full.exitCode, 4);
        const Run huge = render({"--size", "60000x60000"}, "huge.png");
        QVERIFY2(huge.errors.contains("too large"), qPrintable(huge.errors));
        QCOMPARE(huge.exitCode, 2);
        QVERIFY(!QFile::exists("huge.png"));
    }

    void aFigureCarriesItsDataOnlyWhenAsked_data()
    {
        QTest::addColumn<QString>("figure");
        for (const char* name : {"with.png", "with.svg", "with.pdf"})
            QTest::newRow(name) << name;
    }
    void aFigureCarriesItsDataOnlyWhenAsked()
    {
        QFETCH(QString, figure);
        QCOMPARE(render({"--axis", "query"}, figure).exitCode, 0);
        QVERIFY(!readTensorFile(figure.toStdString()));
        const Run run = render({"--axis", "query", "--head", "1", "--with-session"}, figure);
        QCOMPARE(run.errors, "");
        QCOMPARE(runProgram({"compute", figure, "-o", "again.npz"}).exitCode, 0);
        QCOMPARE(runProgram({"compute", kSample, "--axis", "query", "-o", "first.npz"}).exitCode,
                 0);
        QCOMPARE(readTensorFile("again.npz")->find("weights")->bytes,
                 readTensorFile("first.npz")->find("weights")->bytes);
    }

    void aMapThatIsTooLargeToBeKeptIsPictured()
    {
        // 6,400² weights are 164 MB, and there are seven stages of them. Each query finds one key.
        constexpr Index kTokens = 6400;
        Tensor q = Tensor::zeros({1, 1, kTokens, 2});
        Tensor k = Tensor::zeros({1, 1, kTokens, 2});
        for (Index t = 0; t < kTokens; ++t) {
            const double angle = 1.5 * static_cast<double>(t) / kTokens;
            for (Tensor* tensor : {&q, &k}) {
                tensor->at(0, 0, t, 0) = static_cast<float>(6e3 * std::cos(angle));
                tensor->at(0, 0, t, 1) = static_cast<float>(6e3 * std::sin(angle));
            }
        }
        TensorFile file;
        file.tensors = {rawTensor("q", q), rawTensor("k", k)};
        write("large.npz", file);
        for (const char* axis : {"key", "query"}) {
            const Run run =
                runWithin(600, {"render", "large.npz", "--axis", axis, "-o", "large.png"});
            QVERIFY2(run.exitCode == 0, qPrintable(run.errors));
            QVERIFY2(run.output.contains("of 6400 rows sum to 1"), qPrintable(run.output));
            // The diagonal is hot, everything else is cold: below the range, which is logarithmic.
            const QImage picture("large.png");
            const QRgb cold = ColorMap(Palette::Viridis, Range{}).rgb(0.0F);
            Index nCold = 0, nOfTheMap = 0;
            for (int y = 120; y < 700; ++y)
                for (int x = 100; x < 740; ++x) {
                    nCold += picture.pixel(x, y) == cold ? 1 : 0;
                    ++nOfTheMap;
                }
            QVERIFY2(nCold > nOfTheMap * 9 / 10, qPrintable(QString::number(nCold)));
            QVERIFY2(nCold < nOfTheMap - 600, qPrintable(QString::number(nCold)));
        }
    }

    void anOldPictureStaysWhereTheNewOneFails()
    {
        render({}, "kept.png");
        const QByteArray before = contentOf("kept.png");
        QVERIFY(!before.isEmpty());
        QCOMPARE(runProgram({"render", "nowhere.npz", "-o", "kept.png"}).exitCode, 3);
        QCOMPARE(contentOf("kept.png"), before);
    }

private:
    static Run render(const QStringList& options, const QString& output,
                      const QStringList& variables = {})
    {
        return runProgram(QStringList{"render", kSample, "-o", output} + options, variables);
    }

    static QImage rendered(const QStringList& options)
    {
        QFile::remove("out.png");
        const Run run = render(options, "out.png");
        return run.errors.isEmpty() && run.exitCode == 0 ? QImage("out.png") : QImage();
    }

    QTemporaryDir m_folder;
};

QTEST_GUILESS_MAIN(TestRender)
#include "tst_render.moc"
