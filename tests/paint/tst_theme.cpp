#include "ui/paint/color_map.h"
#include "ui/paint/label.h"
#include "ui/paint/theme.h"

#include <QFontInfo>
#include <QFontMetricsF>
#include <QRegularExpression>
#include <QTest>
#include <cmath>

using namespace keyaxis;

class TestTheme : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { registerFonts(); }
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void textHasContrastOnEveryStepOfEveryPalette()
    {
        for (const Palette palette : {Palette::Viridis, Palette::Cividis, Palette::Magma,
                                      Palette::Greys, Palette::BlueRed}) {
            const ColorMap map(palette, {0, 1});
            for (int n = 0; n < 256; ++n)
                QVERIFY(contrast(textOn(map.step(n)), map.step(n)) >= 4.5);
        }
    }

    void palettesAreThosePublished()
    {
        QCOMPARE(ColorMap(Palette::Viridis, {0, 1}).step(0), QColor(0x44, 0x01, 0x54));
        QCOMPARE(ColorMap(Palette::Viridis, {0, 1}).step(255), QColor(0xfd, 0xe7, 0x25));
        QCOMPARE(ColorMap(Palette::Viridis, {0, 1}, true).step(0), QColor(0xfd, 0xe7, 0x25));
        // Low is blue and high is red: -1 must never look like +1.
        const ColorMap signedMap(Palette::BlueRed, {-1, 1});
        QVERIFY(signedMap.color(-1).blue() > signedMap.color(-1).red());
        QVERIFY(signedMap.color(1).red() > signedMap.color(1).blue());
    }

    void coloursOfTextHaveContrastOnPanelPaperAndTint()
    {
        for (const Theme& theme : {Theme::light(), Theme::dark(), Theme::highContrastLight(),
                                   Theme::highContrastDark()}) {
            for (const QColor& color : {theme.ink, theme.muted, theme.query, theme.key, theme.batch,
                                        theme.head, theme.valid, theme.invalid}) {
                QVERIFY2(contrast(color, theme.panel) >= 4.5, qPrintable(color.name()));
                QVERIFY2(contrast(color, theme.paper) >= 4.5, qPrintable(color.name()));
            }
            for (const QColor& color : {theme.valid, theme.invalid})
                QVERIFY2(contrast(color, theme.tint(color)) >= 4.5, qPrintable(color.name()));
            for (const Axis axis : kAllAxes)
                QVERIFY(contrast(theme.onAccent, theme.axisColor(axis)) >= 4.5);
            QVERIFY(contrast(theme.muted, theme.tint(theme.valid)) >= 4.5);
        }
    }

    void noAxisLooksLikeAVerdict()
    {
        for (const Theme& theme :
             {Theme::light(), Theme::dark(), Theme::highContrastLight(), Theme::highContrastDark()})
            for (const Axis axis : kAllAxes)
                QVERIFY(theme.axisColor(axis) != theme.valid &&
                        theme.axisColor(axis) != theme.invalid);
    }

    void theBundledFontIsUsedInFourWeights()
    {
        for (const QFont::Weight weight :
             {QFont::Normal, QFont::Medium, QFont::DemiBold, QFont::Bold})
            QCOMPARE(QFontInfo(uiFont(13, weight)).family(), QStringLiteral("Keyaxis Sans"));
        const QFontMetricsF metrics(uiFont(13));
        for (char digit = '0'; digit <= '9'; ++digit) // tabular figures
            QCOMPARE(metrics.horizontalAdvance(QLatin1Char(digit)),
                     metrics.horizontalAdvance(QLatin1Char('0')));
    }

    void rangesComeFromFiniteValues()
    {
        const std::array<float, 6> values{NAN, INFINITY, -INFINITY, 2.0F, -3.0F, 1e-45F};
        QCOMPARE(symmetricRange(values.data(), values.size()), (Range{-3, 3}));
        QCOMPARE(symmetricRange(values.data(), 3), (Range{-1, 1}));
        const ColorMap constant(Palette::Viridis, {0.25F, 0.25F});
        QCOMPARE(constant.color(0.25F),
                 constant.step(128)); // a constant map is no division by zero
        QVERIFY(ColorMap(Palette::Viridis, {0, 1}).isClipped(1.5F));
        QVERIFY(!ColorMap(Palette::Viridis, {0, 1}).isClipped(1.0F));
    }

    void tokensAreLiteralAndVisible_data()
    {
        QTest::addColumn<QByteArray>("token");
        QTest::addColumn<QString>("shown");
        const auto row = [](const char* token, const char* shown) {
            QTest::newRow(shown) << QByteArray(token) << QString::fromUtf8(shown);
        };
        row(" ", "␠");
        row("\n", "⏎");
        row("\t", "⇥");
        row("", "∅");
        row(" Once", "␠Once");
        row("Ġthe", "Ġthe");
        row("<b>x</b>", "<b>x</b>");
        row("&amp;", "&amp;");
        row("$x_1$", "$x_1$");
        row("中文", "中文");
        row("\x01", "U+0001");
    }
    void tokensAreLiteralAndVisible()
    {
        QFETCH(QByteArray, token);
        QFETCH(QString, shown);
        QCOMPARE(visibleToken(token.toStdString()), shown);
    }

    void aSignThatNoFontHasIsACodePoint()
    {
        QCOMPARE(drawable(QStringLiteral("a␠é")), QStringLiteral("a␠é"));
        QCOMPARE(drawable(QString(QChar(0xE123))), QStringLiteral("U+E123")); // private use
    }

    void repeatedTokensCarryTheirIndex()
    {
        const auto labels = tokenLabels({{"the", "cat", "the"}}, 0, 4, 'q');
        QCOMPARE(labels[0].plain(), "the_0");
        QCOMPARE(labels[1].plain(), "cat");
        QCOMPARE(labels[2].plain(), "the_2");
        QCOMPARE(labels[3].plain(), "q3");
    }

    void aLabelIsCutButItsIndexStays()
    {
        const Label label = Label(QStringLiteral("extraordinary")).sub(QStringLiteral("12"));
        const QFont font = uiFont(12);
        const Label cut = label.elided(font, 50);
        QVERIFY(cut.width(font) <= 50.5);
        QCOMPARE(cut.runs[1].text, QStringLiteral("12"));
        QVERIFY(cut.runs[0].text.endsWith(QChar(0x2026)));
    }
};

QTEST_MAIN(TestTheme)
#include "tst_theme.moc"
