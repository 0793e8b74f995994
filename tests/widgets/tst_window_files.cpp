#include "core/io/tensor_file.h"
#include "tests/widgets/window_helpers.h"
#include "ui/document/samples.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/export_dialog.h"
#include "ui/widgets/figures.h"
#include "ui/widgets/help_window.h"
#include "ui/widgets/stage_strip.h"
#include "ui/widgets/user_settings.h"
#include "ui/widgets/window_actions.h"

#include <QFile>
#include <QPushButton>
#include <QTemporaryDir>

Q_DECLARE_METATYPE(keyaxis::TensorFile)

using namespace keyaxis;
using namespace keyaxis::testing;

namespace {

QString hardCase(const char* name)
{
    return QStringLiteral(KEYAXIS_TEST_DATA "/hardcases/") + QLatin1String(name);
}

QByteArray beginningOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.read(1000) : QByteArray();
}

} // namespace

class TestWindowFiles : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        failOnWarnings();
        userSettings().remove(QStringLiteral("readings"));
    }

    void aRefusedFileLeavesTheDocumentAsItWas_data()
    {
        QTest::addColumn<QString>("path");
        QTest::newRow("cut off") << hardCase("a10_truncated_data.npy");
        QTest::newRow("not there") << hardCase("no such file.npz");
        QTest::newRow("empty") << hardCase("a16_empty_file.npy");
        QTest::newRow("no q, k, v in it") << hardCase("a07_bool.npy");
    }
    void aRefusedFileLeavesTheDocumentAsItWas()
    {
        QFETCH(QString, path);
        ShownWindow shown;
        MainWindow& window = shown.window;
        window.actions().axes[0]->trigger(); // something to undo
        QVERIFY(settle(window));
        const Inputs inputs = window.document().inputs();
        const ScoreSettings settings = window.document().settings();

        QVERIFY(!window.open(path));
        QVERIFY(window.banner().isVisible());
        QVERIFY(!window.banner().sentence().isEmpty());
        QVERIFY(window.document().inputs() == inputs);
        QVERIFY(window.document().settings() == settings);
        QCOMPARE(window.document().undoStack().count(), 1);

        QVERIFY(window.openSample(samples()[4])); // a good file still opens
        QVERIFY(settle(window));
        // The refusal is gone; what was edited was not lost.
        QVERIFY(window.banner().sentence().contains(QStringLiteral("put aside")));
        QCOMPARE(window.document().sizes().Tk, 8);
    }

    void everySampleOpensWithItsOwnTokensAndSettings()
    {
        ShownWindow shown;
        MainWindow& window = shown.window;
        QCOMPARE(samples().size(), 5U);
        for (std::size_t n = 0; n < samples().size(); ++n) {
            window.actions().samples[n]->trigger();
            QVERIFY(settle(window));
            const Document& document = window.document();
            const bool isDates = QLatin1String(samples()[n].file) == QLatin1String("date_cross");
            QCOMPARE(document.settings().causal, !isDates);
            QCOMPARE(document.settings().alibi, !isDates);
            QCOMPARE(document.inputs().keyTokens.size(), 2U);
            QCOMPARE(document.view().head, samples()[n].head);
            QVERIFY(document.results()->allRows->isValid());
            QVERIFY(!window.isWindowModified());
        }
    }

    void anAmbiguousFileIsAskedAboutAndReadAsAnswered()
    {
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("three.npz"));
        TensorFile file;
        for (const char* name : {"q", "k", "v"}) {
            RawTensor raw = rawTensor(name, Tensor::filled({1, 3, 5, 2}, 0.5F));
            raw.shape = {3, 5, 2};
            file.tensors.push_back(std::move(raw));
        }
        QVERIFY(writeTensorFile(path.toStdString(), file));

        ShownWindow shown;
        MainWindow& window = shown.window;
        QVERIFY(!window.open(path));
        QVERIFY(!window.banner().sentence().contains(QStringLiteral("--")));
        QCOMPARE(window.banner().answers().size(), 3); // two readings, and to compare them
        QCOMPARE(window.document().sizes().Tq, 10);    // the document waits
        QTest::mouseClick(window.banner().answers()[1], Qt::LeftButton);
        QTRY_COMPARE(window.document().sizes().B, 3);
        QCOMPARE(window.document().sizes().H, 1);
        QCOMPARE(window.windowTitle(), QStringLiteral("three[*] – Keyaxis"));
    }

    void whatAFileLeavesOpenIsAsked_data()
    {
        QTest::addColumn<TensorFile>("file");
        QTest::addColumn<QStringList>("answers");
        const auto tensor = [](const char* name, std::vector<Index> shape) {
            RawTensor raw{name, ElementType::F32, std::move(shape), {}, {}};
            raw.bytes.resize(static_cast<std::size_t>(raw.size()) * sizeof(float));
            return raw;
        };
        const auto mask = [](const char* name, std::vector<Index> shape) {
            RawTensor raw{name, ElementType::Bool, std::move(shape), {}, {}};
            raw.bytes.resize(static_cast<std::size_t>(raw.size()), std::byte{1});
            return raw;
        };
        const TensorFile plain{{tensor("q", {3, 3, 3, 2}), tensor("k", {3, 3, 3, 2})}, {}, {}};
        TensorFile file = plain;
        file.tensors.push_back(mask("mask", {3, 3}));
        QTest::newRow("two axes of a mask")
            << file << QStringList{"Mask of queries × keys", "Padding mask of examples × keys"};
        file = plain;
        file.tensors.push_back(mask("mask", {3, 3, 3}));
        QTest::newRow("three axes of a mask")
            << file
            << QStringList{"Mask of heads × queries × keys", "Mask of examples × queries × keys"};
        file = plain;
        file.tensors.push_back(mask("key_padding_mask", {3, 1, 1, 3}));
        QTest::newRow("what a mask keeps") << file << QStringList{"1 keeps a key", "1 hides a key"};
        file = {};
        for (const char* name : {"layers.0.q", "layers.0.k", "layers.1.q", "layers.1.k"})
            file.tensors.push_back(tensor(name, {2, 3, 4}));
        QTest::newRow("batch or head of layers")
            << file
            << QStringList{"1 example, 2 heads, 3 tokens, 4 features",
                           "2 examples, 1 head, 3 tokens, 4 features"};
    }
    void whatAFileLeavesOpenIsAsked()
    {
        QFETCH(TensorFile, file);
        QFETCH(QStringList, answers);
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("open.npz"));
        QVERIFY(writeTensorFile(path.toStdString(), file));
        ShownWindow shown;
        MainWindow& window = shown.window;
        QVERIFY(!window.open(path));
        QStringList offered;
        for (const QPushButton* answer : window.banner().answers())
            offered << answer->text();
        QCOMPARE(offered, answers + QStringList("Compare…"));
        QVERIFY(!window.banner().sentence().contains(QStringLiteral("--")));
        QTest::mouseClick(window.banner().answers()[1], Qt::LeftButton);
        QTRY_COMPARE(window.document().filePath(), path);
    }

    void exportWritesEachFormat_data()
    {
        QTest::addColumn<QString>("ending");
        QTest::addColumn<QByteArray>("beginning");
        QTest::newRow("PNG") << QStringLiteral(".png") << QByteArray("\x89PNG");
        QTest::newRow("SVG") << QStringLiteral(".svg") << QByteArray("<svg");
        QTest::newRow("PDF") << QStringLiteral(".pdf") << QByteArray("%PDF");
    }
    void exportWritesEachFormat()
    {
        QFETCH(QString, ending);
        QFETCH(QByteArray, beginning);
        ShownWindow shown;
        shown.window.actions().exportFigure->trigger();
        auto* dialog = shown.window.findChild<ExportDialog*>();
        QVERIFY(dialog);
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("figure") + ending);
        QVERIFY(dialog->writeTo(path));
        QVERIFY(dialog->problem().isEmpty());
        QVERIFY(beginningOf(path).contains(beginning));
        QVERIFY(!dialog->writeTo(folder.filePath(QStringLiteral("no/folder") + ending)));
        QVERIFY(!dialog->problem().isEmpty());
        dialog->close();
    }

    void theHelpPageIsThere()
    {
        ShownWindow shown;
        shown.window.actions().help->trigger();
        auto* help = shown.window.findChild<HelpWindow*>();
        QVERIFY(help && help->isVisible());
        QVERIFY(help->toPlainText().contains(QStringLiteral("softmax")));
    }

    void degenerateSizesAreDrawn_data()
    {
        QTest::addColumn<Sizes>("sizes");
        QTest::newRow("one of everything") << Sizes{1, 1, 1, 1, 1, 1, 1};
        QTest::newRow("one query, many keys") << Sizes{1, 2, 1, 1, 90, 3, 2};
        QTest::newRow("many queries, one key") << Sizes{2, 1, 1, 90, 1, 3, 2};
        QTest::newRow("large") << Sizes{1, 2, 2, 200, 300, 8, 8};
    }
    void degenerateSizesAreDrawn()
    {
        QFETCH(Sizes, sizes);
        ShownWindow shown;
        MainWindow& window = shown.window;
        Inputs inputs;
        inputs.q = share(Tensor::filled({sizes.B, sizes.H, sizes.Tq, sizes.dk}, 0.1F));
        inputs.k = share(Tensor::filled({sizes.B, sizes.G, sizes.Tk, sizes.dk}, 0.2F));
        inputs.v = share(Tensor::filled({sizes.B, sizes.G, sizes.Tk, sizes.dv}, 0.3F));
        window.document().load(inputs, {}, {});
        QVERIFY(settle(window));
        for (QAction* mode : {window.actions().single, window.actions().compare}) {
            mode->trigger();
            QVERIFY(!window.grab().isNull());
            const Cell last{sizes.Tq - 1, sizes.Tk - 1};
            const HeatmapView& maps = window.centre().maps();
            hover(window.centre().maps(), cellCentre(window, maps.figure().maps.size() - 1, last));
            QVERIFY(window.cursor().cell().row < sizes.Tq && window.cursor().cell().col < sizes.Tk);
        }
        for (int stage = 0; stage < StageStrip::kStages; ++stage) {
            Q_EMIT window.centre().stageChosen(static_cast<Stage>(stage));
            QVERIFY(!window.grab().isNull());
        }
    }
};

QTEST_MAIN(TestWindowFiles)
#include "tst_window_files.moc"
