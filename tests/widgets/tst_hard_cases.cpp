#include "core/io/tensor_file.h"
#include "tests/widgets/window_helpers.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/diagnosis_window.h"
#include "ui/widgets/file_reading.h"
#include "ui/widgets/user_settings.h"

#include <QDir>
#include <QPushButton>
#include <algorithm>
#include <cmath>
#include <memory>

using namespace keyaxis;
using namespace keyaxis::testing;

namespace {

const QDir kFolder(QStringLiteral(KEYAXIS_TEST_DATA "/hardcases"));
const QStringList kRefused{"a08_bf16_as_V2.npy",
                           "a09_object_pickle.npy",
                           "a10_truncated_data.npy",
                           "a11_shape_product_2e64.npy",
                           "a12_shape_4TB.npy",
                           "a13_header_len_4GB.npy",
                           "a16_empty_file.npy",
                           "a22_crc_mismatch.npz",
                           "a24_member_declares_160GB.npz",
                           "a25_no_central_directory.npz",
                           "a32_shape_vs_offsets.safetensors",
                           "a33_overlapping_ranges.safetensors",
                           "a34_header_len_2e63.safetensors",
                           "a36_unknown_dtype.safetensors",
                           "a43_ragged_short_row.csv",
                           "a44_quoted_decimal_comma.csv",
                           "a47_empty_cell.csv",
                           "num_ab_width_mismatch.npz"};

/// Whether every number of `raw` is in `tensor`, in its order, as float32 has it.
bool hasValues(const SharedTensor& tensor, const RawTensor& raw)
{
    Narrowing narrowing;
    const std::vector<float> values = toFloats(raw, narrowing);
    return tensor && tensor->size() == static_cast<Index>(values.size()) &&
           std::equal(values.begin(), values.end(), tensor->data(),
                      [](float a, float b) { return a == b || (std::isnan(a) && std::isnan(b)); });
}

} // namespace

/// Each of the hard cases through the window's Open.
class TestHardCases : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        userSettings().remove(QStringLiteral("readings"));
        m_shown = std::make_unique<ShownWindow>();
        QVERIFY(m_shown->isReady);
    }
    void init() { failOnWarnings(); }
    void cleanupTestCase() { m_shown.reset(); }

    void opensOrSaysWhyNotAndGoesOn_data()
    {
        QTest::addColumn<bool>("isRefused");
        for (const QString& name : kFolder.entryList(QDir::Files))
            if (!name.endsWith(".md"))
                QTest::newRow(qPrintable(name)) << kRefused.contains(name);
    }
    void opensOrSaysWhyNotAndGoesOn()
    {
        QFETCH(bool, isRefused);
        MainWindow& window = m_shown->window;
        openGoodFile();
        const Inputs before = window.document().inputs();
        const QString path = kFolder.filePath(QString::fromUtf8(QTest::currentDataTag()));
        const auto content = readTensorFile(path.toStdString());
        const bool isOpen = window.open(path);
        if (isOpen) {
            QVERIFY(!isRefused);
            QCOMPARE(window.document().filePath(), path);
            for (const auto& [name, tensor] : {std::pair{"q", &Inputs::q}, {"k", &Inputs::k}})
                if (const RawTensor* raw = content->find(name))
                    QVERIFY(hasValues(window.document().inputs().*tensor, *raw));
        } else {
            const bool isExplained = !window.banner().sentence().isEmpty() ||
                                     window.findChild<DiagnosisWindow*>() != nullptr;
            QVERIFY(isExplained);
            QCOMPARE(window.document().inputs(), before);
            if (!content && content.error().code == Errc::Ambiguous)
                QVERIFY(!window.banner().answers().isEmpty());
            else if (!content)
                QCOMPARE(window.banner().sentence(), sentenceOf(content.error()));
        }
        if (isRefused)
            QVERIFY(!isOpen);
        qDeleteAll(window.findChildren<DiagnosisWindow*>());
        openGoodFile();
    }

private:
    /// A file that opens, whatever was refused before.
    void openGoodFile()
    {
        MainWindow& window = m_shown->window;
        QVERIFY(window.open(kFolder.filePath("a20_savez_compressed.npz")));
        QCOMPARE(window.document().inputs().q->at(0, 1, 2, 3), 23 / 8.0F);
        QCOMPARE(window.document().inputs().v->at(0, 0, 0, 0), 24.0F);
        QVERIFY(settle(window));
    }

    std::unique_ptr<ShownWindow> m_shown;
};

QTEST_MAIN(TestHardCases)
#include "tst_hard_cases.moc"
