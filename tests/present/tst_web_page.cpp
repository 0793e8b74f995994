// One page of HTML: its numbers are the core's, its names are data, and it works in a browser.

#include "core/attention/attention.h"
#include "ui/present/web_page.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <cmath>

using namespace keyaxis;

namespace {

StepState stateOf(const QString& toml)
{
    return readStepSettings(toml, {"l.md", 1}, {}).value().state;
}

/// What stands between the tags of the script `id`.
QString scriptOf(const QString& page, const QString& id)
{
    const QRegularExpression shape(
        QStringLiteral("<script[^>]*id=\"%1\"[^>]*>(.*?)</script>").arg(id),
        QRegularExpression::DotMatchesEverythingOption);
    return shape.match(page).captured(1);
}

/// What `program` prints, or nothing.
QByteArray outputOf(const QString& program, const QStringList& arguments)
{
    QProcess process;
    process.setProcessChannelMode(QProcess::SeparateChannels);
    process.start(program, arguments);
    process.waitForFinished(120'000);
    return process.readAllStandardOutput();
}

QString written(const QTemporaryDir& folder, const QString& name, const QString& text)
{
    QFile file(folder.filePath(name));
    if (!file.open(QIODevice::WriteOnly) || file.write(text.toUtf8()) < 0)
        return {};
    return file.fileName();
}

QString browser()
{
    for (const char* name : {"chromium", "chromium-browser", "google-chrome"})
        if (const QString path = QStandardPaths::findExecutable(name); !path.isEmpty())
            return path;
    return {};
}

const char* const kHostile = "q = [[0, 1], [1, 0]]\nk = [[1, 0], [0, 1]]\n"
                             "tokens = [\"</script><b id='x'>\", \"<img src=x onerror=alert(1)>\"]";

} // namespace

class TestWebPage : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void itsWeightsAreTheCores_data()
    {
        QTest::addColumn<QString>("toml");
        QTest::newRow("a sample") << "sample = \"tiny_lm_layer2\"";
        QTest::newRow("cross-attention") << "sample = \"date_cross\"\ntau = 0.5";
        QTest::newRow("masks and biases")
            << "pattern = \"random\"\nsizes = {examples = 2, heads = 3, queries = 3, keys = 5}\n"
               "mask = [[1, 0, 1, 1, 1], [1, 1, 1, 1, 0], [0, 0, 0, 0, 0]]\n"
               "bias = [[0, -inf, 0.1, 1, 2], [0, nan, 0, 0, 0], [1e-30, 0, 0, 0, 0]]\n"
               "causal = true\nalign = \"end\"\nalibi = true";
        QTest::newRow("empty slices are zero")
            << "pattern = \"random\"\nsizes = {heads = 2}\ncausal = true\nempty = \"zero\"";
        QTest::newRow("very cold") << "pattern = \"random\"\ntau = 0.0001";
    }
    void itsWeightsAreTheCores()
    {
        const QString node = QStandardPaths::findExecutable("node");
        if (node.isEmpty())
            QSKIP("node is not installed");
        QFETCH(QString, toml);
        const StepState state = stateOf(toml);
        const QString page = QString::fromUtf8(webPage(state).value());
        const QTemporaryDir folder;
        const QString program = written(
            folder, "w.js",
            scriptOf(page, "core") + "\nconst data = " + scriptOf(page, "data") +
                ";\nconst text = w => Number.isNaN(w) ? \"NaN\" : w;\n"
                "const out = {}; for (const axis of AXES) { out[axis] = []; "
                "for (let b = 0; b < data.examples; ++b) for (let h = 0; h < data.heads; ++h) "
                "out[axis].push(weights(data, data, axis, b, h).flat().map(text)); }\n"
                "console.log(JSON.stringify(out));\n");
        const QJsonObject all = QJsonDocument::fromJson(outputOf(node, {program})).object();
        for (const Axis axis : kAllAxes) {
            ScoreSettings settings = state.settings;
            settings.axis = axis;
            const Tensor weights = attend(state.inputs, settings).value().weights;
            const QJsonArray slices = all[QString::fromUtf8(names(axis).name.data())].toArray();
            QCOMPARE(slices.size(), weights.shape().slices());
            for (Index n = 0; n < weights.size(); ++n) {
                const QJsonValue theirs = slices[n / weights.shape().sliceSize()]
                                              .toArray()[n % weights.shape().sliceSize()];
                const auto ours = static_cast<double>(weights.data()[n]);
                const bool isSame = theirs.isString() ? std::isnan(ours)
                                                      : std::abs(theirs.toDouble() - ours) <= 1e-6;
                QVERIFY2(isSame, qPrintable(QStringLiteral("%1 %2: %3")
                                                .arg(QString::fromUtf8(names(axis).name.data()))
                                                .arg(n)
                                                .arg(ours)));
            }
        }
    }

    void namesAreDataAndNothingIsFetched()
    {
        const QString page = QString::fromUtf8(webPage(stateOf(kHostile)).value());
        QCOMPARE(page.count("</script>"), 3);
        QVERIFY(!page.contains("<img"));
        QVERIFY(!page.contains("http"
                               "://") &&
                !page.contains("https"
                               "://"));
        QVERIFY(!page.contains("innerHTML"));
        const QJsonObject data = QJsonDocument::fromJson(scriptOf(page, "data").toUtf8()).object();
        QCOMPARE(data["keyTokens"].toArray()[0].toArray()[1].toString(),
                 QString("<img src=x onerror=alert(1)>"));
    }

    void aBrowserShowsFourMaps()
    {
        const QString program = browser();
        if (program.isEmpty())
            QSKIP("chromium is not installed");
        const QTemporaryDir folder;
        // Real clicks and keys, once the page has drawn itself.
        const QString act = QStringLiteral(
            "<script>{"
            "const note = document.createElement('pre'); note.id = 'note'; "
            "document.body.append(note);"
            "const pills = () => [...document.querySelectorAll('.pill')].map(p => "
            "p.textContent).join(' | ');"
            "const say = what => { note.textContent += what + '\\n'; };"
            "say('maps ' + document.querySelectorAll('table').length);"
            "say(pills());"
            "document.querySelector('button[data-axis=query]').click();"
            "say('chosen ' + document.querySelector('section.chosen').dataset.axis);"
            "document.getElementById('causal').click(); say(pills());"
            "document.querySelector('td[data-axis=key][data-i=\"1\"][data-j=\"0\"]').click();"
            "say(document.getElementById('status').textContent);"
            "document.activeElement.dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowRight', "
            "bubbles: true}));"
            "say(document.getElementById('status').textContent);"
            "say('markup ' + document.querySelectorAll('img, b').length);"
            "}</script></body>");
        QString page = QString::fromUtf8(webPage(stateOf(kHostile)).value());
        page.replace("</body>", act);
        const QString path = written(folder, "page.html", page);
        const QString shown =
            QString::fromUtf8(outputOf(program, {"--headless", "--no-sandbox", "--disable-gpu",
                                                 "--user-data-dir=" + folder.filePath("profile"),
                                                 "--dump-dom", "file:///" + path}));
        const QRegularExpression noted(QStringLiteral("<pre id=\"note\">(.*?)</pre>"),
                                       QRegularExpression::DotMatchesEverythingOption);
        const QStringList lines = noted.match(shown).captured(1).split('\n');
        QVERIFY2(lines.size() >= 8, qPrintable(shown.right(2000)));
        QCOMPARE(lines[0], QString("maps 4"));
        QVERIFY2(lines[1].contains("✓ 2 of 2 rows sum to 1"), qPrintable(lines[1]));
        QCOMPARE(lines[2], QString("chosen query"));
        QVERIFY2(lines[3].contains("1 undefined"), qPrintable(lines[3]));
        QVERIFY2(lines[4].startsWith("Key axis:") && lines[4].contains("weight 0.6"),
                 qPrintable(lines[4]));
        QVERIFY2(lines[5].contains("weight 0.3"), qPrintable(lines[5]));
        QCOMPARE(lines[6], QString("markup 0"));
    }

    void whatIsTooLargeIsSaid()
    {
        StepState state;
        state.inputs.q = share(Tensor::zeros({1, 1, 200, 1}));
        state.inputs.k = state.inputs.q;
        const auto page = webPage(state);
        QVERIFY(!page);
        QVERIFY(page.error().message.find("40000") != std::string::npos);
        QCOMPARE(writeWebPage(stateOf(kHostile), "/dev/full").error().code, Errc::BadOutput);
    }
};

QTEST_GUILESS_MAIN(TestWebPage)
#include "tst_web_page.moc"
