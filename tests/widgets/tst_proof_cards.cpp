#include "tests/core/sample_values.h"
#include "tests/widgets/window_helpers.h"
#include "ui/document/session.h"
#include "ui/widgets/append_card.h"
#include "ui/widgets/axis_summary.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/cancel_card.h"
#include "ui/widgets/influence_view.h"
#include "ui/widgets/nan_card.h"
#include "ui/widgets/normaliser_card.h"
#include "ui/widgets/value_plane_view.h"
#include "ui/widgets/why_panel.h"
#include "ui/widgets/window_actions.h"

#include <QCheckBox>
#include <QFile>
#include <QPushButton>
#include <QTemporaryDir>
#include <cmath>

using namespace keyaxis;
using namespace keyaxis::testing;

namespace {

QPushButton* buttonNamed(QWidget& card, const QString& text)
{
    for (auto* button : card.findChildren<QPushButton*>())
        if (button->text() == text)
            return button;
    return nullptr;
}

} // namespace

/// The cards of the right dock that prove something, driven as a user would.
class TestProofCards : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { failOnWarnings(); }

    void theSecondStatementIsAboutTheOutputsAlone()
    {
        ShownWindow shown;
        MainWindow& window = shown.window;
        QCOMPARE(window.whyPanel().hulls(),
                 QStringLiteral("All 80 outputs lie in the hull of the value rows they may use."));
        window.actions().axes[0]->trigger();
        QVERIFY(settle(window));
        const HullCount& hulls = *window.document().results()->hulls;
        QVERIFY(hulls.nOutside > 0);
        QVERIFY(window.whyPanel().hulls().contains(QString::number(hulls.nOutside)));
    }

    void anAppendedTokenIsHarmlessOnTheKeyAxisAndLeaksOnTheQueryAxis()
    {
        ShownWindow shown;
        MainWindow& window = shown.window;
        AppendCard& card = window.whyPanel().appendCard();
        QTest::mouseClick(buttonNamed(card, QStringLiteral("Append a token")), Qt::LeftButton);
        QCOMPARE(card.count(), QStringLiteral("0 of 10"));
        window.actions().axes[0]->trigger();
        QVERIFY(settle(window));
        QCOMPARE(card.count(), QStringLiteral("10 of 10"));
        QVERIFY2(card.sentence().contains(QStringLiteral("denominators")),
                 qPrintable(card.sentence()));
        window.actions().axes[1]->trigger();
        window.actions().causal->trigger(); // off: the mask is to blame, not the axis
        QVERIFY(settle(window));
        QCOMPARE(card.count(), QStringLiteral("10 of 10"));
        QVERIFY2(card.sentence().contains(QStringLiteral("mask")), qPrintable(card.sentence()));
        QCOMPARE(window.document().sizes().Tk, 10); // nothing was appended to the document yet

        QTest::mouseClick(buttonNamed(card, QStringLiteral("Keep it")), Qt::LeftButton);
        QVERIFY(settle(window));
        QCOMPARE(window.document().sizes().Tk, 11);
        window.actions().undo->trigger();
        QCOMPARE(window.document().sizes().Tk, 10);
    }

    void aClickOnAColumnNudgesThatTokenAndNoEarlierOutputMoves()
    {
        ShownWindow shown({1600, 1000});
        MainWindow& window = shown.window;
        const Matrix before = window.document().results()->axes[1]->output;
        InfluenceView& influence = window.whyPanel().influence();
        const InfluenceMap& tokens = influence.figure().maps[0];
        QCOMPARE(tokens.nudged, Nudged::Token);
        QCOMPARE(tokens.influence.norms(2, 6), 0.0F); // the mask is on
        const QRectF box = influence.layoutOfFigure().boxes[0];
        const QPointF sixth(box.left() + 6.5 * box.width() / 10, box.center().y());
        QTest::mouseClick(&influence, Qt::LeftButton, {}, sixth.toPoint());
        QVERIFY(settle(window));
        const Matrix& after = window.document().results()->axes[1]->output;
        QVERIFY(after.topRows(6) == before.topRows(6));
        QVERIFY(after.row(6) != before.row(6));
        // The maps show what has moved: the weights of that token's row and column, no others.
        QCOMPARE(window.document().view().mode, ViewSettings::Mode::Difference);
        const MapFigure& difference = window.centre().maps().figure().maps[0];
        const Matrix moved = difference.numbers.shown().values;
        QVERIFY(moved.topRows(6).isZero(0));
        QVERIFY(!moved.row(6).isZero(0));
        window.actions().undo->trigger();
        QVERIFY(settle(window));
        QVERIFY(window.document().results()->axes[1]->output == before);
    }

    void paddedQueriesCountInNoVerdictWhereTheyAreLeftOut()
    {
        ShownWindow shown({1600, 1000});
        MainWindow& window = shown.window;
        Inputs inputs = randomInputs({1, 2, 2, 4, 4, 3, 3}, 1);
        Tensor mask = Tensor::filled({1, 1, 4, 4}, 1.0F);
        for (Index n = 0; n < 4; ++n)
            mask.at(0, 0, 3, n) = mask.at(0, 0, n, 3) = 0;
        inputs.mask = share(mask);
        window.document().load(inputs, {}, {});
        window.actions().single->trigger();
        QVERIFY(settle(window));
        QTRY_VERIFY(window.document().results()->isComplete);
        const auto pill = [&] {
            return QString::fromStdString(window.centre().maps().figure().maps[0].verdict.pill);
        };
        const auto summary = [&] {
            return window.whyPanel().findChild<AxisSummary*>()->accessibleName();
        };
        auto* box = window.whyPanel().findChild<QCheckBox*>();
        QVERIFY(box->isVisible());
        QCOMPARE(box->text(), QString("Leave out 2 padded rows"));
        QCOMPARE(pill(), QString("1 undefined, 3 sum to 1"));
        QVERIFY(summary().contains("Key axis: 1 undefined, 3 sum to 1"));
        box->click();
        const QString left("3 of 3 rows sum to 1, 1 of padding left out");
        QCOMPARE(pill(), left);
        QVERIFY2(summary().contains("Key axis: " + left), qPrintable(summary()));
        QCOMPARE(window.whyPanel().scope(), QString("WHY THIS AXIS · 6 OF 8 ROWS"));
        QVERIFY(window.centre().figure().settingsLine.contains("padded queries not counted"));
        QCOMPARE(window.centre().figure().maps[0].certificate.nRows(), 4); // the bars stay
        window.actions().heads->trigger();
        QVERIFY(settle(window));
        QTRY_COMPARE(window.centre().figure().maps.size(), std::size_t(2));
        QCOMPARE(QString::fromStdString(window.centre().figure().maps[1].verdict.pill), left);

        // A session keeps it.
        const auto words = viewWords(window.document().view());
        QVERIFY(viewFrom(words).leavesOutPadding);
        box->click();
        QVERIFY(!window.document().view().leavesOutPadding);
        QCOMPARE(window.whyPanel().scope(), QString("WHY THIS AXIS · ALL 8 ROWS"));
    }

    void aNanTellsWhichSliceWasEmptiedAndWhatItSpoils()
    {
        ShownWindow shown({1600, 1000});
        MainWindow& window = shown.window;
        NanCard& card = window.whyPanel().nanCard();
        QVERIFY(!card.isVisible());
        window.actions().axes[2]->trigger(); // batch: the mask hides the cell in every example
        QVERIFY(settle(window));
        const QPoint cell = cellCentre(window, 2, {2, 5});
        QTest::mouseClick(&window.centre().maps(), Qt::LeftButton, {}, cell);
        QVERIFY(card.isVisible());
        QVERIFY(card.story() && card.story()->cause == NanStory::Cause::EmptySlice);
        QCOMPARE(card.story()->hidden.size(), std::size_t(2)); // two examples
        QVERIFY2(card.text().contains(QStringLiteral("causal mask")), qPrintable(card.text()));
        QVERIFY2(card.text().contains(QStringLiteral("teacher")), qPrintable(card.text()));

        QTest::mouseClick(buttonNamed(card, QStringLiteral("Try policy zero")), Qt::LeftButton);
        QVERIFY(settle(window));
        QCOMPARE(window.document().settings().empty, EmptySlice::Zero);
        QCOMPARE(weights(window, Axis::Batch)(2, 5), 0.0F);
        QVERIFY(!card.isVisible());
    }

    void aQueryAxisSoftmaxDividedByItsRowSumsIsConvexAgain()
    {
        ShownWindow shown;
        MainWindow& window = shown.window;
        NormaliserCard& card = window.whyPanel().normaliserCard();
        buttonNamed(card, QStringLiteral("Other normalisers"))->click();
        QVERIFY(card.isOpen());
        window.actions().axes[0]->trigger();
        QVERIFY(settle(window));
        const QStringList lines = card.verdicts();
        QCOMPARE(lines.size(), 4);
        QVERIFY2(lines[0].contains(QStringLiteral("Convex")), qPrintable(lines[0]));
        QVERIFY2(lines[0].contains(QStringLiteral("Coupled: queries")), qPrintable(lines[0]));
        QVERIFY2(lines[1].contains(QStringLiteral("Sub-convex")), qPrintable(lines[1]));
        QVERIFY2(lines[1].contains(QStringLiteral("heads")), qPrintable(lines[1]));
        window.document().setSettings([&] {
            ScoreSettings settings = window.document().settings();
            settings.temperature = 0;
            return settings;
        }());
        QVERIFY(settle(window));
        QVERIFY(!card.isVisible()); // the limits of these are no weights
    }

    void eachViewIsSavedAsAFigureWhoseTextStaysText()
    {
        ShownWindow shown({1600, 1000});
        WhyPanel& why = shown.window.whyPanel();
        QTemporaryDir folder;
        const QString svg = folder.filePath("plane.svg");
        why.savePicture(why.plane(), svg);
        QFile file(svg);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QVERIFY(file.readAll().contains("may use"));
        for (QWidget* view :
             {static_cast<QWidget*>(&why.plane()), static_cast<QWidget*>(&why.influence())}) {
            const QString png = folder.filePath("view.png");
            why.savePicture(*view, png);
            QCOMPARE(QImage(png).size(), view->size() + QSize(24, 24));
        }
        why.savePicture(why.plane(), folder.filePath("no-folder/x.png"));
        QVERIFY(shown.window.banner().sentence().contains("no-folder"));
    }

    void alibiVanishesOnTheBatchAxisAndSurvivesOnTheKeyAxis()
    {
        ShownWindow shown;
        MainWindow& window = shown.window;
        CancelCard& card = window.whyPanel().cancelCard();
        buttonNamed(card, QStringLiteral("What cancels"))->click();
        QVERIFY(card.parts() && !card.parts()->cancelsAll);
        QVERIFY2(card.sentence().contains(QStringLiteral("m·j")), qPrintable(card.sentence()));
        window.actions().axes[2]->trigger();
        QVERIFY(settle(window));
        QVERIFY(card.parts()->cancelsAll);
        window.actions().alibi->trigger(); // off: nothing to cancel
        QVERIFY(settle(window));
        QVERIFY(!card.isVisible());
    }
};

QTEST_MAIN(TestProofCards)
#include "tst_proof_cards.moc"
