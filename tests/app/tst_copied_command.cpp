#include "core/io/session_file.h"
#include "core/io/tensor_file.h"
#include "tests/app/program.h"
#include "tests/core/sample_values.h"
#include "tests/widgets/window_helpers.h"
#include "ui/paint/export.h"
#include "ui/paint/theme.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/copied_command.h"
#include "ui/widgets/inputs_panel.h"
#include "ui/widgets/window_actions.h"

#include <QClipboard>
#include <QDropEvent>
#include <QFile>
#include <QMimeData>
#include <QTemporaryDir>
#include <cstring>

using namespace keyaxis;
using namespace keyaxis::testing;

namespace {

QByteArray contentOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// Runs what was copied through sh, in `folder`, with this build's program as `keyaxis`.
int runThroughShell(const QString& folder)
{
    const QString folderOfProgram = QFileInfo(QStringLiteral(KEYAXIS_PROGRAM)).absolutePath();
    QProcess process;
    process.setWorkingDirectory(folder);
    process.start("/usr/bin/env", {"-i", "PATH=" + folderOfProgram + ":/usr/bin:/bin", "sh", "-c",
                                   QGuiApplication::clipboard()->text()});
    process.waitForFinished(120'000);
    return process.exitCode();
}

/// A window on a file whose name sh would cut in pieces, with settings that are not the file's own.
struct CommandBench : ShownWindow {
    QTemporaryDir folder;
    QString path = folder.filePath("it's a sample.safetensors");

    CommandBench()
    {
        QFile::copy(samplePath("tiny_lm_layer2"), path);
        isReady = isReady && window.open(path);
        ScoreSettings settings = window.document().settings();
        settings.axis = Axis::Query;
        settings.causal = !settings.causal;
        settings.temperature = 0.3F;
        settings.empty = EmptySlice::Zero;
        window.document().setSettings(settings);
        isReady = isReady && settle(window);
    }
    QString copied() const { return QGuiApplication::clipboard()->text(); }
    void show(ViewSettings::Mode mode, Stage stage, Index head)
    {
        ViewSettings view = window.document().view();
        view.mode = mode;
        view.stage = stage;
        view.head = head;
        window.document().setView(view);
    }

    /// Copies the figure, which must have `words`, runs the command and compares what it draws with
    /// what is shown. Which small map is framed is a matter of the window.
    void compareWithShown(QSizeF size, const QString& words)
    {
        QVERIFY(settle(window));
        window.actions().copyRender->trigger();
        QVERIFY2((copied() + ' ').contains(' ' + words + ' '), qPrintable(copied()));
        QCOMPARE(runThroughShell(folder.path()), 0);
        const QString shown = folder.filePath("shown.svg");
        ExportOptions page;
        page.size = size;
        Figure figure = window.centre().figure();
        for (MapFigure& map : figure.maps)
            map.isSelected = map.isSelected && map.detail == MapFigure::Detail::Card;
        QVERIFY(exportFigure(figure, Theme::light(), page, shown.toStdString()));
        QVERIFY(!contentOf(shown).isEmpty());
        QCOMPARE(contentOf(folder.filePath("it's a sample.svg")), contentOf(shown));
    }
};

} // namespace

class TestCopiedCommand : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { registerFonts(); }
    void init() { failOnWarnings(); }

    void wordsAreQuotedForSh_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("word");
        QTest::newRow("plain") << "a/b-1.npz"
                               << "a/b-1.npz";
        QTest::newRow("a blank") << "a b"
                                 << "'a b'";
        QTest::newRow("a quote") << "it's"
                                 << "'it'\\''s'";
        QTest::newRow("a variable") << "$HOME"
                                    << "'$HOME'";
        QTest::newRow("a letter that is not ASCII") << "größe"
                                                    << "'größe'";
        QTest::newRow("nothing") << ""
                                 << "''";
    }

    void wordsAreQuotedForSh()
    {
        QFETCH(QString, text);
        QTEST(shellWord(text), "word");
    }

    void theCopiedComputationWritesTheShownWeights()
    {
        CommandBench bench;
        QVERIFY(bench.isReady);
        bench.window.actions().copyCompute->trigger();
        QVERIFY(bench.copied().startsWith("keyaxis compute '"));
        QVERIFY(bench.window.banner().sentence().contains(bench.copied()));
        QCOMPARE(runThroughShell(bench.folder.path()), 0);
        const auto file =
            readTensorFile(bench.folder.filePath("it's a sample-weights.npz").toStdString());
        QVERIFY(file);
        const RawTensor* raw = file->find("weights");
        QVERIFY(raw);
        const Matrix& shown = weights(bench.window, Axis::Query);
        QVERIFY(std::memcmp(raw->bytes.data(), shown.data(),
                            static_cast<std::size_t>(shown.size()) * sizeof(float)) == 0);
    }

    void theCopiedFigureIsTheShownOne_data()
    {
        QTest::addColumn<ViewSettings>("view");
        QTest::addColumn<ColorChoice>("colors");
        QTest::addColumn<QSizeF>("size");
        QTest::addColumn<QString>("words");
        using Mode = ViewSettings::Mode;
        const QSizeF one(1000, 800);
        const QSizeF small(1200, 900);
        const ColorChoice usual;
        const CellCrop part{2, 7, 0, 5};
        ViewSettings view{.batch = 1, .head = 1};
        const auto row = [&](const char* name, Mode mode, const QSizeF& size, const char* words,
                             const ColorChoice& colors = {}) {
            view.mode = mode;
            QTest::newRow(name) << view << colors << size << words;
        };
        row("four axes", Mode::Compare, {1600, 1000}, "--figure compare");
        row("one map", Mode::Single, one, "--head 1");
        view.stage = Stage::Tempered;
        const ColorChoice ofSigned = MapColors().signedStages;
        row("a stage", Mode::Single, one, "--stage tempered", ofSigned);
        ColorChoice held = ofSigned;
        held.rule = RangeRule::Fixed;
        held.fixed = {-0.1F, 1.0F / 3};
        row("a stage in a fixed range", Mode::Single, one, "--range -0.1:0.33333334", held);
        view.stage = Stage::Output;
        view.crop = part; // an output is not cut
        row("the output", Mode::Single, one, "--stage output", ofSigned);
        view.stage = Stage::Weights;
        row("a part", Mode::Single, one, "--queries 2-6 --keys 0-4");
        row("a part of the four axes", Mode::Compare, {1600, 1000}, "--queries 2-6 --keys 0-4");
        view.crop.reset();
        row("all heads", Mode::Heads, small, "--figure heads -o");
        view.sortsHeads = true;
        view.showsMean = true;
        row("all heads, sorted, and their mean", Mode::Heads, small, "--sort-heads --mean-head");
        view.sortsHeads = view.showsMean = false;
        row("two axes", Mode::Difference, one, "--figure difference --against query", ofSigned);
        view.reference = Axis::Head;
        ColorChoice grey = ofSigned;
        grey.palette = Palette::Greys;
        grey.rule = RangeRule::Automatic;
        row("two axes in grey", Mode::Difference, one, "--palette greys --range auto", grey);
        row("reversed", Mode::Single, one, "--palette magma --reversed",
            {Palette::Magma, RangeRule::Fixed, {}, true});
        row("logarithmic", Mode::Single, one, "--range log",
            {Palette::Viridis, RangeRule::Logarithmic, {}});
        row("without the first key", Mode::Single, one, "--ignore-first-key -o",
            {Palette::Viridis, RangeRule::Automatic, {}, false, true});
        row("logarithmic without the first key", Mode::Compare, {1600, 1000},
            "--ignore-first-key --range log",
            {Palette::Viridis, RangeRule::Logarithmic, {}, false, true});
    }

    void theCopiedFigureIsTheShownOne()
    {
        QFETCH(ViewSettings, view);
        QFETCH(ColorChoice, colors);
        QFETCH(QSizeF, size);
        QFETCH(QString, words);
        CommandBench bench;
        QVERIFY(bench.isReady);
        bench.window.document().setView(view);
        MapColors all;
        all.of(bench.window.centre().coloredStage()) = colors;
        bench.window.centre().setAllColors(all);
        bench.compareWithShown(size, words);
    }

    void theCopiedFigureOfALayerIsTheShownOne_data()
    {
        QTest::addColumn<ViewSettings::Mode>("mode");
        QTest::addColumn<QSizeF>("size");
        QTest::newRow("one layer") << ViewSettings::Mode::Single << QSizeF(1000, 800);
        QTest::newRow("all layers") << ViewSettings::Mode::Layers << QSizeF(1200, 900);
    }

    void theCopiedFigureOfALayerIsTheShownOne()
    {
        QFETCH(ViewSettings::Mode, mode);
        QFETCH(QSizeF, size);
        CommandBench bench;
        TensorFile file;
        for (const std::string layer : {"a.0", "a.1", "a.2"})
            for (const std::string part : {".q", ".k"})
                file.tensors.push_back(
                    rawTensor(layer + part, randomTensor({2, 3, 5, 4}, layer.back() + part[1])));
        bench.path = bench.folder.filePath("it's a sample.npz");
        QVERIFY(writeTensorFile(bench.path.toStdString(), file));
        QVERIFY(bench.window.open(bench.path));
        bench.window.findChild<InputsPanel*>()->layerChosen(1);
        bench.show(mode, Stage::Weights, 2);
        bench.compareWithShown(size, "--layer a.1");
    }

    void severalFilesAreNamedByWhatTheyHold()
    {
        CommandBench bench;
        QVERIFY(bench.isReady);
        QStringList paths;
        for (const char* name : {"run v", "run q", "run k"}) {
            TensorFile file;
            file.tensors.push_back(rawTensor("x", randomTensor({1, 2, 3, 4}, 1)));
            paths << bench.folder.filePath(QLatin1String(name) + ".npy");
            QVERIFY(writeTensorFile(paths.last().toStdString(), file));
        }
        QMimeData data;
        QList<QUrl> urls;
        for (const QString& path : paths)
            urls << QUrl::fromLocalFile(path);
        data.setUrls(urls);
        QDragEnterEvent enter({600, 400}, Qt::CopyAction, &data, Qt::LeftButton, {});
        QApplication::sendEvent(&bench.window, &enter);
        QDropEvent drop({600, 400}, Qt::CopyAction, &data, Qt::LeftButton, {});
        QApplication::sendEvent(&bench.window, &drop);
        QVERIFY(settle(bench.window));
        bench.window.actions().copyCompute->trigger();
        QVERIFY(bench.copied().contains(" --k '"));
        QCOMPARE(runThroughShell(bench.folder.path()), 0);
        const auto file = readTensorFile(bench.folder.filePath("run-weights.npz").toStdString());
        QVERIFY(file);
        const Matrix& shown = weights(bench.window, Axis::Key);
        QVERIFY(std::memcmp(file->find("weights")->bytes.data(), shown.data(),
                            static_cast<std::size_t>(shown.size()) * sizeof(float)) == 0);
    }

    void paddingThatIsLeftOutIsLeftOutByTheCommandToo()
    {
        CommandBench bench;
        Inputs inputs = randomInputs({1, 2, 2, 4, 4, 3, 3}, 1);
        Tensor mask = Tensor::filled({1, 1, 4, 4}, 1.0F);
        for (Index n = 0; n < 4; ++n)
            mask.at(0, 0, 3, n) = mask.at(0, 0, n, 3) = 0;
        inputs.mask = share(mask);
        bench.window.document().load(inputs, {}, {});
        QVERIFY(bench.window.saveTo(bench.folder.filePath("it's a sample.keyaxis")));
        ViewSettings view = bench.window.document().view();
        view.leavesOutPadding = true;
        for (const auto mode : {ViewSettings::Mode::Compare, ViewSettings::Mode::Heads}) {
            view.mode = mode;
            bench.window.document().setView(view);
            bench.compareWithShown(mode == ViewSettings::Mode::Compare ? QSizeF(1600, 1000)
                                                                       : QSizeF(1200, 900),
                                   "--leave-out-padding");
        }
    }

    void givenWeightsAreOneMap()
    {
        CommandBench bench;
        TensorFile file;
        file.tensors.push_back(rawTensor("weights", randomTensor({2, 3, 5, 4}, 1)));
        bench.path = bench.folder.filePath("it's a sample.npz");
        QVERIFY(writeTensorFile(bench.path.toStdString(), file));
        QVERIFY(bench.window.open(bench.path));
        for (const Stage stage : {Stage::Weights, Stage::Output}) { // as a single map last showed
            bench.show(ViewSettings::Mode::Compare, stage, 2);
            bench.compareWithShown({1000, 800}, "--head 2");
        }
    }

    void whatTheFileSaysAndWhatIsUsualIsLeftOut()
    {
        ShownWindow shown;
        QTemporaryDir folder;
        const QString path = folder.filePath("plain.keyaxis");
        ScoreSettings settings = shown.window.document().settings();
        settings.alibi = true;
        shown.window.document().setSettings(settings);
        QVERIFY(shown.window.saveTo(path));
        shown.window.actions().copyCompute->trigger();
        QCOMPARE(QGuiApplication::clipboard()->text(),
                 QString("keyaxis compute %1 -o plain-weights.npz").arg(path));
        settings.alibi = false;
        shown.window.document().setSettings(settings);
        shown.window.actions().copyCompute->trigger();
        QVERIFY(QGuiApplication::clipboard()->text().contains(" --no-alibi "));
    }

    void whatIsInNoFileMustBeSavedFirst()
    {
        ShownWindow shown;
        QGuiApplication::clipboard()->setText("as before");
        shown.window.actions().copyRender->trigger();
        QVERIFY(shown.window.banner().sentence().contains("save it first"));
        CommandBench bench;
        QVERIFY(bench.isReady);
        Inputs edited = bench.window.document().inputs();
        Tensor q = *edited.q;
        q.data()[0] += 1;
        edited.q = share(q);
        bench.window.document().setInputs(edited);
        bench.window.actions().copyCompute->trigger();
        QVERIFY(bench.window.banner().sentence().contains("save them"));
        bench.show(ViewSettings::Mode::Difference, Stage::Weights, 0);
        bench.window.actions().copyRender->trigger();
        QVERIFY(bench.window.banner().sentence().contains("save them"));
        ShownWindow plain;
        QTemporaryDir folder;
        QVERIFY(plain.window.saveTo(folder.filePath("a.keyaxis")));
        ViewSettings view = plain.window.document().view();
        view.mode = ViewSettings::Mode::Difference;
        view.reference.reset();
        plain.window.document().setView(view);
        plain.window.actions().copyRender->trigger();
        QVERIFY(plain.window.banner().sentence().contains("kept state"));
        QCOMPARE(QGuiApplication::clipboard()->text(), QString("as before"));
    }
};

QTEST_MAIN(TestCopiedCommand)
#include "tst_copied_command.moc"
