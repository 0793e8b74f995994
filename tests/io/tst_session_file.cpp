#include "core/io/attention_file.h"
#include "core/io/file_bytes.h"
#include "core/io/session_file.h"
#include "core/io/tensor_file.h"
#include "tests/core/sample_values.h"
#include "tests/io/tensors.h"

#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

using namespace keyaxis;
using namespace keyaxis::testing;

namespace {

bool isSame(const SharedTensor& a, const SharedTensor& b)
{
    return !a == !b &&
           (!a || (rawTensor("", *a).bytes == rawTensor("", *b).bytes && a->shape() == b->shape()));
}

/// A session with everything in it, and no setting as it is by default.
Session fullSession()
{
    Session session;
    session.inputs = randomInputs({2, 4, 2, 3, 5, 4, 6}, 1);
    session.inputs.mask = share(Tensor::filled({2, 1, 1, 5}, 0.0F)); // hides every key
    Tensor bias = Tensor::filled({1, 4, 3, 5}, -0.0F);
    bias.at(0, 1, 2, 3) = -std::numeric_limits<float>::infinity();
    bias.at(0, 1, 2, 4) = std::numeric_limits<float>::quiet_NaN();
    session.inputs.bias = share(std::move(bias));
    session.inputs.queryTokens = {{"a", "", "\n"}, {"\xE4\xB8\xAD", "\"", "<b>"}};
    session.inputs.keyTokens = {{"a", "b", "c", "d", "e"}, {"f", "g", "h", "i", "j"}};
    session.settings = {Axis::Head,           true, Align::End,           true,
                        SlopeRule::Geometric, 0.1F, std::optional(0.125), EmptySlice::Zero};
    session.view = {{"batch", "1"}, {"stage", "weights"}};
    session.source = "model.safetensors";
    return session;
}

Result<AttentionFile> readBack(const std::filesystem::path& path)
{
    return readTensorFile(path).and_then(
        [](const TensorFile& file) { return readAttention(file, "s"); });
}

/// What `text` is read as: the sentence of its refusal, or "read".
QString reading(const QByteArray& text)
{
    return sentence(parseSession(text.toStdString(), "s.keyaxis"));
}

} // namespace

class TestSessionFile : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everythingComesBack()
    {
        const Session session = fullSession();
        const std::filesystem::path path = (m_folder.path() + "/s.keyaxis").toStdString();
        QVERIFY(writeSession(path, session));
        const auto back = readBack(path);
        QVERIFY2(back, qPrintable(sentence(back)));
        QVERIFY(isSame(back->inputs.q, session.inputs.q));
        QVERIFY(isSame(back->inputs.k, session.inputs.k));
        QVERIFY(isSame(back->inputs.v, session.inputs.v));
        QVERIFY(isSame(back->inputs.mask, session.inputs.mask));
        QVERIFY(isSame(back->inputs.bias, session.inputs.bias));
        QCOMPARE(back->inputs.queryTokens, session.inputs.queryTokens);
        QCOMPARE(back->inputs.keyTokens, session.inputs.keyTokens);
        QVERIFY(back->settings == session.settings);
        QCOMPARE(back->view, session.view);
        QVERIFY(back->notes.empty());
        QVERIFY(writeSession((m_folder.path() + "/again.keyaxis").toStdString(), session));
        QCOMPARE(readBytes((m_folder.path() + "/again.keyaxis").toStdString()).value(),
                 readBytes(path).value());
    }

    void whatIsNotThereStaysAway()
    {
        Session session;
        session.inputs = randomInputs({1, 1, 1, 2, 2, 2, 2}, 2);
        session.inputs.v = nullptr;
        const std::filesystem::path path = (m_folder.path() + "/s.keyaxis").toStdString();
        QVERIFY(writeSession(path, session));
        const auto back = readBack(path).value();
        QVERIFY(!back.inputs.v && !back.inputs.mask && !back.inputs.bias);
        QVERIFY(back.inputs.queryTokens.empty() && back.settings == ScoreSettings());
    }

    void aSessionMayHoldOnlyWeights()
    {
        Session session;
        session.others.push_back(floats("weights", {1, 2}, {0.25F, 0.75F}));
        const std::filesystem::path path = (m_folder.path() + "/s.keyaxis").toStdString();
        QVERIFY(writeSession(path, session));
        QCOMPARE(line(*readTensorFile(path).value().find("weights")), "float32 (1, 2): 0.25 0.75");
    }

    void numpyOpensIt()
    {
        QProcess python;
        python.start("/usr/bin/python3", {"-c", "import numpy"});
        if (!python.waitForStarted() || !python.waitForFinished() || python.exitCode() != 0)
            QSKIP("python3-numpy is not installed");
        const QString path = m_folder.path() + "/s.keyaxis";
        QVERIFY(writeSession(path.toStdString(), fullSession()));
        python.start("/usr/bin/python3",
                     {"-c",
                      "import sys, json, numpy as n\nf = n.load(sys.argv[1])\n"
                      "print(sorted(f.files), f['q'].shape, f['mask'].dtype, "
                      "json.loads(f['session.json'])['settings']['temperature'])",
                      path});
        QVERIFY(python.waitForFinished());
        QCOMPARE(QString::fromUtf8(python.readAllStandardOutput()).trimmed(),
                 "['bias', 'k', 'mask', 'q', 'session.json', 'v'] (2, 4, 3, 4) bool 0.1");
    }

    void versionsAreToldApart()
    {
        QCOMPARE(reading(R"({"version": 1})"), "read");
        QCOMPARE(reading(R"({"version": 1, "colour": "unknown", "settings": {"new": 1}})"), "read");
        QCOMPARE(reading(R"({"version": 2})"),
                 "s.keyaxis, session.json: it is of version 2, written by a newer Keyaxis; this "
                 "one reads versions up to 1.");
        QCOMPARE(reading(R"({"version": 0})"),
                 "s.keyaxis, session.json: its version is 0; the first is 1.");
        for (const char* text : {"{}", R"({"version": "1"})", R"({"version": 1.5})"})
            QCOMPARE(reading(text), "s.keyaxis, session.json: it does not say its version.");
        for (const char* text : {"", "[]", "{", "{\"version\": 1,}"})
            QCOMPARE(reading(text), "s.keyaxis, session.json: it is no JSON object.");
    }

    void aValueOfTheWrongKindIsNamed_data()
    {
        QTest::addColumn<QByteArray>("field");
        QTest::addColumn<QString>("name");
        const auto row = [](const char* field, const char* name) {
            QTest::newRow(field) << QByteArray(field) << name;
        };
        row(R"("settings": {"axis": "rows"})", "settings.axis");
        row(R"("settings": {"axis": 1})", "settings.axis");
        row(R"("settings": {"causal": 1})", "settings.causal");
        row(R"("settings": {"align": "middle"})", "settings.align");
        row(R"("settings": {"alibi": "yes"})", "settings.alibi");
        row(R"("settings": {"slopes": ""})", "settings.slopes");
        row(R"("settings": {"temperature": null})", "settings.temperature");
        row(R"("settings": {"scale": "1"})", "settings.scale");
        row(R"("settings": {"empty": "one"})", "settings.empty");
        row(R"("settings": [])", "settings");
        row(R"("view": {"batch": 1})", "view");
        row(R"("view": ["batch"])", "view");
        row(R"("query_tokens": [["a", 1]])", "query_tokens");
        row(R"("key_tokens": ["a"])", "key_tokens");
        row(R"("key_tokens": "a")", "key_tokens");
        row(R"("source": {})", "source");
    }
    void aValueOfTheWrongKindIsNamed()
    {
        QFETCH(QByteArray, field);
        QFETCH(QString, name);
        QCOMPARE(reading(R"({"version": 1, )" + field + "}"),
                 "s.keyaxis, session.json: the value of " + name + " is not one that it can have.");
    }

    void aSettingOutOfItsDomainIsRefused()
    {
        QVERIFY(reading(R"({"version": 1, "settings": {"temperature": -1}})")
                    .startsWith("s.keyaxis, session.json: The temperature is -1"));
        QVERIFY(reading(R"({"version": 1, "settings": {"temperature": 1e300}})")
                    .contains("temperature"));
    }

    void aRefusedSessionOpensNothing()
    {
        TensorFile file = sessionTensors(fullSession());
        file.session = R"({"version": 7})";
        const std::filesystem::path path = (m_folder.path() + "/newer.npz").toStdString();
        QVERIFY(writeTensorFile(path, file));
        QVERIFY(sentence(readBack(path)).contains("version 7"));
    }

    void anyFileBecomesASession()
    {
        const std::filesystem::path path = (m_folder.path() + "/c.keyaxis").toStdString();
        TensorFile file{
            {counting("q", {1, 1, 2, 2}), counting("k", {1, 1, 2, 2})}, {{"causal", "true"}}, {}};
        QVERIFY(writeTensorFile(path, file));
        QVERIFY(readBack(path).value().settings.causal); // as its metadata say
    }

private:
    QTemporaryDir m_folder;
};

QTEST_APPLESS_MAIN(TestSessionFile)
#include "tst_session_file.moc"
