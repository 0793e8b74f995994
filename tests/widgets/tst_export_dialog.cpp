#include "core/io/figure_session.h"
#include "tests/paint/figures.h"
#include "ui/paint/figure_text.h"
#include "ui/widgets/export_dialog.h"
#include "ui/widgets/export_preview.h"
#include "ui/widgets/number_ranges.h"
#include "ui/widgets/theme_style.h"

#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLineEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

using namespace keyaxis;
using namespace keyaxis::testing;

namespace {

Figure fourAxes()
{
    return compareFigure(worded({2, 2, 2, 4, 4, 4, 2}, {"a", "cat", "sat", "here"}), {});
}

Figure sixHeads()
{
    Figure figure = fourAxes();
    const MapFigure map = figure.maps[1];
    figure.maps.assign(6, map);
    for (MapFigure& tile : figure.maps)
        tile.detail = MapFigure::Detail::Tile;
    figure.sharesColorBar = true;
    return figure;
}

template <typename Widget>
Widget* named(QWidget& parent, const char* text)
{
    for (Widget* widget : parent.findChildren<Widget*>())
        if (widget->property("text").toString().remove(QLatin1Char('&')) ==
            QString::fromLatin1(text))
            return widget;
    return nullptr;
}

} // namespace

class TestExportDialog : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { prepareApplication(*qApp); }
    void init()
    {
        QTest::failOnWarning(QRegularExpression(QStringLiteral("^(?!This plugin does not)")));
    }

    void aBoxThatIsOffIsSeenInEveryTheme()
    {
        for (const Theme& theme : {Theme::light(), Theme::dark(), Theme::highContrastLight(),
                                   Theme::highContrastDark()}) {
            QApplication::setPalette(paletteOf(theme));
            qApp->setStyleSheet(styleSheetOf(theme));
            QWidget window;
            QCheckBox off(QStringLiteral("Off"), &window);
            QCheckBox on(QStringLiteral("On"), &window);
            on.setChecked(true);
            const auto nSeen = [&](QCheckBox& box) { // pixels of the box, 3 : 1 on the panel
                box.resize(box.sizeHint());
                const QImage image = box.grab().toImage();
                int n = 0;
                for (int y = 0; y < image.height(); ++y)
                    for (int x = 0; x < 16; ++x)
                        n += contrast(image.pixelColor(x, y), theme.panel) >= 3 ? 1 : 0;
                return n;
            };
            QVERIFY(nSeen(off) > 24);            // a frame
            QVERIFY(nSeen(on) > 2 * nSeen(off)); // filled
        }
        qApp->setStyleSheet({});
    }

    void dataTravelOnlyWhereTheyWereAskedFor()
    {
        const QTemporaryDir folder;
        const QString path = folder.filePath("a.png");
        ExportDialog dialog(fourAxes(), std::nullopt, QStringLiteral("a"), false);
        QVERIFY(dialog.sessionBox().isHidden());
        const std::vector<std::byte> session(100, std::byte{7});
        dialog.offerSession([&] { return Result<std::vector<std::byte>>(session); });
        QVERIFY(!dialog.sessionBox().isHidden());
        QVERIFY(!dialog.sessionBox().isChecked());
        const auto carried = [&] {
            return readBytes(path.toStdString()).and_then([](const Bytes& bytes) {
                return sessionInFigure(bytes, "a.png");
            });
        };
        QVERIFY(dialog.writeTo(path));
        QVERIFY(!carried());
        dialog.sessionBox().setChecked(true);
        QVERIFY(dialog.writeTo(path));
        QVERIFY(carried() && *carried() == session);
        dialog.offerSession([]() -> Result<std::vector<std::byte>> {
            return fail(Errc::BadValue, "It does not go.");
        });
        QVERIFY(!dialog.writeTo(path));
        QCOMPARE(dialog.problem(), "It does not go.");
    }

    void aColumnHasItsWidthOnPaperAndItsPixelsByResolution()
    {
        ExportDialog dialog(fourAxes(), std::nullopt, QStringLiteral("a"), false);
        dialog.setPage(ExportDialog::Page::SingleColumn);
        QCOMPARE(qRound(dialog.options(".pdf").size.width() / 72 * 25.4), 85);
        QCOMPARE(qRound(dialog.options(".png").size.width()), 1004); // 85 mm at 300 dpi
        dialog.setPage(ExportDialog::Page::DoubleColumn);
        QCOMPARE(qRound(dialog.options(".svg").size.width() / 72 * 25.4), 180);
        dialog.setPage(ExportDialog::Page::Slide);
        QCOMPARE(dialog.options(".png").size, QSizeF(1920, 1080));
    }

    void aPngAndAVectorPageOfTheSameColumnAreLaidOutAlike()
    {
        ExportDialog dialog(fourAxes(), std::nullopt, QStringLiteral("a"), false);
        dialog.setPage(ExportDialog::Page::DoubleColumn);
        const ExportOptions png = dialog.options(".png");
        const ExportOptions pdf = dialog.options(".pdf");
        const double pngUnits = png.size.width() * 96 / png.dpi / png.scale;
        QVERIFY(std::abs(pngUnits - pdf.size.width() / pdf.scale) < 1);
    }

    void thePreviewShowsWhatWillBeWritten()
    {
        ExportDialog dialog(fourAxes(), Cell{2, 1}, QStringLiteral("a"), false);
        dialog.show();
        auto* preview = dialog.findChild<ExportPreview*>();
        QVERIFY(QTest::qWaitForWindowExposed(&dialog));
        const auto picture = [&] { return preview->grab().toImage(); };
        const QSizeF page = preview->pageRect().size();
        QVERIFY(std::abs(page.width() / page.height() - 1600.0 / 1056) < 0.01);
        for (const char* text :
             {"Settings below the maps", "Colour bar", "Outline the slice that is pointed at"}) {
            const QImage before = picture();
            named<QCheckBox>(dialog, text)->toggle();
            QVERIFY2(picture() != before, text);
        }
        QVERIFY(dialog.chosenFigure().maps[0].highlighted == std::optional<Cell>({2, 1}));
        QVERIFY(dialog.chosenFigure().settingsLine.isEmpty());
        for (const int theme : {1, 2, 3}) {
            const QImage before = picture();
            for (auto* box : dialog.findChildren<QComboBox*>())
                if (box->accessibleName() == QLatin1String("Theme"))
                    box->setCurrentIndex(theme);
            QVERIFY(picture() != before);
        }
    }

    void aTransparentPngHasNoPaper()
    {
        ExportDialog dialog(fourAxes(), std::nullopt, QStringLiteral("a"), false);
        for (auto* box : dialog.findChildren<QComboBox*>())
            if (box->accessibleName() == QLatin1String("Theme"))
                box->setCurrentIndex(2);
        const QTemporaryDir folder;
        const QString path = folder.filePath("a.png");
        QVERIFY(dialog.writeTo(path));
        const QImage image(path);
        QCOMPARE(image.pixelColor(2, 2).alpha(), 0);
        QVERIFY(image.width() == 1600);
    }

    void someHeadsShareOneFigureWithOneBar()
    {
        ExportDialog dialog(sixHeads(), std::nullopt, QStringLiteral("a"), false);
        auto* maps = dialog.findChild<QLineEdit*>();
        for (auto* edit : dialog.findChildren<QLineEdit*>())
            if (edit->accessibleName() == QLatin1String("Which maps"))
                maps = edit;
        maps->setText("1-2, 5");
        QCOMPARE(dialog.chosenFigure().maps.size(), std::size_t{3});
        QVERIFY(dialog.chosenFigure().sharesColorBar);
        QVERIFY(dialog.problem().isEmpty());
        maps->setText("7");
        QCOMPARE(dialog.problem(), "Maps are numbered 1 to 6: write 1-4, 7.");
    }

    void whatIsTooLargeIsRefusedBeforeItIsPainted()
    {
        ExportDialog dialog(fourAxes(), std::nullopt, QStringLiteral("a"), false);
        dialog.setPage(ExportDialog::Page::OwnPixels);
        for (auto* box : dialog.findChildren<QDoubleSpinBox*>())
            box->setValue(20000);
        QCOMPARE(dialog.problem(),
                 "A picture of 20000 × 20000 pixels is too large; 200 million pixels are the "
                 "limit.");
        const QTemporaryDir folder;
        QVERIFY(!dialog.writeTo(folder.filePath("a.png")));
        QVERIFY(!QFile::exists(folder.filePath("a.png")));
    }

    void imageTableAndCaptionAreCopied()
    {
        const Figure figure = fourAxes();
        ExportDialog dialog(figure, std::nullopt, QStringLiteral("a"), false);
        named<QPushButton>(dialog, "Copy image")->click();
        QCOMPARE(QApplication::clipboard()->image().size(), QSize(1600, 1056));
        named<QPushButton>(dialog, "Copy table")->click();
        const QString table = QApplication::clipboard()->text();
        QVERIFY(table.contains("Key axis\n\ta\tcat\tsat\there\na\t"));
        QVERIFY(
            table.contains(QString::fromStdString(shortest(figure.maps[1].stages->weights(3, 2)))));
        named<QPushButton>(dialog, "Copy caption")->click();
        const QString caption = QApplication::clipboard()->text();
        QVERIFY(caption.contains("Key axis: 4 of 4 rows sum to 1"));
        QVERIFY(caption.endsWith(figure.settingsLine + "."));
    }

    void aListOfNumbersIsReadAsWritten_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QList<int>>("numbers");
        QTest::addColumn<bool>("isRead");
        QTest::newRow("nothing") << "" << QList<int>{} << true;
        QTest::newRow("ranges") << "1-3, 6" << QList<int>{1, 2, 3, 6} << true;
        QTest::newRow("its own order") << "4,2" << QList<int>{4, 2} << true;
        QTest::newRow("past the last") << "5-9" << QList<int>{} << false;
        QTest::newRow("from 0") << "0" << QList<int>{} << false;
        QTest::newRow("backwards") << "3-1" << QList<int>{} << false;
        QTest::newRow("words") << "all" << QList<int>{} << false;
        QTest::newRow("a comma too many") << "1," << QList<int>{} << false;
    }
    void aListOfNumbersIsReadAsWritten()
    {
        QFETCH(QString, text);
        const auto read = numbersIn(text, 8);
        QTEST(read.has_value(), "isRead");
        QTEST(read ? QList<int>(read->begin(), read->end()) : QList<int>(), "numbers");
    }
};

QTEST_MAIN(TestExportDialog)
#include "tst_export_dialog.moc"
