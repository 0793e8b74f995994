#include "core/attention/attention.h"
#include "core/proof/hull_count.h"
#include "core/proof/nan_story.h"
#include "core/proof/verdict.h"
#include "tests/core/sample_values.h"

#include <QTest>
#include <cmath>
#include <limits>

using namespace keyaxis;

namespace {

/// Whole numbers and chances from a fixed generator.
class Dice {
public:
    explicit Dice(std::uint64_t seed) : m_numbers(seed) {}
    Index upTo(Index most) // 1 … most
    {
        return 1 +
               static_cast<Index>((m_numbers.next(1.0F) + 1.0F) / 2.0F * static_cast<float>(most));
    }
    bool chance(float share) { return m_numbers.next(1.0F) < 2.0F * share - 1.0F; }
    float number(float range) { return m_numbers.next(range); }

private:
    testing::Numbers m_numbers;
};

struct Document {
    Inputs inputs;
    ScoreSettings settings;
};

/// A document of any kind with finite inputs; a mask may empty slices.
Document documentOf(std::uint64_t seed)
{
    Dice dice(seed + 1000);
    Sizes s;
    s.B = dice.upTo(3);
    s.G = dice.upTo(2);
    s.H = s.G * dice.upTo(2);
    s.Tq = dice.upTo(6);
    s.Tk = dice.chance(0.5F) ? s.Tq : dice.upTo(6);
    s.dk = dice.upTo(4);
    s.dv = dice.upTo(4);
    const float range = dice.chance(0.1F) ? 30.0F : 2.0F;
    Document d{testing::randomInputs(s, seed, range), {}};
    d.settings.causal = dice.chance(0.5F);
    d.settings.align = dice.chance(0.5F) ? Align::Start : Align::End;
    d.settings.alibi = dice.chance(0.3F);
    d.settings.temperature = dice.chance(0.1F)   ? 0.0F
                             : dice.chance(0.3F) ? std::exp(dice.number(3.0F))
                                                 : 1.0F;
    if (dice.chance(0.2F))
        d.settings.scale = double{dice.number(3.0F)};
    if (dice.chance(0.4F)) {
        Tensor mask = Tensor::filled({dice.chance(0.5F) ? s.B : 1, dice.chance(0.5F) ? s.H : 1,
                                      dice.chance(0.7F) ? s.Tq : 1, s.Tk},
                                     1.0F);
        for (Index n = 0; n < mask.size(); ++n)
            mask.data()[n] = dice.chance(0.3F) ? 0.0F : 1.0F;
        d.inputs.mask = share(std::move(mask));
    }
    if (dice.chance(0.2F)) {
        Tensor bias = testing::randomTensor({1, s.H, s.Tq, s.Tk}, seed + 7);
        if (dice.chance(0.5F))
            bias.data()[0] = -std::numeric_limits<float>::infinity();
        d.inputs.bias = share(std::move(bias));
    }
    return d;
}

bool hasAllowedKey(const Tensor& logits, Index b, Index h, Index i)
{
    return (logits.slice(b, h).row(i).array() != -std::numeric_limits<float>::infinity()).any();
}

bool contains(const std::string& text, std::initializer_list<const char*> words)
{
    return std::any_of(words.begin(), words.end(),
                       [&](const char* word) { return text.find(word) != std::string::npos; });
}

/// Whether the sentence says why rows are undefined, off, or valid by coincidence.
bool isExplained(const Certificate& c, const std::string& sentence)
{
    if (c.isValid())
        return contains(sentence, {"Valid here by coincidence"});
    const bool isOff = c.nUndefined + c.nValid < c.nRows();
    return (c.nUndefined == 0 || contains(sentence, {"0/0"})) &&
           (!isOff || contains(sentence, {"Each key hands out 1", "so nothing makes a row sum to 1",
                                          "every allowed weight is 1", "Equal weights"}));
}

} // namespace

/// What the program claims, on documents by the thousand.
class TestRandomDocuments : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theKeyAxisIsValidWhereverAQueryHasAKey()
    {
        for (std::uint64_t seed = 0; seed < 5000; ++seed) {
            const Document d = documentOf(seed);
            const Sizes sizes = sizesOf(d.inputs);
            const Attention all = *attend(d.inputs, d.settings, {.logits = true});
            const Certificate c = certify(all.weights, all.logits);
            for (Index row = 0; row < c.nRows(); ++row) {
                const bool isAllowed = hasAllowedKey(all.logits, row / (sizes.H * sizes.Tq),
                                                     row / sizes.Tq % sizes.H, row % sizes.Tq);
                QVERIFY2(c.rows[static_cast<std::size_t>(row)].isValid() == isAllowed,
                         qPrintable(QStringLiteral("seed %1, row %2").arg(seed).arg(row)));
            }
            const HullCount hull = *hullCount(d.inputs, all, c, 1000);
            QCOMPARE(hull.nInside, c.nValid);
            QCOMPARE(hull.nUndefined, c.nRows() - c.nValid);
        }
    }

    void everyCounterexampleOnTheOtherAxesIsExplained_data()
    {
        QTest::addColumn<Axis>("axis");
        for (const Axis axis : {Axis::Query, Axis::Batch, Axis::Head})
            QTest::newRow(std::string(names(axis).name).c_str()) << axis;
    }
    void everyCounterexampleOnTheOtherAxesIsExplained()
    {
        QFETCH(Axis, axis);
        Index nInvalid = 0;
        Index nUndefined = 0;
        for (std::uint64_t seed = 0; seed < 2000; ++seed) {
            Document d = documentOf(seed);
            d.settings.axis = axis;
            const Attention all = *attend(d.inputs, d.settings, {.logits = true});
            const Certificate c = certify(all.weights, all.logits);
            const Verdict verdict = verdictOf(c, d.settings, sizesOf(d.inputs));
            nInvalid += c.isValid() ? 0 : 1;
            nUndefined += c.nUndefined > 0 ? 1 : 0;
            QVERIFY2(isExplained(c, verdict.sentence),
                     qPrintable(QStringLiteral("seed %1: %2")
                                    .arg(seed)
                                    .arg(QString::fromStdString(verdict.sentence))));
        }
        QVERIFY(nInvalid > 1000);
        QVERIFY(nUndefined > 100);
    }

    void everyUndefinedOutputHasAStory()
    {
        Index nStories = 0;
        for (std::uint64_t seed = 0; seed < 400; ++seed) {
            Document d = documentOf(seed);
            const Sizes sizes = sizesOf(d.inputs);
            for (const Axis axis : kAllAxes) {
                d.settings.axis = axis;
                const SliceStages slice = *attendSlice(d.inputs, d.settings, 0, 0);
                for (Index i = 0; i < sizes.Tq; ++i) {
                    const auto story = *storyOfOutput(d.inputs, d.settings, slice, {0, 0, i});
                    QCOMPARE(story.has_value(), !slice.output.row(i).allFinite());
                    if (!story)
                        continue;
                    ++nStories;
                    // Inputs are finite, so an emptied slice is the only cause.
                    QCOMPARE(story->cause, NanStory::Cause::EmptySlice);
                    QVERIFY(!std::isnan(story->zeroRowSum));
                    QVERIFY(std::ranges::count(story->spoiled, OutputRow{0, 0, i}) == 1);
                }
            }
        }
        QVERIFY(nStories > 500);
    }
};

QTEST_APPLESS_MAIN(TestRandomDocuments)
#include "tst_random_documents.moc"
