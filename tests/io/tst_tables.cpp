#include "core/io/delimited_text.h"
#include "core/io/text_number.h"
#include "tests/io/tensors.h"

#include <QTest>

using namespace keyaxis;
using namespace keyaxis::testing;

namespace {

/// What `text` was read as, or its refusal.
QString reading(const std::string& text, const TableChoices& choices = {})
{
    const auto file = readDelimited(text, "f.csv", choices);
    return file ? line(file->tensors.front()) : sentence(file);
}

QString noteOf(const std::string& text)
{
    const auto file = readDelimited(text, "f.csv");
    QStringList notes;
    for (const std::string& note : file.value().notes)
        notes << QString::fromStdString(note);
    return notes.join(" | ");
}

} // namespace

class TestTables : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void numbersAreReadAsPeopleWriteThem_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("expected");
        const auto row = [](const char* name, QByteArray text, const char* expected) {
            QTest::newRow(name) << text << expected;
        };
        row("commas", "1,2\n3,4\n", "float64 (2, 2): 1 2 3 4");
        row("no line end at the end", "1,2\n3,4", "float64 (2, 2): 1 2 3 4");
        row("CR LF", "1,2\r\n3,4\r\n", "float64 (2, 2): 1 2 3 4");
        row("CR", "1,2\r3,4\r", "float64 (2, 2): 1 2 3 4");
        row("tabs", "1\t2\n3\t4\n", "float64 (2, 2): 1 2 3 4");
        row("blanks", "  1  2\n 3   4  \n", "float64 (2, 2): 1 2 3 4");
        row("semicolons", "1;2\n3;4\n", "float64 (2, 2): 1 2 3 4");
        row("commas and blanks", "1, 2\n 3 , 4\n", "float64 (2, 2): 1 2 3 4");
        row("decimal commas", "0,5;1,25\n1e-3;-1,5E2\n", "float64 (2, 2): 0.5 1.25 0.001 -150");
        row("decimal commas late", "1;2\n3;0,5\n", "float64 (2, 2): 1 2 3 0.5");
        row("decimal commas between blanks", "0,5 1,25\n3 4\n", "float64 (2, 2): 0.5 1.25 3 4");
        row("decimal commas between tabs", "0,5\t1,25\n", "float64 (1, 2): 0.5 1.25");
        row("a semicolon and dots", "0.5;1.25\n", "float64 (1, 2): 0.5 1.25");
        row("no digit on one side", ".5,1.,+2,-.25\n", "float64 (1, 4): 0.5 1 2 -0.25");
        row("words", "NaN,-nan,INF,-Infinity\n", "float64 (1, 4): nan nan inf -inf");
        row("beyond float64", "1e999,-1e999,1e-999,-1e-999\n", "float64 (1, 4): inf -inf 0 -0");
        row("long zeros beyond float64", "0.000000e999,123456e-999\n", "float64 (1, 2): 0 0");
        row("quotes", "\"1\",\"2\"\n", "float64 (1, 2): 1 2");
        row("decimal commas in quotes", "\"0,5\";\"1,5\"\n", "float64 (1, 2): 0.5 1.5");
        row("the hint of a spreadsheet", "sep=;\r\n1;2\r\n3;4\r\n", "float64 (2, 2): 1 2 3 4");
        row("a hint of another sign", "SEP=|\n1|2\n", "float64 (1, 2): 1 2");
        row("comments and blank lines", "# a,b\n\n1 2\n  # more\n \n3 4\n\n",
            "float64 (2, 2): 1 2 3 4");
        row("a header", "a,b\n1,2\n", "float64 (1, 2): 1 2");
        row("a header and labels", "x,a,b\nu,1,2\nv,3,4\n", "float64 (2, 2): 1 2 3 4");
        row("labels", "u 1 2\nv 3 4\n", "float64 (2, 2): 1 2 3 4");
        row("an index with a corner", ",0,1\n0,5,6\n1,7,8\n", "float64 (2, 2): 5 6 7 8");
        row("a header that is one short", "a b\nu 1 2\nv 3 4\n", "float64 (2, 2): 1 2 3 4");
        row("a header with a line end", "\"a\nb\",c\n1,2\n", "float64 (1, 2): 1 2");
        row("true and false", "True,false\nFALSE,true\n", "bool (2, 2): 1 0 0 1");
        row("one column", "1\n2\n3\n", "float64 (3, 1): 1 2 3");
        row("long form", "b,h,i,j,value\n0,0,0,1,6\n0,0,0,0,5\n", "float64 (1, 1, 1, 2): 5 6");
        row("long form of three axes", "axis0,axis1,axis2,value\n0,0,0,1\n1,0,0,2\n",
            "float64 (2, 1, 1): 1 2");
    }
    void numbersAreReadAsPeopleWriteThem()
    {
        QFETCH(QByteArray, text);
        QFETCH(QString, expected);
        QCOMPARE(reading(text.toStdString()), expected);
    }

    void whatIsNoTableIsRefusedByRowAndColumn_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("place");
        const auto row = [](const char* name, QByteArray text, const char* place) {
            QTest::newRow(name) << text << place;
        };
        row("a short row", "1,2,3\n4,5,6\n7,8\n", "row 3 has 2 values, 3 expected.");
        row("a long row", "1,2\n\n# c\n3,4,5\n", "row 4 has 3 values, 2 expected.");
        row("a short row of one", "1,2\n3\n", "row 2 has 1 value, 2 expected.");
        row("an empty cell", "1,,3\n", "row 1, column 2 is empty.");
        row("an empty cell at the end", "1,2\n3,\n", "row 2, column 2 is empty.");
        row("an empty cell at the front", "a,b\n1,2\n,4\n", "row 3, column 1 is empty.");
        row("a word", "1,2\n3,n/a\n", "row 2, column 2: 'n/a' is not a number.");
        row("a missing number is no label", "NA,2\n3,4\n",
            "row 1, column 1: 'NA' is not a number, and no label either: row 2 begins with a "
            "number.");
        row("a missing number below a header", "a,b\nnull,2\n3,4\n",
            "row 2, column 1: 'null' is not a number, and no label either: row 3 begins with a "
            "number.");
        row("a spreadsheet's error is no comment", "#N/A,2\n3,4\n",
            "row 1, column 1: '#N/A' is not a number, and no label either: row 2 begins with a "
            "number.");
        row("a spreadsheet's error later", "1,2\n3,#DIV/0!\n",
            "row 2, column 2: '#DIV/0!' is not a number.");
        row("money", "$5,3\n", "row 1, column 1: '$5' is not a number.");
        row("a typographic minus", "\u22125,3\n", "row 1, column 1: '\u22125' is not a number.");
        row("hexadecimal", "0x10,1\n", "row 1, column 1: '0x10' is not a number.");
        row("an underscore", "1_000,1\n", "row 1, column 1: '1_000' is not a number.");
        row("a NaN with a note", "1,2\n3,nan(1)\n", "row 2, column 2: 'nan(1)' is not a number.");
        row("grouped by dots", "1.234,5;2\n",
            "row 1, column 1: '1.234,5' is not a number; the decimal sign of this file is '.', and "
            "digits are not grouped.");
        row("both signs", "0,5;1\n0.5;1\n",
            "row 2, column 1: '0.5' is not a number; the decimal sign of this file is ',', and "
            "digits are not grouped.");
        row("decimal commas among commas", "\"0,5\",\"1,5\"\n",
            "row 1, column 1: '0,5' is not a number; the decimal sign of this file is '.', and "
            "digits are not grouped.");
        row("numbers and flags", "1,true\n",
            "row 1, column 2: 'true' stands in a table that has both numbers and true or false.");
        row("an open quote", "1,2\n3,\"4\n5,6\n", "row 2: a quoted cell does not end.");
        row("lines are those of the file", "\"a\nb\",c\r\n\r\n1,2\r\n3,x\r\n",
            "row 5, column 2: 'x' is not a number.");
        row("an element twice", "b,h,i,j,value\n0,0,0,2,1\n0,0,0,2,2\n0,0,0,0,2\n",
            "row 3: this element is there twice.");
        row("an element missing", "axis0,axis1,axis2,value\n0,0,0,1\n0,1,1,2\n",
            "the indices reach over a tensor (1, 2, 2), and 2 elements of it are there.");
        row("a broken index", "axis0,axis1,axis2,value\n0,0.5,0,1\n",
            "row 2, column 2: an index is a whole number from 0 on.");
    }
    void whatIsNoTableIsRefusedByRowAndColumn()
    {
        QFETCH(QByteArray, text);
        QFETCH(QString, place);
        QCOMPARE(reading(text.toStdString()), "f.csv, " + place);
    }

    void aTableWithoutNumbersIsRefused()
    {
        for (const char* text : {"", "\n\n", "a,b\n", "# 1,2\n"})
            QCOMPARE(reading(text), "f.csv: there are no numbers in it.");
    }

    void aChoiceGoesBeforeWhatIsSniffed()
    {
        QCOMPARE(reading("\"0,5\",\"1,5\"\n", {',', ','}), "float64 (1, 2): 0.5 1.5");
        QCOMPARE(reading("1,5\n", {';', ','}), "float64 (1, 1): 1.5");
        QCOMPARE(reading("1|2\n3|4\n", {'|', {}}), "float64 (2, 2): 1 2 3 4");
    }

    void theReadingIsSaid()
    {
        QCOMPARE(noteOf("1,2\n"), "f.csv: read as cells between commas, decimals after a dot.");
        QCOMPARE(noteOf("0,5;1\n"),
                 "f.csv: read as cells between semicolons, decimals after a comma.");
        QCOMPARE(noteOf("x\ta\nu\t1\n"), "f.csv: read as cells between tabs, decimals after a dot; "
                                         "row 1 is a header (x, a); column 1 labels the rows.");
        QCOMPARE(noteOf("1 1e999 1e-999\n"),
                 "f.csv: read as cells between blanks, decimals after a dot. | f.csv: 2 numbers "
                 "are beyond float64 and became infinite or 0.");
    }

    void printedDigitsAreCounted()
    {
        const auto printed = [](const char* text) {
            const PrintedDigits digits = *readDelimited(text, "f").value().tensors[0].printed;
            return QString("%1 %2").arg(digits.nDecimals).arg(digits.nSignificant);
        };
        QCOMPARE(printed("0.25,0.5\n"), "2 2");
        QCOMPARE(printed("1,20\n"), "0 2");
        QCOMPARE(printed("1.5e-3,0\n"), "4 2");
        QCOMPARE(printed("1.5e3\n"), "0 2");
        QCOMPARE(printed("0.0012\n"), "4 2");
    }

    void onlyTablesLookLikeTables()
    {
        for (const char* text : {"1,2\n", "a,b\n1,2\n", "u 1 2\nv 3 4\n", "7\n", "nan;inf\n"})
            QVERIFY2(looksDelimited(text), text);
        for (const char* text : {"MIT License\n\nCopyright (c) 2026 Somebody\n", "", "a b\nc d\n",
                                 "<xml version='1'>\n<a>\n"})
            QVERIFY2(!looksDelimited(text), text);
    }

    void whatIsWrittenIsReadBack()
    {
        const RawTensor table = floats("x", {2, 3}, {0.1F, -0.0F, 1e-45F, INFINITY, -3, 16777216});
        QCOMPARE(reading(writeCsv(table)).replace("float64", "float32"),
                 "float32 (2, 3): 0.10000000000000001 -0 9.9999999999999998e-46 inf -3 16777216");
        const RawTensor stack = counting("x", {2, 1, 3, 2});
        QCOMPARE(reading(writeCsv(stack)), line(stack));
    }

    void nothingElseIsANumber_data()
    {
        QTest::addColumn<bool>("isNumber");
        for (const char* text : {"1", " 1 ", "+1", "-0", "1e5", "1E+05", "nan", "Infinity"})
            QTest::newRow(text) << true;
        for (const char* text : {"", " ", "+", "--1", "+-1", "1e", "1e+", "e5", ".", "1 2", "0x1p3",
                                 "1f", "1,5", "infinit", "nan(1)", "1.2.3",
                                 "\xE2\x88\x92"
                                 "1"})
            QTest::newRow(text) << false;
    }
    void nothingElseIsANumber()
    {
        QFETCH(bool, isNumber);
        QCOMPARE(textNumber(QTest::currentDataTag()).has_value(), isNumber);
    }
};

QTEST_APPLESS_MAIN(TestTables)
#include "tst_tables.moc"
