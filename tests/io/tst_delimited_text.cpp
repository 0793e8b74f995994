#include "core/io/delimited_text.h"
#include "tests/io/tensors.h"

#include <QTest>
#include <charconv>
#include <limits>

using namespace keyaxis;
using namespace keyaxis::testing;

namespace {

QString csv(const RawTensor& tensor)
{
    return QString::fromStdString(writeCsv(tensor));
}

} // namespace

class TestDelimitedText : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void upToTwoAxesAreATable()
    {
        QCOMPARE(csv(floats("x", {2, 3}, {0, -0.0F, 1, 0.1F, 1e-7F, -2.5F})),
                 "0,-0,1\n0.1,1e-07,-2.5\n");
        QCOMPARE(csv(floats("x", {3}, {1, 2, 3})), "1,2,3\n");
        QCOMPARE(csv(floats("x", {}, {1})), "1\n");
        QCOMPARE(csv(floats("x", {2, 0}, {})), "");
    }

    void moreAxesAreOneLineAnElement()
    {
        QCOMPARE(csv(floats("x", {1, 2, 1, 2}, {1, 2, 3, 4})),
                 "b,h,i,j,value\n0,0,0,0,1\n0,0,0,1,2\n0,1,0,0,3\n0,1,0,1,4\n");
        QCOMPARE(csv(floats("x", {1, 2, 1}, {1, 2})),
                 "axis0,axis1,axis2,value\n0,0,0,1\n0,1,0,2\n");
        QCOMPARE(csv(floats("x", {1, 0, 2}, {})), "axis0,axis1,axis2,value\n");
    }

    void numbersAreTheShortestOfTheirType()
    {
        QCOMPARE(csv(tensorOf("x", ElementType::F64, {2}, std::vector<double>{0.1, 1.0 / 3})),
                 "0.1,0.3333333333333333\n");
        QCOMPARE(csv(floats("x", {2}, {1.0F / 3, std::numeric_limits<float>::denorm_min()})),
                 "0.33333334,1e-45\n");
        // A reader takes them for float32: 0.1 would not be the 0.0999755859375 of half precision.
        QCOMPARE(csv(tensorOf("x", ElementType::F16, {3},
                              std::vector<std::uint16_t>{0x2E66, 0x7BFF, 0x0001})),
                 "0.099975586,65504,5.9604645e-08\n");
        QCOMPARE(
            csv(tensorOf("x", ElementType::BF16, {2}, std::vector<std::uint16_t>{0x3DCD, 0x4049})),
            "0.100097656,3.140625\n");
        QCOMPARE(
            csv(tensorOf("x", ElementType::F8E4M3, {2}, std::vector<std::uint8_t>{0x7E, 0xB8})),
            "448,-1\n");
    }

    void everyHalfComesBack()
    {
        std::vector<std::uint16_t> all(65536);
        for (std::size_t n = 0; n < all.size(); ++n)
            all[n] = std::uint16_t(n);
        for (const auto type : {ElementType::F16, ElementType::BF16}) {
            const RawTensor raw = tensorOf("x", type, {65536}, all);
            const std::vector<double> values = toDoubles(raw);
            const std::string text = writeCsv(raw);
            const char* at = text.data();
            for (const double value : values) {
                double back = 0;
                at = std::from_chars(at, text.data() + text.size(), back).ptr + 1;
                if (value != value) {
                    QVERIFY(back != back);
                    continue;
                }
                QCOMPARE(double(float(back)), value);
                QCOMPARE(std::signbit(back), std::signbit(value));
            }
        }
    }

    void wholeNumbersAreExact()
    {
        QCOMPARE(csv(tensorOf("x", ElementType::I64, {2},
                              std::vector<std::int64_t>{INT64_MIN, (1LL << 53) + 1})),
                 "-9223372036854775808,9007199254740993\n");
        QCOMPARE(csv(tensorOf("x", ElementType::U64, {1}, std::vector<std::uint64_t>{UINT64_MAX})),
                 "18446744073709551615\n");
        QCOMPARE(csv(tensorOf("x", ElementType::Bool, {3}, std::vector<std::uint8_t>{0, 1, 2})),
                 "0,1,1\n");
        QCOMPARE(csv(tensorOf("x", ElementType::I8, {1}, std::vector<std::int8_t>{-1})), "-1\n");
    }

    void whatIsNoNumberIsAWord()
    {
        constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
        QCOMPARE(csv(floats("x", {4}, {kNan, -kNan, INFINITY, -INFINITY})), "nan,nan,inf,-inf\n");
        QCOMPARE(csv(tensorOf("x", ElementType::F64, {2},
                              std::vector<double>{-double(kNan), -INFINITY})),
                 "nan,-inf\n");
    }

    void textIsQuoted()
    {
        QCOMPARE(csv(texts("x", {2}, {"a,\"b\"", "中"})), "\"a,\"\"b\"\"\",\"中\"\n");
    }
};

QTEST_APPLESS_MAIN(TestDelimitedText)
#include "tst_delimited_text.moc"
