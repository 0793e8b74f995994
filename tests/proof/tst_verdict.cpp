#include "core/proof/verdict.h"

#include <QTest>
#include <cmath>

using namespace keyaxis;

namespace {

const Sizes kSizes{2, 4, 4, 3, 3, 2, 2};

/// Rows of two weights with the given sums; NaN makes a row undefined.
Certificate withSums(std::initializer_list<double> sums)
{
    Matrix weights(static_cast<Index>(sums.size()), 1);
    std::ranges::transform(sums, weights.data(), [](double s) { return static_cast<float>(s); });
    return certify(viewOf(weights));
}

Verdict verdict(Axis axis, const Certificate& c, const Sizes& sizes = kSizes)
{
    ScoreSettings settings;
    settings.axis = axis;
    return verdictOf(c, settings, sizes);
}

} // namespace

class TestVerdict : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void thePillHidesNoRow_data()
    {
        QTest::addColumn<QList<double>>("sums");
        QTest::addColumn<QString>("pill");
        QTest::newRow("all valid") << QList{1.0, 1.0, 1.0} << "3 of 3 rows sum to 1";
        QTest::newRow("one row") << QList{1.0} << "1 of 1 row sums to 1";
        QTest::newRow("none") << QList{0.5, 2.0} << "0 of 2 rows sum to 1";
        QTest::newRow("some") << QList{0.5, 1.0} << "1 of 2 rows sum to 1";
        QTest::newRow("undefined and one off") << QList<double>{NAN, NAN, 3.31} << "2 undefined, 1 sums to 3.31";
        QTest::newRow("undefined and two off") << QList<double>{NAN, 0.5, 2.0} << "1 undefined, 2 sum to 0.50 … 2.00";
        QTest::newRow("undefined and valid") << QList<double>{NAN, 1.0, 1.0} << "1 undefined, 2 sum to 1";
        QTest::newRow("all three kinds") << QList<double>{NAN, 1.0, 0.25} << "1 undefined, 1 sums to 1, 1 sums to 0.25";
        QTest::newRow("all undefined") << QList<double>{NAN, NAN} << "2 undefined";
        QTest::newRow("no rows") << QList<double>{} << "no rows";
    }
    void thePillHidesNoRow()
    {
        QFETCH(QList<double>, sums);
        QFETCH(QString, pill);
        Matrix weights(sums.size(), 1);
        for (int n = 0; n < sums.size(); ++n)
            weights(n, 0) = static_cast<float>(sums[n]);
        QCOMPARE(QString::fromStdString(verdict(Axis::Query, certify(viewOf(weights))).pill), pill);
    }

    void aRoundedSumNeverReadsAsOne()
    {
        QCOMPARE(sumText(withSums({1.0}).rows[0]), std::string("1.00"));
        QCOMPARE(sumText(withSums({1.00002}).rows[0]), std::string("1.00002"));
        QCOMPARE(sumText(withSums({1.0002}).rows[0]), std::string("1.0002"));
        QCOMPARE(sumText(withSums({0.9999}).rows[0]), std::string("0.9999"));
        QCOMPARE(sumText(withSums({0.98}).rows[0]), std::string("0.98"));
        QCOMPARE(sumText(withSums({2.0}).rows[0]), std::string("2.00"));
        QCOMPARE(sumText(withSums({NAN}).rows[0]), std::string("NaN"));
    }

    void everySituationHasItsSentence_data()
    {
        QTest::addColumn<int>("axis");
        QTest::addColumn<QList<double>>("sums");
        QTest::addColumn<QList<int>>("sizes"); // B H Tq Tk
        QTest::addColumn<bool>("isValid");
        QTest::addColumn<QString>("says");
        const auto row = [](const char* name, Axis axis, QList<double> sums, QList<int> sizes,
                            bool isValid, const char* says) {
            QTest::newRow(name) << int(axis) << sums << sizes << isValid << QString::fromUtf8(says);
        };
        const QList<int> many{2, 4, 3, 3};
        row("key valid", Axis::Key, {1, 1}, many, true, "each output is a weighted average of the value rows it may use");
        row("query valid", Axis::Query, {1, 1}, many, true, "Valid here by coincidence");
        row("head valid", Axis::Head, {1, 1}, many, true, "Valid here by coincidence");
        row("key off", Axis::Key, {0.98, 1.02}, many, false, "Rows sum to 0.98 … 1.02: this is not a softmax over the keys.");
        row("query off", Axis::Query, {0.15, 2.36}, many, false, "Each key hands out 1; no query is owed 1: rows sum to 0.15 … 2.36.");
        row("batch off", Axis::Batch, {0.5}, many, false, "Weights sum to 1 over the examples, so nothing makes a row sum to 1");
        row("head off", Axis::Head, {0.5}, many, false, "Weights sum to 1 over the heads, so nothing makes a row sum to 1");
        row("key undefined", Axis::Key, {NAN, 1}, many, false, "the query may use no key");
        row("query undefined", Axis::Query, {NAN, NAN}, many, false, "No query may use some key");
        row("batch undefined", Axis::Batch, {NAN, 2}, many, false, "The mask hides cells in every example");
        row("head undefined", Axis::Head, {NAN, 2}, many, false, "The mask hides cells in every head");
        row("one key", Axis::Key, {1, 1}, {2, 4, 3, 1}, true, "One key: the output is its value row.");
        row("one query", Axis::Query, {3}, {2, 4, 1, 3}, false, "One query: every allowed weight is 1, the output is a sum, not an average.");
        row("one example", Axis::Batch, {3}, {1, 4, 3, 3}, false, "One example: every allowed weight is 1, whatever Q and K say.");
        row("one head", Axis::Head, {3}, {2, 1, 3, 3}, false, "One head: every allowed weight is 1, whatever Q and K say.");
        row("no rows", Axis::Key, {}, {2, 4, 0, 3}, false, "There are no queries");
    }
    void everySituationHasItsSentence()
    {
        QFETCH(int, axis);
        QFETCH(QList<double>, sums);
        QFETCH(QList<int>, sizes);
        QFETCH(bool, isValid);
        QFETCH(QString, says);
        Matrix weights(sums.size(), 1);
        for (int n = 0; n < sums.size(); ++n)
            weights(n, 0) = static_cast<float>(sums[n]);
        const Verdict v = verdict(Axis(axis), certify(viewOf(weights)),
                                  {sizes[0], sizes[1], sizes[1], sizes[2], sizes[3], 2, 2});
        QCOMPARE(v.valid, isValid);
        QVERIFY2(QString::fromStdString(v.sentence).contains(says), v.sentence.c_str());
        QVERIFY(!v.headline.empty() && v.sentence.ends_with('.'));
        // Said nowhere, because it is not so.
        QVERIFY(!QString::fromStdString(v.sentence).contains("wrong shape"));
        QVERIFY(!QString::fromStdString(v.sentence).contains("exactly 1"));
    }

    void aZeroPolicyIsNotCalledAForeignTensor()
    {
        ScoreSettings settings;
        settings.empty = EmptySlice::Zero;
        const Verdict v = verdictOf(withSums({0, 1, 1}), settings, kSizes);
        QVERIFY(!v.valid);
        QVERIFY(v.sentence.starts_with("A query that may use no key"));
    }
};

QTEST_APPLESS_MAIN(TestVerdict)
#include "tst_verdict.moc"
