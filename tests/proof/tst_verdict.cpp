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
        QTest::newRow("undefined and one off")
            << QList<double>{NAN, NAN, 3.31} << "2 undefined, 1 sums to 3.31";
        QTest::newRow("undefined and two off")
            << QList<double>{NAN, 0.5, 2.0} << "1 undefined, 2 sum to 0.50 … 2.00";
        QTest::newRow("undefined and valid")
            << QList<double>{NAN, 1.0, 1.0} << "1 undefined, 2 sum to 1";
        QTest::newRow("all three kinds")
            << QList<double>{NAN, 1.0, 0.25} << "1 undefined, 1 sums to 1, 1 sums to 0.25";
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
        QCOMPARE(sumText(withSums({0.0}).rows[0]), std::string("0.00"));
        QCOMPARE(sumText(withSums({0.0042}).rows[0]), std::string("0.0042"));
        QCOMPARE(sumText(withSums({1.2e-7}).rows[0]), std::string("1.2e-07"));
        QCOMPARE(sumText(withSums({2097152.0}).rows[0]), std::string("2097152"));
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
        row("key valid", Axis::Key, {1, 1}, many, true,
            "each output is a weighted average of the value rows it may use");
        row("query valid", Axis::Query, {1, 1}, many, true, "Valid here by coincidence");
        row("head valid", Axis::Head, {1, 1}, many, true, "Valid here by coincidence");
        row("key off", Axis::Key, {0.98, 1.02}, many, false,
            "Rows sum to 0.98 … 1.02: this is not a softmax over the keys.");
        row("query off", Axis::Query, {0.15, 2.36}, many, false,
            "Each key hands out 1; no query is owed 1: rows sum to 0.15 … 2.36.");
        row("batch off", Axis::Batch, {0.5}, many, false,
            "Weights sum to 1 over the examples, so nothing makes a row sum to 1");
        row("head off", Axis::Head, {0.5}, many, false,
            "Weights sum to 1 over the heads, so nothing makes a row sum to 1");
        row("undefined, cause unknown", Axis::Key, {NAN, 1}, many, false,
            "A slice without an allowed entry (0/0), or a score that is NaN or +inf, spoils 1 "
            "row.");
        row("one key", Axis::Key, {1, 1}, {2, 4, 3, 1}, true,
            "One key: the output is its value row.");
        row("one query", Axis::Query, {3}, {2, 4, 1, 3}, false,
            "One query: every allowed weight is 1, the output is a sum, not an average.");
        row("one example", Axis::Batch, {3}, {1, 4, 3, 3}, false,
            "One example: every allowed weight is 1, whatever Q and K say.");
        row("one head", Axis::Head, {3}, {2, 1, 3, 3}, false,
            "One head: every allowed weight is 1, whatever Q and K say.");
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
        QCOMPARE(v.hasRows, !sums.isEmpty());
        QVERIFY2(QString::fromStdString(v.sentence).contains(says), v.sentence.c_str());
        QVERIFY(!v.headline.empty() && v.sentence.ends_with('.'));
        // Said nowhere, because it is not so.
        QVERIFY(!QString::fromStdString(v.sentence).contains("wrong shape"));
        QVERIFY(!QString::fromStdString(v.sentence).contains("exactly 1"));
    }

    void theCauseOfUndefinedRowsIsTold_data()
    {
        QTest::addColumn<int>("axis");
        QTest::addColumn<QList<float>>("weights"); // 2 x 2
        QTest::addColumn<QList<float>>("logits");
        QTest::addColumn<QString>("sentence");
        const auto row = [](const char* name, Axis axis, QList<float> weights, QList<float> logits,
                            const char* sentence) {
            QTest::newRow(name) << int(axis) << weights << logits << QString::fromUtf8(sentence);
        };
        constexpr float n = std::numeric_limits<float>::quiet_NaN();
        constexpr float m = -std::numeric_limits<float>::infinity();
        row("a query without keys", Axis::Key, {n, n, 0.5F, 0.5F}, {m, m, 1, 1},
            "One query may use no key: 0/0, so its output is undefined.");
        row("no query has keys", Axis::Key, {n, n, n, n}, {m, m, m, m},
            "2 queries may use no key: 0/0, so their outputs are undefined.");
        row("a key that nobody uses", Axis::Query, {1, n, 0, n}, {1, m, m, m},
            "No query may use one of the keys: 0/0 there spoils every output of this head.");
        row("a cell hidden everywhere", Axis::Batch, {0.5F, n, 0.5F, 0.5F}, {1, m, 2, 1},
            "One cell is masked in every example: 0/0 there spoils 1 row.");
        row("hidden in every head", Axis::Head, {n, n, n, 0.5F}, {m, m, m, 1},
            "3 cells are masked in every head: 0/0 there spoils 2 rows.");
        row("a score that is NaN", Axis::Key, {n, n, 0.5F, 0.5F}, {n, 1, 1, 1},
            "A score that is NaN or +inf spoils 1 row.");
        row("both", Axis::Key, {n, n, n, n}, {n, 1, m, m},
            "One query may use no key: 0/0, so its output is undefined. A score that is NaN or "
            "+inf spoils 1 row.");
    }
    void theCauseOfUndefinedRowsIsTold()
    {
        QFETCH(int, axis);
        QFETCH(QList<float>, weights);
        QFETCH(QList<float>, logits);
        QFETCH(QString, sentence);
        const Verdict v = verdict(
            Axis(axis), certify(MatrixView(weights.data(), 2, 2), MatrixView(logits.data(), 2, 2)),
            {2, 4, 4, 2, 2, 2, 2});
        QCOMPARE(QString::fromStdString(v.sentence), sentence);
        QVERIFY(QString::fromStdString(v.headline).endsWith("rows are undefined"));
    }

    void overAllMapsAHiddenCellCountsOnce()
    {
        // Two examples of one head, one cell hidden in both.
        constexpr float n = std::numeric_limits<float>::quiet_NaN();
        constexpr float m = -std::numeric_limits<float>::infinity();
        Tensor weights = Tensor::filled({2, 1, 2, 2}, 0.5F);
        Tensor logits = Tensor::zeros({2, 1, 2, 2});
        for (Index b = 0; b < 2; ++b) {
            weights.at(b, 0, 0, 1) = n;
            logits.at(b, 0, 0, 1) = m;
        }
        const Certificate c = certify(weights, logits);
        QCOMPARE(c.nEmptyCells, 2);
        const Sizes sizes{2, 1, 1, 2, 2, 2, 2};
        QVERIFY(verdict(Axis::Batch, c, sizes)
                    .sentence.starts_with(
                        "One cell is masked in every example: 0/0 there spoils 2 rows."));
        QVERIFY(verdict(Axis::Query, c, sizes)
                    .sentence.starts_with(
                        "Some keys may be used by no query: 0/0 there spoils 2 rows."));
    }

    void equalWeightsAreCalledSo_data()
    {
        QTest::addColumn<int>("axis");
        QTest::addColumn<int>("nRows");
        QTest::addColumn<float>("weight");
        QTest::addColumn<QString>("says");
        QTest::newRow("keys") << int(Axis::Key) << 3 << 0.25F
                              << "each output is the plain average of the allowed value rows";
        QTest::newRow("queries, oblong")
            << int(Axis::Query) << 2 << 0.5F
            << "rows sum to Tk / Tq, here 2.00, and to 1 only if the map is square";
        QTest::newRow("queries, square")
            << int(Axis::Query) << 4 << 0.25F << "which is 1 because the map is square";
        QTest::newRow("examples") << int(Axis::Batch) << 3 << 0.5F
                                  << "the number of allowed keys divided by B, here 2.00";
        QTest::newRow("heads") << int(Axis::Head) << 3 << 0.2F
                               << "the number of allowed keys divided by H, here 0.80";
        QTest::newRow("examples, equal for another reason")
            << int(Axis::Batch) << 3 << 0.3F << "nothing makes a row sum to 1";
    }
    void equalWeightsAreCalledSo()
    {
        QFETCH(int, axis);
        QFETCH(int, nRows);
        QFETCH(float, weight);
        QFETCH(QString, says);
        const Matrix weights = Matrix::Constant(nRows, 4, weight);
        const Matrix logits = Matrix::Zero(nRows, 4);
        const Verdict v = verdict(Axis(axis), certify(viewOf(weights), viewOf(logits)),
                                  {2, 5, 5, nRows, 4, 2, 2});
        QVERIFY2(QString::fromStdString(v.sentence).contains(says), v.sentence.c_str());
    }

    void negativeWeightsAreNotHiddenBehindTheirSum()
    {
        Matrix weights(2, 2);
        weights << 1.25F, -0.25F, 0.5F, 0.5F;
        const Verdict v = verdict(Axis::Key, certify(viewOf(weights)));
        QVERIFY(!v.valid);
        QCOMPARE(v.pill, std::string("2 of 2 rows sum to 1, 1 has negative weights"));
        QVERIFY(v.sentence.find("1 row has negative weights") != std::string::npos);
    }

    void oneKeyUnderTheZeroPolicyIsNotCalledItsValueRow()
    {
        ScoreSettings settings;
        settings.empty = EmptySlice::Zero;
        const Verdict v = verdictOf(withSums({0, 1}), settings, {1, 1, 1, 2, 1, 2, 2});
        QVERIFY(v.sentence.find("value row") == std::string::npos);
    }

    void anAxisOfLengthOneWithOneAllowedKeyIsValidByCoincidence()
    {
        const Verdict v = verdict(Axis::Head, withSums({1, 1}), {2, 1, 1, 2, 1, 2, 2});
        QVERIFY(v.valid);
        QCOMPARE(v.sentence, std::string("One head: every allowed weight is 1. Valid here by "
                                         "coincidence: each query may use one key only."));
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
