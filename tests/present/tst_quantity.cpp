// The numbers that a lesson speaks of, against a map that is known by hand.

#include "ui/present/quantity.h"

#include <QTest>
#include <cmath>

using namespace keyaxis;

namespace {

const LessonPlace kPlace{"l.md", 1};

StepState stateOf(const char* toml)
{
    return readStepSettings(QString::fromUtf8(toml), kPlace, {}).value().state;
}

/// Logits ln 1, ln 2, ln 4 in two orders: shares of 1/7, 2/7 and 4/7.
const StepState& byHand()
{
    static const StepState state =
        stateOf("logits = [[\"ln 1\", \"ln 2\", \"ln 4\"], [\"ln 4\", \"ln 1\", \"ln 2\"]]");
    return state;
}

double valueOf(const char* text, const StepState& state = byHand())
{
    return evaluateQuantity(QString::fromUtf8(text), state, kPlace).value();
}

} // namespace

class TestQuantity : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyWordSaysItsNumber_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<double>("expected");
        const auto row = [](const char* text, double expected) {
            QTest::newRow(text) << QString::fromLatin1(text) << expected;
        };
        row("score 0 2", std::log(4));
        row("logit 1 2", std::log(2));
        row("logit 0 2 tau=2", std::log(2));
        row("logit 0 2 scale=2", std::log(16));
        row("weight 0 2", 4.0 / 7);
        row("weight 0 2 axis=query", 2.0 / 3);
        row("weight 0 1 causal=on align=start", 0);
        row("weight 1 0 causal=on", 0.8);
        row("output 1 0", 4.0 / 7); // v is the identity
        row("row_sum 1", 1);
        row("row_sum 0 axis=query", 1.0 / 5 + 2.0 / 3 + 2.0 / 3);
        row("column_sum 0", 5.0 / 7);
        row("part_sum 0 1 3", 6.0 / 7);
        row("top_key 1", 0);
        row("top_weight 0", 4.0 / 7);
        row("smallest_sum axis=query", 4.0 / 5 + 1.0 / 3 + 1.0 / 3);
        row("largest_sum axis=query", 1.0 / 5 + 2.0 / 3 + 2.0 / 3);
        row("largest_weight", 4.0 / 7);
        row("valid_rows", 2);
        row("valid_rows axis=query", 0);
        row("masked_cells causal=on", 3);
        row("undefined_rows causal=on axis=head", 2);
        row("undefined_rows causal=on axis=head empty=zero", 0);
        row("empty_cells causal=on axis=query", 2);
        row("undefined_outputs causal=on axis=batch", 2);
        row("queries", 2);
        row("keys", 3);
        row("heads", 1);
        row("examples", 1);
        row("width", 3);
        row("slope 0", 1.0 / 256);
        row("largest_change axis=query", 2.0 / 3 - 2.0 / 7);
        row("largest_change tau=1", 0);
    }
    void everyWordSaysItsNumber()
    {
        QFETCH(QString, text);
        QFETCH(double, expected);
        const auto value = evaluateQuantity(text, byHand(), kPlace);
        QVERIFY2(value, value ? "" : value.error().message.c_str());
        QVERIFY2(std::abs(*value - expected) < 1e-6, qPrintable(QString::number(*value)));
    }

    void aMovedTokenMovesWhatReadsIt()
    {
        const StepState state = stateOf("sentence = \"the cat sat on the mat\"\nseed = 3\n"
                                        "sizes = {examples = 2, heads = 3}\ncausal = true");
        QCOMPARE(valueOf("moved_by_last_token", state), 0.0);
        QCOMPARE(valueOf("moved_by_last_token causal=off", state), 5.0);
        QCOMPARE(valueOf("moved_by_last_token axis=query", state), 5.0);
        QCOMPARE(valueOf("moved_by_head 2 causal=off", state), 0.0);
        QCOMPARE(valueOf("moved_by_head 2 causal=off axis=head", state), 6.0);
        QCOMPARE(valueOf("moved_by_example 1 causal=off", state), 0.0);
        QCOMPARE(valueOf("moved_by_example 1 causal=off axis=batch", state), 6.0);
        QCOMPARE(valueOf("moved_by_example 1 causal=off axis=head", state), 0.0);
    }

    /// Queries 0 and 1 may use one and two rows; the corners of a triangle are their values.
    void anOutputLeavesTheHull()
    {
        const StepState state =
            stateOf("q = [[1], [1], [1]]\nk = [[0], [0], [0]]\nv = [[1, 0], [3, 0], [1, 2]]\n"
                    "causal = true");
        QCOMPARE(valueOf("outside_outputs", state), 0.0);
        QCOMPARE(valueOf("hull_distance 0", state), 0.0);
        // Over the queries key 0 hands out 1/3 to each: o = (1/3, 0) beside the row (1, 0).
        QVERIFY(std::abs(valueOf("hull_distance 0 axis=query", state) - 2.0 / 3) < 1e-6);
        // Query 1: 1/3 (1, 0) + 1/2 (3, 0), on the line between its two rows.
        QVERIFY(std::abs(valueOf("hull_distance 1 axis=query", state)) < 1e-6);
        // Query 2: (1/3 + 3/2 + 1, 2), beyond the line from (3, 0) to (1, 2).
        QVERIFY(std::abs(valueOf("hull_distance 2 axis=query", state) - (17.0 / 6 - 1) / M_SQRT2) <
                1e-6);
        QCOMPARE(valueOf("outside_outputs axis=query", state), 2.0);
    }

    void conditionsCompare()
    {
        const auto holds = [](const char* text) {
            return evaluateCondition(QString::fromUtf8(text), byHand(), kPlace).value();
        };
        QVERIFY(holds("row_sum 0 == 1"));
        QVERIFY(!holds("row_sum 0 != 1"));
        QVERIFY(!holds("row_sum 0 < 1"));
        QVERIFY(holds("row_sum 0 <= 1"));
        QVERIFY(holds("weight 0 2 > weight 0 1"));
        QVERIFY(holds("weight 0 2 == 4/7"));
        QVERIFY(holds("valid_rows == queries and row_sum 0 axis=query >= 1.5"));
        QVERIFY(!holds("valid_rows == queries and row_sum 0 axis=query < 1.5"));
    }

    void aWrittenNumberStandsForWhatRoundsToIt()
    {
        QCOMPARE(agrees(0.7349, "0.73"), std::optional(true));
        QCOMPARE(agrees(0.7351, "0.73"), std::optional(false));
        QCOMPARE(agrees(1.2, "1"), std::optional(false)); // a whole number is meant as one
        QCOMPARE(agrees(1, "1.00"), std::optional(true));
        QCOMPARE(agrees(std::nan(""), "NaN"), std::optional(true));
        QCOMPARE(agrees(0, "-inf"), std::optional(false));
        QCOMPARE(agrees(0.5, "NaN"), std::optional(false));
        QCOMPARE(agrees(4.0 / 7, "4/7"), std::optional(true));
        QCOMPARE(agrees(0.57, "4/7"), std::optional(false));
        QCOMPARE(agrees(1, "one"), std::optional<bool>());
    }

    void textsAreFilledIn_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("expected");
        QTest::newRow("two decimals") << "{weight 0 2}"
                                      << "0.57";
        QTest::newRow("as many as asked") << "{weight 0 2 : 4}"
                                          << "0.5714";
        QTest::newRow("a count") << "{valid_rows} of {queries}"
                                 << "2 of 2";
        QTest::newRow("as written") << "{weight 0 2 = 4/7}"
                                    << "4/7";
        QTest::newRow("with a setting") << "{row_sum 0 axis=query = 1.53}"
                                        << "1.53";
        QTest::newRow("undefined") << "{row_sum 0 causal=on axis=head}"
                                   << "NaN";
        QTest::newRow("braces that are meant") << "\\{weight 0 2\\}"
                                               << "{weight 0 2}";
        QTest::newRow("none") << "a = b"
                              << "a = b";
    }
    void textsAreFilledIn()
    {
        QFETCH(QString, text);
        QFETCH(QString, expected);
        const auto filled = filledIn(text, byHand(), kPlace);
        QVERIFY2(filled, filled ? "" : filled.error().message.c_str());
        QCOMPARE(*filled, expected);
    }
};

QTEST_GUILESS_MAIN(TestQuantity)
#include "tst_quantity.moc"
