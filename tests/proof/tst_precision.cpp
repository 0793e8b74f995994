#include "core/proof/precision.h"

#include <QTest>
#include <limits>

using namespace keyaxis;

class TestPrecision : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theNarrowestTypeThatHoldsEveryValue_data()
    {
        QTest::addColumn<QList<double>>("values");
        QTest::addColumn<QString>("type");
        QTest::addColumn<double>("tolerance");
        const auto row = [](const char* name, const QList<double>& values, const char* type,
                            double tolerance) {
            QTest::newRow(name) << values << type << tolerance;
        };
        row("zeros and ones", {0.0, 1.0}, "bfloat16", 2e-2);
        row("no values", {}, "bfloat16", 2e-2);
        row("only undefined ones", {std::numeric_limits<double>::quiet_NaN()}, "bfloat16", 2e-2);
        row("eight bits and a wide range", {1.0078125, 0x1p-100}, "bfloat16", 2e-2);
        row("eleven bits", {0.5, 1.0 - 0x1p-11}, "float16", 2e-3);
        row("eleven bits, out of the range of float16", {1.0 - 0x1p-11, 0x1p-100}, "float32", 1e-5);
        row("a tenth in float32", {static_cast<double>(0.1F)}, "float32", 1e-5);
        row("a tenth", {0.1}, "float64", 1e-9);
        row("larger than float32", {1e300}, "float64", 1e-9);
        row("infinite among float32", {std::numeric_limits<double>::infinity(), double(0.1F)},
            "float32", 1e-5);
    }
    void theNarrowestTypeThatHoldsEveryValue()
    {
        QFETCH(QList<double>, values);
        QFETCH(QString, type);
        QFETCH(double, tolerance);
        const Precision precision = narrowestPrecision({values.begin(), values.end()});
        QCOMPARE(QString::fromLatin1(precision.type.data()), type);
        QCOMPARE(precision.tolerance, tolerance);
    }

    void printedNumbersAreHeldToTheirDigits()
    {
        QCOMPARE(printedPrecision(4, 4, 16).tolerance, 8e-4);   // PyTorch's print
        QCOMPARE(printedPrecision(1, 1, 4).tolerance, 2e-2);    // no coarser than bfloat16
        QCOMPARE(printedPrecision(9, 9, 16).tolerance, 1e-5);   // float32 in all its digits
        QCOMPARE(printedPrecision(17, 17, 16).tolerance, 1e-9); // float64
    }
};

QTEST_APPLESS_MAIN(TestPrecision)
#include "tst_precision.moc"
