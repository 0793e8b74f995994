#include "core/io/tensor_file.h"
#include "tests/core/sample_values.h"
#include "tests/widgets/window_helpers.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/drop_overlay.h"

#include <QDropEvent>
#include <QFile>
#include <QMimeData>
#include <QTemporaryDir>

using namespace keyaxis;
using namespace keyaxis::testing;

namespace {

/// A window with a folder whose files are dropped on it.
struct DropBench : ShownWindow {
    QTemporaryDir folder;

    QString tensor(const QString& name, Shape shape)
    {
        TensorFile file;
        file.tensors.push_back(rawTensor("x", randomTensor(shape, 1)));
        const QString path = folder.filePath(name);
        return writeTensorFile(path.toStdString(), file) ? path : QString();
    }
    QString text(const QString& name, const QByteArray& content)
    {
        QFile file(folder.filePath(name));
        return file.open(QIODevice::WriteOnly) && file.write(content) == content.size()
                   ? file.fileName()
                   : QString();
    }
    /// Drops `paths`; returns what the overlay said before.
    QString drop(const QStringList& paths)
    {
        QMimeData data;
        QList<QUrl> urls;
        for (const QString& path : paths)
            urls << QUrl::fromLocalFile(path);
        data.setUrls(urls);
        QDragEnterEvent enter({600, 400}, Qt::CopyAction, &data, Qt::LeftButton, {});
        QApplication::sendEvent(&window, &enter);
        const QString said = window.findChild<DropOverlay*>()->text();
        QDropEvent event({600, 400}, Qt::CopyAction, &data, Qt::LeftButton, {});
        QApplication::sendEvent(&window, &event);
        return said;
    }
    Document& document() { return window.document(); }
};

} // namespace

class TestDroppedFiles : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { failOnWarnings(); }

    void filesThatBelongTogetherAreOneDocument_data()
    {
        QTest::addColumn<QStringList>("names");
        QTest::addColumn<QString>("title");
        QTest::newRow("plain") << QStringList{"v.npy", "q.npy", "k.npy"} << "";
        QTest::newRow("of a run") << QStringList{"run1_q.npy", "run1_k.npy", "run1_v.npy"}
                                  << "run1";
        QTest::newRow("in words") << QStringList{"a-query.npy", "a-key.npy", "a-value.npy"} << "a";
    }

    void filesThatBelongTogetherAreOneDocument()
    {
        QFETCH(QStringList, names);
        QFETCH(QString, title);
        DropBench bench;
        QVERIFY(bench.isReady);
        QStringList paths;
        for (const QString& name : names)
            paths << bench.tensor(name, {1, 2, 3, name.contains('v') ? 5 : 4});
        const QString said = bench.drop(paths);
        QVERIFY2(said.contains("as one document"), qPrintable(said));
        for (const QString& name : names)
            QVERIFY(said.contains(name));
        QCOMPARE(bench.document().sizes(), (Sizes{1, 2, 2, 3, 3, 4, 5}));
        if (!title.isEmpty())
            QCOMPARE(QString::fromStdString(bench.document().inputs().name), title);
    }

    void filesThatDoNotAreRefusedInASentence()
    {
        DropBench bench;
        QVERIFY(bench.isReady);
        const Inputs before = bench.document().inputs();
        const QString a = bench.tensor("loss.npy", {1, 1, 3, 4});
        const QString b = bench.tensor("rate.npy", {1, 1, 3, 4});
        const QString said = bench.drop({a, b});
        QVERIFY(said.contains("no q, k and v"));
        QCOMPARE(bench.window.banner().sentence(), said);
        // By their names they would, by their sizes they do not.
        bench.drop({bench.tensor("q.npy", {1, 2, 3, 4}), bench.tensor("k.npy", {1, 2, 3, 5})});
        QVERIFY(bench.window.banner().sentence().contains("wide"));
        QCOMPARE(bench.document().inputs(), before);
    }

    void aTextOfNamesNamesTheTokens()
    {
        DropBench bench;
        QVERIFY(bench.isReady);
        const Index n = bench.document().sizes().Tk;
        QByteArray text;
        for (Index t = 0; t < n; ++t)
            text += "w" + QByteArray::number(static_cast<int>(t)) + "x\r\n";
        const QString said = bench.drop({bench.text("words.txt", text)});
        QVERIFY2(said.contains("name the tokens"), qPrintable(said));
        QCOMPARE(bench.document().inputs().keyTokens[0][1], std::string("w1x"));
        QCOMPARE(bench.document().inputs().queryTokens, bench.document().inputs().keyTokens);
        QCOMPARE(bench.document().undoStack().count(), 1);
        bench.drop({bench.text("few.txt", "the\ncat\n")});
        QVERIFY2(bench.window.banner().sentence().contains("few.txt names 2 tokens"),
                 qPrintable(bench.window.banner().sentence()));
        QCOMPARE(bench.document().undoStack().count(), 1);
    }

    void aFaultyFileOfNumbersIsNoListOfNames()
    {
        DropBench bench;
        QVERIFY(bench.isReady);
        const QString said = bench.drop({bench.text("numbers.txt", "1 2\n3\n")});
        QVERIFY2(said.contains("open numbers.txt"), qPrintable(said));
        QVERIFY(bench.window.banner().sentence().contains("row 2"));
    }
};

QTEST_MAIN(TestDroppedFiles)
#include "tst_dropped_files.moc"
