#include "tests/io/tensors.h"

#include <QTest>
#include <limits>
#include <locale.h>

using namespace keyaxis;
using namespace keyaxis::testing;

namespace {

std::string narrowed(const RawTensor& raw)
{
    Narrowing narrowing;
    const std::vector<float> values = toFloats(raw, narrowing);
    return std::to_string(values.size()) + " values, " + std::to_string(narrowing.nChanged) +
           " changed, " + std::to_string(narrowing.nOverflows) + " overflows";
}

} // namespace

class TestRawTensor : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyTypeHasItsNumbers_data()
    {
        QTest::addColumn<QString>("actual");
        QTest::addColumn<QString>("expected");
        const auto row = [](const RawTensor& raw, const char* expected) {
            QTest::newRow(raw.name.c_str()) << line(raw) << expected;
        };
        using B = std::vector<std::uint8_t>;
        row(tensorOf("bool", ElementType::Bool, {3}, B{0, 1, 2}), "bool (3,): 0 1 1");
        row(tensorOf("i8", ElementType::I8, {2}, B{0x80, 0x7F}), "int8 (2,): -128 127");
        row(tensorOf("u8", ElementType::U8, {2}, B{0x80, 0xFF}), "uint8 (2,): 128 255");
        row(tensorOf("i16", ElementType::I16, {1}, std::vector<std::int16_t>{-32768}),
            "int16 (1,): -32768");
        row(tensorOf("u16", ElementType::U16, {1}, std::vector<std::uint16_t>{65535}),
            "uint16 (1,): 65535");
        row(tensorOf("i32", ElementType::I32, {1}, std::vector<std::int32_t>{INT32_MIN}),
            "int32 (1,): -2147483648");
        row(tensorOf("u32", ElementType::U32, {1}, std::vector<std::uint32_t>{UINT32_MAX}),
            "uint32 (1,): 4294967295");
        row(tensorOf("i64", ElementType::I64, {1}, std::vector<std::int64_t>{-(1LL << 53)}),
            "int64 (1,): -9007199254740992");
        row(tensorOf("u64", ElementType::U64, {1}, std::vector<std::uint64_t>{1ULL << 63}),
            "uint64 (1,): 9.2233720368547758e+18");
        row(tensorOf("f16", ElementType::F16, {4},
                     std::vector<std::uint16_t>{0x3C00, 0x0001, 0xFC00, 0x8000}),
            "float16 (4,): 1 5.9604644775390625e-08 -inf -0");
        row(tensorOf("bf16", ElementType::BF16, {3},
                     std::vector<std::uint16_t>{0x4049, 0x0001, 0x7FC0}),
            "bfloat16 (3,): 3.140625 9.1835496157991212e-41 nan");
        row(tensorOf("f8 e4m3", ElementType::F8E4M3, {4}, B{0x7E, 0x01, 0xB8, 0x7F}),
            "float8_e4m3 (4,): 448 0.001953125 -1 nan");
        row(tensorOf("f8 e5m2", ElementType::F8E5M2, {4}, B{0x7B, 0x01, 0xFC, 0x7D}),
            "float8_e5m2 (4,): 57344 1.52587890625e-05 -inf nan");
        row(tensorOf("f64", ElementType::F64, {2}, std::vector<double>{0.1, -0.0}),
            "float64 (2,): 0.10000000000000001 -0");
        row(tensorOf("empty", ElementType::F32, {0, 3}, B{}), "float32 (0, 3): ");
        row(tensorOf("one number", ElementType::F32, {}, std::vector<float>{2.5F}),
            "float32 (): 2.5");
    }
    void everyTypeHasItsNumbers()
    {
        QFETCH(QString, actual);
        QFETCH(QString, expected);
        QCOMPARE(actual, expected);
    }

    void narrowingCountsWhatFloat32DoesNotHold()
    {
        using Limits = std::numeric_limits<double>;
        QCOMPARE(narrowed(tensorOf(
                     "x", ElementType::F64, {6},
                     std::vector<double>{0.5, 0.1, 1e300, -1e-300, INFINITY, Limits::quiet_NaN()})),
                 std::string("6 values, 3 changed, 1 overflows"));
        // 2^53 + 1 becomes 2^53 already as a double.
        QCOMPARE(narrowed(tensorOf("x", ElementType::I64, {3},
                                   std::vector<std::int64_t>{(1LL << 53) + 1, 1LL << 53, -7})),
                 std::string("3 values, 1 changed, 0 overflows"));
        QCOMPARE(narrowed(tensorOf("x", ElementType::U64, {2},
                                   std::vector<std::uint64_t>{UINT64_MAX, 1ULL << 63})),
                 std::string("2 values, 1 changed, 0 overflows"));
        QCOMPARE(narrowed(tensorOf("x", ElementType::I32, {2},
                                   std::vector<std::int32_t>{16777217, 16777216})),
                 std::string("2 values, 1 changed, 0 overflows"));
    }

    void aWholeNumberIsRoundedOnce()
    {
        // Through a double, the bit that breaks the tie would be lost.
        const std::int64_t number = (1LL << 60) + (1LL << 36) + 1;
        Narrowing narrowing;
        const auto values = toFloats(
            tensorOf("x", ElementType::I64, {1}, std::vector<std::int64_t>{number}), narrowing);
        QCOMPARE(values[0], std::ldexp(1.0F, 60) + std::ldexp(1.0F, 37));
    }

    void countsElementsWithoutOverflow()
    {
        QCOMPARE(elementCount({}), std::optional<Index>(1));
        QCOMPARE(elementCount({2, 0, 5}), std::optional<Index>(0));
        QVERIFY(!elementCount({-1}));
        QVERIFY(!elementCount({Index{1} << 32, Index{1} << 32}));
        QVERIFY(!elementCount({0, Index{1} << 62, 4})); // even where the array is empty
    }

    void findsTheExactNameBeforeAnotherCase()
    {
        const TensorFile file{
            {floats("Q", {1}, {1}), floats("q", {1}, {2}), floats("K", {1}, {3})}, {}, {}};
        QCOMPARE(file.find("q"), &file.tensors[1]);
        QCOMPARE(file.find("Q"), &file.tensors[0]);
        QCOMPARE(file.find("k"), &file.tensors[2]);
        QCOMPARE(file.find("v"), nullptr);
    }

    void aTurkishLocaleFindsBias()
    {
        if (!setlocale(LC_ALL, "tr_TR.UTF-8"))
            QSKIP("the locale tr_TR.UTF-8 is not installed");
        const TensorFile file{{floats("BIAS", {1}, {1})}, {}, {}};
        const bool isFound = file.find("bias") != nullptr;
        setlocale(LC_ALL, "C");
        QVERIFY(isFound);
    }
};

QTEST_APPLESS_MAIN(TestRawTensor)
#include "tst_raw_tensor.moc"
