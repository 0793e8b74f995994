#include "core/io/bracket_text.h"
#include "tests/io/tensors.h"

#include <QElapsedTimer>
#include <QTest>

using namespace keyaxis;
using namespace keyaxis::testing;

namespace {

/// Every tensor and text of `text` as one line, or its refusal.
QString reading(const std::string& text)
{
    const auto file = readBrackets(text, "f");
    if (!file)
        return sentence(file);
    QStringList all;
    for (const RawTensor& tensor : file->tensors)
        all << (tensor.name.empty() ? "" : QString::fromStdString(tensor.name) + " ") +
                   line(tensor);
    for (const auto& [key, value] : file->metadata)
        all << QString::fromStdString(key + " = " + value);
    for (const std::string& note : file->notes)
        all << QString::fromStdString(note);
    return all.join(" | ");
}

} // namespace

class TestBracketText : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void listsAndPrintsAreRead_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("expected");
        const auto row = [](const char* name, QByteArray text, const char* expected) {
            QTest::newRow(name) << text << expected;
        };
        row("JSON lists", "[[1, 2.5], [3, -4e0]]", "float64 (2, 2): 1 2.5 3 -4");
        row("four deep", "[[[[1],[2]]]]", "float64 (1, 1, 2, 1): 1 2");
        row("an object", R"({"q": [[1]], "K": [2, 3]})",
            "q float64 (1, 1): 1 | K float64 (2,): 2 3");
        row("objects within", R"({"layers": {"0": {"q": [1]}, "1": {"q": [2]}}})",
            "layers.0.q float64 (1,): 1 | layers.1.q float64 (1,): 2");
        row("words of Python", "[NaN, Infinity, -Infinity, -0.0]", "float64 (4,): nan inf -inf -0");
        row("settings", R"({"causal": true, "scale": 0.5, "layout": "bhtd"})",
            "causal bool (): 1 | scale float64 (): 0.5 | layout = bhtd");
        row("tokens", "{\"query_tokens\": [\"a\", \"\\u4e2d\\\"\", \"\\ud834\\udd1e\"]}",
            "query_tokens text (3,): a \xE4\xB8\xAD\" \xF0\x9D\x84\x9E");
        row("a mask", "[[true, false], [True, False]]", "bool (2, 2): 1 0 1 0");
        row("a number", " 3.5 ", "float64 (): 3.5");
        row("nothing in it", "[]", "float64 (0,): ");
        row("nothing in rows", "[[], []]", "float64 (2, 0): ");
        row("an empty object", "{}", "");
        row("2^53 + 1 and beyond", "[9007199254740993, 1e400, -1e-400]",
            "float64 (3,): 9007199254740992 inf -0 | f: 2 numbers are beyond float64 and became "
            "infinite or 0.");
        row("NumPy's print", "[[ 1.   2.5]\n [ 3.  -4. ]]", "float64 (2, 2): 1 2.5 3 -4");
        row("NumPy's print of flags", "[[ True False]\n [False  True]]", "bool (2, 2): 1 0 0 1");
        row("NumPy's repr", "array([[1., 2.],\n       [3., nan]], dtype=float32)",
            "float64 (2, 2): 1 2 3 nan");
        row("NumPy's empty repr", "array([], shape=(2, 0), dtype=float64)", "float64 (2, 0): ");
        row("PyTorch's print",
            "tensor([[1.0000e+00, -inf],\n        [3.0000e-02, 2]], device='cuda:0', "
            "grad_fn=<SoftmaxBackward0>)\n",
            "float64 (2, 2): 1 -inf 0.029999999999999999 2");
        row("PyTorch's empty print", "tensor([], size=(0, 3))", "float64 (0, 3): ");
        row("a parameter", "Parameter containing:\ntensor([1., 2.], requires_grad=True)",
            "float64 (2,): 1 2");
        row("JAX's print", "Array([[1., 2.]], dtype=float32)", "float64 (1, 2): 1 2");
        row("a dict of tensors", "{'q': tensor([[1., 2.]]), 'k': tensor([[3., 4.]])}",
            "q float64 (1, 2): 1 2 | k float64 (1, 2): 3 4");
        row("a comma at the end", "[[1, 2,], [3, 4,],]", "float64 (2, 2): 1 2 3 4");
    }
    void listsAndPrintsAreRead()
    {
        QFETCH(QByteArray, text);
        QFETCH(QString, expected);
        QVERIFY(looksBracketed(text.toStdString()) || text == " 3.5 ");
        QCOMPARE(reading(text.toStdString()), expected);
    }

    void everyFaultIsNamedAtItsPlace_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("place");
        const auto row = [](const char* name, QByteArray text, const char* place) {
            QTest::newRow(name) << text << place;
        };
        row("unequal lists", "[[1, 2],\n [3]]",
            "line 2, column 2: this list has 1 item and the one before has 2.");
        row("unequally deep", "[[1], 2]",
            "line 1, column 7: this stands in 1 list and what came before in 2.");
        row("a list among numbers", "[1, [2]]",
            "line 1, column 5: a list stands where a number is needed.");
        row("an empty list among full ones", "[[1], []]",
            "line 1, column 7: this list has 0 items and the one before has 1.");
        row("no number", "[1, x]", "line 1, column 5: 'x' is not a number.");
        row("null", "[null]", "line 1, column 2: 'null' is not a number.");
        row("hexadecimal", "[0x10]", "line 1, column 2: '0x10' is not a number.");
        row("nothing between commas", "[1,,2]",
            "line 1, column 4: ',' stands where a number is needed.");
        row("a string among numbers", "[1, \"2\"]",
            "line 1, column 5: numbers, strings and true or false do not mix; here is a string.");
        row("columns count characters", "{\"\xE4\xB8\xAD\": x}",
            "line 1, column 7: 'x' is not a number.");
        row("cut off", "[[1, 2], [3", "line 1, column 12: the text ends within a list.");
        row("a string that does not end", "{\"q",
            "line 1, column 2: a string begins here and does "
            "not end.");
        row("a broken escape", R"({"\x": 1})",
            "line 1, column 2: the string that begins here is not valid JSON in UTF-8.");
        row("a key twice", "{\"q\": [1],\n \"q\": [2]}", "line 2, column 2: 'q' is there twice.");
        row("a joined key twice", R"({"a.b": [1], "a": {"b": [2]}})",
            "line 1, column 20: 'a.b' is there twice.");
        row("no colon", R"({"q" [1]})", "line 1, column 6: a colon is needed after 'q'.");
        row("no comma", R"({"q": [1] "k": [2]})",
            "line 1, column 11: a comma or } is needed here.");
        row("no name", "{1: [2]}", "line 1, column 2: a name in quotes is needed here.");
        row("more after the end", "[1] [2]",
            "line 1, column 5: the text goes on after its end; one value to a file.");
        row("an open parenthesis", "tensor([1.]",
            "line 1, column 12: the parenthesis before this array does not end.");
        const char* abbreviated =
            "the print is abbreviated here by '...'; print the whole array, after "
            "numpy.set_printoptions(threshold=sys.maxsize) or "
            "torch.set_printoptions(profile='full').";
        QTest::newRow("abbreviated by NumPy")
            << QByteArray("[[1 2]\n ...\n [3 4]]") << QString("line 2, column 2: ") + abbreviated;
        QTest::newRow("abbreviated by PyTorch") << QByteArray("tensor([1., 2., ..., 3.])")
                                                << QString("line 1, column 17: ") + abbreviated;
        QTest::newRow("very deep")
            << QByteArray(100'000, '[') << "line 1, column 65: lists are nested more than 64 deep.";
        QTest::newRow("very deep objects") << QByteArray("{\"a\":").repeated(100'000)
                                           << "line 1, column 321: objects are nested more than 64 "
                                              "deep.";
    }
    void everyFaultIsNamedAtItsPlace()
    {
        QFETCH(QByteArray, text);
        QFETCH(QString, place);
        QCOMPARE(reading(text.toStdString()), "f, " + place);
    }

    void manyEmptyListsAndKeysTakeNoLongerThanTheirText()
    {
        // Each asked for its line and column, one pass over the text before it: 10^11 steps.
        std::string lists = "[[]";
        std::string object = "{\"k\": [1]";
        for (int n = 0; n < 300'000; ++n) {
            lists += ",[]";
            object += ",\"" + std::to_string(n) + "\":[1]";
        }
        QElapsedTimer clock;
        clock.start();
        QVERIFY(readBrackets(lists + "]", "f"));
        QCOMPARE(readBrackets(object + "}", "f")->tensors.size(), std::size_t{300'001});
        QVERIFY2(clock.elapsed() < 20'000, qPrintable(QString::number(clock.elapsed())));
    }
};

QTEST_APPLESS_MAIN(TestBracketText)
#include "tst_bracket_text.moc"
