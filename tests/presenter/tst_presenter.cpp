// A lesson in front of a class, driven by real keys and a real mouse.

#include "tests/presenter/presenting.h"
#include "ui/presenter/numbers_panel.h"
#include "ui/presenter/speaker_window.h"

#include <QLabel>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTableWidget>

using namespace keyaxis;
using namespace keyaxis::testing;

class TestPresenter : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { registerFonts(); }

    void init()
    {
        failOnWarnings();
        m_window = std::make_unique<PresenterWindow>(shortLesson(), Theme::light());
        m_window->canvas().setMorphMs(0);
        m_window->resize(1600, 1000);
        m_window->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
        QVERIFY(settle(*m_window));
    }
    void cleanup() { m_window.reset(); }

    void aStepShowsItsMap()
    {
        QCOMPARE(page().title, QString("A map"));
        QCOMPARE(page().figure.maps.size(), std::size_t(1));
        QCOMPARE(map().axis, Axis::Key);
        QCOMPARE(map().highlighted, std::optional(Cell{2, 0}));
        QVERIFY(page().kicker.contains("step 1 of 5"));
    }

    void keysTurnThePages_data()
    {
        QTest::addColumn<int>("forward");
        QTest::addColumn<int>("back");
        QTest::newRow("arrows") << int(Qt::Key_Right) << int(Qt::Key_Left);
        QTest::newRow("a clicker") << int(Qt::Key_PageDown) << int(Qt::Key_PageUp);
        QTest::newRow("space and backspace") << int(Qt::Key_Space) << int(Qt::Key_Backspace);
    }
    void keysTurnThePages()
    {
        QFETCH(int, forward);
        QFETCH(int, back);
        QVERIFY(press(*m_window, Qt::Key(forward)));
        QCOMPARE(page().title, QString("Which axis?"));
        QVERIFY(page().figure.maps.empty()); // a prediction
        QVERIFY(press(*m_window, Qt::Key(forward)));
        QVERIFY(page().isRevealed);
        QCOMPARE(page().figure.maps.size(), std::size_t(1));
        QVERIFY(press(*m_window, Qt::Key(back)));
        QVERIFY(!page().isRevealed && page().figure.maps.empty());
        QVERIFY(press(*m_window, Qt::Key(back)));
        QCOMPARE(page().title, QString("A map"));
        QVERIFY(press(*m_window, Qt::Key_End));
        QCOMPARE(page().title, QString("Words alone"));
        QVERIFY(page().figure.maps.empty());
        QVERIFY(press(*m_window, Qt::Key_Home));
        QCOMPARE(page().title, QString("A map"));
    }

    void aHeldKeyTurnsOnePage()
    {
        QKeyEvent repeat(QEvent::KeyPress, Qt::Key_Right, Qt::NoModifier, QString(), true);
        QApplication::sendEvent(m_window.get(), &repeat);
        QCOMPARE(m_window->run().index(), 0);
    }

    void theRevealShowsWhoWasRight()
    {
        QVERIFY(press(*m_window, Qt::Key_Right));
        QVERIFY(press(*m_window, Qt::Key_A));
        QVERIFY(page().answers[0].isChosen && !page().answers[1].isChosen);
        QVERIFY(press(*m_window, Qt::Key_Right));
        QVERIFY(page().isRevealed && page().answers[0].isChosen &&
                page().answers[1].choice.isRight);
        QVERIFY(press(*m_window, Qt::Key_B)); // too late
        QVERIFY(page().answers[0].isChosen);
        QVERIFY(press(*m_window, Qt::Key_R));
        QVERIFY(!page().isRevealed && !page().answers[0].isChosen);
    }

    void anAnswerCanBeClicked()
    {
        QVERIFY(press(*m_window, Qt::Key_Right));
        click(layout().answers[1].center());
        QVERIFY(page().answers[1].isChosen);
    }

    void handsAreShownAfterTheReveal()
    {
        QVERIFY(press(*m_window, Qt::Key_Right));
        QVERIFY(press(*m_window, Qt::Key_T));
        QLineEdit& tally = m_window->tally();
        QVERIFY(tally.isVisible());
        QTest::keyClicks(&tally, "3 x");
        QTest::keyClick(&tally, Qt::Key_Return);
        QVERIFY(tally.isVisible() && tally.text().isEmpty()); // asked again
        QTest::keyClicks(&tally, "3 12");
        QTest::keyClick(&tally, Qt::Key_Return);
        QVERIFY(!tally.isVisible());
        QVERIFY(!page().isRevealed); // Return went no further
        QCOMPARE(page().answers[1].nHands, -1);
        QVERIFY(press(*m_window, Qt::Key_Right));
        QCOMPARE(page().answers[0].nHands, 3);
        QCOMPARE(page().answers[1].nHands, 12);
    }

    void axisMaskAlibiAndTemperatureAreLive()
    {
        QVERIFY(press(*m_window, Qt::Key_1));
        QCOMPARE(map().axis, Axis::Query);
        QVERIFY(!map().certificate.isValid());
        QVERIFY(press(*m_window, Qt::Key_2));
        QVERIFY(map().certificate.isValid());
        QVERIFY(press(*m_window, Qt::Key_M));
        QVERIFY(!m_window->document().settings().causal);
        QVERIFY(map().stages->weights(0, 5) > 0);
        QVERIFY(press(*m_window, Qt::Key_L));
        QVERIFY(m_window->document().settings().alibi);
        QVERIFY(press(*m_window, Qt::Key_Plus));
        QCOMPARE(m_window->document().settings().temperature, 2.0F);
        QVERIFY(press(*m_window, Qt::Key_Z, Qt::ControlModifier));
        QCOMPARE(m_window->document().settings().temperature, 1.0F);
        QVERIFY(press(*m_window, Qt::Key_R)); // the step as it was
        QVERIFY(m_window->document().settings().causal && !m_window->document().settings().alibi);
    }

    void aHiddenMapStaysAsItIs()
    {
        QVERIFY(press(*m_window, Qt::Key_Right));
        QVERIFY(press(*m_window, Qt::Key_1));
        QVERIFY(press(*m_window, Qt::Key_Right));
        QCOMPARE(map().axis, Axis::Key);
    }

    void theFlipTurnsOnTheReveal()
    {
        m_window->canvas().setMorphMs(2000);
        for (int n = 0; n < 3; ++n)
            QVERIFY(press(*m_window, Qt::Key_Right));
        QCOMPARE(page().title, QString("The flip"));
        QCOMPARE(map().axis, Axis::Key);
        QVERIFY(!m_window->canvas().isMorphing());
        QVERIFY(press(*m_window, Qt::Key_Right));
        QCOMPARE(map().axis, Axis::Query);
        QVERIFY(m_window->canvas().isMorphing());
        QTRY_VERIFY(!m_window->canvas().isMorphing());
    }

    void thePointsLeaveTheHullLast()
    {
        m_window->canvas().setMorphMs(2000);
        for (int n = 0; n < 3; ++n)
            QVERIFY(press(*m_window, Qt::Key_Right));
        QVERIFY(!page().plane.isEmpty() && !page().plane.isOutside);
        const QPointF before = outputOnPage();
        QVERIFY(press(*m_window, Qt::Key_Right));
        QVERIFY(page().plane.isOutside);
        const QPointF after = outputOnPage();
        const auto isRing = [&](QPointF place) { // an output is a ring around plain panel
            const QImage image = m_window->canvas().grab().toImage();
            return image.pixelColor(m_window->canvas().toWidget(place).toPoint()) ==
                   Theme::light().panel;
        };
        QVERIFY(m_window->canvas().isMorphing());
        QVERIFY(isRing(before) && !isRing(after));
        QTRY_VERIFY(!m_window->canvas().isMorphing());
        QVERIFY(isRing(after) && !isRing(before));
    }

    void theValuePlaneIsOfTheQueryThatIsPointedAt()
    {
        for (int n = 0; n < 3; ++n)
            QVERIFY(press(*m_window, Qt::Key_Right));
        QCOMPARE(page().plane.query, Index(5));
        const QPointF cell = layout().cellRect({2, 1}).center();
        QTest::mouseMove(&m_window->canvas(), m_window->canvas().toWidget(cell).toPoint());
        QCOMPARE(page().plane.query, Index(2));
        QTest::mouseMove(&m_window->canvas(), QPoint(5, 5));
        QCOMPARE(page().plane.query, Index(5));
    }

    void aRevealComesInOrder()
    {
        m_window->canvas().setMorphMs(1600);
        QVERIFY(press(*m_window, Qt::Key_Right)); // a prediction: nothing is shown
        QVERIFY(press(*m_window, Qt::Key_Right));
        QVERIFY(m_window->canvas().isMorphing());
        const QPointF cell = layout().cellRect({1, 0}).topLeft() + QPointF(9, 9);
        const auto colorThere = [&] {
            return m_window->canvas().grab().toImage().pixelColor(
                m_window->canvas().toWidget(cell).toPoint());
        };
        QCOMPARE(colorThere(), Theme::light().panel); // the cells come after the outline
        QTRY_VERIFY(!m_window->canvas().isMorphing());
        QVERIFY(colorThere() != Theme::light().panel);
    }

    void aBlackScreenComesBackAndNothingElse()
    {
        QVERIFY(press(*m_window, Qt::Key_Period));
        QVERIFY(m_window->canvas().isBlank());
        QCOMPARE(m_window->canvas().grab().toImage().pixelColor(800, 500), QColor(Qt::black));
        QVERIFY(press(*m_window, Qt::Key_Right));
        QVERIFY(!m_window->canvas().isBlank());
        QCOMPARE(m_window->run().index(), 0);
        QVERIFY(press(*m_window, Qt::Key_Period));
        QVERIFY(press(*m_window, Qt::Key_Escape));
        QVERIFY(m_window->isVisible() && !m_window->canvas().isBlank());
        QVERIFY(press(*m_window, Qt::Key_F5));
        QVERIFY(m_window->isVisible());
    }

    void escapeGoesOutByOneLevel()
    {
        const QSignalSpy left(m_window.get(), &PresenterWindow::left);
        QVERIFY(press(*m_window, Qt::Key_Right));
        QTest::keyClick(m_window.get(), '?');
        QVERIFY(m_window->help().isVisible());
        QVERIFY(press(*m_window, Qt::Key_Z));
        QVERIFY(press(*m_window, Qt::Key_S));
        QVERIFY(press(*m_window, Qt::Key_Escape));
        QVERIFY(!m_window->help().isVisible() && m_window->canvas().isZoomed());
        QVERIFY(press(*m_window, Qt::Key_Escape));
        QVERIFY(!m_window->canvas().isZoomed());
        QVERIFY(press(*m_window, Qt::Key_Escape));
        QCOMPARE(m_window->canvas().tool(), PageCanvas::Tool::None);
        QCOMPARE(left.count(), 0);
        QTest::keyClick(m_window.get(), Qt::Key_Escape);
        QCOMPARE(left.count(), 1);
        QCOMPARE(left.first().first().toInt(), 1);
        QVERIFY(!m_window->isVisible());
    }

    void theSliceUnderThePointerIsOutlined()
    {
        const QRectF cell = layout().cellRect({4, 3});
        QTest::mouseMove(&m_window->canvas(), m_window->canvas().toWidget(cell.center()).toPoint());
        QTRY_COMPARE(map().highlighted, std::optional(Cell{4, 3}));
        QTest::mouseMove(&m_window->canvas(), QPoint(5, 5));
        QTRY_COMPARE(map().highlighted, std::optional(Cell{2, 0})); // the step's own
        click(cell.center());
        QTest::mouseMove(&m_window->canvas(), QPoint(5, 5));
        QTRY_COMPARE(map().highlighted, std::optional(Cell{4, 3})); // a click stays
    }

    void thePenDrawsAndIsWiped()
    {
        QVERIFY(press(*m_window, Qt::Key_P));
        PageCanvas& canvas = m_window->canvas();
        const QImage before = canvas.grab().toImage();
        QTest::mousePress(&canvas, Qt::LeftButton, {}, {300, 700});
        QTest::mouseMove(&canvas, {400, 700});
        QTest::mouseRelease(&canvas, Qt::LeftButton, {}, {400, 700});
        QVERIFY(canvas.hasStrokes());
        QVERIFY(canvas.grab().toImage().pixel(350, 700) != before.pixel(350, 700));
        QVERIFY(press(*m_window, Qt::Key_X));
        QCOMPARE(canvas.grab().toImage().pixel(350, 700), before.pixel(350, 700));
    }

    void numbersAreEditedInFrontOfTheClass()
    {
        for (int n = 0; n < 5; ++n)
            QVERIFY(press(*m_window, Qt::Key_Right));
        QCOMPARE(page().title, QString("By hand"));
        QVERIFY(std::abs(map().stages->weights(0, 1) - 0.75F) < 1e-6F);
        QVERIFY(press(*m_window, Qt::Key_E));
        QTableWidget& table = m_window->numbers().table();
        QVERIFY(m_window->numbers().isVisible());
        QCOMPARE(table.item(0, 0)->text(), QString("0"));
        table.item(0, 0)->setText("1.0986123"); // ln 3
        QVERIFY(settle(*m_window));
        QTRY_VERIFY(std::abs(map().stages->weights(0, 1) - 0.5F) < 1e-6F);
        table.item(0, 0)->setText("three");
        QCOMPARE(table.item(0, 0)->text(), QString("1.099")); // no number: what it was
        QTest::keyClick(&table, Qt::Key_PageDown);            // a table's keys are the table's
        QCOMPARE(page().title, QString("By hand"));
        QTest::keyClick(&m_window->numbers(), Qt::Key_Escape);
        QVERIFY(!m_window->numbers().isVisible() && m_window->isVisible());
        QVERIFY(press(*m_window, Qt::Key_R));
        QVERIFY(std::abs(map().stages->weights(0, 1) - 0.75F) < 1e-6F);
    }

    void numbersAreTypedWithoutAMouse()
    {
        for (int n = 0; n < 3; ++n) // a value plane leaves the text less room
            QVERIFY(press(*m_window, Qt::Key_Right));
        QVERIFY(press(*m_window, Qt::Key_E));
        QWidget* focus = m_window->focusWidget();
        QVERIFY(focus && m_window->numbers().isAncestorOf(focus));
        const double right = m_window->numbers().geometry().right();
        QVERIFY(right < m_window->canvas().toWidget(layout().picture.topLeft()).x());
        QTest::keyClick(focus, Qt::Key_Down);
        QTest::keyClicks(focus, "9");
        auto* editor = m_window->numbers().findChild<QLineEdit*>();
        QVERIFY(editor);
        QTest::keyClick(editor, Qt::Key_Return);
        QTRY_COMPARE(m_window->document().inputs().q->slice(0, 0)(1, 0), 9.0F);
        QTest::keyClick(focus, Qt::Key_Escape);
        QVERIFY(!m_window->numbers().isVisible());
        QVERIFY(press(*m_window, Qt::Key_R));
        QVERIFY(m_window->document().inputs().q->slice(0, 0)(1, 0) != 9.0F);
    }

    void aFrozenPictureStays()
    {
        const QImage before = m_window->canvas().grab().toImage();
        QVERIFY(press(*m_window, Qt::Key_F));
        QVERIFY(press(*m_window, Qt::Key_Right));
        QCOMPARE(m_window->run().index(), 1);
        QCOMPARE(m_window->canvas().grab().toImage().pixel(100, 130), before.pixel(100, 130));
        QCOMPARE(m_window->canvas().grab().toImage(), before);
        QVERIFY(press(*m_window, Qt::Key_F));
        QVERIFY(m_window->canvas().grab().toImage() != before);
    }

    void notesAreThereForTheSpeaker()
    {
        QVERIFY(press(*m_window, Qt::Key_N));
        SpeakerWindow& speaker = m_window->speaker();
        QVERIFY(speaker.isVisible());
        QCOMPARE(speaker.notes(), QString("Say one thing."));
        QCOMPARE(speaker.nextTitle(), QString("Next: Which axis?"));
        QTest::keyClick(&speaker, Qt::Key_Right); // its keys are the presenter's
        QVERIFY(settle(*m_window));
        QCOMPARE(page().title, QString("Which axis?"));
        QCOMPARE(speaker.answer(), QString("Right: B – Key axis"));
        QCOMPARE(speaker.nextTitle(), QString("Next: the reveal"));
        static const QRegularExpression clock(QStringLiteral("^\\d\\d:\\d\\d · 0:\\d\\d$"));
        QVERIFY(clock.match(speaker.time()).hasMatch());
    }

    void nothingIsSetBelowSixteenPixels()
    {
        for (const QSize size : {QSize(1600, 1000), QSize(1920, 1080), QSize(1280, 800)}) {
            m_window->resize(size);
            QVERIFY(press(*m_window, Qt::Key_Home));
            const double scale = m_window->canvas().toWidget({1, 0}).x();
            QVERIFY(layout().bodyPx * scale >= kSmallestPagePx);
            const double labelPx = layout().figure.maps[0].heatmap.labelPx * layout().figureScale;
            QVERIFY2(labelPx * scale >= kSmallestPagePx, qPrintable(QString::number(labelPx)));
        }
    }

private:
    const StepPage& page() { return m_window->canvas().page(); }
    const StepPageLayout& layout() { return m_window->canvas().pageLayout(); }
    const MapFigure& map() { return page().figure.maps.front(); }
    QPointF outputOnPage()
    {
        const ValuePlaneFigure& plane = page().plane;
        return layout().planePoint(plane.outputs[static_cast<std::size_t>(plane.query)]);
    }
    void click(QPointF onPage)
    {
        QTest::mouseClick(&m_window->canvas(), Qt::LeftButton, {},
                          m_window->canvas().toWidget(onPage).toPoint());
    }

    std::unique_ptr<PresenterWindow> m_window;
};

QTEST_MAIN(TestPresenter)
#include "tst_presenter.moc"
