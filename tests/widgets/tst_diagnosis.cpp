#include "core/attention/attention.h"
#include "core/io/tensor_file.h"
#include "tests/widgets/window_helpers.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/diagnosis_window.h"
#include "ui/widgets/window_actions.h"

#include <QClipboard>
#include <QTemporaryDir>

using namespace keyaxis;
using namespace keyaxis::testing;

/// A dump is opened, and one sentence says what it is.
class TestDiagnosis : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { failOnWarnings(); }

    void weightsBesideTheirQueriesAreExplained_data()
    {
        QTest::addColumn<int>("axis");
        QTest::addColumn<QString>("word");
        QTest::newRow("heads") << int(Axis::Head) << "head";
        QTest::newRow("queries") << int(Axis::Query) << "quer";
        QTest::newRow("keys") << int(Axis::Key) << "key";
    }
    void weightsBesideTheirQueriesAreExplained()
    {
        QFETCH(int, axis);
        QFETCH(QString, word);
        ShownWindow shown;
        MainWindow& window = shown.window;
        const Inputs& inputs = window.document().inputs();
        ScoreSettings settings;
        settings.axis = static_cast<Axis>(axis);
        const auto all = attend(inputs, settings);
        TensorFile file;
        file.tensors = {rawTensor("q", *inputs.q), rawTensor("k", *inputs.k),
                        rawTensor("v", *inputs.v), rawTensor("weights", all->weights)};
        const QString path = m_folder.filePath("dump.npz");
        QVERIFY(writeTensorFile(path.toStdString(), file));
        QVERIFY(window.open(path));
        QTRY_VERIFY(window.findChild<DiagnosisWindow*>());
        const QString text = window.findChild<DiagnosisWindow*>()->text();
        QVERIFY2(text.section('\n', 0, 0).contains(word, Qt::CaseInsensitive), qPrintable(text));
        QCOMPARE(text.contains("dim=-1"), axis != int(Axis::Key));
    }

    void aLoneTensorOfWeightsIsToldByItsSums()
    {
        ShownWindow shown;
        MainWindow& window = shown.window;
        ScoreSettings settings;
        settings.axis = Axis::Query;
        const auto all = attend(window.document().inputs(), settings);
        TensorFile file;
        file.tensors = {rawTensor("weights", all->weights)};
        const QString path = m_folder.filePath("weights.npy");
        QVERIFY(writeTensorFile(path.toStdString(), file));
        QVERIFY(window.open(path));
        QVERIFY(window.document().inputs().weights); // to be looked at as well
        auto* diagnosis = window.findChild<DiagnosisWindow*>();
        QVERIFY(diagnosis);
        QVERIFY2(diagnosis->text().contains("✓ query"), qPrintable(diagnosis->text()));
        QVERIFY2(diagnosis->text().contains("✗ key"), qPrintable(diagnosis->text()));
    }

    void theSettingsAreCopiedAsAProgram()
    {
        ShownWindow shown;
        MainWindow& window = shown.window;
        window.actions().axes[0]->trigger();
        window.actions().copyCode[1]->trigger();
        const QString code = QGuiApplication::clipboard()->text();
        QVERIFY2(code.contains("import torch"), qPrintable(code));
        QVERIFY2(code.contains("dim=-2"), qPrintable(code));
        window.actions().copyCode[0]->trigger();
        QVERIFY(QGuiApplication::clipboard()->text().contains("import numpy"));
    }

private:
    QTemporaryDir m_folder;
};

QTEST_MAIN(TestDiagnosis)
#include "tst_diagnosis.moc"
