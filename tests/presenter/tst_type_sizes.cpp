// Every shipped lesson, measured as it is painted: the type, the picture, the answers.

#include "tests/paint/recorder.h"
#include "tests/presenter/presenting.h"
#include "ui/present/lesson_run.h"
#include "ui/present/step_figure.h"

#include <QFontMetricsF>
#include <QSet>
#include <algorithm>

using namespace keyaxis;
using namespace keyaxis::testing;

namespace {

/// Indices below and exponents above the line are smaller, as everywhere.
bool isIndex(const QString& text)
{
    static const QRegularExpression number(QStringLiteral("^\\d+$"));
    return number.match(text).hasMatch();
}

} // namespace

class TestTypeSizes : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { registerFonts(); }

    void everyStepIsReadFromTheBack_data()
    {
        QTest::addColumn<QString>("path");
        QTest::addColumn<QSize>("size");
        QSet<QString> paths;
        for (const QString& language : lessonLanguages())
            for (const QString& path : shippedLessons(language))
                paths += path;
        for (const QString& path : paths)
            for (const QSize size :
                 {QSize(1024, 768), QSize(1280, 720), QSize(1920, 1080), QSize(3840, 2160)})
                QTest::addRow("%s, %d", qPrintable(path), size.width()) << path << size;
    }
    void everyStepIsReadFromTheBack()
    {
        QFETCH(QString, path);
        QFETCH(QSize, size);
        const auto lesson = std::make_shared<const Lesson>(readLesson(path).value());
        PageCanvas canvas;
        canvas.resize(size);
        const double scale = canvas.toWidget({1, 0}).x();
        LessonRun run(lesson);
        bool isLast = false;
        while (!isLast) {
            const StepState state = run.shownState();
            const StepPage page = makeStepPage(*lesson, run.index(), run.isRevealed(),
                                               stepPicture(computedSource(state).value(), state));
            const StepPageLayout layout = layoutStepPage(page, QSizeF(size) / scale);
            const QString where = QStringLiteral("step %1, revealed: %2. ")
                                      .arg(run.index() + 1)
                                      .arg(run.isRevealed());
            Recorder device(size);
            QPainter painter(&device);
            painter.scale(scale, scale);
            paintStepPage(painter, page, layout, Theme::light());
            painter.end();
            QVERIFY(device.texts().size() > 3);
            for (const DrawnText& text : device.texts())
                if (!isIndex(text.text))
                    QVERIFY2(text.px >= kSmallestPagePx - 0.01,
                             qPrintable(where + text.text + QString::number(text.px)));
            QVERIFY2(layout.fits, qPrintable(where + "the text is too long for its page"));
            for (const MapLayout& map : layout.figure.maps) {
                const QRectF room(QPointF(0, 0), layout.picture.size() / layout.figureScale);
                QVERIFY2(room.contains(map.heatmap.view), qPrintable(where));
                QVERIFY2(map.heatmap.cellWidth >= 8, qPrintable(where));
            }
            isLast = !run.forward();
        }
    }

    /// However long a right answer is, there is a line for its mark.
    void theMarkOfAnAnswerHasRoom()
    {
        const Lesson lesson = readLesson(lessonPath("1")).value();
        StepPage page = makeStepPage(lesson, 2, true, {});
        const auto right = std::find_if(page.answers.begin(), page.answers.end(),
                                        [](const auto& answer) { return answer.choice.isRight; });
        right->choice.why.clear();
        const auto heightOf = [&](const QString& text, bool isRevealed) {
            right->choice.text = text;
            page.isRevealed = isRevealed;
            const auto n = static_cast<std::size_t>(right - page.answers.begin());
            return layoutStepPage(page, {1600, 1000}).answers[n].height();
        };
        for (int n = 10; n < 60; ++n) {
            const QString text = QString("so ").repeated(n).trimmed();
            // A bold answer is wider than one that is not yet revealed, never lower.
            QVERIFY2(heightOf(text, true) >= heightOf(text + QStringLiteral("\u00a0✓"), false),
                     qPrintable(text));
        }
    }

    void anAnswerStandsInTheMiddleOfItsBox_data()
    {
        QTest::addColumn<bool>("isRevealed");
        QTest::newRow("one line") << false;
        QTest::newRow("with its reason") << true;
    }
    void anAnswerStandsInTheMiddleOfItsBox()
    {
        QFETCH(bool, isRevealed);
        const Lesson lesson = readLesson(lessonPath("1")).value();
        const StepPage page = makeStepPage(lesson, 2, isRevealed, {});
        QImage image(1600, 1000, QImage::Format_RGB32);
        const StepPageLayout layout = layoutStepPage(page, image.size());
        const Theme theme = Theme::light();
        image.fill(theme.paper);
        QPainter painter(&image);
        paintStepPage(painter, page, layout, theme);
        painter.end();
        for (const QRectF& answer : layout.answers) {
            const QRect box = answer.toAlignedRect().adjusted(4, 4, -4, -4);
            int top = box.bottom();
            int bottom = box.top();
            for (int y = box.top(); y <= box.bottom(); ++y)
                for (int x = box.left(); x <= box.right(); ++x)
                    if (image.pixelColor(x, y).lightness() < 140) {
                        top = std::min(top, y);
                        bottom = std::max(bottom, y);
                    }
            // What hangs below the line, as the tail of a y, is no more than 6 pixels.
            const double off = (top + bottom) / 2.0 - answer.center().y();
            QVERIFY2(off > -2 && off < 4, qPrintable(QString::number(off)));
        }
    }
};

QTEST_MAIN(TestTypeSizes)
#include "tst_type_sizes.moc"
