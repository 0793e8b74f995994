#include "core/attention/attention.h"
#include "core/attention/cell_logit.h"
#include "tests/core/sample_values.h"

#include <QTest>

using namespace keyaxis;
using namespace keyaxis::testing;

class TestCellLogit : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void hasTheBitsOfTheWholeTensor_data()
    {
        QTest::addColumn<float>("temperature");
        QTest::newRow("plain") << 1.0F;
        QTest::newRow("divided by a temperature") << 0.3F;
        QTest::newRow("undivided in the arg-max limit") << 0.0F;
    }
    void hasTheBitsOfTheWholeTensor()
    {
        QFETCH(float, temperature);
        const Sizes sizes{2, 4, 2, 66, 70, 7, 3}; // the last tiles are not full
        Inputs inputs = randomInputs(sizes, 5);
        inputs.bias = share(randomTensor({1, 4, 66, 1}, 9));
        ScoreSettings settings;
        settings.causal = true;
        settings.align = Align::End;
        settings.alibi = true;
        settings.temperature = temperature;
        const Attention all = attend(inputs, settings, {.scores = false, .logits = true}).value();

        for (Index b = 0; b < sizes.B; ++b)
            for (Index h = 0; h < sizes.H; ++h)
                for (Index i = 0; i < sizes.Tq; i += 13)
                    for (Index j = 0; j < sizes.Tk; j += 23) {
                        const float one = cellLogit(inputs, settings, b, h, i, j);
                        const float among = all.logits.at(b, h, i, j);
                        QCOMPARE(std::memcmp(&one, &among, sizeof one), 0);
                    }
    }
};

QTEST_APPLESS_MAIN(TestCellLogit)
#include "tst_cell_logit.moc"
