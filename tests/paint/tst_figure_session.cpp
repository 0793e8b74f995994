#include "core/io/attention_file.h"
#include "core/io/base64.h"
#include "core/io/figure_session.h"
#include "core/io/session_file.h"
#include "core/io/tensor_file.h"
#include "tests/paint/figures.h"
#include "ui/paint/export.h"

#include <QImage>
#include <QTemporaryDir>
#include <QTest>

using namespace keyaxis;
using namespace keyaxis::testing;

namespace {

Session smallSession()
{
    Session session;
    session.inputs = worded({1, 2, 2, 4, 4, 3, 3}, {"she", "wrote"});
    session.settings.axis = Axis::Query;
    session.settings.temperature = 0.3F;
    session.view.emplace("head", "1");
    return session;
}

Figure someFigure()
{
    return compareFigure(smallSession().inputs, ScoreSettings());
}

QString sentence(const Result<TensorFile>& read)
{
    return read ? QStringLiteral("read") : QString::fromStdString(read.error().message);
}

} // namespace

/// Figures that carry their document.
class TestFigureSession : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { registerFonts(); }

    void base64IsThatOfTheStandard()
    {
        for (const auto& [plain, encoded] : {std::pair{"", ""},
                                             {"f", "Zg=="},
                                             {"fo", "Zm8="},
                                             {"foo", "Zm9v"},
                                             {"foob", "Zm9vYg=="},
                                             {"fooba", "Zm9vYmE="},
                                             {"foobar", "Zm9vYmFy"}}) {
            QCOMPARE(toBase64(bytesOf(plain)), encoded);
            QCOMPARE(std::string(textOf(fromBase64(encoded).value())), plain);
        }
        QCOMPARE(std::string(textOf(fromBase64("Zm9v\n Yg==\n").value())), "foob");
        for (const char* broken : {"Zg=", "Z", "Zg==Zg==", "Zg=a", "Zm9$", "===="})
            QVERIFY2(!fromBase64(broken), broken);
    }

    void aFigureOpensAsItsDocument_data()
    {
        QTest::addColumn<QString>("ending");
        QTest::addColumn<bool>("asPaths");
        QTest::newRow("PNG") << ".png" << false;
        QTest::newRow("SVG") << ".svg" << false;
        QTest::newRow("SVG, outlines") << ".svg" << true;
        QTest::newRow("PDF") << ".pdf" << false;
        QTest::newRow("PDF, outlines") << ".pdf" << true;
    }
    void aFigureOpensAsItsDocument()
    {
        QFETCH(QString, ending);
        QFETCH(bool, asPaths);
        const std::string path = m_folder.filePath("figure" + ending).toStdString();
        ExportOptions options{.size = {600, 400}, .textAsPaths = asPaths};
        QVERIFY(exportFigure(someFigure(), Theme::light(), options, path));
        const auto without = readTensorFile(path);
        QVERIFY2(sentence(without).contains("is a picture and carries no Keyaxis session"),
                 qPrintable(sentence(without)));

        const Session session = smallSession();
        options.session = sessionBytes(session).value();
        QVERIFY(exportFigure(someFigure(), Theme::light(), options, path));
        const auto file = readTensorFile(path);
        QVERIFY2(file, qPrintable(sentence(file)));
        const auto read = readAttention(*file, "figure");
        QVERIFY(read);
        QVERIFY(sameBits(*read->inputs.q, *session.inputs.q));
        QCOMPARE(read->settings, session.settings);
        QCOMPARE(read->inputs.keyTokens, session.inputs.keyTokens);
        QCOMPARE(read->view.at("head"), "1");
    }

    void thePictureLooksTheSame()
    {
        const std::string path = m_folder.filePath("same.png").toStdString();
        ExportOptions options{.size = {300, 200}};
        QVERIFY(exportFigure(someFigure(), Theme::light(), options, path));
        const QImage before(QString::fromStdString(path));
        options.session = Bytes(9'000'000, std::byte{1}); // more than libpng takes in one piece
        QVERIFY(exportFigure(someFigure(), Theme::light(), options, path));
        const QImage after(QString::fromStdString(path));
        QVERIFY(!after.isNull());
        QCOMPARE(after, before);
        const auto carried = sessionInFigure(readBytes(path).value(), "same.png");
        QVERIFY(carried && *carried == options.session);
    }

    void textsOfOthersInAPngAreNoSession()
    {
        QImage image(3, 2, QImage::Format_RGB32);
        image.fill(Qt::white);
        image.setText("Software", "another program");
        const QString path = m_folder.filePath("titled.png");
        QVERIFY(image.save(path));
        const auto file = readBytes(path.toStdString());
        QVERIFY(file);
        QVERIFY(QString::fromStdString(sessionInFigure(*file, "a.png").error().message)
                    .contains("carries no Keyaxis session"));
        const Bytes figure = figureWithSession(*file, bytesOf("session"));
        const auto session = sessionInFigure(figure, "a.png");
        QVERIFY(session);
        QCOMPARE(session->size(), std::size_t(7));
    }

    void damageIsSaidAndNothingElseIsTakenForOne()
    {
        const Bytes svg = [] {
            const BytesView text = bytesOf("<svg><metadata id=\"keyaxis-session\">Zg=</metadata>"
                                           "</svg>");
            return Bytes(text.begin(), text.end());
        }();
        QVERIFY(QString::fromStdString(sessionInFigure(svg, "a.svg").error().message)
                    .contains("is damaged"));
        for (const char* text :
             {"%PDF-1.4\n1 0 obj <<>> stream\nPK no archive\nendstream /EF <</F 1 0 R>>",
              "%PDF-1.4\n1 0 obj <</Filter /FlateDecode>> stream\nxx /EF <</F 1 0 R>>",
              "%PDF-1.4 /EF <</F 7 0 R>>", "%PDF-1.4\n1 0 obj /EF <</F 1 0 R>> stream",
              "%PDF-1.4 /EF <</F >>", "%PDF-1.4 /EF"})
            QVERIFY2(!sessionInFigure(bytesOf(text), "a.pdf"), text);
        QVERIFY(!figureFormat(bytesOf("[[1, 2], [3, 4]]")));
        QVERIFY(!figureFormat(bytesOf("a,b\n1,2\n")));
        QVERIFY(!figureFormat({}));
        // A PNG whose chunk claims to be longer than the file.
        const std::string cut = std::string("\x89PNG\r\n\x1a\n\xff\xff\xff\xfftEXtkeyaxis", 24);
        QVERIFY(!sessionInFigure(bytesOf(cut), "a.png"));
        // One that ends within its first chunk is kept whole.
        const Bytes more = figureWithSession(bytesOf(cut), bytesOf("session"));
        QVERIFY(more.size() > cut.size() &&
                std::equal(cut.begin(), cut.end(), more.begin(),
                           [](char a, auto b) { return std::byte(a) == std::byte(b); }));
    }

private:
    QTemporaryDir m_folder;
};

QTEST_MAIN(TestFigureSession)
#include "tst_figure_session.moc"
