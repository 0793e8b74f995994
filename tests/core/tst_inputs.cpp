#include "core/inputs.h"
#include "core/settings.h"
#include "tests/core/sample_values.h"

#include <QTest>

using namespace keyaxis;
using namespace keyaxis::testing;

class TestInputs : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void namesWhatDoesNotFit_data()
    {
        QTest::addColumn<QList<int>>("q");
        QTest::addColumn<QList<int>>("k");
        QTest::addColumn<QList<int>>("v");
        QTest::addColumn<QString>("message");
        QTest::newRow("width")
            << QList{1, 1, 2, 4} << QList{1, 1, 2, 8} << QList{1, 1, 2, 8}
            << "q is 4 wide and k is 8 wide; their dot product needs the same width";
        QTest::newRow("heads") << QList{1, 4, 2, 4} << QList{1, 3, 2, 4} << QList{1, 3, 2, 4}
                               << "q has 4 heads and k has 3; the number of query heads must be a "
                                  "multiple of the number of key heads";
        QTest::newRow("batch") << QList{1, 1, 2, 4} << QList{2, 1, 2, 4} << QList{2, 1, 2, 4}
                               << "q has 1 batch items and k has 2";
        QTest::newRow("values") << QList{1, 1, 2, 4} << QList{1, 1, 3, 4} << QList{1, 1, 2, 4}
                                << "v [1, 1, 2, 4] must have the batch items, heads and keys of k "
                                   "[1, 1, 3, 4]";
        QTest::newRow("no keys") << QList{1, 1, 2, 4} << QList{1, 1, 0, 4} << QList{1, 1, 0, 4}
                                 << "k [1, 1, 0, 4] needs at least one head and one key";
        QTest::newRow("no width") << QList{1, 1, 2, 0} << QList{1, 1, 2, 0} << QList{1, 1, 2, 0}
                                  << "q [1, 1, 2, 0] needs at least one batch item, one head and "
                                     "one feature";
    }
    void namesWhatDoesNotFit()
    {
        QFETCH(QList<int>, q);
        QFETCH(QList<int>, k);
        QFETCH(QList<int>, v);
        QFETCH(QString, message);
        const auto tensor = [](const QList<int>& s) {
            return share(Tensor::zeros({s[0], s[1], s[2], s[3]}));
        };
        Inputs inputs;
        inputs.q = tensor(q);
        inputs.k = tensor(k);
        inputs.v = tensor(v);
        const auto result = validated(inputs);
        QVERIFY(!result);
        QCOMPARE(result.error().code, Errc::BadInput);
        QCOMPARE(QString::fromStdString(result.error().message), message);
    }

    void acceptsGroupsOneQueryAndNoValues()
    {
        QVERIFY(validated(randomInputs({2, 6, 2, 1, 7, 3, 4}, 1)));
        QVERIFY(validated(randomInputs({1, 1, 1, 0, 1, 1, 1}, 1)));
        Inputs inputs = randomInputs({2, 6, 2, 1, 7, 3, 4}, 1);
        inputs.v.reset();
        QVERIFY(validated(inputs));
        inputs.k.reset();
        QCOMPARE(QString::fromStdString(validated(inputs).error().message), "k is missing");
    }

    void aMaskMustBroadcast()
    {
        Inputs inputs = randomInputs({2, 4, 2, 3, 7, 3, 4}, 1);
        for (const Shape shape : {Shape{1, 1, 1, 1}, Shape{2, 1, 1, 7}, Shape{2, 4, 3, 7}}) {
            inputs.mask = share(Tensor::filled(shape, 1));
            QVERIFY(validated(inputs));
        }
        inputs.mask = share(Tensor::filled({1, 1, 3, 6}, 1));
        QCOMPARE(QString::fromStdString(validated(inputs).error().message),
                 "mask [1, 1, 3, 6] does not broadcast to the scores [2, 4, 3, 7]");
    }

    void tokensWithoutANameAreCounted()
    {
        const TokenNames names{{"a", "b"}};
        QCOMPARE(tokenName(names, 0, 1, 'q'), std::string("b"));
        QCOMPARE(tokenName(names, 0, 2, 'q'), std::string("q2"));
        QCOMPARE(tokenName(names, 1, 0, 'k'), std::string("k0"));
    }

    void theSettingsLineSaysEverythingThatIsOn()
    {
        ScoreSettings settings;
        QCOMPARE(settingsLine(settings, 16, false, false),
                 std::string("softmax over keys · τ = 1 · scale 1/√16 · empty NaN"));
        settings.axis = Axis::Batch;
        settings.causal = settings.alibi = true;
        settings.align = Align::End;
        settings.temperature = 0.1F;
        settings.scale = 1.0;
        settings.empty = EmptySlice::Zero;
        QCOMPARE(settingsLine(settings, 16, true, true),
                 std::string("softmax over examples · causal (end) · mask (1 keeps) · bias · "
                             "ALiBi (authors) · τ = 0.1 · scale off · empty 0"));
        settings.causal = false;
        settings.slopes = SlopeRule::Geometric;
        settings.temperature = 0;
        settings.scale = 0.25;
        QCOMPARE(settingsLine(settings, 16, false, false),
                 std::string("softmax over examples · ALiBi (geometric, end) · τ = 0 (arg-max "
                             "limit) · scale 0.25 · empty 0"));
    }
};

QTEST_APPLESS_MAIN(TestInputs)
#include "tst_inputs.moc"
