#include "core/parallel.h"
#include "core/proof/influence.h"
#include "tests/proof/reference_attention.h"

#include <QTest>
#include <cmath>

using namespace keyaxis;
using namespace keyaxis::testing;

namespace {

Influence coupled(const Case& c, Coupled what)
{
    return *coupling(c.inputs, c.settings, what, 1, 1);
}

} // namespace

class TestInfluence : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void bothWaysOfSummingAgree()
    {
        // Wide vectors make the Gram matrix the cheaper way, narrow ones the direct sum; a wide
        // document whose further features are 0 is the narrow one.
        const Inputs narrow = randomInputs({1, 1, 1, 12, 12, 2, 2}, 5, 1.0F);
        Inputs wide = narrow;
        for (SharedTensor* tensor : {&wide.q, &wide.k, &wide.v}) {
            Tensor padded = Tensor::zeros({1, 1, 12, 20});
            padded.slice(0, 0).leftCols(2) = (*tensor)->slice(0, 0);
            *tensor = share(std::move(padded));
        }
        ScoreSettings settings;
        settings.axis = Axis::Query;
        settings.scale = 0.7;
        const Influence a = *coupling(narrow, settings, Coupled::Queries, 0, 0);
        const Influence b = *coupling(wide, settings, Coupled::Queries, 0, 0);
        QVERIFY((a.norms - b.norms).cwiseAbs().maxCoeff() < 1e-5F * a.norms.maxCoeff());
        QVERIFY(a.norms.minCoeff() > 0.0F);
    }

    void theLightConeShowsWhoIsToBlame_data()
    {
        QTest::addColumn<Axis>("axis");
        QTest::addColumn<bool>("causal");
        QTest::addColumn<bool>("leaks");
        QTest::addColumn<std::string>("sentence");
        using S = std::string;
        QTest::newRow("causal, keys")
            << Axis::Key << true << false << S("No later token moves an earlier output.");
        QTest::newRow("no mask, keys")
            << Axis::Key << false << true
            << S("The mask is off: later tokens are read. Wrong mask, not wrong axis.");
        QTest::newRow("causal, queries")
            << Axis::Query << true << true
            << S("The mask is on, yet later queries sit in the denominators: earlier outputs "
                 "move.");
        QTest::newRow("no mask, queries")
            << Axis::Query << false << true
            << S("The mask is off: later tokens are read. That is the mask's doing; the axis is "
                 "wrong besides.");
        QTest::newRow("causal, examples")
            << Axis::Batch << true << false << S("No later token leaks; other examples do.");
        QTest::newRow("causal, heads")
            << Axis::Head << true << false << S("No later token leaks; other heads do.");
    }
    void theLightConeShowsWhoIsToBlame()
    {
        QFETCH(Axis, axis);
        QFETCH(bool, causal);
        QFETCH(bool, leaks);
        QFETCH(std::string, sentence);
        ScoreSettings settings;
        settings.axis = axis;
        settings.causal = causal;
        settings.empty = EmptySlice::Zero;
        const Influence map = *tokenInfluence(randomInputs({2, 2, 1, 5, 5, 3, 3}, 2), settings,
                                              MovedToken::Whole, 0, 1);
        QCOMPARE(map.sentence, sentence);
        for (Index i = 0; i < 5; ++i)
            for (Index t = 0; t < 5; ++t)
                QCOMPARE(map.norms(i, t) > 0.0F, t <= i || leaks);
    }

    void couplingIsSaidInWords()
    {
        const Case c = caseOf(Axis::Key, 0);
        QCOMPARE(coupled(c, Coupled::Heads).sentence,
                 std::string("No query, example or head enters another's denominator."));
        QCOMPARE(coupled(caseOf(Axis::Query, 0), Coupled::Queries).sentence,
                 std::string("Queries compete for each key."));
        QCOMPARE(coupled(caseOf(Axis::Query, 0), Coupled::Examples).sentence,
                 std::string("On the query axis no example enters another's denominator."));
        QCOMPARE(coupled(caseOf(Axis::Batch, 0), Coupled::Examples).sentence,
                 std::string("Your result depends on who shares the batch."));
        const Influence heads = coupled(caseOf(Axis::Head, 0), Coupled::Heads);
        Matrix off = heads.norms;
        off.diagonal().setZero();
        Index row = 0;
        Index column = 0;
        off.maxCoeff(&row, &column);
        QCOMPARE(heads.sentence, "Head " + std::to_string(row + 1) + " moves when head " +
                                     std::to_string(column + 1) + " does.");
        ScoreSettings alone;
        alone.axis = Axis::Batch;
        QCOMPARE(coupling(randomInputs({1, 2, 2, 3, 3, 2, 2}, 1), alone, Coupled::Examples, 0, 0)
                     ->sentence,
                 std::string("There is only one example."));
    }

    void undefinedWeightsAreHatchedAndNothingElse()
    {
        Case c{randomInputs({1, 1, 1, 3, 3, 2, 2}, 3), {}};
        Tensor mask = Tensor::filled({1, 1, 3, 3}, 1.0F);
        mask.slice(0, 0).row(1).setZero(); // query 1 may use no key
        c.inputs.mask = share(std::move(mask));
        const Influence keys = *coupling(c.inputs, c.settings, Coupled::Queries, 0, 0);
        for (Index i = 0; i < 3; ++i)
            for (Index n = 0; n < 3; ++n) {
                QCOMPARE(std::isnan(keys.norms(i, n)), i == 1 && n == 1);
                if (i != n)
                    QCOMPARE(keys.norms(i, n), 0.0F);
            }
        QVERIFY(keys.sentence.ends_with("Hatched entries rest on undefined weights."));
    }

    void valuesBehindTheMaskAddNothing()
    {
        const Inputs clean = randomInputs({1, 1, 1, 4, 4, 2, 2}, 3);
        Inputs dirty = clean;
        Tensor v = *clean.v;
        Tensor k = *clean.k;
        v.slice(0, 0).row(3).setConstant(NAN);
        k.slice(0, 0).row(3).setConstant(NAN);
        dirty.v = share(std::move(v));
        dirty.k = share(std::move(k));
        ScoreSettings settings;
        settings.causal = true;
        const Influence a = *tokenInfluence(clean, settings, MovedToken::Whole, 0, 0);
        const Influence b = *tokenInfluence(dirty, settings, MovedToken::Whole, 0, 0);
        QCOMPARE(b.norms.topRows(3).eval(), a.norms.topRows(3).eval());
        QVERIFY(b.norms.row(3).array().isNaN().all());
    }

    void equalValuesLetNothingMove()
    {
        // On the key axis a mixture of equal rows is that row, whatever the weights are.
        Inputs inputs = randomInputs({1, 1, 1, 6, 6, 3, 3}, 3);
        inputs.v = share(Tensor::filled({1, 1, 6, 3}, 0.3F));
        const Influence keys = *coupling(inputs, {}, Coupled::Queries, 0, 0);
        QCOMPARE(keys.norms.cwiseAbs().maxCoeff(), 0.0F);
    }

    void atTemperatureZeroOnlyTiesCouldMove()
    {
        Inputs inputs = randomInputs({1, 1, 1, 4, 4, 2, 2}, 3);
        ScoreSettings settings;
        settings.axis = Axis::Query;
        settings.temperature = 0.0F;
        const Influence map = *coupling(inputs, settings, Coupled::Queries, 0, 0);
        QCOMPARE(map.norms.cwiseAbs().maxCoeff(), 0.0F);
        QVERIFY(map.sentence.find("At τ = 0") != std::string::npos);
        inputs.q = share(Tensor::zeros({1, 1, 4, 2}));
        QVERIFY(coupling(inputs, settings, Coupled::Queries, 0, 0)->norms.hasNaN());
    }

    void largeMapsAreSampledAndSaySo()
    {
        const Inputs inputs = randomInputs({1, 1, 1, 2500, 70, 4, 4}, 3);
        ScoreSettings settings;
        const Influence map = *tokenInfluence(inputs, settings, MovedToken::Query, 0, 0);
        QVERIFY(map.isSampled);
        QCOMPARE(map.norms.rows(), 2048);
        QCOMPARE(map.rows.front(), 0);
        QCOMPARE(map.rows.back(), 2499);
        QVERIFY(map.sentence.ends_with("Too many to show in time: a sample, evenly spread."));
        // What is shown is what the whole map would have there.
        Inputs one = inputs;
        Tensor q({1, 1, 1, 4});
        q.slice(0, 0) = inputs.q->slice(0, 0).row(map.rows[100]);
        one.q = share(std::move(q));
        const Influence exact = *tokenInfluence(one, settings, MovedToken::Query, 0, 0);
        QVERIFY(std::abs(exact.norms(0, 0) - map.norms(100, 100)) <= 1e-6F * exact.norms(0, 0));
    }

    void theNumberOfThreadsDoesNotMatter()
    {
        const Case c = caseOf(Axis::Query, 1);
        setThreadCount(1);
        const Influence one = coupled(c, Coupled::Queries);
        setThreadCount(5);
        const Influence five = coupled(c, Coupled::Queries);
        QVERIFY(sameBits(one.norms, five.norms));
    }

    void errorsAreSaid()
    {
        Inputs inputs = randomInputs({1, 1, 1, 2, 3, 2, 2}, 3);
        std::stop_source source;
        source.request_stop();
        QCOMPARE(coupling(inputs, {}, Coupled::Queries, 0, 0, source.get_token()).error().code,
                 Errc::Cancelled);
        QCOMPARE(coupling(inputs, {}, Coupled::Heads, 0, 0, source.get_token()).error().code,
                 Errc::Cancelled);
        QCOMPARE(tokenInfluence(inputs, {}, MovedToken::Key, 0, 0, source.get_token()).error().code,
                 Errc::Cancelled);
        inputs.v = nullptr;
        QCOMPARE(coupling(inputs, {}, Coupled::Queries, 0, 0).error().code, Errc::BadValue);
        QCOMPARE(tokenInfluence(inputs, {}, MovedToken::Key, 0, 0).error().code, Errc::BadValue);
    }
};

QTEST_APPLESS_MAIN(TestInfluence)
#include "tst_influence.moc"
