#include "tests/app/program.h"

#include <QDir>
#include <QTemporaryDir>
#include <QTest>

using namespace keyaxis;
using namespace keyaxis::testing;

namespace {

const QString kSample = samplePath("tiny_lm_layer2");

} // namespace

/// What the program says before it computes anything: help, version, and what it does not accept.
class TestCommandLine : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void helpNamesWhatThereIs_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QStringList>("words");
        QTest::newRow("program") << QStringList{"--help"}
                                 << QStringList{"keyaxis [FILE]", "compute", "render",
                                                "check",          "present", "--version"};
        QTest::newRow("short") << QStringList{"-h"} << QStringList{"compute", "convert", "render"};
        QTest::newRow("present") << QStringList{"present", "--help"}
                                 << QStringList{"1-along-which-axis", "--answers", "--notes",
                                                "--per-page", "Aiken"};
        QTest::newRow("convert") << QStringList{"convert", "--help"}
                                 << QStringList{"--tensor",    "--output",  "--opaque",
                                                "--separator", "--decimal", ".safetensors",
                                                ".json"};
        QTest::newRow("compute") << QStringList{"compute", "--help"}
                                 << QStringList{
                                        "--axis",        "--causal", "--no-causal", "--align",
                                        "--temperature", "--alibi",  "--no-alibi",  "--slopes",
                                        "--scale",       "--empty",  "--layout",    "--mask",
                                        "--mask-axes",   "--bias",   "--stage",     "--tensor",
                                        "--q",           "--k",      "--v",         "--output",
                                        ".npz",          ".npy",     ".csv",        "Exit codes"};
        QTest::newRow("render") << QStringList{"render", "--help"}
                                << QStringList{"--axis",    "--figure", "--stage", "--batch",
                                               "--head",    "--size",   "--dpi",   "--theme",
                                               "--output",  ".png",     ".svg",    ".pdf",
                                               "--sweep",   "--flip",   ".gif",    ".html",
                                               "Exit codes"};
        QTest::newRow("check") << QStringList{"check", "--help"}
                               << QStringList{"--expect",    "--causal", "--align", "--dims",
                                              "--tolerance", "--tensor", "--json",  "Exit codes"};
        QTest::newRow("beside a mistake")
            << QStringList{"compute", "--axis", "rows", "--help"} << QStringList{"--axis"};
    }
    void helpNamesWhatThereIs()
    {
        QFETCH(QStringList, arguments);
        QFETCH(QStringList, words);
        const Run run = runProgram(arguments);
        QCOMPARE(run.errors, "");
        QCOMPARE(run.exitCode, 0);
        for (const QString& word : words)
            QVERIFY2(run.output.contains(word), qPrintable(word + " is not in " + run.output));
        for (const QString& line : run.output.split('\n'))
            QVERIFY2(line.size() <= 80, qPrintable(line));
    }

    void versionIsTheProjects()
    {
        for (const QStringList& arguments :
             {QStringList{"--version"}, QStringList{"compute", "--version"}}) {
            const Run run = runProgram(arguments);
            QCOMPARE(run.output, "keyaxis " KEYAXIS_VERSION "\n");
            QCOMPARE(run.errors, "");
            QCOMPARE(run.exitCode, 0);
        }
    }

    void refusesWrongUseInOneSentence_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("sentence");
        const auto row = [](const char* name, const QStringList& arguments, const char* sentence) {
            QTest::newRow(name) << arguments << QString(sentence);
        };
        const auto compute = [](const QStringList& more) {
            return QStringList{"compute", kSample, "-o", "out.npz"} + more;
        };
        const auto render = [](const QStringList& more) {
            return QStringList{"render", kSample, "-o", "out.png"} + more;
        };
        row("no file", {"compute", "-o", "out.npz"}, "No file to read was given.");
        row("no output", {"compute", kSample}, "No file to write was given, as in -o OUT.");
        row("output without a value", {"compute", kSample, "-o"}, "Missing value after '-o'.");
        row("two files", {"compute", "a", "b", "-o", "out.npz"},
            "One file at a time, but 'a' and 'b' were given.");
        row("unknown option", compute({"--axes", "key"}), "Unknown option 'axes'.");
        row("an option of the other subcommand", compute({"--figure", "map"}),
            "Unknown option 'figure'.");
        row("unknown subcommand", {"attend", kSample},
            "The window opens one file, and 'attend' is no subcommand.");
        row("unknown axis", compute({"--axis", "rows"}),
            "--axis is 'rows', but it may be key, query, batch, head.");
        row("unknown alignment", compute({"--align", "left"}),
            "--align is 'left', but it may be start, end.");
        row("unknown policy", compute({"--empty", "one"}),
            "--empty is 'one', but it may be nan, zero.");
        row("unknown layout", compute({"--layout", "bdht"}),
            "--layout is 'bdht', but it may be bhtd, bthd, htd, btd.");
        row("unknown mask axes", compute({"--mask-axes", "qq"}),
            "--mask-axes is 'qq', but it may be qk, bk, hqk, bqk.");
        row("unknown slopes", compute({"--slopes", "paper"}),
            "--slopes is 'paper', but it may be authors, geometric.");
        row("unknown stage", compute({"--stage", "softmax"}),
            "--stage is 'softmax', but it may be scores, logits, weights, output, all.");
        row("unknown tensor", compute({"--tensor", "sums"}),
            "--tensor is 'sums', but it may be scores, logits, weights, output, row_sums.");
        row("tensor of another stage", compute({"--stage", "logits", "--tensor", "weights"}),
            "--tensor is 'weights', but --stage logits has no such tensor.");
        row("on and off", compute({"--causal", "--no-causal"}),
            "--causal and --no-causal contradict each other.");
        row("decimal comma", compute({"--temperature", "0,5"}),
            "--temperature is '0,5', but a number such as 0.5 is needed, neither too large nor too "
            "small for a float.");
        row("too small for float32", compute({"--temperature", "1e-60"}),
            "--temperature is '1e-60', but a number such as 0.5 is needed, neither too large nor "
            "too small for a float.");
        row("empty number", compute({"--scale", ""}),
            "--scale is '', but a number such as 0.5 is needed, neither too large nor too small "
            "for a float.");
        row("negative temperature", compute({"--temperature", "-1"}),
            "The temperature is -1; it must be a finite number, 0 or greater.");
        row("infinite temperature", compute({"--temperature", "inf"}),
            "The temperature is inf; it must be a finite number, 0 or greater.");
        row("undefined scale", compute({"--scale", "nan"}),
            "The scale is nan; it must be a finite number.");
        row("unknown ending", {"compute", kSample, "-o", "out.txt"},
            "--output is 'out.txt', but the ending tells the format and may be .npz, .npy, "
            ".safetensors, .csv, .json or .keyaxis.");
        row("a picture of no kind", {"render", kSample, "-o", "out.jpg"},
            "--output is 'out.jpg', but the ending tells the format and may be .png, .svg, .pdf, "
            ".html.");
        row("several tensors in one array", {"compute", kSample, "--stage", "all", "-o", "out.npy"},
            "A .npy file holds one tensor and there are 5; choose one with --tensor, or write "
            ".npz, "
            ".safetensors, .json or .keyaxis.");
        row("unknown figure", render({"--figure", "pie"}),
            "--figure is 'pie', but it may be map, compare, strip, heads, layers, "
            "difference, plane.");
        row("one stage of all", render({"--figure", "strip", "--stage", "weights"}),
            "--figure strip shows every stage; --stage needs --figure map.");
        row("all heads of scores", render({"--figure", "heads", "--stage", "scores"}),
            "--figure heads shows the weights; another stage needs --figure map.");
        row("four axes of scores", render({"--figure", "compare", "--stage", "scores"}),
            "--figure compare shows the weights; another stage needs --figure map.");
        row("a query past the last", render({"--queries", "3-10"}),
            "--queries is 10, but there are 0 to 9.");
        row("a key past the last", render({"--keys", "12"}), "--keys is 12, but there are 0 to 9.");
        row("tokens backwards", render({"--keys", "5-2"}),
            "--keys is '5-2', but the first and the last token are needed, such as 2-9; the first "
            "is 0.");
        row("tokens that are none", render({"--queries", "2-"}),
            "--queries is '2-', but the first and the last token are needed, such as 2-9; the "
            "first is 0.");
        row("a part of all heads", render({"--figure", "heads", "--keys", "2-5"}),
            "--queries and --keys cut maps of queries and keys: they need --figure map, compare or "
            "difference.");
        row("a part of the output", render({"--stage", "output", "--queries", "2-5"}),
            "--queries and --keys cut maps of queries and keys: they need --figure map, compare or "
            "difference.");
        row("a part of a page", {"render", kSample, "--keys", "2-5", "-o", "out.html"},
            "An interactive page shows whole maps in its own colours: it takes none of --queries, "
            "--keys, --leave-out-padding, --palette, --range, --reversed and --ignore-first-key.");
        row("a mean of one map", render({"--mean-head"}),
            "--sort-heads and --mean-head need --figure heads.");
        row("one head sorted", render({"--sort-heads", "--figure", "compare"}),
            "--sort-heads and --mean-head need --figure heads.");
        row("one map against another", render({"--against", "key"}),
            "--against needs --figure difference.");
        row("colours of a plane", render({"--figure", "plane", "--reversed"}),
            "--figure plane has no colour bar.");
        row("an unknown palette", render({"--palette", "jet"}),
            "--palette is 'jet', but it may be viridis, cividis, magma, greys, blue-red.");
        for (const char* range : {"0", "1:0", "0:0", "0:nan", "a:1", "0:1:2", "linear"})
            row(range, render({"--range", range}),
                (std::string("--range is '") + range +
                 "', but it may be auto, symmetric, log, or LOW:HIGH such as 0:0.5, LOW below "
                 "HIGH.")
                    .c_str());
        row("a found range that is given", render({"--range", "0:2", "--ignore-first-key"}),
            "--ignore-first-key is about a range that is found; --range 0:2 is given.");
        row("a sweep of two axes",
            {"render", kSample, "--figure", "difference", "--sweep", "temperature=1:2:3", "-o",
             "out.gif"},
            "--figure difference is one picture; --sweep and --flip need maps.");
        row("head past the last", render({"--head", "4"}), "--head is 4, but there are 0 to 3.");
        row("batch past the last", render({"--batch", "2"}), "--batch is 2, but there are 0 to 1.");
        row("negative head", render({"--head", "-1"}),
            "--head is '-1', but an index is needed; the first is 0.");
        row("size without a height", render({"--size", "300"}),
            "--size is '300', but a width and a height such as 1600x1000 are needed.");
        row("no resolution", render({"--dpi", "0"}),
            "--dpi is '0', but a whole number from 10 to 2400 is needed.");
        row("nothing to check", {"check"}, "No file to check was given.");
        row("unknown expectation", {"check", "w.npy", "--expect", "keys"},
            "--expect is 'keys', but it may be key, query, head, batch, or several as in "
            "head+key.");
        row("an axis twice", {"check", "w.npy", "--dims", "bhkk"},
            "--dims is 'bhkk', but it may have each of the letters b, h, q, k once.");
        row("an axis of another kind", {"check", "w.npy", "--dims", "bhtk"},
            "--dims is 'bhtk', but it may have each of the letters b, h, q, k once.");
        row("alignment of nothing", {"check", "w.npy", "--align", "end"},
            "--align says where the causal diagonal lies and needs --causal.");
        row("negative tolerance", {"check", "w.npy", "--tolerance", "-1"},
            "--tolerance is '-1', but a finite number, 0 or greater, is needed.");
        row("unknown theme", render({"--theme", "blue"}),
            "--theme is 'blue', but it may be light, dark.");
    }
    void refusesWrongUseInOneSentence()
    {
        QFETCH(QStringList, arguments);
        QFETCH(QString, sentence);
        const QTemporaryDir folder;
        const Run run = runProgram(arguments, {}, folder.path());
        QCOMPARE(run.errors, "keyaxis: " + sentence + "\n");
        QCOMPARE(run.exitCode, 2);
        QVERIFY(QDir(folder.path()).isEmpty());
    }
};

QTEST_APPLESS_MAIN(TestCommandLine)
#include "tst_command_line.moc"
