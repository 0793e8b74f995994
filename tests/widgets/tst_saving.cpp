#include "tests/widgets/window_helpers.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/drop_overlay.h"
#include "ui/widgets/inputs_panel.h"
#include "ui/widgets/tensor_table.h"
#include "ui/widgets/window_actions.h"

#include <QDir>
#include <QDropEvent>
#include <QFile>
#include <QLineEdit>
#include <QMessageBox>
#include <QMimeData>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTimer>

using namespace keyaxis;
using namespace keyaxis::testing;

namespace {

QByteArray contentOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// An edit as a user makes it: one number of Q becomes 9.
void editOneNumber(MainWindow& window, bool leavesEditorOpen = false)
{
    TensorTable& table = window.inputsPanel().table();
    const QModelIndex cell = table.model()->index(2, 1);
    QTest::mouseClick(table.viewport(), Qt::LeftButton, {}, table.visualRect(cell).center());
    QTest::keyClick(&table, Qt::Key_9);
    if (leavesEditorOpen)
        return;
    QTest::keyClick(table.findChild<QLineEdit*>(), Qt::Key_Return);
    QTRY_COMPARE(window.document().inputs().q->at(0, 1, 2, 1), 9.0F);
}

/// Answers the next message box.
void answerWith(QMessageBox::StandardButton button)
{
    QTimer::singleShot(100, qApp, [button] {
        if (auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget()))
            box->button(button)->click();
    });
}

} // namespace

/// Saving, closing, and what happens to work that was not saved.
class TestSaving : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        failOnWarnings();
        QDir(MainWindow::autosaveFolder()).removeRecursively();
    }

    void aSavedDocumentComesBackAsItWas()
    {
        const QString path = m_folder.filePath("saved.keyaxis");
        Inputs inputs;
        {
            ShownWindow shown;
            MainWindow& window = shown.window;
            editOneNumber(window);
            window.actions().axes[0]->trigger();
            window.actions().single->trigger();
            window.actions().nextHead->trigger();
            QVERIFY(window.isWindowModified());
            QVERIFY(window.saveTo(path));
            QVERIFY(!window.isWindowModified());
            QCOMPARE(window.document().filePath(), path);
            inputs = window.document().inputs();
        }
        ShownWindow shown;
        MainWindow& window = shown.window;
        QVERIFY(window.open(path));
        QVERIFY(settle(window));
        const Document& document = window.document();
        QCOMPARE(document.inputs().q->at(0, 1, 2, 1), 9.0F);
        QCOMPARE(document.inputs().keyTokens, inputs.keyTokens);
        QCOMPARE(document.settings().axis, Axis::Query);
        QVERIFY(document.settings().alibi);
        QCOMPARE(document.view().head, 2);
        QCOMPARE(document.view().mode, ViewSettings::Mode::Single);
    }

    void anEditThatIsStillOpenIsSaved()
    {
        const QString path = m_folder.filePath("open-edit.keyaxis");
        ShownWindow shown;
        editOneNumber(shown.window, true);
        QVERIFY(shown.window.saveTo(path));
        QCOMPARE(shown.window.document().inputs().q->at(0, 1, 2, 1), 9.0F);
        ShownWindow again;
        QVERIFY(again.window.open(path));
        QCOMPARE(again.window.document().inputs().q->at(0, 1, 2, 1), 9.0F);
    }

    void aSaveThatFailsLeavesTheDocumentModifiedAndSaysWhy()
    {
        ShownWindow shown;
        MainWindow& window = shown.window;
        editOneNumber(window);
        const QString path = m_folder.filePath("no-such-folder/x.keyaxis");
        QVERIFY(!window.saveTo(path));
        QVERIFY(window.isWindowModified());
        QVERIFY2(window.banner().sentence().contains("no-such-folder"),
                 qPrintable(window.banner().sentence()));
        QVERIFY(!window.saveTo("/dev/full"));
        QVERIFY(window.isWindowModified());
        QVERIFY(window.document().filePath().isEmpty());
    }

    void closingAsksAboutUnsavedEdits()
    {
        ShownWindow shown;
        MainWindow& window = shown.window;
        editOneNumber(window);
        answerWith(QMessageBox::Cancel);
        QVERIFY(!window.close());
        QVERIFY(window.isVisible());
        answerWith(QMessageBox::Discard);
        QVERIFY(window.close());
    }

    void anotherFilePutsUnsavedEditsAsideAndBringsThemBack()
    {
        ShownWindow shown;
        MainWindow& window = shown.window;
        editOneNumber(window);
        window.actions().samples[0]->trigger();
        QVERIFY(settle(window));
        QVERIFY(!window.isWindowModified());
        QVERIFY(window.banner().sentence().contains("put aside"));
        QTest::mouseClick(window.banner().answers()[0], Qt::LeftButton);
        QVERIFY(settle(window));
        QCOMPARE(window.document().inputs().q->at(0, 1, 2, 1), 9.0F);
        QVERIFY(window.isWindowModified());
    }

    void workOfACrashIsOfferedAgain()
    {
        const QString folder = MainWindow::autosaveFolder();
        QVERIFY(QDir().mkpath(folder));
        {
            ShownWindow shown;
            editOneNumber(shown.window);
            // What a crash leaves: the file of a process that is gone.
            QVERIFY(writeSession((folder + "/left.keyaxis").toStdString(),
                                 sessionOf(shown.window.document())));
            shown.window.document().undoStack().setClean();
        }
        ShownWindow shown;
        MainWindow& window = shown.window;
        window.offerLeftover();
        QVERIFY(window.banner().sentence().contains("before"));
        QTest::mouseClick(window.banner().answers()[0], Qt::LeftButton);
        QVERIFY(settle(window));
        QCOMPARE(window.document().inputs().q->at(0, 1, 2, 1), 9.0F);
        QVERIFY(window.isWindowModified());
        QVERIFY(!QFile::exists(folder + "/left.keyaxis"));
    }

    void unsavedWorkIsKeptAndGoesWhenItIsSaved()
    {
        const QDir folder(MainWindow::autosaveFolder());
        Document document;
        Autosave autosave(document, folder.path());
        autosave.setDelay(10);
        ShownWindow shown;
        document.load(shown.window.document().inputs(), {}, {});
        QTest::qWait(50);
        QVERIFY(!QFile::exists(autosave.path())); // nothing was edited
        ScoreSettings settings;
        settings.causal = true;
        document.undoStack().push(
            new EditSettings(document, settings, SettingsField::Causal, "mask"));
        QTRY_VERIFY(QFile::exists(autosave.path()));
        Autosave other(document, folder.path());
        QVERIFY(other.leftover().isEmpty()); // its owner is alive
        document.markSaved("somewhere.keyaxis");
        QVERIFY(!QFile::exists(autosave.path()));
    }

    void aFileThatChangesOnDiskIsOfferedAndFollowed()
    {
        const QString path = m_folder.filePath("watched.keyaxis");
        ShownWindow shown;
        MainWindow& window = shown.window;
        QVERIFY(window.saveTo(path));
        QTest::qWait(300);
        QVERIFY(window.banner().sentence().isEmpty()); // one's own writing is none
        Session session = sessionOf(window.document());
        session.settings.axis = Axis::Head;
        QVERIFY(writeSession(path.toStdString(), session));
        QTRY_VERIFY(window.banner().sentence().contains("changed on disk"));
        QCOMPARE(window.document().settings().axis, Axis::Key); // nothing unasked
        QTest::mouseClick(window.banner().answers()[1], Qt::LeftButton);
        QVERIFY(settle(window));
        QCOMPARE(window.document().settings().axis, Axis::Head);
        session.settings.axis = Axis::Batch;
        QVERIFY(writeSession(path.toStdString(), session));
        QTRY_COMPARE(window.document().settings().axis, Axis::Batch); // followed
    }

    void aDroppedFileIsOpenedAndTheOverlaySaysSo()
    {
        const QString path = m_folder.filePath("dropped.keyaxis");
        ShownWindow shown;
        MainWindow& window = shown.window;
        Session session = sessionOf(window.document());
        session.settings.axis = Axis::Head;
        QVERIFY(writeSession(path.toStdString(), session));
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(path)});
        QDragEnterEvent enter({600, 400}, Qt::CopyAction, &data, Qt::LeftButton, {});
        QApplication::sendEvent(&window, &enter);
        QVERIFY(enter.isAccepted());
        auto* overlay = window.findChild<DropOverlay*>();
        QVERIFY(overlay->isVisible());
        QVERIFY(overlay->text().contains("dropped.keyaxis"));
        QDropEvent drop({600, 400}, Qt::CopyAction, &data, Qt::LeftButton, {});
        QApplication::sendEvent(&window, &drop);
        QVERIFY(!overlay->isVisible());
        QCOMPARE(window.document().settings().axis, Axis::Head);
    }

    void theFileOnDiskIsTheSameFromRunToRun()
    {
        ShownWindow shown;
        QVERIFY(shown.window.saveTo(m_folder.filePath("a.keyaxis")));
        QVERIFY(shown.window.saveTo(m_folder.filePath("a.keyaxis")));
        const QByteArray once = contentOf(m_folder.filePath("a.keyaxis"));
        QVERIFY(shown.window.saveTo(m_folder.filePath("a.keyaxis")));
        QVERIFY(contentOf(m_folder.filePath("a.keyaxis")) == once);
    }

private:
    QTemporaryDir m_folder;
};

QTEST_MAIN(TestSaving)
#include "tst_saving.moc"
