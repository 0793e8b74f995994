#include "core/io/file_bytes.h"
#include "core/io/npy.h"
#include "core/io/npz.h"
#include "core/io/safetensors.h"
#include "core/io/tensor_file.h"
#include "tests/io/tensors.h"

#include <QProcess>
#include <QTemporaryDir>
#include <QTest>
#include <cstring>
#include <limits>

using namespace keyaxis;
using namespace keyaxis::testing;

namespace {

std::filesystem::path hardCase(const QString& name)
{
    return (QStringLiteral(KEYAXIS_TEST_DATA "/hardcases/") + name).toStdString();
}

} // namespace

class TestTensorFile : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void readsWhatTheFormatsAllow_data()
    {
        QTest::addColumn<QString>("tensor");
        QTest::addColumn<QString>("expected");
        const auto row = [](const char* file, const char* tensor, const char* expected) {
            QTest::newRow(file + QByteArray(" ") + tensor) << tensor << expected;
        };
        row("a01_fortran_2x3.npy", "a01_fortran_2x3", "float32 (2, 3): 1 2 3 4 5 6");
        row("a02_fortran_1x2x3x4.npy", "a02_fortran_1x2x3x4",
            "float64 (1, 2, 3, 4): 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23");
        row("a03_bigendian_f4.npy", "a03_bigendian_f4",
            "float32 (2, 2): 1 -2 0.5 3.0000000054977558e+38");
        row("a04_header_v2_9000.npy", "a04_header_v2_9000", "float32 (2, 2): 1 2 3 4");
        row("a05_header_compact.npy", "a05_header_compact", "float32 (2, 2): 1 2 3 4");
        row("a06_zero_d.npy", "a06_zero_d", "float64 (): 3.5");
        row("a07_bool.npy", "a07_bool", "bool (2, 2): 1 0 1 1");
        row("a14_trailing_bytes.npy", "a14_trailing_bytes", "float32 (2, 2): 1 2 3 4");
        row("a15_one_d.npy", "a15_one_d", "float32 (5,): 0 1 2 3 4");
        row("a30_mixed_dtypes.safetensors", "Q", "bfloat16 (1, 1, 2, 2): 1 -2 0.5 3.140625");
        row("a30_mixed_dtypes.safetensors", "K",
            "float16 (1, 1, 2, 2): 0.25 65504 -6.103515625e-05 5.9604644775390625e-08");
        row("a30_mixed_dtypes.safetensors", "V", "float32 (1, 1, 2, 2): 1 2 3 4");
        row("a35_header_order_not_offset_order.safetensors", "Q", "float32 (1, 2): 1 2");
        row("a40_semicolon_decimal_comma.csv", "a40_semicolon_decimal_comma",
            "float64 (2, 3): 0.5 1.25 -3 0.001 2 150");
        row("a41_bom_quoted_header_crlf.csv", "a41_bom_quoted_header_crlf",
            "float64 (2, 2): 1 2 3 4");
        row("a42_nan_inf_accepted.csv", "a42_nan_inf_accepted",
            "float64 (3, 4): nan nan nan nan inf -inf inf inf -inf inf 100000 -0");
        row("a45_point_decimals.csv", "a45_point_decimals", "float64 (2, 2): 0.5 1.25 -3 0.002");
        row("a46_blank_and_comment_lines.csv", "a46_blank_and_comment_lines",
            "float64 (2, 3): 1 2 3 4 5 6");
        row("a50_nan_infinity_tokens.json", "Q", "float64 (2, 2): nan inf -inf 1");
        row("a51_numbers.json", "Q", "float64 (2, 2): 9007199254740992 -0 100 0");
        row("a52_number_overflow.json", "Q", "float64 (2, 2): inf 1 1 1");
        row("a53_inner_bom.json", "V", "float64 (1, 1): 3");
        row("a54_missing_K.json", "V", "float64 (1, 2): 3 4");
        row("a60_excel_crlf.tsv", "a60_excel_crlf", "float64 (2, 2): 1 2 3 4");
        row("a61_numpy_print.txt", "a61_numpy_print", "float64 (2, 2): 1 2.5 3 -4");
        row("a62_torch_print.txt", "a62_torch_print", "float64 (2, 2): 1 2.5 3 -inf");
        row("a35_header_order_not_offset_order.safetensors", "K", "float32 (1, 2): 3 4");
        row("a35_header_order_not_offset_order.safetensors", "V", "float32 (1, 2): 5 6");
    }
    void readsWhatTheFormatsAllow()
    {
        QFETCH(QString, tensor);
        QFETCH(QString, expected);
        const QString file = QString::fromUtf8(QTest::currentDataTag()).section(' ', 0, 0);
        const auto read = readTensorFile(hardCase(file));
        QVERIFY2(read, read ? "" : read.error().message.c_str());
        const RawTensor* found = read->find(tensor.toStdString());
        QVERIFY(found);
        QCOMPARE(line(*found), expected);
    }

    void archivesLoadByName_data()
    {
        QTest::addColumn<int>("nNotes");
        QTest::newRow("a20_savez_compressed.npz") << 0;
        QTest::newRow("a21_text_member_first.npz") << 0; // text is read: token names are text
        QTest::newRow("a26_no_npy_suffix.npz") << 0;
    }
    void archivesLoadByName()
    {
        QFETCH(int, nNotes);
        const auto read = readTensorFile(hardCase(QString::fromUtf8(QTest::currentDataTag())));
        QVERIFY2(read, read ? "" : read.error().message.c_str());
        QCOMPARE(std::ssize(read->notes), nNotes);
        for (const char* name : {"q", "K", "v"}) {
            const RawTensor* raw = read->find(name);
            QVERIFY(raw);
            const std::vector<double> values = toDoubles(*raw);
            for (int h = 0; h < 2; ++h)
                for (int t = 0; t < 3; ++t)
                    for (int d = 0; d < 4; ++d) {
                        const double expected = name[0] == 'q' ? (12 * h + 4 * t + d) / 8.0
                                                : name[0] == 'K'
                                                    ? (12 * (1 - h) + 4 * t + d) / 4.0 - 1
                                                    : 24.0 - (12 * h + 4 * t + d);
                        QCOMPARE(values[std::size_t(12 * h + 4 * t + d)], expected);
                    }
        }
    }

    void aNameThatClimbsOutOfItsFolderStaysAName()
    {
        const auto read = readTensorFile(hardCase("a23_dotdot_name.npz"));
        QVERIFY(read);
        QVERIFY(read->find("../../Q"));
        QVERIFY(read->find("K"));
    }

    void refusesInOneSentenceThatNamesThePlace_data()
    {
        QTest::addColumn<QString>("says");
        const auto row = [](const char* file, const char* says) { QTest::newRow(file) << says; };
        row("a08_bf16_as_V2.npy", "bfloat16");
        row("a09_object_pickle.npy", "unpickling");
        row("a10_truncated_data.npy", "needs 64 bytes of data and 40 are there");
        row("a11_shape_product_2e64.npy", "too large for any file");
        row("a12_shape_4TB.npy", "and 8 are there");
        row("a13_header_len_4GB.npy", "at most 10000 are read");
        row("a16_empty_file.npy", "is empty (0 bytes)");
        row("a22_crc_mismatch.npz", "member K.npy");
        row("a24_member_declares_160GB.npz", "member Q.npy");
        row("a25_no_central_directory.npz", "incomplete or damaged");
        row("a43_ragged_short_row.csv", "row 3 has 2 values, 3 expected");
        row("a44_quoted_decimal_comma.csv", "row 1, column 1: '0,5' is not a number");
        row("a47_empty_cell.csv", "row 1, column 2 is empty");
        row("a32_shape_vs_offsets.safetensors", "needs 4000000 bytes");
        row("a33_overlapping_ranges.safetensors", "must begin at");
        row("a34_header_len_2e63.safetensors",
            "its header claims 9223372036854775808 bytes and 2 are there");
        row("a36_unknown_dtype.safetensors", "tensor Q: its type F6_E2M3 is not read");
    }
    void refusesInOneSentenceThatNamesThePlace()
    {
        QFETCH(QString, says);
        const QString file = QString::fromUtf8(QTest::currentDataTag());
        const auto read = readTensorFile(hardCase(file));
        QVERIFY(!read);
        QCOMPARE(read.error().code,
                 file.startsWith("a08") ? Errc::Ambiguous : Errc::BadInput); // a flag decides
        const QString message = QString::fromStdString(read.error().message);
        QVERIFY2(message.contains(file) && message.contains(says) && message.endsWith('.'),
                 qPrintable(message));
        QVERIFY(!message.contains('\n'));
        QVERIFY(readTensorFile(hardCase("num_a3_axis.npz"))); // a good file still opens
    }

    void onlyAChoiceMakesNumbersOfBytesWithoutAType()
    {
        FileChoices choices;
        choices.opaqueType = ElementType::BF16;
        const auto read = readTensorFile(hardCase("a08_bf16_as_V2.npy"), choices);
        QCOMPARE(line(read.value().tensors[0]), "bfloat16 (2, 2): 1 -2 0.5 3.140625");
        choices.opaqueType = ElementType::F8E4M3; // of another size
        QCOMPARE(readTensorFile(hardCase("a08_bf16_as_V2.npy"), choices).error().code,
                 Errc::Ambiguous);
    }

    void textIsReadInAnyUnicode()
    {
        QTemporaryDir folder;
        const std::filesystem::path path = (folder.path() + "/t.txt").toStdString();
        const auto reading = [&](std::string_view text) {
            if (!writeBytes(path, bytesOf(text)))
                return QString("not written");
            const auto file = readTensorFile(path);
            return file ? QString::fromStdString(file->tensors[0].name) + " " +
                              line(file->tensors[0])
                        : sentence(file);
        };
        using namespace std::string_view_literals;
        QCOMPARE(reading("\xFF\xFE"
                         "1\0\t\0"
                         "2\0\r\0\n\0"sv),
                 "t float64 (1, 2): 1 2");
        QCOMPARE(reading("\xFE\xFF"
                         "\0[\0"
                         "1\0]"sv),
                 "t float64 (1,): 1");
        QCOMPARE(reading("\xEF\xBB\xBF[1]"), "t float64 (1,): 1");
        QVERIFY(reading("1\0,2\n"sv).contains("t.txt is neither"));
        QVERIFY(reading("a b\nc d\n").contains("t.txt is neither"));
    }

    void filesOfOtherProgramsSayWhatToDo_data()
    {
        using namespace std::string_view_literals;
        QTest::addColumn<QByteArray>("content");
        QTest::addColumn<QString>("sentence");
        const auto row = [](const char* name, std::string_view content, const char* sentence) {
            QTest::newRow(name) << QByteArray(content.data(), qsizetype(content.size()))
                                << QString(sentence);
        };
        row("gzip", "\x1f\x8b\x08\0"sv, "gunzip");
        row("Zstandard", "\x28\xb5\x2f\xfd\0"sv, "unzstd");
        row("xz", "\xfd\x37zXZ\0"sv, "unxz");
        row("bzip2", "BZh91AY"sv, "bunzip2");
        row("HDF5", "\x89HDF\r\n\x1a\n\0"sv, "HDF5 file; save its arrays");
        row("MATLAB", "MATLAB 5.0 MAT-file, Platform: GLNXA64"sv, "scipy.io.loadmat");
        row("Parquet", "PAR1\0\0"sv, "Parquet");
        row("GGUF", "GGUF\x03\0\0\0"sv, "holds no activations");
        row("an old Excel", "\xd0\xcf\x11\xe0\xa1\xb1"sv, "Office document");
        row("a pointer of Git LFS", "version https://git-lfs.github.com/spec/v1\noid sha256:a\n"sv,
            "git lfs pull");
        row("a web page", "<!DOCTYPE html>\n<html>"sv, "web page");
    }

    void filesOfOtherProgramsSayWhatToDo()
    {
        QFETCH(QByteArray, content);
        QFETCH(QString, sentence);
        QTemporaryDir folder;
        const std::filesystem::path path = (folder.path() + "/t.npz").toStdString();
        QVERIFY(writeBytes(path, bytesOf(content.toStdString())));
        const auto file = readTensorFile(path);
        QVERIFY(!file);
        const QString said = QString::fromStdString(file.error().message);
        QVERIFY2(said.contains("t.npz is ") && said.contains(sentence) && said.endsWith('.'),
                 qPrintable(said));
    }

    void archivesThatAreNoneOfArraysAreRefused_data()
    {
        QTest::addColumn<QString>("sentence");
        QTest::newRow("two_of_one_name.npz") << "two of its members have the same name";
        QTest::newRow("office.xlsx") << "is an Office document; save its table as .csv";
        QTest::newRow("texts.npz") << "is an archive without any array";
        QTest::newRow("lzma.npz") << "member q.npy: the member is compressed in a way that is not "
                                     "read; save it with numpy.savez_compressed";
    }

    void archivesThatAreNoneOfArraysAreRefused()
    {
        QFETCH(QString, sentence);
        const QString path = QStringLiteral(KEYAXIS_TEST_DATA "/odd/") + QTest::currentDataTag();
        const auto file = readTensorFile(path.toStdString());
        QVERIFY(!file);
        const QString said = QString::fromStdString(file.error().message);
        QVERIFY2(said.contains(sentence), qPrintable(said));
    }

    void everyCutOfAFileIsRefusedOrRead()
    {
        const TensorFile file{{floats("q", {1, 1, 2, 2}, {1, 2, 3, 4}), floats("k", {2}, {5, 6})},
                              {{"causal", "true"}},
                              {}};
        std::vector<std::string> notes;
        const Bytes npy = writeNpy(file.tensors[0]);
        for (std::size_t n = 0; n < npy.size(); ++n)
            QVERIFY(!readNpy(BytesView(npy).first(n), "cut", notes));
        const Bytes npz = writeNpz(file).value();
        for (std::size_t n = 0; n < npz.size(); ++n)
            QVERIFY(!readNpz(BytesView(npz).first(n), "cut"));
        const Bytes safetensors = writeSafetensors(file).value();
        for (std::size_t n = 0; n < safetensors.size(); ++n)
            QVERIFY(!readSafetensors(BytesView(safetensors).first(n), "cut"));
    }

    void everyFlippedByteIsRefusedOrRead()
    {
        // Whatever a byte becomes, reading ends without a crash (run under the sanitizers too).
        const TensorFile file{{floats("q", {1, 1, 2, 2}, {1, 2, 3, 4})}, {{"causal", "true"}}, {}};
        std::vector<std::string> notes;
        const auto flip = [](Bytes bytes, const auto& read) {
            for (std::byte& byte : bytes)
                for (const int value : {0x00, 0x01, 0x7F, 0xFF, 0x7B, 0x39}) {
                    const std::byte kept = byte;
                    byte = static_cast<std::byte>(value);
                    read(bytes);
                    byte = kept;
                }
        };
        int nRead = 0;
        flip(writeNpy(file.tensors[0]),
             [&](const Bytes& b) { nRead += readNpy(b, "flipped", notes) ? 1 : 0; });
        flip(writeNpz(file).value(),
             [&](const Bytes& b) { nRead += readNpz(b, "flipped") ? 1 : 0; });
        flip(writeSafetensors(file).value(),
             [&](const Bytes& b) { nRead += readSafetensors(b, "flipped") ? 1 : 0; });
        QVERIFY(nRead > 100); // data bytes may be anything
    }

    void everyFloatSurvivesEveryFormat()
    {
        using Limits = std::numeric_limits<float>;
        const std::vector<float> values{0.0F,
                                        -0.0F,
                                        1.0F,
                                        0.1F,
                                        Limits::max(),
                                        Limits::min(),
                                        Limits::denorm_min(),
                                        Limits::infinity(),
                                        -Limits::infinity(),
                                        Limits::quiet_NaN(),
                                        16777217.0F,
                                        -1e-7F};
        const TensorFile file{{floats("x", {3, 4}, values)}, {}, {}};
        QTemporaryDir folder;
        for (const char* name : {"/x.npy", "/x.npz", "/x.safetensors"}) {
            const std::filesystem::path path = (folder.path() + name).toStdString();
            QVERIFY(writeTensorFile(path, file));
            const auto back = readTensorFile(path);
            QVERIFY(back);
            QCOMPARE(back->find("x")->bytes, file.tensors[0].bytes);
            QCOMPARE(back->find("x")->shape, file.tensors[0].shape);
            const Bytes first = readBytes(path).value();
            QVERIFY(writeTensorFile(path, file));
            QCOMPARE(readBytes(path).value(), first); // the same bytes from run to run
        }
        const std::filesystem::path csv = (folder.path() + "/x.csv").toStdString();
        QVERIFY(writeTensorFile(csv, file));
        QCOMPARE(QString::fromStdString(std::string(textOf(readBytes(csv).value()))),
                 "0,-0,1,0.1\n3.4028235e+38,1.1754944e-38,1e-45,inf\n-inf,nan,16777216,-1e-07\n");
    }

    void tokensAndMetadataSurviveAnArchive()
    {
        TensorFile file{{floats("q", {1}, {1})}, {{"causal", "true"}}, {}};
        file.tensors.push_back(
            {"query_tokens", ElementType::Text, {1, 3}, {}, {"ab", "中文", "𝄞"}});
        const auto back = readNpz(writeNpz(file).value(), "file");
        QVERIFY(back);
        QCOMPARE(back->find("query_tokens")->text, file.tensors[1].text);
        QCOMPARE(back->find("query_tokens")->shape, file.tensors[1].shape);
        QCOMPARE(back->find("causal")->text, std::vector<std::string>{"true"});
        const auto other = readSafetensors(writeSafetensors(file).value(), "file");
        QCOMPARE(other->metadata.at("keyaxis.query_tokens"),
                 std::string("[[\"ab\",\"中文\",\"𝄞\"]]"));
        QCOMPARE(other->metadata.at("causal"), std::string("true"));
    }

    void onlyOneTensorFitsNpyAndCsv()
    {
        const TensorFile two{{floats("a", {1}, {1}), floats("b", {1}, {2})}, {}, {}};
        for (const char* path : {"/nowhere/x.npy", "/nowhere/x.csv", "/nowhere/x.mat"})
            QCOMPARE(writeTensorFile(path, two).error().code, Errc::BadValue);
    }

    void numpyReadsWhatIsWritten()
    {
        QProcess python;
        python.start("/usr/bin/python3", {"-c", "import numpy"});
        if (!python.waitForStarted() || !python.waitForFinished() || python.exitCode() != 0)
            QSKIP("python3-numpy is not installed");
        QTemporaryDir folder;
        TensorFile file{{floats("q", {2, 1, 1, 2}, {1, -0.0F, INFINITY, 0.1F})}, {}, {}};
        file.tensors.push_back({"tokens", ElementType::Text, {2}, {}, {"a", "中文"}});
        QVERIFY(writeTensorFile((folder.path() + "/x.npz").toStdString(), file));
        python.start(
            "/usr/bin/python3",
            {"-c",
             "import sys, numpy as n\nf = n.load(sys.argv[1])\n"
             "print(f['q'].dtype, f['q'].shape, f['q'].ravel().tolist(), f['tokens'].tolist())",
             folder.path() + "/x.npz"});
        QVERIFY(python.waitForFinished());
        QCOMPARE(QString::fromUtf8(python.readAllStandardOutput()).trimmed(),
                 "float32 (2, 1, 1, 2) [1.0, -0.0, inf, 0.10000000149011612] ['a', '中文']");
    }
};

QTEST_APPLESS_MAIN(TestTensorFile)
#include "tst_tensor_file.moc"
