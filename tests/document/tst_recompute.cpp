#include "tests/core/sample_values.h"
#include "ui/document/recompute.h"

#include <QRegularExpression>
#include <QSignalSpy>
#include <QTest>

using namespace keyaxis;
using namespace keyaxis::testing;

class TestRecompute : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void deliversAllFourAxesAndThenAllRows()
    {
        Document document;
        Recompute recompute(document);
        document.load(randomInputs({2, 3, 3, 5, 5, 4, 2}, 3), {}, {}, 1, 2);
        QTRY_VERIFY(document.results() && document.results()->allRows);
        const auto results = document.results();
        for (const Axis axis : kAllAxes) {
            ScoreSettings settings;
            settings.axis = axis;
            const auto n = static_cast<std::size_t>(axis);
            const SliceStages fresh = attendSlice(document.inputs(), settings, 1, 2).value();
            QVERIFY(sameBits(results->axes[n]->weights, fresh.weights));
            QCOMPARE(results->certificates[n].nRows(), 5);
        }
        QCOMPARE(results->allRows->nRows(), 2 * 3 * 5);
        QVERIFY(results->allRows->isValid());
        QTRY_VERIFY(!recompute.isBusy());
    }

    void onlyTheNewestRequestArrives()
    {
        Document document;
        Recompute recompute(document);
        QSignalSpy spy(&document, &Document::changed);
        document.load(randomInputs({1, 2, 2, 200, 200, 16, 8}, 3), {}, {});
        ScoreSettings settings;
        for (int n = 1; n <= 50; ++n) {
            settings.temperature = static_cast<float>(n);
            document.setSettings(settings);
        }
        QTRY_VERIFY(document.results() && document.results()->allRows);
        QCOMPARE(document.results()->settings.temperature, 50.0F);
        QTRY_VERIFY(!recompute.isBusy());
        // A request delivers three times, loading clears once; what was replaced delivers nothing.
        int nResults = 0;
        for (const auto& emitted : spy)
            nResults += emitted[0].value<Changes>().testFlag(Change::Results) ? 1 : 0;
        QVERIFY2(nResults <= 4 && nResults >= 3, qPrintable(QString::number(nResults)));
    }

    void oldResultsStayUntilNewOnesCome()
    {
        Document document;
        Recompute recompute(document);
        document.load(randomInputs({1, 1, 1, 4, 4, 2, 2}, 3), {}, {});
        QTRY_VERIFY(document.results());
        ScoreSettings settings;
        settings.causal = true;
        document.setSettings(settings);
        QVERIFY(document.results()); // nothing is disabled or cleared
        QTRY_VERIFY(document.results()->settings.causal);
    }

    void lookingElsewhereRecomputesAndChangingTheModeDoesNot()
    {
        Document document;
        Recompute recompute(document);
        document.load(randomInputs({2, 2, 2, 4, 4, 2, 2}, 3), {}, {});
        QTRY_VERIFY(!recompute.isBusy());
        ViewSettings view = document.view();
        view.mode = ViewSettings::Mode::Single;
        document.setView(view);
        QVERIFY(!recompute.isBusy());
        view.batch = 1;
        document.setView(view);
        QVERIFY(recompute.isBusy());
        QTRY_COMPARE(document.results()->batch, 1);
    }

    void whatIsAskedAboutTheHeadsComesFromTheWorker()
    {
        Document document;
        Recompute recompute(document);
        document.load(randomInputs({2, 3, 3, 4, 4, 2, 2}, 3), {}, {});
        ViewSettings view = document.view();
        view.mode = ViewSettings::Mode::Heads;
        document.setView(view);
        QTRY_VERIFY(!recompute.isBusy());
        QVERIFY(document.results()->everyMap && !document.results()->headFacts);
        view.sortsHeads = true;
        document.setView(view);
        QVERIFY(recompute.isBusy());
        QTRY_VERIFY(!recompute.isBusy());
        QCOMPARE(document.results()->headFacts->entropies.size(), std::size_t{6});
        view.showsMean = true; // is there already
        document.setView(view);
        QVERIFY(!recompute.isBusy());
    }

    void lookingAwayAndBackWhileComputingEndsWhereItIsLookedAt()
    {
        Document document;
        Recompute recompute(document);
        document.load(randomInputs({2, 2, 2, 4, 4, 2, 2}, 3), {}, {});
        QTRY_VERIFY(!recompute.isBusy());
        ViewSettings view = document.view();
        view.batch = 1;
        document.setView(view);
        view.batch = 0; // before the event loop could deliver batch 1
        document.setView(view);
        QTRY_VERIFY(!recompute.isBusy());
        QCOMPARE(document.results()->batch, 0);
    }

    void undefinedRowsComeWithTheirCause()
    {
        Document document;
        Recompute recompute(document);
        Inputs inputs = randomInputs({2, 2, 2, 4, 4, 2, 2}, 3);
        Tensor mask = Tensor::filled({1, 1, 4, 1}, 1.0F);
        mask.at(0, 0, 2, 0) = 0.0F; // one query may use no key
        inputs.mask = share(std::move(mask));
        for (const Axis axis : kAllAxes) {
            ScoreSettings settings;
            settings.axis = axis;
            document.load(inputs, settings, {});
            QTRY_VERIFY(!recompute.isBusy());
            const auto results = document.results();
            const bool isEmptied = axis != Axis::Query;
            QCOMPARE(results->certificates[std::size_t(axis)].nEmptyRows, isEmptied ? 1 : 0);
            QCOMPARE(results->allRows->nEmptyRows, isEmptied ? 4 : 0);
        }
    }

    void aFailureIsOneSentence()
    {
        Document document;
        Recompute recompute(document);
        QSignalSpy failed(&recompute, &Recompute::failed);
        document.load(randomInputs({1, 1, 1, 4, 4, 2, 2}, 3), {}, {});
        ScoreSettings settings;
        settings.temperature = -1.0F;
        document.setSettings(settings);
        QTRY_COMPARE(failed.count(), 1);
        QVERIFY(failed[0][0].toString().contains("temperature"));
        QTRY_VERIFY(!recompute.isBusy());
        settings.temperature = 2.0F; // and the next request is answered again
        document.setSettings(settings);
        QTRY_VERIFY(document.results() && document.results()->allRows);
        QCOMPARE(document.results()->settings.temperature, 2.0F);
        QCOMPARE(failed.count(), 1);
    }

    void quitsWhileItComputes()
    {
        Document document;
        Recompute recompute(document);
        document.load(randomInputs({2, 4, 4, 700, 700, 16, 8}, 3), {}, {});
    }
};

QTEST_GUILESS_MAIN(TestRecompute)
#include "tst_recompute.moc"
