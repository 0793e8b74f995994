#include "core/io/tensor_file.h"
#include "tests/core/sample_values.h"
#include "tests/widgets/window_helpers.h"
#include "ui/document/commands.h"
#include "ui/document/samples.h"
#include "ui/document/session.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/color_menu.h"
#include "ui/widgets/inputs_panel.h"
#include "ui/widgets/layer_row.h"
#include "ui/widgets/layer_tree.h"
#include "ui/widgets/look_menu.h"
#include "ui/widgets/sequence_dialog.h"
#include "ui/widgets/stepper.h"
#include "ui/widgets/window_actions.h"

#include <QImage>
#include <QTemporaryDir>
#include <QToolButton>
#include <set>

using namespace keyaxis;
using namespace keyaxis::testing;

namespace {

constexpr Index kLayers = 3;

/// q, k and v of three layers, [L, B, H, T, d].
TensorFile stack()
{
    TensorFile file;
    for (const auto& [name, seed] : {std::pair{"q", 1}, {"k", 2}, {"v", 3}}) {
        file.tensors.push_back(
            rawTensor(name, randomTensor({kLayers, 2, 5, 4}, static_cast<std::uint64_t>(seed))));
        file.tensors.back().shape = {kLayers, 1, 2, 5, 4};
    }
    return file;
}

/// The looked-at weights of layer n, computed apart.
Matrix weightsOfLayer(Index n, const ScoreSettings& settings, Index head)
{
    ReadingChoices choices;
    choices.group = std::to_string(n);
    const auto read = readAttention(stack(), "stack", choices);
    return attendSlice(read->inputs, settings, 0, head)->weights;
}

} // namespace

/// What the window does with many layers and many heads.
class TestLayerViews : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        m_path = m_folder.filePath("stack.npz");
        QVERIFY(writeTensorFile(m_path.toStdString(), stack()));
    }
    void init() { failOnWarnings(); }

    void aLayerIsOneStepAndKeepsWhatIsLookedAt()
    {
        ShownWindow shown;
        MainWindow& window = shown.window;
        auto* row = window.findChild<LayerRow*>();
        QVERIFY(row && !row->isVisible());
        QVERIFY(window.open(m_path));
        QVERIFY(settle(window));
        QVERIFY(row->isVisible());
        QCOMPARE(row->tree()->topLevelItemCount(), int(kLayers));
        QCOMPARE(window.document().inputs().layer, "0");

        window.actions().axes[0]->trigger();
        window.actions().causal->trigger();
        window.actions().nextHead->trigger();
        window.actions().single->trigger();
        Inputs masked = window.document().inputs();
        Tensor mask = Tensor::filled({1, 1, 5, 5}, 1.0F);
        mask.at(0, 0, 4, 0) = 0.0F;
        masked.mask = share(std::move(mask));
        window.document().undoStack().push(
            new ReplaceInputs(window.document(), masked, QStringLiteral("Mask")));
        const int nSteps = window.document().undoStack().count();
        QTest::mouseClick(row->findChild<Stepper*>()->findChildren<QToolButton*>().last(),
                          Qt::LeftButton);
        QCOMPARE(window.document().undoStack().count(), nSteps + 1);
        QCOMPARE(window.document().inputs().layer, "1");
        QCOMPARE(window.document().settings().axis, Axis::Query);
        QVERIFY(window.document().settings().causal);
        QCOMPARE(window.document().view().head, 1);
        QCOMPARE(window.document().view().mode, ViewSettings::Mode::Single);
        QVERIFY(window.document().inputs().mask == masked.mask);
        QVERIFY(settle(window));
        ScoreSettings plain = window.document().settings();
        QVERIFY(!sameBits(weights(window, Axis::Query), weightsOfLayer(0, plain, 1)));
        window.document().undoStack().undo();
        QCOMPARE(window.document().inputs().layer, "0");
        QCOMPARE(row->tree()->currentLayer(), std::size_t(0));
    }

    void everyLayerIsASmallMapThatZoomsIn()
    {
        ShownWindow shown;
        MainWindow& window = shown.window;
        QVERIFY(!window.actions().layers->isVisible());
        QVERIFY(window.open(m_path));
        QVERIFY(settle(window));
        QVERIFY(window.actions().layers->isVisible());
        // One view more than stands below the other.
        std::set<int> columns;
        for (const auto* mode : window.findChildren<QToolButton*>("mode"))
            if (mode->isVisible())
                columns.insert(mode->x());
        QCOMPARE(columns.size(), 2U);
        window.actions().nextHead->trigger();
        window.actions().layers->trigger();
        QVERIFY(settle(window));
        const Figure& figure = window.centre().maps().figure();
        QCOMPARE(figure.maps.size(), std::size_t(kLayers));
        for (Index n = 0; n < kLayers; ++n) {
            const MapFigure& map = figure.maps[std::size_t(n)];
            const Matrix expected = weightsOfLayer(n, window.document().settings(), 1);
            QVERIFY(sameBits(Matrix(map.numbers.shown().values), expected));
            QCOMPARE(map.title, QStringLiteral("layer %1").arg(n));
            QCOMPARE(map.isSelected, n == 0);
        }
        QTest::mouseClick(&window.centre().maps(), Qt::LeftButton, {},
                          cellCentre(window, 2, {1, 1}));
        QVERIFY(settle(window));
        QCOMPARE(window.document().inputs().layer, "2");
        QCOMPARE(window.document().view().mode, ViewSettings::Mode::Single);
        QVERIFY(window.openSample(defaultSample()));
        QVERIFY(!window.actions().layers->isVisible());
    }

    void headsAreSortedAndTheirMeanIsAMap()
    {
        ShownWindow shown;
        MainWindow& window = shown.window;
        window.actions().heads->trigger();
        QVERIFY(settle(window));
        const auto nHeads = window.centre().maps().figure().maps.size();
        window.actions().look->meanHead()->trigger();
        window.actions().look->sortHeads()->trigger();
        QVERIFY(settle(window)); // from the worker
        const Figure& figure = window.centre().maps().figure();
        const auto nExamples = std::size_t(window.document().sizes().B);
        QCOMPARE(figure.maps.size(), nHeads + nExamples);
        QVERIFY(figure.maps.front().isMean);
        QVERIFY(window.centre().figure().settingsLine.contains("heads by entropy"));
        // A click on the mean leads nowhere: it is no head.
        QTest::mouseClick(&window.centre().maps(), Qt::LeftButton, {},
                          cellCentre(window, 0, {1, 1}));
        QCOMPARE(window.document().view().mode, ViewSettings::Mode::Heads);
    }

    void mapsAreCroppedToSomeTokens()
    {
        ShownWindow shown;
        MainWindow& window = shown.window;
        LookMenu& look = *window.actions().look;
        QVERIFY(!look.cropTo("3-1", ""));
        QVERIFY(!look.cropTo("1,3", ""));
        QVERIFY(look.cropTo("2-4", "1-3"));
        const Figure& figure = window.centre().maps().figure();
        QVERIFY(figure.window.has_value());
        QCOMPARE(*figure.window, (CellWindow{1, 0, 3, 3}));
        const QString line = window.centre().figure().settingsLine;
        QVERIFY2(line.endsWith("queries 2–4, keys 1–3"), qPrintable(line));
        QVERIFY(!window.centre().maps().isZoomed());
        window.centre().maps().zoom(0.5);
        QVERIFY(window.centre().maps().isZoomed());
        window.centre().maps().fit();
        QCOMPARE(*window.centre().maps().figure().window, (CellWindow{1, 0, 3, 3}));
        look.wholeMap()->trigger();
        QVERIFY(!window.centre().maps().figure().window.has_value());
        QVERIFY(!window.document().view().crop);
    }

    void aSessionKeepsTheView()
    {
        ViewSettings view;
        view.mode = ViewSettings::Mode::Layers;
        view.sortsHeads = view.showsMean = true;
        view.crop = CellCrop{1, 4, 0, 3};
        QVERIFY(viewFrom(viewWords(view)) == view);
        ShownWindow shown;
        MainWindow& window = shown.window;
        QVERIFY(window.open(m_path));
        window.document().setView(view);
        const QString session = m_folder.filePath("layer.keyaxis");
        QVERIFY(window.saveTo(session));
        QVERIFY(window.openSample(defaultSample()));
        QVERIFY(!window.document().layers());
        QVERIFY(window.open(session));
        QVERIFY(window.document().view() == view); // with the layers of the file it was made of
        QCOMPARE(window.document().layers()->names.size(), std::size_t(kLayers));
        QVERIFY(settle(window));
    }

    void aSequenceShowsEveryLayer()
    {
        ShownWindow shown;
        MainWindow& window = shown.window;
        QVERIFY(window.open(m_path));
        ViewSettings view;
        view.mode = ViewSettings::Mode::Layers;
        window.document().setView(view);
        QVERIFY(settle(window));
        QCOMPARE(std::ssize(window.centre().figure().maps), kLayers);
        window.actions().exportSequence->trigger();
        auto* dialog = window.findChild<SequenceDialog*>();
        // A sweep that begins where the document is.
        dialog->setSweep(1, 1, 2);
        const QString path = m_folder.filePath("layers.png");
        QVERIFY2(dialog->writeTo(path), qPrintable(dialog->problem()));
        ExportOptions options;
        options.size = {1000, 800};
        QVERIFY(
            exportFigure(window.centre().figure(), Theme::light(), options, path.toStdString()));
        QCOMPARE(QImage(m_folder.filePath("layers-1.png")), QImage(path));
        dialog->setKind(SequenceDialog::Kind::Flip);
        QVERIFY2(dialog->writeTo(path), qPrintable(dialog->problem()));
    }

    void theFirstKeyNeedNotCountForTheColours()
    {
        ShownWindow shown;
        MainWindow& window = shown.window;
        QAction* ignore = window.actions().colors->choices().last();
        QVERIFY(!ignore->isChecked());
        ignore->trigger();
        QVERIFY(ignore->isChecked());
        QVERIFY(window.centre().colors().weights.ignoresFirstKey);
        QCOMPARE(window.centre().colors().weights.rule, RangeRule::Automatic);
        QVERIFY(window.centre().figure().settingsLine.contains("colours without key 1"));
    }

private:
    QTemporaryDir m_folder;
    QString m_path;
};

QTEST_MAIN(TestLayerViews)
#include "tst_layer_views.moc"
