#include "core/proof/head_statistics.h"

#include "core/parallel.h"
#include "tests/core/sample_values.h"

#include <QTest>
#include <cmath>
#include <limits>

using namespace keyaxis;
using namespace keyaxis::testing;

namespace {

constexpr float kMasked = -std::numeric_limits<float>::infinity();

double entropyOf(std::initializer_list<float> row)
{
    Matrix map(1, static_cast<Index>(row.size()));
    std::copy(row.begin(), row.end(), map.data());
    return meanEntropy(viewOf(map));
}

} // namespace

class TestHeadStatistics : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void entropyIsInBits()
    {
        QCOMPARE(entropyOf({1, 0, 0, 0}), 0.0);
        QCOMPARE(entropyOf({0.25F, 0.25F, 0.25F, 0.25F}), 2.0);
        QCOMPARE(entropyOf({0.5F, 0.5F, 0, 0}), 1.0);
        QCOMPARE(entropyOf({1, 1, 0, 0}), 1.0); // a row of another mass has the same shape
    }

    void rowsWithoutOneDoNotCount()
    {
        QVERIFY(std::isnan(entropyOf({0, 0})));
        QVERIFY(std::isnan(entropyOf({1.5F, -0.5F})));
        Matrix map(2, 2);
        map << std::nanf(""), 1, 0.5F, 0.5F;
        QCOMPARE(meanEntropy(viewOf(map)), 1.0);
        QVERIFY(std::isnan(meanEntropy(MatrixView(nullptr, 0, 3))));
    }

    void meanIsThatOfEachCell()
    {
        const Tensor weights = randomTensor({2, 3, 4, 5}, 1, 1.0F);
        Tensor logits = Tensor::zeros(weights.shape());
        for (Index h = 0; h < 3; ++h)
            logits.at(1, h, 2, 3) = kMasked;
        logits.at(0, 1, 0, 0) = kMasked; // not in all heads
        const Attention mean = meanOverHeads(weights, logits);
        QCOMPARE(mean.weights.shape(), (Shape{2, 1, 4, 5}));
        for (Index i = 0; i < 4; ++i)
            for (Index j = 0; j < 5; ++j) {
                const double expected =
                    (double(weights.at(1, 0, i, j)) + double(weights.at(1, 1, i, j)) +
                     double(weights.at(1, 2, i, j))) /
                    3;
                QVERIFY(std::abs(double(mean.weights.at(1, 0, i, j)) - expected) < 1e-7);
            }
        QCOMPARE(mean.logits.at(1, 0, 2, 3), kMasked);
        QCOMPARE(mean.logits.at(0, 0, 0, 0), 0.0F);
    }

    void headsAreSortedFromPointedToSpread()
    {
        Tensor weights = Tensor::filled({1, 4, 1, 4}, 0.25F);
        const auto set = [&](Index h, std::initializer_list<float> row) {
            std::copy(row.begin(), row.end(), weights.slice(0, h).data());
        };
        set(1, {std::nanf(""), 0, 0, 0});
        set(2, {0, 1, 0, 0});
        Attention all;
        all.logits = Tensor::zeros(weights.shape());
        all.weights = weights;
        const HeadFacts facts = headFactsOf(all).value();
        QCOMPARE(headsByEntropy(facts.entropiesOf(0)), (std::vector<Index>{2, 0, 3, 1}));
    }

    void factsAreThoseOfEachHeadAndOfTheMean()
    {
        Attention all;
        all.weights = randomTensor({2, 3, 40, 30}, 1, 1.0F);
        for (Index n = 0; n < all.weights.size(); ++n) // no negative weight has an entropy
            all.weights.data()[n] = std::abs(all.weights.data()[n]);
        all.logits = Tensor::zeros(all.weights.shape());
        for (const int nThreads : {1, 2, 5}) {
            setThreadCount(nThreads);
            const HeadFacts facts = headFactsOf(all).value();
            for (Index b = 0; b < 2; ++b)
                for (Index h = 0; h < 3; ++h) {
                    const double own = facts.entropiesOf(b)[static_cast<std::size_t>(h)];
                    const double expected = meanEntropy(std::as_const(all.weights).slice(b, h));
                    QVERIFY(expected > 0);
                    QCOMPARE(own, expected);
                }
            const Attention mean = meanOverHeads(all.weights, all.logits);
            QVERIFY(sameBits(facts.mean.weights, mean.weights));
            QCOMPARE(facts.ofMean.size(), std::size_t{2});
            QCOMPARE(facts.ofMean[1].digest->high,
                     std::as_const(mean.weights).slice(1, 0).maxCoeff());
        }
    }

    void stopsWhenAsked()
    {
        Attention all;
        all.weights = all.logits = Tensor::zeros({1, 2, 8, 8});
        std::stop_source source;
        source.request_stop();
        QVERIFY(headFactsOf(all, source.get_token()).error().code == Errc::Cancelled);
    }
};

QTEST_APPLESS_MAIN(TestHeadStatistics)
#include "tst_head_statistics.moc"
