// A sequence of pictures, from the menu to the files.

#include "tests/widgets/window_helpers.h"
#include "ui/widgets/centre_view.h"
#include "ui/widgets/sequence_dialog.h"
#include "ui/widgets/window_actions.h"

#include <QDir>
#include <QImageReader>
#include <QLabel>
#include <QTemporaryDir>

using namespace keyaxis;
using namespace keyaxis::testing;

Q_DECLARE_METATYPE(keyaxis::ViewSettings)

class TestSequenceDialog : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        failOnWarnings();
        m_shown = std::make_unique<ShownWindow>();
        QVERIFY(m_shown->isReady);
        m_shown->window.actions().exportSequence->trigger();
        m_dialog = m_shown->window.findChild<SequenceDialog*>();
        QVERIFY(m_dialog && m_dialog->isVisible());
    }
    void cleanup() { m_shown.reset(); }

    void aSweepBecomesAnAnimation()
    {
        m_dialog->setSweep(0.2, 5, 4);
        QVERIFY2(m_dialog->writeTo(path("sweep.gif")), qPrintable(m_dialog->problem()));
        QImageReader gif(path("sweep.gif"));
        QCOMPARE(gif.imageCount(), 4);
        QCOMPARE(gif.size(), QSize(1000, 800));
        const QImage cold = gif.read();
        gif.jumpToImage(3);
        QVERIFY(gif.read() != cold);
        QVERIFY(m_dialog->problem().isEmpty());
    }

    void aFlipBecomesNumberedPictures()
    {
        m_dialog->setKind(SequenceDialog::Kind::Flip);
        m_dialog->setFlipTo(Axis::Head);
        QVERIFY2(m_dialog->writeTo(path("flip.png")), qPrintable(m_dialog->problem()));
        const QStringList names = QDir(m_folder.path()).entryList({"flip-*.png"});
        QCOMPARE(names.size(), 21);
        QVERIFY(QImage(path("flip-01.png")) != QImage(path("flip-21.png")));
    }

    void theDocumentStaysAsItIs()
    {
        const ScoreSettings before = m_shown->window.document().settings();
        m_dialog->setSweep(0.2, 5, 3);
        QVERIFY(m_dialog->writeTo(path("a.gif")));
        QVERIFY(m_shown->window.document().settings() == before);
        QVERIFY(!m_shown->window.document().undoStack().canUndo());
    }

    /// Each picture is as the window's own export: as it is cut down, or every head with the mean.
    void aSequenceShowsWhatTheWindowShows_data()
    {
        using Mode = ViewSettings::Mode;
        QTest::addColumn<ViewSettings>("view");
        ViewSettings cut;
        cut.mode = Mode::Single;
        cut.crop = CellCrop{1, 4, 0, 3};
        QTest::newRow("one map, cut down") << cut;
        cut.mode = Mode::Compare;
        QTest::newRow("four axes, cut down") << cut;
        ViewSettings heads;
        heads.mode = Mode::Heads;
        QTest::newRow("every head") << heads;
        heads.showsMean = heads.sortsHeads = true;
        QTest::newRow("sorted heads and their mean") << heads;
        ViewSettings difference;
        difference.mode = Mode::Difference;
        QTest::newRow("the difference from the query axis") << difference;
    }
    void aSequenceShowsWhatTheWindowShows()
    {
        QFETCH(ViewSettings, view);
        expectTheSame(view);
    }

    void paddingThatIsLeftOutIsSoInASequence()
    {
        Document& document = m_shown->window.document();
        Inputs inputs = document.inputs();
        Tensor mask = Tensor::filled({1, 1, 1, document.sizes().Tk}, 1.0F);
        mask.at(0, 0, 0, document.sizes().Tk - 1) = 0;
        inputs.mask = share(mask);
        document.load(inputs, document.settings(), {});
        ViewSettings view;
        view.leavesOutPadding = true;
        expectTheSame(view);
        QVERIFY(m_shown->window.centre().figure().settingsLine.contains("padded"));
    }

    /// Nothing stands before loaded weights, and they are the same on every axis.
    void aSequenceOfLoadedWeightsHasTheirMap()
    {
        Document& document = m_shown->window.document();
        const Sizes sizes = document.sizes();
        Inputs inputs;
        inputs.weights = share(Tensor::filled(sizes.weights(), 1.0F / float(sizes.Tk)));
        document.load(inputs, {}, {});
        ViewSettings view;
        view.mode = ViewSettings::Mode::Compare;
        expectTheSame(view);
        view.mode = ViewSettings::Mode::Single;
        view.stage = Stage::Scaled;
        expectTheSame(view);
    }

    void aDifferenceFromTheKeptStateNeedsOne()
    {
        MainWindow& window = m_shown->window;
        ViewSettings view = window.document().view();
        view.mode = ViewSettings::Mode::Difference;
        view.reference.reset();
        window.document().setView(view);
        const auto reopened = [&] {
            m_dialog->close();
            window.actions().exportSequence->trigger();
            m_dialog = window.findChildren<SequenceDialog*>().last();
            m_dialog->setSweep(1, 5, 2);
        };
        reopened();
        QVERIFY(!m_dialog->writeTo(path("kept.png")));
        QVERIFY(m_dialog->problem().contains("No state is kept"));
        m_dialog->setKind(SequenceDialog::Kind::Flip);
        QVERIFY(!m_dialog->writeTo(path("kept.png")));
        window.findChild<CentreView*>()->keepState();
        reopened();
        QVERIFY2(m_dialog->writeTo(path("kept.png")), qPrintable(m_dialog->problem()));
        // It stays what it was while τ moves away from it.
        QVERIFY(QImage(path("kept-1.png")) != QImage(path("kept-2.png")));
        m_dialog->setKind(SequenceDialog::Kind::Flip);
        QVERIFY2(m_dialog->writeTo(path("flip.png")), qPrintable(m_dialog->problem()));
    }

    void whatCannotBeWrittenStandsInPlace()
    {
        m_dialog->setSweep(0.2, 5, 2);
        QVERIFY(!m_dialog->writeTo(path("a.svg")));
        QVERIFY(m_dialog->problem().contains(".gif"));
        QVERIFY(!m_dialog->writeTo(path("no/such.gif")));
        QVERIFY(m_dialog->problem().contains("no/such.gif"));
        QVERIFY(m_dialog->isVisible());
    }

private:
    /// Each picture of a sequence that begins and ends where the document is, is as the window's.
    void expectTheSame(ViewSettings view)
    {
        MainWindow& window = m_shown->window;
        m_dialog->close();
        view.batch = window.document().view().batch;
        view.head = window.document().view().head;
        window.document().setView(view);
        QVERIFY(settle(window));
        const Figure shown = window.centre().figure();
        QVERIFY(!shown.maps.empty());
        QCOMPARE(shown.maps.front().isDifference, view.mode == ViewSettings::Mode::Difference);
        QCOMPARE(shown.maps.front().detail == MapFigure::Detail::Tile,
                 view.mode == ViewSettings::Mode::Heads);
        window.actions().exportSequence->trigger();
        m_dialog = window.findChildren<SequenceDialog*>().last();
        m_dialog->setSweep(1, 1, 2);
        QVERIFY2(m_dialog->writeTo(path("same.png")), qPrintable(m_dialog->problem()));
        ExportOptions options;
        options.size = {1000, 800};
        QVERIFY(exportFigure(shown, Theme::light(), options, path("shown.png").toStdString()));
        QCOMPARE(QImage(path("same-1.png")), QImage(path("shown.png")));
    }

    QString path(const QString& name) const { return m_folder.filePath(name); }

    QTemporaryDir m_folder;
    std::unique_ptr<ShownWindow> m_shown;
    SequenceDialog* m_dialog = nullptr;
};

QTEST_MAIN(TestSequenceDialog)
#include "tst_sequence_dialog.moc"
