// The shipped samples against the weights that their own models used, and the numeric hard cases.

#include "core/attention/attention.h"
#include "core/io/attention_file.h"
#include "core/io/tensor_file.h"
#include "core/proof/certificate.h"

#include <QTest>
#include <cmath>

using namespace keyaxis;

namespace {

AttentionFile read(const std::string& path, const ReadingChoices& choices = {})
{
    return readAttention(readTensorFile(path).value(), path, choices).value();
}

AttentionFile hardCase(const char* name)
{
    return read(std::string(KEYAXIS_TEST_DATA "/hardcases/num_") + name + ".npz");
}

Tensor weightsOf(const AttentionFile& file, const ScoreSettings& settings)
{
    return attend(file.inputs, settings).value().weights;
}

bool near(const Tensor& weights, std::vector<double> expected, double tolerance = 1e-6)
{
    for (std::size_t n = 0; n < expected.size(); ++n)
        if (!(std::abs(static_cast<double>(weights.data()[n]) - expected[n]) <= tolerance))
            return false;
    return static_cast<Index>(expected.size()) <= weights.size();
}

} // namespace

class TestSamples : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void samplesGiveTheWeightsOfTheirModels_data()
    {
        QTest::addColumn<QString>("name");
        for (const char* name : {"tiny_lm_layer1", "tiny_lm_layer2", "tiny_lm_gqa_layer1",
                                 "tiny_lm_gqa_layer2", "date_cross"})
            QTest::newRow(name) << name;
    }
    void samplesGiveTheWeightsOfTheirModels()
    {
        QFETCH(QString, name);
        const AttentionFile file =
            read((QStringLiteral(KEYAXIS_SOURCE_DIR "/resources/samples/") + name + ".safetensors")
                     .toStdString());
        const Tensor weights = weightsOf(file, file.settings);
        const auto expected = toDoubles(
            *readTensorFile((QStringLiteral(KEYAXIS_TEST_DATA "/samples/") + name + ".weights.npz")
                                .toStdString())
                 .value()
                 .find("weights"));
        QCOMPARE(std::ssize(expected), weights.size());
        QVERIFY(near(weights, expected, 1e-5));
        const Certificate certificate = certify(weights);
        QVERIFY(certificate.isValid());
        QVERIFY(std::abs(certificate.smallestSum - 1) <= 1e-5);
        QVERIFY(std::abs(certificate.largestSum - 1) <= 1e-5);
    }

    void aRowWithoutKeysIsMarkedAndTheOthersAreRight()
    {
        const AttentionFile file = hardCase("a1_masked_row");
        QVERIFY(file.inputs.mask);
        ScoreSettings settings = file.settings;
        settings.empty = EmptySlice::Zero;
        QVERIFY(near(weightsOf(file, settings), {0.0900305732, 0.244728471, 0.665240956, 0, 0, 0,
                                                 0.119202922, 0, 0.880797078}));
        settings.empty = EmptySlice::Nan;
        QVERIFY(std::isnan(weightsOf(file, settings).data()[3]));
    }

    void theCausalDiagonalFollowsTheAlignment()
    {
        const AttentionFile file = hardCase("a2_causal_2x5");
        ScoreSettings settings;
        settings.causal = true;
        QVERIFY(near(weightsOf(file, settings), {1, 0, 0, 0, 0, .5, .5, 0, 0, 0}));
        settings.align = Align::End;
        QVERIFY(near(weightsOf(file, settings), {.25, .25, .25, .25, 0, .2, .2, .2, .2, .2}));
    }

    void eachAxisHasItsOwnSums()
    {
        const AttentionFile file = hardCase("a3_axis");
        const auto along = [&](Axis axis) {
            ScoreSettings settings;
            settings.axis = axis;
            return weightsOf(file, settings);
        };
        QVERIFY(near(along(Axis::Key),
                     {.0900305732, .244728471, .665240956, .665240956, .244728471, .0900305732}));
        QVERIFY(near(along(Axis::Query), {.119202922, .5, .880797078, .880797078, .5, .119202922}));
        QVERIFY(near(along(Axis::Batch), {1, 1, 1, 1, 1, 1}));
        QVERIFY(near(along(Axis::Head), {1, 1, 1, 1, 1, 1}));
    }

    void alibiFollowsTheAuthorsSlopesAndSign()
    {
        ScoreSettings settings;
        settings.causal = settings.alibi = true;
        const Tensor six = weightsOf(hardCase("a4_alibi_h6"), settings);
        const std::vector<double> lastRows{
            0.254275213, 0.326495836, 0.419228952, 0.312730354, 0.332899729, 0.354369917,
            0.328138774, 0.333306208, 0.338555017, 0.332032101, 0.333331638, 0.334636261,
            0.186323723, 0.307195886, 0.506480391, 0.292639485, 0.331603979, 0.375756536};
        for (Index h = 0; h < 6; ++h)
            for (Index j = 0; j < 3; ++j)
                QVERIFY(std::abs(double(six.at(0, h, 2, j)) - lastRows[std::size_t(3 * h + j)]) <
                        1e-6);
        const Tensor two = weightsOf(hardCase("a5_alibi_sign"), settings);
        QVERIFY(std::abs(double(two.at(0, 0, 2, 2)) - 0.354369917) < 1e-6);
    }

    void temperatureZeroIsTheLimit()
    {
        const AttentionFile file = hardCase("a6_temperature");
        const auto at = [&](float temperature) {
            ScoreSettings settings;
            settings.temperature = temperature;
            return weightsOf(file, settings);
        };
        QVERIFY(near(at(0.0F), {0, .5, 0, .5}));
        QVERIFY(near(at(1e-3F), {0, .5, 0, .5}));
        QVERIFY(near(at(1.0F), {.0540645922, .399486305, .146962799, .399486305}));
        QVERIFY(near(at(1e6F), {.249999688, .250000187, .249999937, .250000187}));
    }

    void extremesStayNumbers()
    {
        const AttentionFile file = hardCase("a7_extremes");
        const Tensor weights = weightsOf(file, file.settings);
        QVERIFY(near(weights, {1.52299795e-08, .999999985, 0, 0, .731058579, .268941421, 0, 0, 1}));
        QVERIFY(weights.data()[0] > 1.5e-8F);
        QVERIFY(weights.data()[9] > 3.7e-44F && weights.data()[9] < 3.9e-44F); // a subnormal
        QCOMPARE(weights.data()[2], 0.0F);
        QCOMPARE(weights.data()[10], 0.0F);
    }

    void halfFloatsAreComputedInFloat32()
    {
        const AttentionFile file = hardCase("a8_half_overflow");
        const Attention all =
            attend(file.inputs, {}, {.scores = true, .logits = true, .output = true}).value();
        QCOMPARE(all.scores.data()[0], 8388608.0F);
        QVERIFY(std::abs(all.logits.data()[0] - 741455.2F) < 0.1F);
        QVERIFY(near(all.weights, {1, 0}));
    }

    void neighbouringHeadsShareKeys()
    {
        const AttentionFile file = hardCase("a9_gqa_4_2");
        const Attention all = attend(file.inputs, {}).value();
        for (Index h = 0; h < 4; ++h)
            QVERIFY(std::abs(double(all.weights.at(0, h, 0, 0)) -
                             (h < 2 ? .731058579 : .268941421)) < 1e-6);
        QVERIFY(std::abs(double(all.output.at(0, 0, 0, 0)) - 0.731058579) < 1e-6);
        QVERIFY(std::abs(double(all.output.at(0, 3, 0, 0)) - 2.689414214) < 1e-6);
    }

    void theAxisOrderIsTheUsersChoice()
    {
        const std::string path = KEYAXIS_TEST_DATA "/hardcases/num_aa_layout_4x4.npz";
        QVERIFY(near(weightsOf(read(path), {}), {.162293768, .0561905113, .113960818, .667554903}));
        ReadingChoices choices;
        choices.layout = Layout::BTHD;
        QVERIFY(near(weightsOf(read(path, choices), {}),
                     {.382710379, .188702506, .0458767369, .382710379}));
    }

    void widthsThatDifferAreRefusedNamingBoth()
    {
        const std::string path = KEYAXIS_TEST_DATA "/hardcases/num_ab_width_mismatch.npz";
        const auto result = readAttention(readTensorFile(path).value(), "f");
        QVERIFY(!result);
        QVERIFY(result.error().message.find("4 wide") != std::string::npos &&
                result.error().message.find("8 wide") != std::string::npos);
    }

    void twoAxesAreOneHead()
    {
        const AttentionFile file = hardCase("ac_two_axes");
        const Attention all = attend(file.inputs, {}).value();
        QVERIFY(near(all.weights, {.622459331, .377540669, .119202922, .880797078}));
        QVERIFY(near(all.output, {2.51016268, 3.51016268, 4.51016268, 5.51016268}, 1e-5));
    }

    void aCausalHeadAxisEmptiesEveryMaskedSlice()
    {
        const AttentionFile file = hardCase("ad_causal_head_axis");
        ScoreSettings settings;
        settings.axis = Axis::Head;
        settings.causal = true;
        settings.empty = EmptySlice::Zero;
        const Attention zero = attend(file.inputs, settings).value();
        QVERIFY(
            near(zero.weights, {.268941421, 0, 0, .5, .880797078, 0, .952574127, .119202922, .5,
                                .731058579, 0, 0, .5, .119202922, 0, .0474258732, .880797078, .5}));
        for (Index n = 0; n < zero.output.size(); ++n)
            QVERIFY(std::isfinite(zero.output.data()[n]));
        settings.empty = EmptySlice::Nan;
        const Attention nan = attend(file.inputs, settings).value();
        Index nNan = 0;
        for (Index n = 0; n < 18; ++n)
            nNan += std::isnan(nan.weights.data()[n]) ? 1 : 0;
        QCOMPARE(nNan, 6);
    }
};

QTEST_APPLESS_MAIN(TestSamples)
#include "tst_samples.moc"
