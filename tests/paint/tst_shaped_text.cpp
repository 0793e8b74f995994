#include "ui/paint/shaped_text.h"

#include "ui/paint/theme.h"

#include <QBuffer>
#include <QFontMetricsF>
#include <QImage>
#include <QPainter>
#include <QSvgGenerator>
#include <QTest>

using namespace keyaxis;

namespace {

const QPointF kBaseline(40.3, 60.6);

/// A sheet of `ratio` pixels a point on which `draw` has been at work.
template <typename Draw>
QImage sheet(double ratio, double degrees, Draw draw)
{
    QImage image((QSizeF(240, 160) * ratio).toSize(), QImage::Format_ARGB32_Premultiplied);
    image.setDevicePixelRatio(ratio);
    image.fill(Qt::white);
    QPainter painter(&image);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.translate(kBaseline);
    painter.rotate(degrees);
    painter.setPen(Qt::black);
    draw(painter);
    return image;
}

} // namespace

class TestShapedText : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { registerFonts(); }

    void keptGlyphsAreThePixelsOfDrawText_data();
    void keptGlyphsAreThePixelsOfDrawText();
    void widthsAreThoseOfTheFont();
    void textStaysTextInAFile();
};

void TestShapedText::keptGlyphsAreThePixelsOfDrawText_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<double>("ratio");
    QTest::addColumn<double>("degrees");
    const QStringList texts{QStringLiteral("0.98"), QStringLiteral("AV To ffi"),
                            QStringLiteral("مرحبا"), QStringLiteral("注意 ⏎ the"), QString()};
    for (const QString& text : texts)
        for (const double ratio : {1.0, 1.25, 2.0})
            for (const double degrees : {0.0, -45.0, -90.0})
                QTest::addRow("%s, %g, %g", qPrintable(text), ratio, degrees)
                    << text << ratio << degrees;
}

void TestShapedText::keptGlyphsAreThePixelsOfDrawText()
{
    QFETCH(QString, text);
    QFETCH(double, ratio);
    QFETCH(double, degrees);
    for (const int px : {9, 13, 26}) {
        QFont font = uiFont(px, QFont::Medium);
        font.setUnderline(px == 26);
        const QImage plain = sheet(ratio, degrees, [&](QPainter& painter) {
            painter.setFont(font);
            painter.drawText(QPointF(), text);
        });
        for (const QPointF before : {QPointF(), QPointF(30, -20)}) // shaped, and kept
            QCOMPARE(sheet(ratio, degrees,
                           [&](QPainter& painter) {
                               painter.save();
                               painter.setClipRect(0, 0, 0, 0);
                               drawText(painter, before, text, font);
                               painter.restore();
                               drawText(painter, {}, text, font);
                           }),
                     plain);
    }
}

void TestShapedText::widthsAreThoseOfTheFont()
{
    for (const char* text : {"", "0.98", "AV", "the quick brown fox"})
        for (const int px : {9, 13})
            for (const QFont::Weight weight : {QFont::Normal, QFont::Bold})
                for (int time = 0; time < 2; ++time) {
                    const QFont font = uiFont(px, weight);
                    QCOMPARE(textWidth(QLatin1String(text), font),
                             QFontMetricsF(font).horizontalAdvance(QLatin1String(text)));
                }
}

void TestShapedText::textStaysTextInAFile()
{
    QBuffer file;
    QSvgGenerator generator;
    generator.setOutputDevice(&file);
    QPainter painter(&generator);
    drawText(painter, kBaseline, QStringLiteral("queries"), uiFont(13));
    painter.end();
    QVERIFY2(file.data().contains(">queries</text>"), file.data().constData());
}

QTEST_MAIN(TestShapedText)
#include "tst_shaped_text.moc"
