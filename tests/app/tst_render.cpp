#include "tests/app/program.h"
#include "ui/paint/theme.h"

#include <QDir>
#include <QFile>
#include <QImage>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

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
        for (const char* options :
             {"--head 2", "--batch 1", "--stage scores", "--stage logits", "--stage output",
              "--figure compare --size "
              "1000x800",
              "--figure strip --size 1000x800", "--figure heads --size 1000x800", "--theme dark",
              "--axis query", "--no-causal", "--no-alibi", "--temperature 3", "--scale none",
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
