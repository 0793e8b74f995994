#include "core/io/tensor_file.h"
#include "tests/core/sample_values.h"
#include "tests/widgets/window_helpers.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/file_reading.h"
#include "ui/widgets/import_dialog.h"
#include "ui/widgets/layer_tree.h"
#include "ui/widgets/remembered_readings.h"
#include "ui/widgets/user_settings.h"
#include "ui/widgets/window_actions.h"

#include <QAccessible>
#include <QComboBox>
#include <QFile>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTreeWidgetItemIterator>

using namespace keyaxis;
using namespace keyaxis::testing;

namespace {

/// Three axes: heads or examples first.
QString threeAxes(const QTemporaryDir& folder, const QString& name)
{
    TensorFile file;
    for (const char* tensor : {"q", "k", "v"}) {
        file.tensors.push_back(rawTensor(tensor, randomTensor({1, 3, 5, 2}, 1)));
        file.tensors.back().shape = {3, 5, 2};
    }
    const QString path = folder.filePath(name);
    return writeTensorFile(path.toStdString(), file) ? path : QString();
}

void choose(ImportDialog& dialog, const char* box, const QString& start)
{
    auto* combo = dialog.findChild<QComboBox*>(QLatin1String(box));
    combo->setCurrentIndex(combo->findText(start, Qt::MatchStartsWith));
}

} // namespace

class TestImport : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        failOnWarnings();
        userSettings().remove(QStringLiteral("readings"));
    }

    void everyReadingSaysAndShowsWhatItGives()
    {
        const QTemporaryDir folder;
        ImportDialog dialog(threeAxes(folder, "a.npz"), {}, Theme::light(), nullptr);
        auto* layout = dialog.findChild<QComboBox*>("layout");
        QVERIFY(layout->itemText(0).contains("leaves it open"));
        QVERIFY(layout->itemText(1).contains("does not fit"));
        QVERIFY(layout->itemText(3).contains("1 example, 3 heads, 5 tokens, 2 features"));
        QVERIFY(!dialog.openButton()->isEnabled());
        QVERIFY(dialog.preview().figure().maps.empty());
        choose(dialog, "layout", "Head, token");
        QVERIFY(dialog.openButton()->isEnabled());
        QCOMPARE(dialog.outcome().section('\n', 0, 0),
                 QString("1 example, 3 heads, 5 tokens, 2 features"));
        QCOMPARE(dialog.preview().figure().maps.size(), std::size_t(1));
        QCOMPARE(dialog.preview().figure().maps[0].numbers.nRows, 5);
        QCOMPARE(dialog.choices().layout, Layout::HTD);
        QVERIFY(!dialog.findChild<QComboBox*>("maskAxes")); // there is no mask
        QVERIFY(!dialog.findChild<QComboBox*>("decimal"));
    }

    void aTableShowsItsSeparatorAndDecimalSignAndTakesOthers()
    {
        const QTemporaryDir folder;
        const QString path = folder.filePath("table.csv");
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("0,5;1\n2;3\n");
        file.close();
        ImportDialog dialog(path, {}, Theme::light(), nullptr);
        const auto first = [&](const char* box) {
            return dialog.findChild<QComboBox*>(QLatin1String(box))->itemText(0);
        };
        QVERIFY2(first("separator")
                     .startsWith("As the text tells (semicolons): scores of 1 example, "
                                 "1 head, 2 tokens"),
                 qPrintable(first("separator")));
        QVERIFY(first("decimal").startsWith("As the text tells (comma): "));
        choose(dialog, "separator", "Semicolons");
        choose(dialog, "decimal", "Comma");
        QCOMPARE(dialog.choices().file.table.separator, ';');
        QCOMPARE(dialog.choices().file.table.decimalSign, ',');
    }

    void theDecimalSignOfATextWithoutEndingIsShownToo()
    {
        const QTemporaryDir folder;
        const QString path = folder.filePath("numbers");
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("0.5 1\n2 3\n");
        file.close();
        const ImportDialog dialog(path, {}, Theme::light(), nullptr);
        QVERIFY(dialog.findChild<QComboBox*>("separator")->itemText(0).contains("(blanks)"));
        QVERIFY(dialog.findChild<QComboBox*>("decimal")->itemText(0).contains("(dot)"));
    }

    void oneOfAKindIsNoPlural()
    {
        AttentionFile file;
        file.inputs = randomInputs({1, 1, 1, 1, 1, 1, 1}, 1);
        QCOMPARE(sizesLabel(file), QString("1 example, 1 head, 1 token, 1 feature"));
        file.inputs = randomInputs({2, 4, 2, 3, 5, 6, 2}, 1);
        QCOMPARE(sizesLabel(file), QString("2 examples, 4 heads, 3 queries, 5 keys, 6 features"));
        Inputs given;
        given.weights = share(randomTensor({1, 2, 1, 5}, 1));
        file.inputs = given;
        QCOMPARE(sizesLabel(file), QString("weights of 1 example, 2 heads, 1 query, 5 keys"));
    }

    void layersAreATreeThatThePreviewFollows()
    {
        const QTemporaryDir folder;
        TensorFile file;
        for (const int layer : {0, 1, 10})
            for (const char* part : {"self_attn.q", "self_attn.k", "cross_attn.q", "cross_attn.k"})
                file.tensors.push_back(
                    rawTensor("model/decoder.layers." + std::to_string(layer) + "." + part,
                              randomTensor({1, 2, layer + 2, 4}, 1)));
        file.tensors.push_back(rawTensor("model/encoder.q", randomTensor({1, 2, 7, 4}, 1)));
        file.tensors.push_back(rawTensor("model/encoder.k", randomTensor({1, 2, 7, 4}, 1)));
        const QString path = folder.filePath("deep.safetensors");
        QVERIFY(writeTensorFile(path.toStdString(), file));
        ImportDialog dialog(path, {}, Theme::light(), nullptr);
        auto* tree = dialog.findChild<LayerTree*>();
        QVERIFY(tree);
        QStringList lines;
        for (QTreeWidgetItemIterator at(tree); *at; ++at) {
            int depth = 0;
            for (auto* above = (*at)->parent(); above; above = above->parent())
                ++depth;
            lines << QString(2 * depth, ' ') + (*at)->text(0);
        }
        QCOMPARE(lines,
                 (QStringList{"model", "  decoder.layers", "    0", "      cross_attn",
                              "      self_attn", "    1", "      cross_attn", "      self_attn",
                              "    10", "      cross_attn", "      self_attn", "  encoder"}));
        QCOMPARE(dialog.choices().group, "model/decoder.layers.0.cross_attn");
        QCOMPARE(dialog.preview().figure().maps[0].numbers.nRows, 2);

        // By the keyboard: a branch is no layer, Return closes it, letters find a name.
        dialog.show();
        tree->setFocus();
        QTest::keyClick(tree, Qt::Key_End);
        QCOMPARE(dialog.choices().group, "model/encoder");
        QCOMPARE(dialog.preview().figure().maps[0].numbers.nRows, 7);
        QTest::keyClick(tree, Qt::Key_Up);
        QCOMPARE(dialog.choices().group, "model/decoder.layers.10.self_attn");
        QTest::keyClick(tree, Qt::Key_Left);
        QVERIFY(!tree->currentLayer());
        QCOMPARE(dialog.choices().group, "model/decoder.layers.10.self_attn");
        QVERIFY(tree->currentItem()->isExpanded());
        QTest::keyClick(tree, Qt::Key_Return);
        QVERIFY(!tree->currentItem()->isExpanded());
        QVERIFY(dialog.isVisible());
        QTest::keyClicks(tree, "enc");
        QCOMPARE(dialog.choices().group, "model/encoder");
        QAccessibleInterface* accessible = QAccessible::queryAccessibleInterface(tree);
        QCOMPARE(accessible->role(), QAccessible::Tree);
        QCOMPARE(accessible->text(QAccessible::Name), QString("Layers of the file"));
    }

    void aLargeMapIsWorkedOutBesideTheWindow_data()
    {
        QTest::addColumn<Index>("n");
        QTest::addColumn<Index>("nDrawn");
        QTest::newRow("kept") << Index(700) << Index(700);
        QTest::newRow("sampled") << Index(2400) << Index(512);
    }

    void aLargeMapIsWorkedOutBesideTheWindow()
    {
        QFETCH(Index, n);
        QFETCH(Index, nDrawn);
        const QTemporaryDir folder;
        TensorFile file;
        for (const char* tensor : {"q", "k"})
            file.tensors.push_back(rawTensor(tensor, randomTensor({1, 1, n, 2}, 1)));
        const QString path = folder.filePath("large.npz");
        QVERIFY(writeTensorFile(path.toStdString(), file));
        const ImportDialog dialog(path, {}, Theme::light(), nullptr);
        QVERIFY(!dialog.preview().figure().message.isEmpty());
        QTRY_COMPARE(dialog.preview().figure().maps.size(), std::size_t(1));
        QCOMPARE(dialog.preview().figure().maps[0].numbers.nRows, nDrawn);
    }

    void whatWasChosenHoldsForFilesOfTheSamePatternAndCanBeChanged()
    {
        const QTemporaryDir folder;
        ShownWindow shown;
        MainWindow& window = shown.window;
        QVERIFY(!window.open(threeAxes(folder, "step_1.npz")));
        QTest::mouseClick(window.banner().answers().last(), Qt::LeftButton);
        ImportDialog* dialog = nullptr;
        QTRY_VERIFY((dialog = window.findChild<ImportDialog*>()));
        choose(*dialog, "layout", "Batch, token, feature");
        QTest::mouseClick(dialog->openButton(), Qt::LeftButton);
        QTRY_COMPARE(window.document().sizes().B, 3);

        // Another number in the name: the same pattern, read without a question.
        QVERIFY(window.open(threeAxes(folder, "step_2.npz")));
        QCOMPARE(window.document().sizes().B, 3);
        QVERIFY(window.banner().sentence().contains("step_2.npz"));
        QTest::mouseClick(window.banner().answers().last(), Qt::LeftButton);
        QTRY_VERIFY(window.findChild<ImportDialog*>() != nullptr);
        dialog = window.findChild<ImportDialog*>();
        QCOMPARE(dialog->choices().layout, Layout::BTD); // as it was read
        choose(*dialog, "layout", "Head, token, feature");
        QTest::mouseClick(dialog->openButton(), Qt::LeftButton);
        QTRY_COMPARE(window.document().sizes().H, 3);
        QVERIFY(window.open(threeAxes(folder, "step_3.npz")));
        QCOMPARE(window.document().sizes().H, 3);

        QVERIFY(!window.open(threeAxes(folder, "other.npz"))); // another pattern is asked about
    }

    void aRememberedReadingThatNoLongerFitsIsAskedAboutAgain()
    {
        const QTemporaryDir folder;
        QSettings settings = userSettings();
        ReadingChoices wrong;
        wrong.layout = Layout::BTHD; // of four axes
        rememberReading(settings, "step_1.npz", wrong);
        ShownWindow shown;
        QVERIFY(!shown.window.open(threeAxes(folder, "step_7.npz")));
        QVERIFY(shown.window.banner().answers().size() == 3);
    }

    void everyChoiceIsRememberedAndNoneIsForgotten()
    {
        QSettings settings = userSettings();
        ReadingChoices choices;
        choices.layout = Layout::BTHD;
        choices.maskAxes = MaskAxes::BatchKey;
        choices.maskKeeps = 0;
        choices.file.opaqueType = ElementType::BF16;
        choices.file.table = {';', ','};
        rememberReading(settings, "/a/layer12_x.npz", choices);
        const auto read = rememberedReading(settings, "/b/layer3_x.npz");
        QVERIFY(read);
        QCOMPARE(read->layout, Layout::BTHD);
        QCOMPARE(read->maskAxes, MaskAxes::BatchKey);
        QCOMPARE(read->maskKeeps, 0);
        QCOMPARE(read->file.opaqueType, ElementType::BF16);
        QCOMPARE(read->file.table.separator, ';');
        QCOMPARE(read->file.table.decimalSign, ',');
        QVERIFY(!rememberedReading(settings, "/b/layer3_y.npz"));
        rememberReading(settings, "/a/layer9_x.npz", {});
        QVERIFY(!rememberedReading(settings, "/a/layer12_x.npz"));
    }

    void aSampleHasNothingToBeReadAgain()
    {
        ShownWindow shown;
        shown.window.actions().readAgain->trigger();
        QVERIFY(shown.window.banner().sentence().contains("not read from a file"));
        QVERIFY(!shown.window.findChild<ImportDialog*>());
    }
};

QTEST_MAIN(TestImport)
#include "tst_import.moc"
