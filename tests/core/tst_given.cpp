#include "core/attention/attention.h"
#include "core/attention/cell_logit.h"
#include "core/settings_line.h"
#include "tests/core/sample_values.h"

#include <QTest>
#include <cmath>
#include <limits>

using namespace keyaxis;
using namespace keyaxis::testing;

namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
const Sizes kSizes{2, 4, 2, 70, 67, 8, 3}; // more than one tile each way

/// The raw scores of `inputs` in place of its q and k.
Inputs scoresOf(const Inputs& inputs)
{
    Inputs given;
    given.scores = share(attend(inputs, {}, {.scores = true})->scores);
    given.v = inputs.v;
    return given;
}

} // namespace

/// Scores or weights in place of q and k.
class TestGiven : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void scoresGiveTheBitsThatTheirQueriesAndKeysGive_data()
    {
        QTest::addColumn<int>("axis");
        for (const Axis axis : kAllAxes)
            QTest::newRow(names(axis).name.data()) << int(axis);
    }
    void scoresGiveTheBitsThatTheirQueriesAndKeysGive()
    {
        QFETCH(int, axis);
        const Inputs inputs = randomInputs(kSizes, 1);
        const Inputs given = scoresOf(inputs);
        ScoreSettings settings;
        settings.axis = static_cast<Axis>(axis);
        settings.causal = true;
        settings.align = Align::End;
        settings.alibi = true;
        settings.temperature = 0.7F;
        settings.scale = 0.3;
        const auto expected = attend(inputs, settings, {.scores = true, .logits = true});
        const auto found = attend(given, settings, {.scores = true, .logits = true});
        QVERIFY(sameBits(found->scores, expected->scores));
        QVERIFY(sameBits(found->logits, expected->logits));
        QVERIFY(sameBits(found->weights, expected->weights));
        QVERIFY(sameBits(found->output, expected->output));
        const auto slice = attendSlice(given, settings, 1, 2);
        QVERIFY(sameBits(slice->weights, Matrix(expected->weights.slice(1, 2))));
        QCOMPARE(cellLogit(given, settings, 1, 2, 66, 65), slice->before->logits(66, 65));
    }

    void scoresAreNotScaledUnlessAsked()
    {
        const Inputs given = scoresOf(randomInputs(kSizes, 1));
        QVERIFY(sameBits(attend(given, {}, {.logits = true})->logits, *given.scores));
        QCOMPARE(settingsLine(given, {}), "scores as loaded · softmax over keys · τ = 1 · "
                                          "scale off · empty NaN");
    }

    void minusInfinityMasksAndNanStaysWhereItIs()
    {
        Inputs given;
        Tensor scores = Tensor::zeros({1, 1, 3, 3});
        scores.at(0, 0, 0, 1) = -kInfinity;
        scores.at(0, 0, 1, 2) = std::nanf("");
        given.scores = share(std::move(scores));
        given.v = share(Tensor::filled({1, 1, 3, 2}, 1.0F));
        ScoreSettings settings;
        settings.scale = -1; // would make it +inf
        const auto found = attend(given, settings);
        QCOMPARE(found->weights.at(0, 0, 0, 1), 0.0F);
        QVERIFY(!std::signbit(found->weights.at(0, 0, 0, 1)));
        QCOMPARE(found->weights.at(0, 0, 0, 0), 0.5F);
        QVERIFY(std::isnan(found->weights.at(0, 0, 1, 0)));
        QCOMPARE(found->weights.at(0, 0, 2, 0), 1.0F / 3);
        settings.causal = true; // the NaN is hidden, and does not leak
        QCOMPARE(attend(given, settings)->weights.at(0, 0, 1, 0), 0.5F);
    }

    void weightsComeBackAsTheyAre()
    {
        Inputs given;
        given.weights = share(randomTensor(kSizes.weights(), 5));
        given.v = share(randomTensor({2, 2, 67, 3}, 6));
        ScoreSettings settings;
        settings.axis = Axis::Head;
        settings.causal = true;
        const auto found = attend(given, settings);
        QVERIFY(sameBits(found->weights, *given.weights));
        for (Index i = 0; i < 70; ++i) {
            const Eigen::RowVectorXd expected = given.weights->slice(1, 3).row(i).cast<double>() *
                                                given.v->slice(1, 1).cast<double>();
            for (Index c = 0; c < 3; ++c)
                QVERIFY(std::abs(double(found->output.at(1, 3, i, c)) - expected(c)) < 1e-4);
        }
        const auto slice = attendSlice(given, settings, 1, 3);
        QVERIFY(sameBits(slice->weights, Matrix(given.weights->slice(1, 3))));
        QVERIFY(sameBits(slice->output, Matrix(found->output.slice(1, 3))));
        QCOMPARE(slice->before->scores.size(), 0);
        QCOMPARE(settingsLine(given, settings), "weights as loaded");
        given.layer = "layers.3";
        QCOMPARE(settingsLine(given, settings), "weights as loaded · layer layers.3");
    }

    void whatIsKeptFollowsAnEdit()
    {
        KeptAttention kept;
        const Inputs inputs = randomInputs({1, 2, 2, 5, 5, 4, 3}, 1);
        Inputs given = scoresOf(inputs);
        const auto isRight = [&](const Inputs& now) {
            return sameBits(kept.slice(now, {}, 0, 1).value()->weights,
                            attendSlice(now, {}, 0, 1)->weights);
        };
        QVERIFY(isRight(inputs));
        QVERIFY(isRight(given));
        Tensor edited = *given.scores;
        edited.at(0, 1, 2, 2) += 1.0F;
        given.scores = share(edited);
        QVERIFY(isRight(given));
        Inputs weights;
        weights.weights = given.scores; // the same numbers, seen as weights
        weights.v = given.v;
        QVERIFY(isRight(weights));
        edited.at(0, 1, 0, 0) = 7.0F;
        weights.weights = share(edited);
        QVERIFY(isRight(weights));
        QVERIFY(isRight(inputs));
    }

    void whatDoesNotFitIsRefused_data()
    {
        QTest::addColumn<Inputs>("inputs");
        QTest::addColumn<QString>("says");
        const SharedTensor map = share(Tensor::zeros({2, 4, 5, 6}));
        Inputs both;
        both.scores = both.weights = map;
        QTest::newRow("scores and weights") << both << "one of them only";
        Inputs withQ;
        withQ.scores = map;
        withQ.q = map;
        QTest::newRow("scores and q") << withQ << "one of them only";
        Inputs keys;
        keys.weights = map;
        keys.v = share(Tensor::zeros({2, 4, 5, 3}));
        QTest::newRow("values of other keys") << keys << "the batch items and keys of weights";
        Inputs heads;
        heads.scores = map;
        heads.v = share(Tensor::zeros({2, 3, 6, 3}));
        QTest::newRow("heads that do not divide") << heads << "scores has 4 heads and v has 3";
        Inputs empty;
        empty.scores = share(Tensor::zeros({1, 1, 3, 0}));
        QTest::newRow("no key") << empty << "at least one batch item, one head and one key";
        Inputs mask;
        mask.scores = map;
        mask.mask = share(Tensor::zeros({2, 4, 5, 5}));
        QTest::newRow("a mask of other keys") << mask << "does not broadcast";
    }
    void whatDoesNotFitIsRefused()
    {
        QFETCH(Inputs, inputs);
        QFETCH(QString, says);
        const auto refused = validated(inputs);
        QVERIFY(!refused);
        QVERIFY2(refused.error().message.find(says.toStdString()) != std::string::npos,
                 refused.error().message.c_str());
    }
};

QTEST_APPLESS_MAIN(TestGiven)
#include "tst_given.moc"
