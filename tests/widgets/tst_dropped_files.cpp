#include "core/io/tensor_file.h"
#include "tests/core/sample_values.h"
#include "tests/widgets/window_helpers.h"
#include "ui/document/commands.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/drop_overlay.h"
#include "ui/widgets/window_actions.h"

#include <QDropEvent>
#include <QFile>
#include <QMimeData>
#include <QPushButton>
#include <QTemporaryDir>

using namespace keyaxis;
using namespace keyaxis::testing;

namespace {

/// A window with a folder whose files are dropped on it.
struct DropBench : ShownWindow {
    QTemporaryDir folder;

    QString tensor(const QString& name, Shape shape, std::uint64_t seed = 1)
    {
        TensorFile file;
        file.tensors.push_back(rawTensor("x", randomTensor(shape, seed)));
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

    void aChangeOfOneOfThemReadsThemAllAgain()
    {
        DropBench bench;
        QVERIFY(bench.isReady);
        const QStringList paths{bench.tensor("q.npy", {1, 2, 3, 4}),
                                bench.tensor("k.npy", {1, 2, 3, 4}),
                                bench.tensor("v.npy", {1, 2, 3, 5})};
        bench.drop(paths);
        QVERIFY(settle(bench.window));
        const float before = bench.document().inputs().k->data()[0];
        bench.tensor("k.npy", {1, 2, 3, 4}, 2);
        QTRY_VERIFY(bench.window.banner().sentence().contains("k.npy has changed"));
        QCOMPARE(bench.document().inputs().k->data()[0], before); // nothing unasked
        QTest::mouseClick(bench.window.banner().answers()[0], Qt::LeftButton);
        QTRY_VERIFY(bench.document().inputs().k->data()[0] != before);
        bench.window.actions().reload->trigger();
        QCOMPARE(bench.document().sizes().dv, 5);
        // Two in one burst, and of other sizes: neither fits the old ones alone.
        bench.window.actions().follow->setChecked(true);
        bench.tensor("k.npy", {1, 2, 6, 4}, 3);
        bench.tensor("v.npy", {1, 2, 6, 7}, 3);
        QTRY_COMPARE(bench.document().sizes(), (Sizes{1, 2, 2, 3, 6, 4, 7}));
        QVERIFY(bench.window.banner().sentence().isEmpty());
    }

    void followingKeepsWhatIsLookedAtAndHow()
    {
        DropBench bench;
        QVERIFY(bench.isReady);
        bench.drop({bench.tensor("q.npy", {1, 2, 3, 4}), bench.tensor("k.npy", {1, 2, 3, 4})});
        bench.window.actions().follow->setChecked(true);
        bench.window.actions().axes[std::size_t(Axis::Query)]->trigger();
        bench.window.actions().nextHead->trigger();
        const float before = bench.document().inputs().q->data()[0];
        bench.tensor("q.npy", {1, 2, 3, 4}, 2);
        QTRY_VERIFY(bench.document().inputs().q->data()[0] != before);
        QCOMPARE(bench.document().settings().axis, Axis::Query);
        QCOMPARE(bench.document().view().head, 1);
        QVERIFY(!bench.document().undoStack().isClean());
        bench.document().undoStack().undo();
        QCOMPARE(bench.document().settings().axis, Axis::Key);
        // A number typed in is worth a question.
        Inputs edited = bench.document().inputs();
        edited.q = share(randomTensor({1, 2, 3, 4}, 9));
        bench.document().undoStack().push(new ReplaceInputs(bench.document(), edited, "edit"));
        bench.tensor("q.npy", {1, 2, 3, 4}, 3);
        QTRY_VERIFY(bench.window.banner().sentence().contains("q.npy has changed"));
        QCOMPARE(bench.document().inputs(), edited);
        QTest::mouseClick(bench.window.banner().answers()[0], Qt::LeftButton);
        QTRY_VERIFY(bench.window.banner().sentence().contains("put aside"));
        QTest::mouseClick(bench.window.banner().answers()[0], Qt::LeftButton);
        QTRY_COMPARE(bench.document().inputs(), edited);
        bench.tensor("q.npy", {1, 2, 3, 4}, 4); // still the files that it was read of
        QTRY_VERIFY(bench.window.banner().sentence().contains("q.npy has changed"));
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
