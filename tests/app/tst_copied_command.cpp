#include "core/io/session_file.h"
#include "core/io/tensor_file.h"
#include "tests/app/program.h"
#include "tests/widgets/window_helpers.h"
#include "ui/paint/export.h"
#include "ui/paint/theme.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/copied_command.h"
#include "ui/widgets/window_actions.h"

#include <QClipboard>
#include <QFile>
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
        QTest::addColumn<ViewSettings::Mode>("mode");
        QTest::addColumn<Stage>("stage");
        QTest::addColumn<QSizeF>("size");
        using Mode = ViewSettings::Mode;
        QTest::newRow("four axes") << Mode::Compare << Stage::Weights << QSizeF(1600, 1000);
        QTest::newRow("one map") << Mode::Single << Stage::Weights << QSizeF(1000, 800);
        QTest::newRow("a stage") << Mode::Single << Stage::Tempered << QSizeF(1000, 800);
    }

    void theCopiedFigureIsTheShownOne()
    {
        QFETCH(ViewSettings::Mode, mode);
        QFETCH(Stage, stage);
        QFETCH(QSizeF, size);
        CommandBench bench;
        QVERIFY(bench.isReady);
        bench.show(mode, stage, 1);
        QVERIFY(settle(bench.window));
        bench.window.actions().copyRender->trigger();
        QCOMPARE(runThroughShell(bench.folder.path()), 0);
        const QString shown = bench.folder.filePath("shown.svg");
        ExportOptions page;
        page.size = size;
        QVERIFY(exportFigure(bench.window.centre().figure(), Theme::light(), page,
                             shown.toStdString()));
        QVERIFY(!contentOf(shown).isEmpty());
        QCOMPARE(contentOf(bench.folder.filePath("it's a sample.svg")), contentOf(shown));
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
        QVERIFY(bench.window.banner().sentence().contains("differences"));
        QCOMPARE(QGuiApplication::clipboard()->text(), QString("as before"));
    }
};

QTEST_MAIN(TestCopiedCommand)
#include "tst_copied_command.moc"
